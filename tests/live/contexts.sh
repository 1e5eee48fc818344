#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --task-context: where the work of tasks.c is shown, half of it in recursive tasks, half in a taskloop. How much it is
# the program says itself. The last sample before a thread goes from one to the other, and the last one of all, can be
# off by the whole time that it stands for, in each of the two threads: the shares are right within a few samples' part
# of all. How many there are depends on what else the machine does. Beside other jobs some 60 runs of n samples were off
# by 5.4 / n at most. Work outside the kernels is 1 % at most.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

rate="-q $(live_fast)"

# HOW, the paths of the two halves, how many nodes tasks have and how many were created (the number of
# parts of the taskloop is the runtime's choice), and whether paths were walked for more than the
# taskloop's parts: tasks that a task of the same place creates need none.
expected='path	main;{region}(;fib_task;{task})+;fib_task;leaf_kernel	main;{region};loop_tasks;{task};loop_kernel	3 5	true
site	main;{region};{task};fib_task;leaf_kernel	main;{region};{task};loop_kernel	3 3	false
none	main;{region};fib_task;leaf_kernel	main;{region};loop_kernel	0 0	false'

# judge DESCRIPTION PATH FIELD: whether the path's share is that of the kernel whose CPU time is this field of what
# the program says.
judge() {
	share=$(live_share "$live_folder/json" "^;$(echo "$2" | sed 's/[{}]/[&]/g')$")
	truth=$(awk -v at="$3" '/^cpu_ns / { printf "%.2f", 100 * $at / ($2 + $3) }' "$live_folder/messages")
	slack=$(awk "BEGIN { print 1 + 1000 / $n }")
	if ! at_least "$n" 40; then
		skip "$1 $2" "$n samples only"
	elif near "$share" "$truth" "$slack"; then
		ok "$1 $2: $share of $truth %, give or take $slack"
	else
		not_ok "$1 $2: $share of $truth %, give or take $slack" \
			"$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json")"
	fi
}

for row in omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	echo "$expected" >"$live_folder/expected"
	while IFS='	' read -r how fib loop n_nodes has_all; do
		if ! live_profile tasks.c "$rate --task-context $how" 1 cpu; then
			not_ok "$row $how: runs and is reported" "$(cat "$live_folder/messages")"
			continue
		fi
		n=$(jq .run.samples "$live_folder/json")
		judge "$row $how" "$fib" 2
		judge "$row $how" "$loop" 3
		jq -r --argjson least "${n_nodes% *}" --argjson most "${n_nodes#* }" --argjson has_all "$has_all" '
			[.nodes[] | select(.kind == "task") | .executions] as $tasks |
			($tasks | length >= $least and length <= $most) and
			($tasks | add // 0 | if $least > 0 then . >= 752 + 8 and . < 1500 else . == 0 end) and
			(.run.creation_paths.walked >= 128) == $has_all and
			.run.lost.context == null' "$live_folder/json" >"$live_folder/tasks"
		is "$row $how: nodes of tasks, tasks counted, paths walked" "$(cat "$live_folder/tasks")" true
	done <"$live_folder/expected"
done
plan
