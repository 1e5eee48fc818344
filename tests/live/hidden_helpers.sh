#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Threads that LLVM's runtimes have for tasks of `target nowait` are its helpers: neither they nor their team are the
# program's, what they execute is.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq timeout

# holds WHAT JQ: of the report.
holds() {
	if jq -e "$2" "$live_folder/json" >/dev/null; then
		ok "$row: $1"
	else
		live_wrong "$row: $1" "$(jq -c '(.threads[] | del(.timeline)), .regions, .tasks, .waits, .summary' "$live_folder/json")"
	fi
}

for row in omp14-clang14-O2 omp15-clang14-O2 omp16-clang14-O2 omp19-clang14-O2 omp19-clang19-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	program=$(matrix_build hidden_helpers.c "$row") || broken "cannot build hidden_helpers.c"
	# Some runtimes hang in programs with target tasks, now and then.
	if ! LD_LIBRARY_PATH=$row_lib timeout 20 "$program" >/dev/null; then
		skip "$row" "the program does not end alone"
		continue
	fi
	live_profile hidden_helpers.c "-q -F 1000" || not_ok "$row: it runs, and is reported" "$(cat "$live_folder/messages")"
	holds "helpers, and two threads of the program's" '(.threads | map(.type)) as $types |
		($types | map(select(. == "helper")) | length) > 1 and
		($types - ["helper"] | sort) == ["initial", "worker"]'
	holds "they are idle but for the tasks" '.threads | map(select(.type == "helper")) |
		(map(.useful_s) | add) > 0.3 and (map(.idle_s) | add) > 0 and
		all(.[]; .barrier_s == 0 and .idle_s + .useful_s + .not_running_s + .blocked_s > 0.99 * .total_s)'
	holds "two regions, and two slots" '(.regions | length) == 2 and .summary.threads == 2 and
		all(.regions[]; .threads_max == 2)'
	holds "the tasks are the program's" '.tasks | (map(.executed) | add) == 2 and (map(.busy_s) | add) > 0.38'
	holds "what waits for them is blamed on them" '.waits | map(select(.kind == "taskwait")) | length == 1 and
		all(.[]; .wait_s > 0.19 and .unblamed_s < 0.2 * .wait_s)'
	holds "nobody but the program's threads is idle" '([.waits[] | select(.kind == "idle") | .wait_s] | add // 0) <
		0.5 * .summary.wall_s'
	is "$row: threads that the summary counts" "$("$ompprof" report -i "$live_folder/out" | grep -o '2 threads, ')" "2 threads, "
done
plan
