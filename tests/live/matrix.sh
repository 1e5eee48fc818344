# SPDX-License-Identifier: Apache-2.0
# For each runtime, compiler and optimisation of matrix.txt: nearly all work hangs under main and
# the right region or task, each of which has its exact creation path, no frame of the runtime shows, and
# of all paths of the row nearly none is cut short. (In the C++ program 1 in 500 is: between the last steps of a throw, where libgcc takes its
# own frames off the stack, call frame information does not say what is true.)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

# What the path of nearly all work has to match. gcc counts the call that begins the region of cxx.cpp
# as a part of work_finish, inlined after it: so do GNU addr2line and llvm-symbolizer.
expected='loops.c	;main;loop_(static|dynamic);[{]region[}];(heavy|light)_kernel
nested.c	;main;outer;[{]region[}];inner;[{]region[}];inner_kernel
tasks.c	;main;[{]region[}];(.*;)?[{]task[}];(.*;)?(leaf|loop)_kernel
recursion.c	;main;[{]region[}](;descend)+;deep_kernel
cxx.cpp	;main;(work_finish;)?[{]region[}];'

# judge ROW PROGRAM REGEX JSON
judge() {
	share=$(live_share "$4" "$3")
	foreign=$(jq '[.nodes[] | select((.kind == "function" or .kind == "inlined") and
		(.module | test("lib(i?omp|gomp)[^/]*$")))] | length' "$4")
	samples=$(jq .run.samples "$4")
	figures="$share % under the right region, $foreign runtime frames, $samples samples"
	if at_least "$share" 99 && [ "$foreign" = 0 ] && at_least "$samples" 100; then
		ok "$1 $2: $figures"
	else
		not_ok "$1 $2: $figures" "$(jq -r -f "$srcdir/tests/live/paths.jq" "$4" |
			grep -Ev "$3" | sort -rn | head -n 5)"
	fi
}

for row in $(matrix_rows); do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	echo "$expected" >"$live_folder/expected"
	rm -f "$live_folder"/*.json
	while IFS='	' read -r program regex; do
		executable=$(matrix_build "$program" "$row" 2>"$live_folder/log") || {
			not_ok "$row $program: builds" "$(cat "$live_folder/log")"
			continue
		}
		json=$live_folder/$row-$program.json
		if LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$ompprof" run -q -F 1000 \
			-o "$live_folder/out" -- "$executable" "${OMPPROF_TEST_WORK:-0.5}" >"$live_folder/log" 2>&1 &&
			"$ompprof" report -i "$live_folder/out" --format json >"$json" \
				2>>"$live_folder/log"; then
			judge "$row" "$program" "$regex" "$json"
		else
			not_ok "$row $program: runs and is reported" "$(cat "$live_folder/log")"
		fi
	done <"$live_folder/expected"
	# On libgomp the path of a taskloop's part ends at the region if another thread executes the part.
	creation=$(jq -c --arg runtime "$row_runtime" '.run | [.lost.context // 0,
		if $runtime == "gcc" and (input_filename | test("-tasks.c.json$")) then 0
		else .creation_paths.truncated end,
		.creation_paths.guessed, .creation_paths.walked > 0]' "$live_folder"/*.json | sort -u)
	is "$row: each region and task has its whole creation path" "$creation" "[0,0,0,true]"
	cut=$(live_cut "$live_folder"/*.json)
	# An emulated processor takes a signal only before some instructions, and those of a throw are among them.
	if at_most "$cut" "$(live_is_emulated && echo 1 || echo 0.5)"; then
		ok "$row: $cut % of the paths cut short"
	else
		not_ok "$row: $cut % of the paths cut short" "$(jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder"/*.json |
			grep -F '{truncated}' | sort -k 2 -rn | head -n 8)"
	fi
done
plan
