#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which sources the page of ompprof report --html quotes: those that are what was compiled, and those below a folder
# that is given; what else a profile names is left out, and why is said.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need gcc jq gunzip base64 python3
mkdir "$live_folder/work" && cd "$live_folder/work" || broken "no scratch folder"
unset OMPPROF_PAGER PAGER LD_LIBRARY_PATH DEBUGINFOD_URLS

mkdir src
cat >src/part.h <<'END'
static inline double step(double x)
{
	for (int i = 0; i < 100; i++) x = x / 1.0000001 + 1.5; /* the secret */
	return x;
}
END
cat >src/whole.c <<'END'
#include <stdio.h>
#include <time.h>
#include "part.h"

int main(void)
{
	double x = 1;

	while (clock() < CLOCKS_PER_SEC * 3 / 10)
		x = step(x);
	printf("%g\n", x);
	return 0;
}
END

# sources OPTION...: the page's data of sources, in `sources`.
sources() {
	"$ompprof" report --html page.html "$@" >said 2>&1 || { cat said; return 1; }
	sed -n '/id="data-sources"/,/<.script>/p' page.html | sed -e 1d -e '$d' | base64 -d | gunzip >sources
}

# source_of FILTER OPTION...: whether what is said of the header passes.
source_of() {
	filter=$1
	shift
	sources "$@" || return 1
	jq -e '.[] | select(.file | endswith("part.h", "cred.h"))' sources >header || { cat sources; return 1; }
	cat header
	jq -e "$filter" header >/dev/null && ! [ -s said ]
}
quoted='([.lines[][1] | select(test("the secret"))] | length) == 1 and (.found | test("part.h|cred.h"))'
left_out='.lines == [] and .found == ""'

# poison: the names beside the profile lead to another file of the same length; the sum of the cache is right.
poison() {
	python3 - <<'END'
data = bytearray(open('out/symbols.cache', 'rb').read().replace(b'/part.h', b'/cred.h'))
sum_at, mask, total = 32, (1 << 64) - 1, len(data)
for i in range(0, len(data), 8):
    word = int.from_bytes(data[i:i + 8], 'little') if i != sum_at else 0
    total = (total ^ word) * 0x9e3779b97f4a7c15 & mask
    total ^= total >> 29
data[sum_at:sum_at + 8] = total.to_bytes(8, 'little')
open('out/symbols.cache', 'wb').write(data)
END
}

nobody='(.problem | test("no program or library on this machine"))'

# elsewhere FILE PROGRAM: a profile in `proc` whose program was at a path that is another one for each process.
elsewhere() {
	rm -rf proc && mkdir proc && python3 - "$1" "$2" <<'END'
import os, sys
data, path = open(sys.argv[1], 'rb').read(), os.path.join(os.getcwd(), sys.argv[2]).encode()
other = b'/proc/self/cwd/' + sys.argv[2].encode()
other = other.replace(b'cwd/', b'cwd' + b'/' * (len(path) - len(other) + 1))
open('proc/1.ompprof', 'wb').write(data.replace(path, other))
sys.exit(path not in data or len(path) != len(other))
END
}

# try COMPILER FLAG WHY PLAIN: with debug information that has an MD5 of each file, or has none; why a newer file is left
# out, and what holds of the file that was compiled.
try() {
	rm -rf src.now out
	cp -a src src.now
	"$1" -O2 -g "$2" src.now/whole.c -o "whole-$1" 2>log || { skip "$1" "it cannot build: $(head -n 1 log)"; return; }
	"$ompprof" run -q -F 1000 -o out -- "./whole-$1" >said 2>&1 || { not_ok "$1: a profile" "$(cat said)"; return; }
	check "$1: what was compiled is $5" source_of "$4" -i out
	check "$1: ... with names that are kept, too" source_of "$4" -i out
	check "$1: ... and if its folder is given" source_of "$quoted and .problem == \"\"" -i out --source-path "$PWD/src.now"
	cp out/*.ompprof beside.ompprof
	check "$1: a program beside the profile is not asked" source_of "$left_out and $nobody" -i beside.ompprof
	elsewhere out/*.ompprof "whole-$1" || broken "the program's path is not in the profile"
	check "$1: ... nor one by way of /proc" source_of "$left_out and $nobody" -i proc
	sleep 0.01
	sed -i '1s|^|/* another */ |' src.now/part.h
	check "$1: what was changed since is left out" source_of "$left_out and (.problem | test(\"$3\"))" -i out
	check "$1: ... unless its folder is given" source_of "$quoted and (.problem | test(\"$3\"))" -i out \
		--source-path "$PWD/src.now"
	check "$1: ... in another way" source_of "$quoted" -i out --source-path "$PWD/src.now=src.now"
	check "$1: ... but for another folder" source_of "$left_out" -i out --source-path "$PWD/nothing=src.now"
	rm -rf src.now
	check "$1: a source that is not there is said" source_of "$left_out and (.problem | test(\"is not there\"))" -i out
	cp -a src src.now
	# Names that came with the profile, and lead to a file that the program does not know.
	cp -a src.now/part.h src.now/cred.h
	poison && "$ompprof" report -i out --format json | grep -q 'cred\.h' || broken "no other names in the cache"
	check "$1: what the program itself does not name is left out" source_of \
		"$left_out and (.problem | test(\"no program or library on this machine\"))" -i out
	check "$1: ... unless its folder is given" source_of "$quoted" -i out --source-path src.now
}
try gcc -gdwarf-4 "is newer than" "$quoted and (.problem | test(\"^not verified: .* has no MD5\"))" "quoted, and not verified"
if command -v clang-19 >/dev/null; then
	try clang-19 -gdwarf-5 "is not what was compiled: its MD5" "$quoted and .problem == \"\"" "quoted"
else
	skip "clang" "it is not installed"
fi
said=$("$ompprof" report -i out --source-path src 2>&1 >/dev/null | head -n 1)
is "the option is of the page alone" "$said" "ompprof: option '--source-path' needs '--html': other views quote no source"
plan
