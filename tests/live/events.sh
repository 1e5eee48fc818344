#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Counted events on real runtimes: a program that knows how many of each there are. libomp 14 never reports chunks,
# libomp 19 does; both miss what ompprof-run(1) says.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
OMP_CANCELLATION=true
export OMP_CANCELLATION

# count EVENT [DETAIL]: how many there are in $live_folder/json.
count() {
	jq -r --arg event "$1" --arg detail "${2-*}" '
		[.events[] | select(.event == $event and ($detail == "*" or .detail == $detail)) | .count] | add // 0' \
		"$live_folder/json"
}

# amount EVENT DETAIL: their amount.
amount() {
	jq -r --arg event "$1" --arg detail "$2" '
		[.events[] | select(.event == $event and .detail == $detail) | .amount] | add // 0' "$live_folder/json"
}

# at EVENT DETAIL: the functions in which they were counted.
at() {
	jq -r --arg event "$1" --arg detail "$2" '
		[.events[] | select(.event == $event and .detail == $detail) | .function] | unique | join(" ")' \
		"$live_folder/json"
}

# Three executions of each. EVENT, DETAIL, count; what is the same with every libomp.
check_counts() {
	while read -r event n detail; do
		is "$row: $event $detail" "$(count "$event" "$detail")" "$n"
	done <<-END
		work 6 sections
		work 6 single, executor
		work 6 single, other
		sync_region 6 barrier, explicit
		sync_region 3 taskwait
		masked 3 
		cancel 3 loop, activated
		lock_init 3 lock
		lock_init 3 nestable lock
		lock_destroy 3 lock
		lock_destroy 3 nestable lock
		task_create 30 explicit
		task_create 3 explicit, final
		task_schedule 33 complete
		task_schedule 33 switch
		dependences 15 in
		dependences 30 inout
		dependences 24 source
	END
	is "$row: flushes" "$(count flush)" 6
	is "$row: where locks were initialised" "$(at lock_init lock)" locks
	is "$row: where it was cancelled" "$(at cancel "loop, activated")" cancels
	is "$row: none without room" "$(jq '.run.lost.events // 0' "$live_folder/json")" 0
}

for row in omp14-clang14-O2 omp19-clang19-O2; do
	matrix_row "$row" || { skip "$row" "$row_reason"; continue; }
	live_profile events.c "--events=all" 3 || true
	is "$row: the program's own output" "$(cat "$live_folder/said")" "2 threads, cancellation 1"
	check_counts
	case $row in
	omp14*)
		is "$row: loops" "$(count work loop)" 24
		is "$row: ... their iterations" "$(amount work loop)" $((2 * 3 * (100 + 64 + 64 + 8)))
		is "$row: implicit barriers" "$(count sync_region "barrier, implicit")" $((2 * 3 * (7 + 5)))
		check "$row: what is never reported is said" grep -q \
			'^ompprof: the OpenMP runtime never reports: dispatch;' "$live_folder/messages"
		check "$row: ... below the table" sh -c '"$0" report -i "$1" --by loop |
			grep -qx "(dispatch: never reported by this OpenMP runtime)"' "$ompprof" "$live_folder/out"
		;;
	omp19*)
		is "$row: dynamic loops" "$(count work "loop, dynamic")" 6
		is "$row: static loops" "$(count work "loop, static")" $((2 * 3 * 3))
		is "$row: closing barriers" "$(count sync_region "barrier, closing")" $((2 * 3 * 5))
		# Of the loop with ordered it says one iteration for each thread.
		is "$row: iterations in chunks" "$(amount dispatch "loop chunk")" $((3 * (100 + 64 + 64 + 2)))
		is "$row: sections" "$(amount dispatch section)" 6
		is "$row: errors" "$(count error warning)" 3
		is "$row: ... where" "$(at error warning)" warns
		;;
	esac
done

# One execution: a thread waits in the first chunk until all others are done. It has that chunk alone, or some before it
# if the runtime hands out chunks of a thread that comes late. And many flushes.
if matrix_row omp19-clang19-O2; then
	live_profile events.c "--events=work,dispatch,flush" 1 3000000 || true
	is "chunks of an uneven loop" "$(jq -c '[.events[] | select(.event == "dispatch" and .function == "uneven")][0] |
		[.count, .amount, .members, (.threads | map(.count) | [length, add, min > 0])]' "$live_folder/json")" \
		"[10,100,2,[2,10,true]]"
	is "... as a table" "$("$ompprof" report -i "$live_folder/out" --by loop --format csv -f iterations,chunks,begun,function |
		tr -d '\r' | grep uneven)" "100,10,2,uneven"
	is "3000002 flushes" "$(count flush)" 3000002
	check "... of which not all were looked at" jq -e '[.events[] | select(.event == "flush" and .function == "flushes")][0] |
		.count == 3000000 and .looked < 1500000 and .looked >= 64' "$live_folder/json"
	check "... which the table says" sh -c '"$0" report -i "$1" --by event |
		grep -q "^(flush: call paths of .* % of them looked at)$"' "$ompprof" "$live_folder/out"
	live_profile events.c "" 1 || true
	is "none are counted without being asked for" "$(jq '.events' "$live_folder/json")" null
fi
plan
