#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Waits that never end, because the program is killed: they count up to the last moment that is known, under
# the function that waits.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
rate="-F 1000" # on a busy machine a thread that yields gets few samples
live_has_perf || rate="-F 250"

# never NAME KIND FUNCTION: one that is killed after a second of waiting; a sleeping thread, and thread 0's
# latest sample, may have been seen some time before.
# shellcheck disable=SC2086
never() {
	status=0
	rm -rf "$live_folder/out"
	env LD_LIBRARY_PATH="$row_lib" "$ompprof" run -q $rate -o "$live_folder/out" -- "$executable" "$1" \
		>"$live_folder/said" 2>"$live_folder/messages" || status=$?
	is "$row $1: killed as without ompprof" "$status $(cat "$live_folder/said")" "137 never: $1"
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>>"$live_folder/messages"
	jq -r -f "$srcdir/tests/live/waits.jq" "$live_folder/json" >"$live_folder/waits"
	seen=$(awk -F '\t' -v kind="$2" -v name="$3" '
		$1 == kind && index($3, name) { sum += $2 }
		END { print sum + 0 }' "$live_folder/waits")
	if at_least "$seen" 0.8 && at_most "$seen" 1.2; then
		ok "$row $1: $seen s of 1 s are shown as $2 in $3"
	else
		not_ok "$row $1: $seen s of 1 s are shown as $2 in $3" \
			"$(cat "$live_folder/waits" "$live_folder/messages")"
	fi
}

for row in omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	executable=$(matrix_build never.c "$row" 2>"$live_folder/log") || {
		not_ok "$row: builds" "$(cat "$live_folder/log")"
		continue
	}
	never lock lock wait_for_lock
	never critical critical wait_for_critical
	never barrier barrier wait_at_barrier
done
plan
