# SPDX-License-Identifier: Apache-2.0
# Names that mean harm: of functions, source files, objects, threads, arguments, environment, folders. Text shows
# nothing but text, JSON is JSON and has the names, and a name of any length costs no more than its length.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/live/live.sh"
. "$srcdir/tests/hostile/hostile_program.sh"
live_need gcc objcopy jq python3 timeout
cd "$live_folder" || broken "no scratch folder"
unset LD_LIBRARY_PATH

evil=$(printf 'x\033[31m"\\<i>\n\377')
mkdir "$evil" && cd "$evil" || broken "no folder of such a name"
harmful_program ../main.c "$evil"
OMP_EVIL=$evil "$ompprof" run -F 1000 -o "$evil.out" -- "./$evil" "$evil" "$(printf '\033]0;x\007')" >out 2>said
check "a profile" [ -e "$evil.out" ]

for view in "" --tree --flat --bottom-up "--tree --view full" "--tree --no-demangle" "--by function" "--by line" \
	"--by module" "--by thread"; do
	# Words on purpose.
	# shellcheck disable=SC2086
	is "report $view" "$(COLUMNS=80 timeout 20 "$ompprof" report -i "$evil.out" --percent-limit 0 $view 2>err >text ||
		COLUMNS=80 timeout 20 "$ompprof" report -i "$evil.out" $view 2>err >text
		echo "$? $(cat err)")" "0 "
	check "... is text" is_text text
	is "... of 80 columns" "$(LC_ALL=C.UTF-8 awk 'length($0) > 100' text)" ""
done
for what in "" --asm "--format json" "--format csv"; do
	# Words on purpose.
	# shellcheck disable=SC2086
	for place in lll Z "$evil"; do
		timeout 20 "$ompprof" annotate -i "$evil.out" $what "$place" >text 2>err
		[ $? -le 1 ] || not_ok "annotate $what ends" "$(cat err)"
		cat err >>text
		tr -d '\r' <text >clean
		check "annotate $what is text" is_text clean
	done
done
timeout 20 "$ompprof" info -i "$evil.out" >text 2>err ||
	timeout 20 "$ompprof" info "$evil.out" >text 2>err
is "info" "$? $(cat err)" "0 "
check "... is text" is_text text
check "... and has the thread's name" grep -q 'yes *t?\[31m' text
check "what ompprof run said is text" is_text said
timeout 20 "$ompprof" report -i "$evil" >text 2>err
check "what report says of a file of such a name is text" is_text err

timeout 20 "$ompprof" report -i "$evil.out" --format json >json 2>err
is "JSON" "$? $(cat err)" "0 "
check "... for jq" jq -en input json
check "... for Python" python3 -m json.tool json
is "... has the argument" "$(jq -r '.run.command[2]' json)" "$(printf '\033]0;x\007')"
python3 -c "import sys
sys.stdout.buffer.write(b'$harmful_name'.decode('utf-8', 'replace').encode() + b'\n')" >wanted
jq -r '[.nodes[].name | select(startswith("e;"))][0]' json >got
is "... and the name, with U+FFFD for what is no UTF-8" "$(cat got)" "$(cat wanted)"
is "... a long name whole up to 16 KB" \
	"$(jq '[.nodes[].name | select(startswith("llll")) | length][0]' json)" 16384

# Names that overlap: 20,000 symbols whose names are the ends of one of a megabyte.
cat >overlap.py <<'END'
import struct
n = 20000
strings = b'\0' + b'a' * (1 << 20) + b'\0'
symbols = bytes(24) + b''.join(
    struct.pack('<IBBHQQ', 1 + 50 * i, 0x12, 0, 1, 0x1000 + i, 1) for i in range(n))
names = b'\0.text\0.symtab\0.strtab\0.shstrtab\0'
body = bytes(n)
out = bytearray(64)
parts = []
for data in (body, symbols, strings, names):
    parts.append((len(out), len(data)))
    out += data
def header(name, kind, flags, addr, part, link, entry):
    return struct.pack('<IIQQQQIIQQ', name, kind, flags, addr, part[0], part[1], link, 1, 8, entry)
table = bytes(64) + header(1, 1, 6, 0x1000, parts[0], 0, 0) + header(7, 2, 0, 0, parts[1], 3, 24) + \
    header(15, 3, 0, 0, parts[2], 0, 0) + header(23, 3, 0, 0, parts[3], 0, 0)
struct.pack_into('<16sHHIQQQIHHHHHH', out, 0, b'\x7fELF\2\1\1', 3, 62, 1, 0, 0, len(out), 0, 64, 0, 0, 64, 5, 4)
open('overlap', 'wb').write(out + table)
END
python3 overlap.py
printf '%x\n' 4096 5000 9000 | (ulimit -v 400000; timeout 10 "$builddir/tests/symbols/lookup" overlap) >text 2>err
is "names that overlap" "$? $(grep -c '^aaaa' text)" "0 3"
plan
