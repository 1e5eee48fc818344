#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where threads wait, if the function that waits ended with a jump into the runtime, or calls it through the global offset
# table (tests/programs/regions/calls.c): the line is right or there is none, in the report and in annotate.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

source=$srcdir/tests/programs/regions/calls.c

line_of() {
	grep -n "/\* $1 \*/" "$source" | cut -d : -f 1
}

# expect FUNCTION MARK LEAST: some waiting in this function, all of it at MARK's line; 0 is a mark, too.
expect() {
	lines=$(jq -r --arg function "$1" '[.waits[] | select(.kind == "barrier" and (.function // "") == $function
		and .wait_s > 0.0005) | .line] | unique | join(" ")' "$live_folder/json")
	[ "$2" = 0 ] && want=$2 || want=$(line_of "$2")
	is "$what: waits in $1" "$lines" "$want"
}

# expect_last: the barrier with which the region's body ends has its line, or none if the body ends with a jump.
expect_last() {
	check "$what: waits at the body's last barrier" jq -e --argjson line "$(line_of LAST)" '[.waits[] | select(.kind == "barrier"
		and .function == "main" and .name != "closing barrier") | .line] | length > 0 and all(. == $line or . == 0)' \
		"$live_folder/json"
}

# expect_annotated: the barriers' lines have waits, and the calls' lines have none.
expect_annotated() {
	"$ompprof" annotate -i "$live_folder/out" --format csv "$source" >"$live_folder/lines"
	waited=$(awk -F , -v region="$(line_of REGION)" -v last="$(line_of LAST)" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["wait_s"] > 0.0005 && $at["line"] != region && $at["line"] != last { print $at["line"] }' "$live_folder/lines" | sort -n | tr '\n' ' ')
	is "$what: annotate has waits at the same lines" "$waited" \
		"$(for mark in "BY NAME" OMP LOOP; do line_of "$mark"; done | sort -n | tr '\n' ' ')"
}

for row in omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2; do
	for flags in "" -fno-plt -mretpoline "-mindirect-branch=thunk -fcf-protection=none"; do
		what="$row${flags:+ $flags}"
		case $row,$flags in
		*clang*,*thunk* | *gcc*,-mretpoline) continue ;;
		esac
		if ! matrix_row "$row"; then
			skip "$what" "$row_reason"
			continue
		fi
		row_flags="$row_flags $flags"
		rm -f "$live_folder/calls"
		matrix_compile "$source" "$live_folder/calls" || broken "cannot build calls.c"
		LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$ompprof" run -q $(live_fast) -o "$live_folder/out" -- \
			"$live_folder/calls" 2 >"$live_folder/said" 2>"$live_folder/messages" &&
			"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" ||
			not_ok "$what runs" "$(cat "$live_folder/messages")"
		expect by_name "BY NAME"
		expect omp_smooth_rows OMP
		expect "unknown function" 0
		expect in_a_loop LOOP
		expect by_pointer ""
		expect_last
		expect_annotated
	done
done
plan
