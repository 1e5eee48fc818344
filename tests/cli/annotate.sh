#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ompprof annotate of real programs, by each compiler: the hot line is found, lines and instructions add up to
# their function, and sources that are moved, changed, newer, special files or hostile do no harm.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need gcc jq objdump python3 timeout mkfifo
mkdir "$live_folder/work" && cd "$live_folder/work" || broken "no scratch folder"
unset OMPPROF_OBJDUMP OMPPROF_PAGER PAGER NO_COLOR LD_LIBRARY_PATH DEBUGINFOD_URLS

mkdir src
cat >src/hot.h <<'END'
static inline double step(double x)
{
	for (int i = 0; i < 100; i++) x = x / 1.0000001 + 1.5; /* the hot line */
	return x;
}
END
cat >src/hot.c <<'END'
#include <stdio.h>
#include <time.h>
#include "hot.h"

double burn(double x, long n) __attribute__((noinline));
double burn(double x, long n)
{
	while (n-- > 0)
		x = step(x); /* the call */
	return x;
}

int main(void)
{
	double x = 1;

	while (clock() < CLOCKS_PER_SEC * 3 / 10)
		x = burn(x, 1000);
	printf("%g\n", x);
	return 0;
}
END
hot=$(grep -n 'hot line' src/hot.h | cut -d: -f1)
call=$(grep -n 'the call' src/hot.c | cut -d: -f1)

# annotate OPTION...: standard output in `out`, messages in `err`. It never takes long.
annotate() {
	timeout 20 "$ompprof" annotate "$@" >out 2>err
}

# json FILTER OPTION...: whether what is printed as JSON passes.
json() {
	filter=$1
	shift
	annotate "$@" --format json || { cat err; return 1; }
	jq -en "input | $filter" out || { head -c 3000 out; return 1; }
}

# shows PATTERN OPTION...: whether the text has it, and nothing is on stderr.
shows() {
	pattern=$1
	shift
	annotate "$@" || { cat err; return 1; }
	cat out err
	grep -q -e "$pattern" out && ! [ -s err ]
}

# fails PATTERN OPTION...: status 1, nothing on stdout, and the pattern on stderr.
fails() {
	pattern=$1
	shift
	status=0
	annotate "$@" || status=$?
	cat out err
	[ "$status" = 1 ] && ! [ -s out ] && grep -q -e "$pattern" err
}

# All figures of lines are the function's, and those the report's.
sums='def near(a; b): (a - b | fabs) < 1e-6;
	near([.files[].lines[].self.time_s // 0] | add // 0; .self.time_s - .self_without_line.time_s)
	and near([.files[].lines[].self.blame_s // 0] | add // 0;
		.self.blame_s - .self_without_line.blame_s)
	and ([.files[].lines[].self.samples // 0] | add // 0)
		== .self.samples - .self_without_line.samples'
own='def function($nodes; $i): $nodes[$i] as $n
	| if $n.kind == "wait" or $n.kind == "runtime" then
		$nodes[$n.parent] | if .kind == "region" or .kind == "task" then .function
			elif .kind == "function" or .kind == "inlined" then .name else null end
	elif $n.kind == "region" or $n.kind == "task" then $n.function
	elif $n.kind == "function" or $n.kind == "inlined" then $n.name else null end;
	.nodes as $nodes | [range(0; $nodes | length) | select(function($nodes; .) == $name)
	| $nodes[.] | .work_s + .overhead_s + ([.wait[]] | add // 0)] | add // 0'

# is_whole PROFILE FUNCTION: its figure is what the report says of it.
is_whole() {
	"$ompprof" report -i "$1" --format json >report.json || return 1
	annotate -i "$1" --format json "$2" || { cat err; return 1; }
	whole=$(jq --arg name "$2" "$own" report.json)
	part=$(jq .self.time_s out)
	echo "report: $whole, annotate: $part"
	near "$whole" "$part" 0.000001
}

instructions='def near(a; b): (a - b | fabs) < 1e-6;
	(.code | length) == 1 and (.code[0] | near([.instructions[].self.time_s // 0] | add; .self.time_s)
	and .strayed.samples == 0 and .symbol == "burn" and .self.samples > 0
	and ([.instructions[] | select(.self)] | all(.address >= "0x"))
	and ([.instructions[] | select(.instruction | test("div"))] | length) > 0)'

# instructions_of PROFILE: instructions of what is inlined, and of what that is inlined into, have their lines' sums.
instructions_of() {
	for pair in "step step" "burn step burn"; do
		name=${pair%% *}
		lines=0
		for part in ${pair#* }; do
			annotate -i "$1" --format json "$part" || { cat err; return 1; }
			lines=$(jq --argjson lines "$lines" '$lines + .self.time_s' out)
		done
		annotate -i "$1" --format json --asm "$name" || { cat err; return 1; }
		code=$(jq '[.code[].instructions[].self.time_s // 0] | add' out)
		echo "$name: lines $lines, instructions $code"
		near "$lines" "$code" 0.000001 || return 1
	done
}

# try COMPILER: profiles the program as it builds it.
try() {
	cc=$1
	"$cc" -O2 -g "$PWD/src/hot.c" -o "hot-$cc" 2>log || { skip "$cc" "it cannot build: $(head -n 1 log)"; return; }
	"$ompprof" run -q -F 1000 -o "$cc.out" -- "./hot-$cc" >said 2>&1 || { not_ok "$cc: a profile" "$(cat said)"; return; }
	profiles="$profiles $cc.out"
	check "$cc: the hottest function, and its hot line" json ".function == \"step\" and
		([.files[].lines[] | select(.line == $hot)][0].self.time_s > 0.8 * .self.time_s)" -i "$cc.out"
	check "$cc: ... as text" shows "^ *[0-9]*\.[0-9]  *[0-9].* $hot  *for (int i = 0; " \
		-i "$cc.out"
	check "$cc: what is inlined counts at the call" json ".function == \"burn\" and
		([.files[].lines[] | select(.line == $call)][0].total.time_s > 0.8 * .total.time_s)" \
		-i "$cc.out" burn
	for name in step burn main; do
		check "$cc: lines of $name add up" json "$sums" -i "$cc.out" "$name"
		check "$cc: ... to what the report says" is_whole "$cc.out" "$name"
	done
	check "$cc: instructions add up" json "$instructions" -i "$cc.out" --asm burn
	check "$cc: ... of what is inlined alone" instructions_of "$cc.out"
	check "$cc: ... as text" shows "^ *[0-9.]* .* [0-9a-f]*  *div" -i "$cc.out" --asm burn
	check "$cc: ... of all of main" shows 'ret' -i "$cc.out" --asm --all main
	check "$cc: a file" shows "$hot  *for (int i" -i "$cc.out" hot.h
	check "$cc: a line of it" shows "$hot> *for (int i" -i "$cc.out" "hot.h:$hot"
	check "$cc: to the last line of the function" shows "return 0;" -i "$cc.out" --all --context 0 main
}

profiles=
for cc in gcc clang-14 clang-19; do
	if command -v "$cc" >/dev/null; then
		try "$cc"
	else
		skip "$cc" "it is not installed"
	fi
done
profile=${profiles# }
profile=${profile%% *}
check "a line of CSV for each that is shown" sh -c '"$1" annotate -i "$2" --format csv burn >csv &&
	python3 -c "
import csv, sys
rows = list(csv.DictReader(open(\"csv\")))
assert sum(float(r[\"total_s\"] or 0) for r in rows) > 0, rows
assert all(r[\"file\"].endswith(\"hot.c\") and int(r[\"line\"]) > 0 for r in rows), rows
assert any(\"the call\" in r[\"source\"] for r in rows), rows"' - "$ompprof" "$profile"

# Messages and options.
check "an unknown function" fails "no function or file 'nothing_like_it' in the profile" -i "$profile" \
	nothing_like_it
check "... and where the work is" grep -q "hint: .*'step'" err
check "two places" sh -c '"$1" annotate a b c 2>err; [ $? = 2 ] && grep -q "unexpected argument" err' - \
	"$ompprof"
check "two kinds of figures" sh -c '"$1" annotate --asm --inclusive 2>err; [ $? = 2 ]' - "$ompprof"
check "no instructions of a file" fails "needs a function" -i "$profile" --asm hot.h
check "no profile" fails "cannot read" -i nowhere burn

# Without objdump.
check "no objdump" fails "cannot disassemble .* with './none': No such file" -i "$profile" --objdump ./none \
	--asm burn
check "... by the environment" sh -c 'OMPPROF_OBJDUMP=./none "$1" annotate -i "$2" --asm burn 2>err
	[ $? = 1 ] && grep -q "hint: install binutils" err' - "$ompprof" "$profile"
printf '#!/bin/sh\nexit 3\n' >bad && chmod +x bad
check "an objdump that fails" fails "it failed" -i "$profile" --objdump ./bad --asm burn
printf '#!/bin/sh\necho "  zz:\tnop"\n' >bad
check "... that shows nothing" fails "no instructions" -i "$profile" --objdump ./bad --asm burn
printf '#!/bin/sh\nyes | head -c 90000000\n' >bad
check "... that shows too much" fails "too long" -i "$profile" --objdump ./bad --asm burn

# A program of another machine, below a sysroot: its number in the file, at 18, is that of AArch64.
mkdir -p "root$PWD" path
cp "hot-${profile%.out}" "root$PWD/" && printf '\267' | dd of="root$PWD/hot-${profile%.out}" bs=1 seek=18 \
	conv=notrunc 2>/dev/null
printf '#!/bin/sh\nexit 127\n' >path/aarch64-linux-gnu-objdump && chmod +x path/aarch64-linux-gnu-objdump
foreign() (
	PATH=$PWD/path:$PATH
	fails "with 'aarch64-linux-gnu-objdump': it cannot be run" -i "$profile" --sysroot root --asm burn &&
		grep -q "hint: install binutils for AArch64, or" err
)
check "another machine: its objdump" foreign
check "a line of no function: the whole file" shows "has line 1 of hot.c: the whole file is shown" \
	-i "$profile" hot.c:1
# A source that is another one.
newer() {
	sleep 0.01
	touch src/hot.c
	case $1 in
	gcc) shows "warning: .*hot.c' is newer than .*hot-gcc'" -i gcc.out burn ;;
	*)
		shows "burn" -i "$1.out" burn || return 1
		! grep -q warning: out
	esac
}
changed() {
	sed -i '1s/^/\n/' src/hot.c
	case $1 in
	gcc) shows "warning: .*hot.c' is newer" -i gcc.out burn ;;
	*) shows "warning: .*hot.c' is not what was compiled: its MD5" -i "$1.out" burn ;;
	esac
}
cp -p src/hot.c kept.c
for found in $profiles; do
	check "$found: a source that is newer" newer "${found%.out}"
	check "$found: ... and changed" changed "${found%.out}"
	cp -p kept.c src/hot.c
done
head -n 3 kept.c >src/hot.c
touch -d '2020-01-01' src/hot.c
check "a source that is too short" shows "warning: .*is not what was compiled" -i "$profile" burn
cp -p kept.c src/hot.c

# A source that has moved.
mkdir moved && mv src/hot.c src/hot.h moved/
check "no source: instructions" shows "warning: the source file .*hot.c' is not there" -i "$profile" burn
check "... are shown" grep -q " div" out
check "no source and no objdump: lines alone" sh -c '"$1" annotate -i "$2" --objdump ./none burn >out &&
	cat out && grep -q "warning: cannot disassemble" out && grep -q " '"$call"'\$" out' - "$ompprof" "$profile"
check "in a folder" shows "the call" -i "$profile" --source-path moved burn
check "... that is another" shows "the call" -i "$profile" --source-path none --source-path moved burn
check "a beginning replaced" shows "the call" -i "$profile" --source-path "$PWD/src=$PWD/moved" burn
check "... that is not its beginning" shows "is not there" -i "$profile" --source-path "$PWD/sr=moved" burn
check "below the current folder" sh -c 'cd moved && "$1" annotate -i "../$2" burn | grep "the call"' - \
	"$ompprof" "$profile"

# A source that is no source.
mkfifo src/hot.c src/hot.h
check "a pipe is not opened" shows "is not there" -i "$profile" burn
rm src/hot.c src/hot.h
mkdir src/hot.c
check "nor a folder" shows "is not there" -i "$profile" burn
rmdir src/hot.c
ln -s /dev/zero src/hot.c
check "nor a device" shows "is not there" -i "$profile" burn
rm src/hot.c
head -c 100000 /dev/urandom >src/hot.c
check "a binary file" shows "warning: cannot read the source file .*not a text file" -i "$profile" burn
truncate -s 20M src/hot.c
check "one that is too large" shows "more than 16 MB" -i "$profile" burn
python3 - "$call" <<'END'
import sys
evil = b'\t\033]0;x\007\r \177 \302\233 \342\200\256 \377 "q", <b>&amp; \\ \303\266 '
lines = [evil * 1000] * int(sys.argv[1])
open('src/hot.c', 'wb').write(b'\r\n'.join(lines))
END
for form in text json csv; do
	check "a hostile source as $form" annotate -i "$profile" --format $form --context 9 burn
	if [ $form = json ]; then
		check "... is JSON" jq -en input out
	else
		tr -d '\r' <out >text
		check "... is text" is_text text
	fi
done
check "... of 80 columns" sh -c 'COLUMNS=80 "$1" annotate -i "$2" burn | grep -v "^warning" |
	LC_ALL=C.UTF-8 awk "length(\$0) > 80 { print; bad = 1 } END { exit bad }"' - "$ompprof" "$profile"
check "... in colour, too" sh -c '"$1" annotate -i "$2" --color always burn |
	sed "s/\x1b\[[0-9]*m//g" >plain' - "$ompprof" "$profile"
check "... is text" is_text plain

# Regions: a label of the report leads to the construct's line, with its waiting.
region() {
	"$ompprof" report -i "$live_folder/out" --by region >table
	label=$(jq -r '.regions[0].name' "$live_folder/json")
	line=$(jq -r '.regions[0].line' "$live_folder/json")
	wait=$(jq -r '.regions[0].node as $n | [.nodes[] | select(.parent == $n and .kind == "wait")
		| .wait.barrier // 0] | add // 0' "$live_folder/json")
	for place in "$label" "imbalance.c:$line"; do
		json "([.files[].lines[] | select(.line == $line)][0]
			| .self.wait_s > 0.99 * $wait and .self.wait_s > 0 and .constructs[0].name == \"$label\")" \
			-i "$live_folder/out" "$place" || return 1
	done
	shows "^ .* $line> .*omp parallel" -i "$live_folder/out" "$label" && grep -q "x20\$" out
}
live_row omp19-clang19-O2 omp14-clang14-O2
if live_profile imbalance.c -q 2; then
	check "$row: a region's label" region
	for name in $(jq -r '[.nodes[] | select(.kind == "function") | .name] | unique | .[]' \
		"$live_folder/json" | grep -v '[^a-z_]'); do
		check "$row: $name is what the report says" is_whole "$live_folder/out" "$name"
	done
else
	not_ok "$row: a profile" "$(cat "$live_folder/messages")"
fi

# The demo: who waits for the critical section, and whom the others wait for.
critical() {
	line=$(grep -n "omp critical(forces)" "$srcdir/demo/ljmd.c" | cut -d: -f1)
	"$ompprof" report -i demo.out --format json >report.json || return 1
	wait=$(jq '[.nodes[].wait.critical // 0] | add' report.json)
	json "[.files[].lines[] | select(.line == $line)][0].self.wait_s as \$here
		| ($wait - \$here | fabs) < 1e-6 and \$here > 0" -i demo.out "ljmd.c:$line"
}
demo_sums() {
	for name in $(jq -r '[.nodes[] | select(.kind == "function" and (.module | endswith("/ljmd"))) | .name]
		| unique | .[]' report.json | grep -v '[^a-z_]'); do
		is_whole demo.out "$name" && json "$sums" -i demo.out "$name" || return 1
	done
}
# The row's words are several arguments.
# shellcheck disable=SC2086
if "$row_cc" $row_flags $row_include -o ljmd "$srcdir/demo/ljmd.c" $row_link -lm 2>log; then
	LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$ompprof" run -q -F 1000 -o demo.out -- ./ljmd --steps=40 >said 2>&1
	check "demo: what waits for the critical section stands at its line" critical
	check "demo: each function is what the report says" demo_sums
	check "demo: lines of code that others wait for" json ".total.blame_s > 0" -i demo.out list_neighbours
else
	skip "demo" "it cannot be built: $(head -n 1 log)"
fi
plan
