#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where the time went is right however a program ends, whoever ends it, and whatever is open then: each part is within 3 % of
# the whole of what the program says of itself right before. It says what its threads ran by their CPU clocks, so other
# programs may take the CPUs. A tenth of the time in run queues is added to the bound: what a thread waits for on the way to
# its end, and after it has said so, is not known to it. If that is more than a quarter of the whole, nothing is judged.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
rate=$(live_fast)
ulimit -c 0
tries=2

status_of() {
	case $1 in
	exit | pthread_exit) echo 7 ;;
	_exit) echo 3 ;;
	quick_exit) echo 4 ;;
	return) echo 6 ;;
	abort) echo 134 ;;
	kill) echo 137 ;;
	exec) echo 0 ;;
	esac
}

# A region's executions, waits but for idle ones, and the parts of the capacity, in thread-seconds.
parts='.summary as $all | ($all.wall_s * $all.threads) as $whole
	| (0.03 * $whole + 0.1 * $queue) as $most
	| def near(a; b): (a - b | fabs) < $most;
	{ whole: $whole, queue: $queue, useful: ($all.useful_s * $all.threads), work: $work,
		waits: ([.waits[] | select(.kind != "idle") | .wait_s] | add // 0), wait: $wait,
		regions: ([.regions[].wall_s] | max // 0), region: $region,
		lost: (($all.overhead_s + $all.short_team_s) * $all.threads) }
	| . + { is_right: ($all.threads == 2 and near(.useful; .work) and near(.waits; .wait)
		and near(.regions; .region) and .lost < $most) }'

# run HOW WHO: whether the report is right; leaves `judged`, $status.
run() {
	live_profile open_waits.c "-q $rate" "$1" "$2"
	status=$?
	set -- $(cat "$live_folder/said")
	[ "$#" = 9 ] || return 1
	jq -c --argjson work "$3" --argjson wait "$5" --argjson region "$7" --argjson queue "$9" "$parts" "$live_folder/json" \
		>"$live_folder/judged" && jq -e .is_right "$live_folder/judged" >/dev/null
}

# ends HOW WHO
ends() {
	turn=1
	until run "$1" "$2" || [ $turn -ge $tries ]; do
		turn=$((turn + 1))
	done
	is "$row: $1, $2: status" "$status" "$(status_of "$1")"
	if jq -e '.queue > 0.25 * .whole and (.is_right | not)' "$live_folder/judged" >/dev/null; then
		skip "$row: $1, $2: where the time went" "other programs had the CPUs"
		return
	fi
	check "$row: $1, $2: where the time went" jq -e .is_right "$live_folder/judged"
	jq -e .is_right "$live_folder/judged" >/dev/null ||
		sed 's/^/# /' "$live_folder/said" "$live_folder/judged" "$live_folder/messages"
}

# Each runtime and compiler in turn has a part of all pairs; others than those that lack something.
rows=
for row in omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2 omp16-clang14-O2; do
	! matrix_row "$row" || rows="$rows $row"
done
[ -n "$rows" ] || skip_all "$row_reason"

# next_row: sets the next of them as $row.
next_row() {
	set -- $rows
	row=$1
	shift
	rows="$* $row"
	matrix_row "$row"
}

for who in primary worker task nested lock root beside; do
	for how in exit _exit quick_exit exec abort kill; do
		next_row
		ends $how $who
	done
done
for how in return pthread_exit; do
	for _ in 1 2; do
		next_row
		ends $how beside
	done
done
plan
