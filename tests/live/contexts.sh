#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --task-context: where the work of tasks.c is shown, half of it in recursive tasks, half in a taskloop.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

rate="-q $(live_fast)"

# HOW, the paths of the two halves, how many nodes tasks have and how many were created (the number of
# parts of the taskloop is the runtime's choice), and whether paths were walked for them all.
expected='path	main;{region}(;fib_task;{task})+;fib_task;leaf_kernel	main;{region};loop_tasks;{task};loop_kernel	3 5	true
site	main;{region};{task};fib_task;leaf_kernel	main;{region};{task};loop_kernel	3 3	false
none	main;{region};fib_task;leaf_kernel	main;{region};loop_kernel	0 0	false'

for row in omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	echo "$expected" >"$live_folder/expected"
	while IFS='	' read -r how fib loop n_nodes has_all; do
		if ! live_profile tasks.c "$rate --task-context $how" 0.5; then
			not_ok "$row $how: runs and is reported" "$(cat "$live_folder/messages")"
			continue
		fi
		for path in "$fib" "$loop"; do
			share=$(live_share "$live_folder/json" "^;$(echo "$path" | sed 's/[{}]/[&]/g')$")
			if near "$share" 50 3; then
				ok "$row $how $path: $share %"
			else
				not_ok "$row $how $path: $share %" \
					"$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json")"
			fi
		done
		jq -r --argjson least "${n_nodes% *}" --argjson most "${n_nodes#* }" --argjson has_all "$has_all" '
			[.nodes[] | select(.kind == "task") | .executions] as $tasks |
			($tasks | length >= $least and length <= $most) and
			($tasks | add // 0 | if $least > 0 then . >= 752 + 8 and . < 1500 else . == 0 end) and
			(.run.creation_paths.walked >= 752) == $has_all and
			.run.lost.context == null' "$live_folder/json" >"$live_folder/tasks"
		is "$row $how: nodes of tasks, tasks counted, paths walked" "$(cat "$live_folder/tasks")" true
	done <"$live_folder/expected"
done
plan
