#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Waits that never end, because the program is killed: they count up to the last moment that is known, under
# the function that waits.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
rate=$(live_fast) # on a busy machine a thread that yields gets few samples

# What is waiting for a barrier spins all the time: asleep it has no samples, and of a barrier they alone tell the
# place.
export KMP_BLOCKTIME=infinite
tries=3 # in which no other program's may take the CPU away from the thread that waits

# killed NAME KIND FUNCTION: runs one that is killed after a second of waiting. $seen is the seconds of KIND in
# FUNCTION; a sleeping thread, and thread 0's latest sample, may have been seen some time before.
# shellcheck disable=SC2086
killed() {
	status=0
	rm -rf "$live_folder/out"
	env LD_LIBRARY_PATH="$row_lib" "$ompprof" run -q $rate -o "$live_folder/out" -- "$executable" "$1" \
		>"$live_folder/said" 2>"$live_folder/messages" || status=$?
	ended="$status $(cat "$live_folder/said")"
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>>"$live_folder/messages"
	jq -r -f "$srcdir/tests/live/waits.jq" "$live_folder/json" >"$live_folder/waits"
	seen=$(awk -F '\t' -v kind="$2" -v name="$3" '
		$1 == kind && index($3, name) { sum += $2 }
		END { print sum + 0 }' "$live_folder/waits")
	at_least "$seen" 0.8 && at_most "$seen" 1.2
}

# endless NAME KIND FUNCTION
endless() {
	turn=1
	until killed "$@" || [ $turn -ge $tries ] || [ "$ended" != "137 endless_waits: $1" ]; do
		turn=$((turn + 1))
	done
	is "$row $1: killed as without ompprof" "$ended" "137 endless_waits: $1"
	if at_least "$seen" 0.8 && at_most "$seen" 1.2; then
		ok "$row $1: $seen s of 1 s are shown as $2 in $3"
	else
		live_wrong "$row $1: $seen s of 1 s are shown as $2 in $3" \
			"$(cat "$live_folder/waits" "$live_folder/messages")"
	fi
}

for row in omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	executable=$(matrix_build endless_waits.c "$row" 2>"$live_folder/log") || {
		not_ok "$row: builds" "$(cat "$live_folder/log")"
		continue
	}
	endless lock lock wait_for_lock
	endless critical critical wait_for_critical
	endless barrier barrier wait_at_barrier
done
plan
