#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Contexts: where the work of tasks.c is shown, half of it in recursive tasks, half in a taskloop. How much it is
# the program says itself. The last sample before a thread goes from one to the other, and the last one of all, can be
# off by the whole time that it stands for, in each of the two threads: the shares are right within a few samples' part
# of all. How many there are depends on what else the machine does. Beside other jobs some 60 runs of n samples were off
# by 5.4 / n at most. Work outside the kernels is 1 % at most.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

rate="-q $(live_fast)"

# The paths of the two halves.
fib='main;{region}(;fib_task;{task})+;fib_task;leaf_kernel'
loop='main;{region};loop_tasks;{task};loop_kernel'

# The most nodes of tasks.
most=5

# judge DESCRIPTION PATH FIELD: whether the path's share is that of the kernel whose CPU time is this field of what
# the program says.
judge() {
	share=$(live_share "$live_folder/json" "^;$(echo "$2" | sed 's/[{}]/[&]/g')$")
	truth=$(awk -v at="$3" '/^cpu_ns / { printf "%.2f", 100 * $at / ($2 + $3) }' "$live_folder/messages")
	slack=$(awk "BEGIN { print $(live_is_emulated && echo 3 || echo 1) + 1000 / $n }")
	if ! at_least "$n" 40; then
		skip "$1 $2" "$n samples only"
	elif near "$share" "$truth" "$slack"; then
		ok "$1 $2: $share of $truth %, give or take $slack"
	else
		not_ok "$1 $2: $share of $truth %, give or take $slack" \
			"$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json")"
	fi
}

for row in omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2 libgomp-gcc; do
	if [ $row = libgomp-gcc ]; then
		matrix_file=$srcdir/tests/accuracy/matrix.txt
		# A part that another thread executes is right below the region.
		loop='main;{region}(;loop_tasks)?;{task};loop_kernel' most=6
	fi
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	if ! live_profile tasks.c "$rate" 1 cpu; then
		not_ok "$row: runs and is reported" "$(cat "$live_folder/messages")"
		continue
	fi
	n=$(jq .run.samples "$live_folder/json")
	judge "$row" "$fib" 2
	judge "$row" "$loop" 3
	# The number of parts of the taskloop is the runtime's choice.
	jq -r --argjson most "$most" '[.nodes[] | select(.kind == "task") | .executions] as $tasks |
		($tasks | length >= 3 and length <= $most) and
		($tasks | add >= 752 + 8 and add < 1500) and
		.run.creation_paths.walked >= 128 and
		.run.lost.context == null' "$live_folder/json" >"$live_folder/tasks"
	is "$row: nodes of tasks, tasks counted, paths walked" "$(cat "$live_folder/tasks")" true
done
plan
