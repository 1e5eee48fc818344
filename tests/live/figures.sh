#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Figures of real programs: they add up, name nodes that are there, and say what is known of the
# programs, whatever else the machine does meanwhile.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

# The capacity is cut without a rest; blame and what is unblamed are the waiting, of which all is in
# some node, beside sleep in calls; every node that is named is of the right kind.
sums='def near(a; b): (a - b | fabs) < 1e-6;
	def total: if length == 0 then 0 else add end;
	. as $all | .nodes as $nodes
	| near([.summary | .useful_s, .serial_s, .imbalance_s, .lock_s, .task_s, .overhead_s,
		.short_team_s, .not_running_s, .held_up_s, .blocked_s] | total; .summary.wall_s)
	and near(.summary.efficiency * .summary.wall_s; .summary.useful_s)
	and all(.waits[]; near(([.causes[].blame_s] | total) + .unblamed_s; .wait_s))
	and near([.waits[].wait_s] | total; .summary.wait_s)
	and near([.waits[].wait_s] | total;
		[.nodes[].wait | del(.blocked)[]] | total)
	and near([.waits[].causes[] | select(.node != null) | .blame_s] | total;
		[.nodes[].blame[]] | total)
	and all(.regions[]; $nodes[.node].kind == "region" and $nodes[.node].name == .name)
	and all(.regions[]; .p50_s <= .p95_s and .min_s <= .mean_s and .mean_s <= .max_s)
	and all(.tasks[]; $nodes[.node].kind == "task" and $nodes[.node].name == .name)
	and all(.advice[]; .node == null or .node < ($nodes | length))
	and all(.threads[]; near([.useful_s, .overhead_s, .barrier_s, .task_s, .lock_s, .idle_s,
		.not_running_s, .blocked_s] | total; .total_s))'

# Threads that lack CPUs wait little for each other, and that is no advice.
# Its name is read from the instructions of x86-64 alone.
section='critical(counter)'
[ "$(uname -m)" = x86_64 ] || section=critical
critical='.locks[0].name == "'$section'" and .locks[0].acquired == 120
	and ([.waits[] | select(.kind == "critical")] | length) == 1
	and (.waits[] | select(.kind == "critical") | .name == "'$section'"
		and (.file | endswith("critical.c")) and .line > 30)
	and (.summary.lock_s > 0)
	and (.summary.lock_s < 0.1 * .summary.wall_s or ([.advice[].cause] | index("lock")))'

# On a busy machine the thread that is late is not always the thread with more work.
imbalance='(.regions | length) == 1 and .regions[0].executions == 20
	and (.regions[0].file | endswith("imbalance.c"))
	and .regions[0].threads_max == 2
	and .summary.threads == 2
	and (.summary.not_running_s > 0.1 * .summary.wall_s
		or ([.advice[] | select(.cause == "imbalance") | .file | endswith("imbalance.c")] == [true]))'

# No event comes between begin and end of a team of one.
serialized='(.regions | length) == 2
	and all(.regions[]; .executions == 10 and .threads_max == 1)
	and ([.regions[].wall_s] | total) > 0.7 * .summary.wall_s'

# The runtime begins a region of its own for each team, which is no execution of the league.
teams='(.regions | length) == 2
	and all(.regions[]; .executions == 5 and .thread_s < 2.1 * .wall_s)'

# Each member's time in a region is the region's. Where others use the CPUs, members come late to both alike: had a worker the
# one for the other, one region would have more than its length for each thread, and the other less.
pairs='(.regions | length) == 2
	and all(.regions[]; .executions == 100000 and .thread_s < 2.1 * .wall_s)
	and (.regions | map(.thread_s / .wall_s) | max - min < 0.3)
	and ([.nodes[] | select(.name == "small_work") | .work_s] | total) * 2
		< ([.nodes[] | select(.name == "large_work") | .work_s] | total)'

# judge PROGRAM FILTER
judge() {
	if ! live_profile "$1" -q 1; then
		not_ok "$row: ${1%.c} runs and is reported" "$(cat "$live_folder/messages")"
		return
	fi
	check "$row: ${1%.c}: sums" jq -e "$sums" "$live_folder/json"
	check "$row: ${1%.c}: what is known" jq -e "$2" "$live_folder/json"
	check "$row: ${1%.c}: one screen" sh -c '[ "$(COLUMNS=80 "$1" report -i "$2" | wc -l)" -le 24 ]' - \
		"$ompprof" "$live_folder/out"
}

for row in omp14-clang14-O2 omp19-clang19-O2 omp14-gcc-O2 omp19-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	judge critical.c "$critical"
	judge imbalance.c "$imbalance"
	judge serialized.c "def total: add; $serialized"
	judge two_regions.c "def total: add // 0; $pairs"
	case $row in
	*clang*) judge teams.c "$teams" ;;
	esac
done
plan
