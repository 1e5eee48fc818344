# SPDX-License-Identifier: Apache-2.0
# 1,024 threads at once, of one team and of the program's own with OpenMP inside, and 1,024 more of these one after
# the other: the program is what it is without the profiler, no thread is without its record, each that works has
# samples, these add up to the CPU time, and memory is bounded (tests/programs/threads/many_threads.c).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq

threads=1024
most_bytes=352256 # of a thread that uses OpenMP; 127 kB of them for its regions, mostly untouched
limit_s=60        # many times what it takes on two CPUs
export KMP_BLOCKTIME=0 OMP_WAIT_POLICY=passive OMP_STACKSIZE=256k

# many_threads MODE FACTOR: leaves said, messages and json in $live_folder.
many_threads() {
	LD_LIBRARY_PATH=$row_lib timeout $limit_s "$executable" "$2" "$1" $threads \
		>"$live_folder/alone" 2>"$live_folder/alone-cpu" || {
		echo "alone it ends with status $?"
		return 99
	}
	LD_LIBRARY_PATH=$row_lib timeout $limit_s "$ompprof" run -q -F 1000 -o "$live_folder/out" -- \
		"$executable" "$2" "$1" $threads \
		>"$live_folder/said" 2>"$live_folder/messages" &&
		"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" &&
		cmp "$live_folder/alone" "$live_folder/said"
}

# threads_of FILTER: what the filter makes of the array of threads.
threads_of() {
	jq -r "[.threads[]] | $1" "$live_folder/json"
}

# judge WHAT KERNEL LEAST: what is lost are signals that came within the handler, and hardly any. Each sample stands for a
# millisecond of CPU time, also where the runtime yields while it waits; LEAST percent of the time have them, as what a
# thread needs to begin and to end is before and after its clock.
judge() {
	lost=$(jq '[.run.lost[]] | add // 0' "$live_folder/json")
	samples=$(jq '[.nodes[].samples] | add' "$live_folder/json")
	check "$1: hardly a sample is lost: $lost beside $samples" at_most "$lost" $((samples / 20))
	cpu=$(awk '$1 == "cpu" { print $2 }' "$live_folder/messages")
	check "$1: samples add up to the CPU time: $samples of a millisecond to $cpu s" \
		awk "BEGIN { exit !($samples > 10 * $3 * $cpu && $samples < 1200 * $cpu) }"
	work=$(live_work "$2")
	cpu=$(awk '$1 == "cpu" { print $2 }' "$live_folder/alone-cpu")
	check "$1: the kernel's work is what it is alone: $work of $cpu s" \
		awk "BEGIN { exit !($work > 0.5 * $cpu && $work < 1.5 * $cpu) }"
	bytes=$("$ompprof" info -i "$live_folder/out" | awk '/^  (file|memory)/ { sum += $2 } END { print sum }')
	per_thread=$((bytes / (threads + 17)))
	check "$1: $per_thread bytes a thread" at_most "$per_thread" $most_bytes
}

for row in omp14-clang14-O2 omp19-clang19-O2; do
	matrix_row "$row" || { skip "$row" "$row_reason"; continue; }
	executable=$(matrix_build many_threads.c "$row") || broken "cannot build many_threads.c"
	many_threads team 1 >"$live_folder/log" 2>&1
	status=$?
	if [ $status = 99 ]; then
		skip "$row: a team of $threads" "$(head -n 1 "$live_folder/log")"
	else
		is "$row: a team of $threads ends as without the profiler" "$status $(cat "$live_folder/log")" "0 "
		is "$row: each thread has its record" "$(threads_of 'map(.type) | group_by(.) | map([.[0], length]) | tostring')" \
			"[[\"initial\",1],[\"worker\",$((threads - 1))]]"
		is "$row: each has samples of its own" "$(threads_of 'map(select(.useful_s > 0)) | length')" $threads
		judge "$row: a team" member_kernel 60
	fi
	many_threads native 0.5 >"$live_folder/log" 2>&1
	status=$?
	if [ $status = 99 ]; then
		skip "$row: $threads native threads" "$(head -n 1 "$live_folder/log")"
		continue
	fi
	is "$row: $threads threads with a region each end as without the profiler" "$status $(cat "$live_folder/log")" "0 "
	is "$row: each is an initial thread with a record of its own, beside main's" \
		"$(threads_of 'map(select(.type == "initial")) | length')" $((threads + 1))
	is "$row: $threads after each other have one" \
		"$(threads_of 'map(select(.type == "native")) | map(.lives) | tostring')" "[$threads]"
	judge "$row: native" own_kernel 45
done
plan
