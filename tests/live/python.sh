#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Python functions in the place of the interpreter's: each of ten equal parts of work is below the Python functions
# that called it (tests/programs/regions/python_calls.py), and each line has its own share.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp14-clang14-O2 omp14-gcc-O2

library=$(matrix_build python_calls.c "$row") || broken "cannot build python_calls.c"
program=$srcdir/tests/programs/regions/python_calls.py

# interpreters: the files of CPython 3.11 to 3.13 that are here, one of each version.
interpreters() {
	for minor in 11 12 13; do
		for python in python3.$minor "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.$minor.*/bin/python3.$minor python3; do
			"$python" -c "import ctypes, sys
sys.version_info[1] == $minor or exit(1)
print(sys.executable)" 2>/dev/null && break
		done
	done
}

# profile PYTHON: leaves the report in $live_folder/json.
profile() {
	# shellcheck disable=SC2046
	LD_LIBRARY_PATH=$row_lib "$ompprof" run -q $(live_fast) -o "$live_folder/out" -- \
		"$1" "$program" "$library" 0.1 >"$live_folder/messages" 2>&1 &&
		"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json"
}

# part NAME PERCENT REGEX: a point: the paths have this share of the work in all parts of the program.
part() {
	got=$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json" | awk -F '\t' -v regex="$3" '
		$3 ~ /;all_parts;|;Thread.run;/ { all += $1 }
		$3 ~ regex { part += $1 }
		END { printf "%.2f\n", (all > 0 ? 100 * part / all : 0) }')
	if near "$got" "$2" 3; then
		ok "$version: $1: $got %"
	else
		not_ok "$version: $1: $got % instead of $2" "$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json")"
	fi
}

# line_share FUNCTION: LINE PERCENT: the work below each line of a function.
line_share() {
	jq -r --arg name "$1" '.nodes as $nodes | [ $nodes[] | select(.work_s > 0) |
		{ work: .work_s, line: ([ recurse(if .parent == null then empty else $nodes[.parent] end) |
			select(.name == $name) | .line ][0]) } | select(.line) ] |
		(map(.work) | add) as $all | group_by(.line)[] | "\(.[0].line) \(100 * (map(.work) | add) / $all | round)"' \
		"$live_folder/json"
}

for python in $(interpreters); do
	version=${python##*/}
	if ! profile "$python"; then
		not_ok "$version: runs and is reported" "$(cat "$live_folder/messages")"
		continue
	fi
	part "nested calls" 10 '^;<module>;all_parts;outer;inner;burn'
	part "recursion" 10 '^;<module>;all_parts;recurse;.*;recurse;burn'
	part "a generator" 10 ';all_parts;produce;burn'
	part "a call from C" 10 ';all_parts;[^<]*call_back;.*;from_c;burn'
	part "a call from the interpreter's code" 10 ';all_parts;key;burn'
	part "a thread" 10 '^;Thread._bootstrap;.*Thread.run;outer;inner;burn'
	part "regions" 40 ';all_parts;regions;.*;region;[{]region[}];spin'
	got=$(line_share regions)
	first=$(sed -n '/ library.region(/=' "$program" | head -n 1)
	if echo "$got" | awk -v first="$first" '
		$1 == first { one = $2 }
		$1 == first + 2 { three = $2 }
		END { exit !(one > 18 && one < 32 && one + three == 100) }'; then
		ok "$version: lines of the regions' calls"
	else
		not_ok "$version: lines of the regions' calls" "$got"
	fi
	lost=$("$ompprof" info -i "$live_folder/out" | sed -n 's/^ *\([0-9]*\) paths with the interpreter.*/\1/p')
	live_within "$version: paths without Python functions" "${lost:-0}" 0 10
done
[ "$tap_n" -gt 0 ] || skip_all "there is no CPython from 3.11 to 3.13 with ctypes"
plan
