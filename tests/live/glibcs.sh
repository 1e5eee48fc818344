#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One binary of the library profiles programs of older and newer C libraries, on their own OpenMP runtimes: regions,
# locks, tasks, and libraries that come and go a thousand times a second.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/glibcs.sh"
. "$srcdir/tests/live/live.sh"
live_need jq clang-14
[ -d "$(glibcs_folder)/old" ] || skip_all "no other C library is there: run ./quickstart check"

# profile NAME PROGRAM ARGUMENTS...: leaves the report in json, or says why not.
profile() {
	profile_name=$1
	shift
	OMP_NUM_THREADS=2 "$ompprof" run -q -F 250 -o "$live_folder/out" -- "$@" >"$live_folder/log" 2>&1 &&
		"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>>"$live_folder/log" ||
		{ not_ok "$profile_name: runs" "$(cat "$live_folder/log")"; return 1; }
}

# has NAME REGEX LEAST MOST [KNOWN]: the share of work below the frames, and nearly no path is cut. Paths that match
# KNOWN may be cut, up to 10 % of the work.
has() {
	has_share=$(live_share "$live_folder/json" "$2") has_known=$(live_share "$live_folder/json" "${5:-^$}")
	has_cut=$(awk -v cut="$(live_cut "$live_folder/json")" -v known="$has_known" 'BEGIN { printf "%.2f", cut - known }')
	if at_least "$has_share" "$3" && at_most "$has_share" "$4" && at_most "$has_cut" 3 && at_most "$has_known" 10; then
		ok "$1: $has_share %, $has_cut % cut"
	else
		not_ok "$1: $has_share %, $has_cut % cut" "$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json")"
	fi
}

# reload: libraries loaded in turn, on the runtime of `at`. Their rate is that of the time in which the program had a CPU.
reload() {
	for program in reload reload_one_kernel reload_two_kernel; do
		glibc_build "$program.c" "$runtime" "$live_folder/$program" >"$live_folder/log" 2>&1 ||
			broken "cannot build $program: $(cat "$live_folder/log")"
	done
	profile "$at, reload" "$live_folder/reload" 2 "$live_folder/reload_one_kernel" "$live_folder/reload_two_kernel" "$turns" ||
		return
	# The first instruction of a new library's _init waits for its page. Neither it nor the library has a table yet.
	has "$at, $turns libraries loaded in turn" '^;main;call_library;(library_work;(one|two)_kernel$|dl)' 90 100 '^;[{]truncated[}];_init$'
	rate=$(jq --argjson turns "$turns" '.threads[0] | $turns / (.total_s - .not_running_s) | floor' "$live_folder/json")
	check "... $rate a second" at_least "$rate" 1000
}

turns=4000
for glibc in old new; do
	glibc_use "$glibc" || { skip "the C library '$glibc'" "it is not there"; continue; }
	for runtime in libomp libgomp; do
		at="glibc $glibc_version, $runtime"
		for program in imbalance lock taskwait; do
			glibc_build "$program.c" "$runtime" "$live_folder/$program" >"$live_folder/log" 2>&1 ||
				broken "cannot build $program: $(cat "$live_folder/log")"
		done
		! profile "$at, regions" "$live_folder/imbalance" ||
			has "$at, regions" '^;main;uneven;[{]region[}];(slow|fast)_kernel$' 95 100
		! profile "$at, locks" "$live_folder/lock" || has "$at, locks" '^;main;[{]region[}];with_(plain;plain|nest;nest)_kernel$' 60 95
		! profile "$at, tasks" "$live_folder/taskwait" || has "$at, tasks" '^;main;[{]region[}];[{]task[}];task_kernel$' 50 85
		reload
	done
done
plan
