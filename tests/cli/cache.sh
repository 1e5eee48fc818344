# SPDX-License-Identifier: Apache-2.0
# What reports keep beside a profile (symbols.cache): it is used, it changes no report, and it is not used once
# anything that it was made of has changed, nor if it is not what a report has written, nor if others could have.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
live_need gcc objcopy strip python3 timeout mkfifo
cd "$live_folder" || broken "no scratch folder"
unset LD_LIBRARY_PATH

cat >prog.c <<'END_OF_PROGRAM'
#include <time.h>
volatile double sum;
__attribute__((noinline)) void burn_here(void)
{
	for (int k = 0; k < 100000; k++)
		sum += k * 0.5;
}
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 10)
		burn_here();
	return 0;
}
END_OF_PROGRAM

# plant.py FILE FROM TO: what a report would read of a cache in which a name is another one of the same length.
cat >plant.py <<'END_OF_PLANT'
import sys
path, old, new = sys.argv[1], sys.argv[2].encode(), sys.argv[3].encode()
b = bytearray(open(path, 'rb').read())
assert len(old) == len(new) and b.count(old) > 0
b = bytearray(bytes(b).replace(old, new))
s = len(b)
for i in range(0, len(b), 8):
    word = 0 if i == 32 else int.from_bytes(b[i:i + 8], 'little')
    s = (s ^ word) * 0x9e3779b97f4a7c15 & (1 << 64) - 1
    s ^= s >> 29
b[32:40] = s.to_bytes(8, 'little')
open(path, 'wb').write(b)
END_OF_PLANT

# build OPTION...: the program and its profile. A file that has just changed is not kept, so wait.
build() {
	rm -rf p prog prog.debug
	gcc -O1 "$@" prog.c -o prog && "$ompprof" run -q -F 1000 -o p -- ./prog && sleep 0.1
}

# report OPTION...: the report of the profile in tree.
report() {
	timeout 20 "$ompprof" report -i p --tree --view full "$@" >tree 2>err && [ ! -s err ]
}

names() {
	report && grep -q "$1" tree
}

# plant: a cache in which burn_here is called otherwise.
plant() {
	rm -rf p/symbols.cache
	report && python3 plant.py p/symbols.cache burn_here planted_h
}

# is_used, is_not_used: whether what was planted is shown; if not, the right name is.
is_used() {
	names planted_h
}
is_not_used() {
	names burn_here && ! grep -q planted_h tree
}

build -g || broken "cannot make a profile"
report --no-cache && cp tree without
check "--no-cache writes nothing" [ ! -e p/symbols.cache ]
report && cp tree first
check "a report writes the cache" [ -f p/symbols.cache ]
is "... which is the user's alone" "$(stat -c %a p/symbols.cache)" 600
check "... and is as without" cmp without first
check "a second report is as the first" sh -c '"$1" report -i p --tree --view full | cmp - first' - "$ompprof"
plant
check "the cache is used" is_used
check_fails "... but not with --no-cache" sh -c '"$1" report --no-cache -i p --tree | grep planted_h' - "$ompprof"
for option in --flat --no-inline --no-demangle --by-thread "--by line" "--format json" ""; do
	rm -f p/symbols.cache
	# Words on purpose.
	# shellcheck disable=SC2086
	check "with and without are the same: ${option:-summary}" sh -c '
		ompprof=$1
		shift
		"$ompprof" report -i p --no-cache "$@" >a && "$ompprof" report -i p "$@" >b &&
			"$ompprof" report -i p "$@" >c && cmp a b && cmp a c' - "$ompprof" $option
done
plant
check "a single file of the folder" sh -c '"$1" report -i p/*.ompprof --tree | grep planted_h' - "$ompprof"

plant
cp "$ompprof" other
check "another ompprof does not use it" sh -c '! ./other report -i p --tree | grep planted_h'
check "... and its own takes the place" is_not_used
plant
touch prog
check "the object was touched" is_not_used
sleep 0.1
plant
mv prog away
check "the object is gone" sh -c '"$1" report -i p --tree --view full | grep "prog+0x"' - "$ompprof"
mv away prog
sleep 0.1
check "... and is back" is_not_used

# Without a build-id nothing but the file tells that it is another one.
build -g -Wl,--build-id=none || broken "cannot make a profile"
report && cp prog before
sed 's/burn_here/other_fun/' prog.c >changed.c
gcc -O1 -g -Wl,--build-id=none changed.c -o prog
check "another object without a build-id" names other_fun
cp before prog
check "... in the same place, at once" names burn_here

build -g || broken "cannot make a profile"
objcopy --only-keep-debug prog prog.debug &&
	objcopy --strip-all --add-gnu-debuglink=prog.debug prog || broken "cannot split a program"
mv prog.debug away
sleep 0.1
check "no debug information" names 'prog+0x'
check "... is kept, too" [ -f p/symbols.cache ]
check "... as is what the summary says of it" sh -c '
	"$1" report -i p | tr "\n" " " | tr -s " " | grep "no debug information in .prog"' - "$ompprof"
mv away prog.debug
check "a debug file comes" names 'burn_here .*prog.c'
sleep 0.1
report && mv prog.debug away
check "... and goes" names 'prog+0x'
mv away prog.debug
check "... and is back" names 'burn_here .*prog.c'

build -g || broken "cannot make a profile"
report && cp p/symbols.cache good
size=$(stat -c %s good)
for at in 0 8 12 40 200 $((size / 2)) $((size - 1)); do
	plant
	python3 -c 'import sys
b = bytearray(open("p/symbols.cache", "rb").read()); b[int(sys.argv[1])] ^= 1
open("p/symbols.cache", "wb").write(b)' $at
	check "byte $at is another one" is_not_used
done
check "... and the next report has one that is sound" cmp p/symbols.cache good
for n in 0 1 39 296 $((size / 2)) $((size - 1)); do
	plant
	truncate -s $n p/symbols.cache
	check "cut to $n bytes" is_not_used
done
plant
truncate -s 1T p/symbols.cache 2>/dev/null || truncate -s 1G p/symbols.cache
check "far too large" is_not_used
rm -f p/symbols.cache
mkfifo p/symbols.cache
check "a pipe" is_not_used
rm -rf p/symbols.cache
mkdir p/symbols.cache
check "a folder" is_not_used
rmdir p/symbols.cache
plant
mv p/symbols.cache elsewhere
cp elsewhere copy
ln -s ../elsewhere p/symbols.cache
check "a link is not followed" is_not_used
check "... and what it leads to is as it was" cmp elsewhere copy
plant
ln p/symbols.cache another_name
check "a file with another name, too" is_not_used
rm -f another_name
plant
chmod 666 p/symbols.cache
check "a file that others can write" is_not_used
rm -f p/symbols.cache
chmod 777 p
check "a folder that others can write" is_not_used
check "... gets none" [ ! -e p/symbols.cache ]
chmod 700 p
if [ "$(id -u)" -eq 0 ]; then
	skip "a folder that cannot be written" "root can write to any"
else
	chmod 500 p
	check "a folder that cannot be written" is_not_used
	chmod 700 p
fi

rm -f p/symbols.cache
at_once() {
	for i in 1 2 3 4 5 6; do
		"$ompprof" report -i p --tree --view full >"tree.$i" 2>&1 &
	done
	wait
	for i in 1 2 3 4 5 6; do
		cmp tree.1 tree.$i || return 1
	done
	grep -q burn_here tree.1 && cmp p/symbols.cache good && [ "$(ls p | wc -l)" -eq 2 ]
}
check "several at once" at_once

# The folder is a profile's still.
touch p/symbols.cache.4711
check "the next run takes the folder's place" "$ompprof" run -q -o p -- ./prog
check "... the old one is kept with its cache" [ -f p.old/symbols.cache ]
check "... until the run after that" sh -c '
	"$1" run -q -o p -- ./prog && [ ! -e p.old/symbols.cache ] && [ "$(ls -d p.* | wc -l)" -eq 1 ]' - "$ompprof"
plan
