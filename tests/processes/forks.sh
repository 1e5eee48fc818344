# SPDX-License-Identifier: Apache-2.0
# A child made by fork never touches its parent's profile and has one of its own when it uses OpenMP,
# whenever the fork comes.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

# judge WHAT JSON KERNEL PID LEAST: whole, of process PID, and LEAST % of its work in KERNEL, on at least 3 threads.
judge() {
	share=$(live_share "$2" ";main;[{]region[}];(.*;)?$3")
	figures="$(jq -c '[.run.pid, .run.complete, .run.threads, .run.samples]' "$2")"
	if at_least "$share" "$(live_least "$5")" && jq -e --argjson pid "$4" '.run.pid == $pid and .run.complete and
			.run.threads >= 3 and .run.samples > 50' "$2" >/dev/null; then
		ok "$1: $share % of its work in $3"
	else
		not_ok "$1: $share % of its work in $3" "$figures"
	fi
}

for row in omp14-clang14-O2 omp19-clang14-O2 omp19-gcc-O2; do
	executable=$(matrix_build forks.c "$row" 2>"$live_folder/log") || {
		skip "$row" "$(head -n 1 "$live_folder/log")"
		continue
	}
	matrix_row "$row"
	for order in before after many; do
		out=$live_folder/out
		said=$(LD_LIBRARY_PATH=$row_lib "$ompprof" run -q -F 1000 -o "$out" -- \
			"$executable" 0.2 "$order" 2>&1)
		status=$?
		if [ "$said" = "forks: 5" ] && [ $status = 0 ]; then
			ok "$row $order: runs as alone"
		else
			not_ok "$row $order: runs as alone" "status $status: $said"
		fi
		n=0
		for file in "$out"/*.ompprof; do
			n=$((n + 1))
			pid=${file##*-}
			"$ompprof" report -i "$file" --format json >"$live_folder/json" 2>&1
			if jq -e '[.nodes[].name] | index("child_kernel")' "$live_folder/json" \
				>/dev/null 2>&1; then
				judge "$row $order, child" "$live_folder/json" child_kernel \
					"${pid%.ompprof}" 95
			else
				# The fork is work of the parent, too.
				judge "$row $order, parent" "$live_folder/json" parent_kernel \
					"${pid%.ompprof}" 90
			fi
			if "$ompprof" info -i "$file" | grep -q damaged; then
				not_ok "$row $order: no damaged record"
			else
				ok "$row $order: no damaged record"
			fi
		done
		if [ $n = 2 ]; then
			ok "$row $order: two profiles"
		else
			not_ok "$row $order: two profiles, not $n"
		fi
	done
done
plan
