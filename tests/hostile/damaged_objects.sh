# SPDX-License-Identifier: Apache-2.0
# A program is profiled, then its object or debug information is gone, packed, split, changed or damaged:
# the report names what it can, never wrongly, shows the rest as object+0xoffset, says why in one warning, and
# prints nothing but text.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
live_need gcc objcopy strip jq python3 timeout
cd "$live_folder" || broken "no scratch folder"
unset LD_LIBRARY_PATH

cat >burn.c <<'END'
#include <stdlib.h>
volatile double sum;
__attribute__((noinline)) void burn_here(int n)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < 10000; k++)
			sum += k * 0.5;
}
END
cat >main.c <<'END'
#include <time.h>
void burn_here(int n);
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 10)
		burn_here(10);
	return 0;
}
END
gcc -O1 -c main.c -o main.o || skip_all "gcc cannot build a program"

# build OPTION...: the program, burn.c with these options, and its profile.
build() {
	rm -rf p prog prog.* *.dwo
	gcc -O1 "$@" -c burn.c -o burn.o 2>log && gcc burn.o main.o -o prog -Wl,--build-id 2>>log &&
		"$ompprof" run -q -F 1000 -o p -- ./prog 2>>log
}

# is_text FILE: whether nothing in it could move a cursor.
is_text() {
	! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$1"
}

# reports PATTERN [WARNING]: whether the report has a row of PATTERN, and the one warning if there is one;
# and whether JSON is JSON.
reports() {
	timeout 20 "$ompprof" report -i p --tree --view full >tree 2>err || return 1
	timeout 20 "$ompprof" report -i p >summary 2>>err || return 1
	timeout 20 "$ompprof" report -i p --format json >json 2>>err || return 1
	cat tree summary err
	jq -e .run.samples json >/dev/null && python3 -m json.tool json >/dev/null &&
		is_text tree && is_text summary && is_text err && [ ! -s err ] &&
		grep -q "$1" tree || return 1
	[ -z "${2-}" ] || {
		tr '\n' ' ' <summary | tr -s ' ' | sed 's/ warning: /\n/g' >warnings
		[ "$(grep -c "$2" warnings)" -eq 1 ]
	}
}

named='[+-]burn_here .*burn.c:3'
bare='[+-]prog+0x[0-9a-f]'
unlined='[+-]burn_here '

build -g || broken "$(cat log)"
check "as it was" reports "$named"
cp prog whole
mv prog away
check "the object is gone" reports "$bare" "cannot name functions of .*/prog': No such file"
echo text >prog
check "no object" reports "$bare" "cannot name functions of .*/prog': "
: >prog
check "an empty file" reports "$bare" "cannot name functions of .*/prog': "
rm prog
mkdir prog
check "a folder" reports "$bare" "cannot name functions of .*/prog': "
rmdir prog
mkfifo prog
check "a pipe" reports "$bare" "cannot name functions of .*/prog': "
rm prog
ln -s prog prog
check "a link to itself" reports "$bare" "cannot name functions of .*/prog': "
rm prog
ln -s /dev/zero prog
check "no end of zeros" reports "$bare" "cannot name functions of .*/prog': "
rm prog
strip -s whole -o prog
check "stripped" reports "$bare" "no debug information in .prog'"
# What is at the same addresses is called otherwise now.
sed 's/burn_here/wrong_name/; s/0[.]5/0.25/' burn.c >wrong.c
gcc -O1 -g -c wrong.c -o wrong.o && gcc -O1 -Dburn_here=wrong_name -c main.c -o wrongmain.o &&
	gcc wrong.o wrongmain.o -o prog -Wl,--build-id || broken "no other program"
check "rebuilt since" reports "$bare" "/prog': the file changed since the run"
check "... none of its names is shown" sh -c '! grep -l wrong_name tree summary json'
if build -g -gz=zlib; then
	check "compressed by zlib" reports "$named"
else
	skip "compressed by zlib" "gcc cannot: $(head -n 1 log)"
fi
build -g || broken "$(cat log)"
if objcopy --compress-debug-sections=zstd prog 2>log; then
	check "compressed by zstd: by its symbols at least" reports "$unlined"
else
	skip "compressed by zstd" "objcopy cannot"
fi
# Says that it is compressed, and holds anything.
python3 - prog <<'END'
import re, struct, sys
b = bytearray(open(sys.argv[1], 'rb').read())
shoff, = struct.unpack_from('<Q', b, 40)
n, = struct.unpack_from('<H', b, 60)
for i in range(n):
    at = shoff + 64 * i
    kind, flags, addr, off, size = struct.unpack_from('<IQQQQ', b, at + 4)
    if not addr and kind == 1 and size > 64:
        struct.pack_into('<Q', b, at + 8, flags | 0x800)
        struct.pack_into('<IIQQ', b, off, 1, 0, 1 << 40, 1)
open(sys.argv[1], 'wb').write(b)
END
check "compressed, it says, to a terabyte" reports "$unlined"

for version in 4 5; do
	if ! build -g -gdwarf-$version -gsplit-dwarf; then
		skip "split DWARF $version" "gcc cannot: $(head -n 1 log)"
		continue
	fi
	check "split DWARF $version" reports "$named"
	if timeout 10 llvm-dwp-19 -e prog -o prog.dwp 2>log; then
		mkdir -p dwo && mv *.dwo dwo/
		check "split DWARF $version, packed: by its symbols at least" reports "$unlined"
	fi
	rm -rf prog.dwp dwo *.dwo
	check "split DWARF $version, gone: by its symbols" reports "$unlined"
	echo nonsense >burn.dwo
	check "split DWARF $version, no object: by its symbols" reports "$unlined"
done

# Debug information whose references lead round in circles: a function that is its own origin, its own
# sibling, and one of two that specify each other.
cat >ring.s <<'END'
	.section .debug_abbrev,"",@progbits
	.byte 1, 0x11, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0, 0
	.byte 2, 0x2e, 1, 0x31, 0x13, 0x01, 0x13, 0x11, 0x01, 0x12, 0x07, 0, 0
	.byte 3, 0x1d, 1, 0x47, 0x13, 0x01, 0x13, 0x11, 0x01, 0x12, 0x07, 0, 0
	.byte 0
	.section .debug_info,"",@progbits
begin:	.long end - begin - 4
	.short 4
	.long 0
	.byte 8, 1
	.string "ring.c"
	.quad burn_here, 4096
first:	.byte 2
	.long first - begin, first - begin
	.quad burn_here, 4096
one:	.byte 3
	.long two - begin, one - begin
	.quad burn_here, 4096
two:	.byte 3
	.long one - begin, one - begin
	.quad burn_here, 4096
	.byte 0, 0, 0, 0
end:
END
build || broken "$(cat log)"
if gcc -c ring.s -o ring.o 2>log && gcc burn.o main.o ring.o -o prog -Wl,--build-id 2>>log &&
	"$ompprof" run -q -F 1000 -o p -- ./prog; then
	check "rings of references: by its symbols" reports "$unlined"
else
	not_ok "rings of references" "$(cat log)"
fi

# Damage that is the same each time: cut anywhere, and bytes anywhere in what describes the object.
build -g || broken "$(cat log)"
cp prog whole
cat >damage.py <<'END'
import random, struct, sys
b = bytearray(open('whole', 'rb').read())
kind, seed = sys.argv[1], int(sys.argv[2])
r = random.Random(seed)
shoff, = struct.unpack_from('<Q', b, 40)
n, names = struct.unpack_from('<HH', b, 60)
parts = [struct.unpack_from('<IIQQQQ', b, shoff + 64 * i) for i in range(n)]
strings = parts[names][4]
def name(part):
    return bytes(b[strings + part[0]:b.index(0, strings + part[0])]).decode()
if kind == 'cut':
    del b[len(b) * seed // 12:]
else:
    spans = {'headers': [(shoff, 64 * n)], 'elf': [(0, 64)]}.get(kind) or \
        [(p[4], p[5]) for p in parts if name(p).startswith(kind) and p[5]]
    for i in range(r.choice([1, 4, 40])):
        begin, size = r.choice(spans)
        b[begin + r.randrange(size)] = r.choice([0, 1, 0x7f, 0x80, 0xff, r.randrange(256)])
open('prog', 'wb').write(b)
END
for kind in cut elf headers .debug_info .debug_abbrev .debug_line .debug_str .debug_aranges .symtab .strtab .shstrtab; do
	said=
	for seed in 2 5 7; do
		python3 damage.py $kind $seed || broken "damage.py"
		timeout 20 "$ompprof" report -i p --tree >tree 2>err &&
			timeout 20 "$ompprof" report -i p --format json >json 2>>err &&
			is_text tree && [ ! -s err ] && jq -e .run.samples json >/dev/null ||
			said="$said seed $seed: $(head -n 5 tree err)"
	done
	is "damaged: $kind" "$said" ""
done
plan
