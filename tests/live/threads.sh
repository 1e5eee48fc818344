# SPDX-License-Identifier: Apache-2.0
# Threads that are not OpenMP's: each start function has its share, however a thread is created and ends;
# what has ended is used again; the program is what it is without the profiler (tests/programs/threads/threads.c).
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp14-clang14-O2 omp19-clang19-O2 omp15-clang14-O2 omp14-gcc-O2
json=$live_folder/json

# profiled MODE...: runs it; its status and output, which the program itself judges, are as without the
# profiler.
profiled() {
	live_profile threads.c -q "$factor" "$@"
	status=$?
	[ "$status" = 0 ] && grep -q '^threads: ' "$live_folder/said"
}

# native FILTER: of the native threads' objects, what the filter makes of the array of them.
native() {
	jq -r "[.threads[] | select(.type == \"native\")] | $1" "$json"
}

# of_root NAME: the seconds of work below this root.
of_root() {
	jq -r -f "$srcdir/tests/live/paths.jq" "$json" | awk -F '\t' -v name="$1" '
		$3 ~ "^;" name "(;|$)" { sum += $1 }
		END { printf "%.4f\n", sum }'
}

factor=1.5
check "pthreads, a C11 thread and OpenMP's threads beside each other" profiled mix
is "three native threads, by their start functions" "$(native 'map(.start) | sort | join(" ")')" \
	"alpha_start beta_start gamma_start"
is "OpenMP's threads are what they were" \
	"$(jq -r '[.threads[] | select(.type != "native").type] | join(" ")' "$json")" "initial worker"
# A kernel's work is 3 : 1 : 1 beside 1 on each of the team's two threads.
alpha=$(of_root alpha_start) beta=$(of_root beta_start) gamma=$(of_root gamma_start)
team=$(live_work team_kernel)
check "alpha_start's work is three times beta_start's ($alpha, $beta)" \
	awk "BEGIN { exit !($alpha > 2 * $beta && $alpha < 4.5 * $beta) }"
check "beta_start's work is gamma_start's ($beta, $gamma)" \
	awk "BEGIN { exit !($beta > 0.66 * $gamma && $beta < 1.5 * $gamma) }"
check "the team's work is twice beta_start's ($team)" \
	awk "BEGIN { exit !($team > 1.3 * $beta && $team < 3 * $beta) }"
# A signal can meet the tool where a thread begins or ends: that is overhead, at the root.
check "every native thread's path begins at its start function" \
	[ "$(jq -r -f "$srcdir/tests/live/paths.jq" "$json" | cut -f 3 |
		grep -cvE '^;(main|alpha_start;alpha_kernel|beta_start;beta_kernel|gamma_start;gamma_kernel|\[idle\]|\[runtime overhead\])')" = 0 ]
check "the time of native threads is theirs: useful is what the CPU was used for" \
	jq -e '[.threads[] | select(.type == "native")] | (map(.useful_s) | add) as $useful |
		(.[0] | has("lives")) and $useful > 0.5' "$json"
check "the capacity is OpenMP's: two slots for the run's time" \
	jq -e '.summary.threads == 2 and .summary.wall_s == .run.wall_s' "$json"
check "the summary tells of them" sh -c \
	"'$ompprof' report -i '$live_folder/out' | grep -q \"and 3 threads beside OpenMP's\""

# Two processes of it as one report.
program=$(matrix_build threads.c "$row") || broken "cannot build threads.c"
for process in 1 2; do
	echo "\"$program\" 0.4 mix"
done >"$live_folder/twice.sh"
script() {
	rm -rf "$live_folder/out"
	LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$ompprof" run -q -o "$live_folder/out" -- sh "$1" \
		>"$live_folder/said" 2>&1
	"$ompprof" report -i "$live_folder/out" --format json >"$json"
}
script "$live_folder/twice.sh"
is "two processes: the native threads of both, by their start functions" \
	"$(native 'map(.start) | sort | join(" ")')" \
	"alpha_start alpha_start beta_start beta_start gamma_start gamma_start"
is "three of each" "$(native 'group_by(.pid) | map(length) | join(" ")')" "3 3"
is "and OpenMP's" "$(jq -r '[.threads[] | select(.type != "native").type] | sort | join(" ")' "$json")" \
	"initial initial worker worker"
is "a path begins at the start function in both: three roots beside main" \
	"$(jq -r '[.nodes[] | select(.parent == 0 and .kind == "function") | .name] | unique - ["_start"] | join(" ")' "$json")" \
	"alpha_start beta_start gamma_start main"
is "what native threads do is in no advice on serial code" \
	"$(jq '[.advice[]? | tostring | select(test("alpha|beta|gamma"))] | length' "$json")" 0
check "the summary tells of all six" sh -c \
	"'$ompprof' report -i '$live_folder/out' | grep -q \"and 6 threads beside OpenMP's\""
check "--by thread names process and start function" sh -c \
	"COLUMNS=140 '$ompprof' report -i '$live_folder/out' --by thread | grep -q 'process [0-9]*: [0-9]* native *gamma_start'"

factor=1
check "threads end by return, pthread_exit and cancellation" profiled ends
is "each has ended, one cancelled before it began among them" \
	"$(native 'map(.start) | sort | join(" ")')" \
	"cancelled_start exiting_start late_start returning_start"
check "a destructor of thread-specific data is the thread's work" \
	at_least "$(live_share "$json" 'destroy;last_kernel')" 5
# How far it comes until it is cancelled is up to the scheduler.
check "so is what a cancelled thread did" at_least "$(of_root cancelled_start)" 0.001

factor=0
check "10,000 threads one after the other" profiled many 10000
is "they have one record" "$(native 'map(.lives) | join(" ")')" 10000
bytes=$("$ompprof" info -i "$live_folder/out" | awk '/^  (file|memory)/ { sum += $2 } END { print sum }')
check "and what they took is used again: $bytes bytes" at_most "$bytes" 3000000

check "detached threads, the last of which ends with the process" profiled detached 3000
is "each is counted once" "$(native 'map(.lives) | add')" 3000

factor=0.3
check "256 threads at once" profiled crowd 256
is "each has a record" "$(native length)" 256
bytes=$("$ompprof" info -i "$live_folder/out" | awk '/^  (file|memory)/ { sum += $2 } END { print sum }')
# In batches of 16, and one more for the first thread.
check "at most 200 KiB a thread: $bytes bytes" at_most "$bytes" $(((256 + 17) * 204800))

factor=1
check "a thread that takes signals by sigwait gets none of the profiler's" profiled blocked
is "and is counted, with its CPU time" "$(jq -r '.run.lost.blocked' "$json") $(native \
	'.[0] | .unsampled_s > 0.1 and .useful_s >= .unsampled_s')" "1 true"
check "the report warns of it" sh -c \
	"'$ompprof' report -i '$live_folder/out' | grep -q 'warning: 1 thread was not sampled.*: signal blocked'"
check "a thread that begins with signals blocked and unblocks them" profiled unblocked
is "is not among those that were not sampled" "$(jq -r '.run.lost.blocked // 0' "$json")" 0
check "its work from there on is sampled" at_least "$(of_root opening_start)" 0.05
# Such a sample would be taken where the signals are unblocked.
all=$(of_root opening_start) after=$(live_work beta_kernel)
check "and no sample stands for that before ($after of $all)" at_least "$after" "$(awk "BEGIN { print $all * 0.8 }")"
check "the CPU time before is as much" jq -e '([.nodes[] | select(.name == "beta_kernel") | .work_s] | add) as $after
	| .threads[] | select(.type == "native") | .unsampled_s
	| . > 0.5 * $after and . < 2 * $after' "$json"
check "and counts as useful" jq -e '.threads[] | select(.type == "native") |
	.unsampled_s * 1.5 < .useful_s' "$json"
check "the report tells" sh -c \
	"'$ompprof' report -i '$live_folder/out' | grep -q 'warning: threads blocked the signal for'"
check "a stack without room for the handler is left alone" profiled small
is "and its thread counted" "$(jq -r '.run.lost.no_room' "$json")" 1

check "a thread on a stack of its own" profiled stack
read -r used frame <"$live_folder/messages"
check "the handler uses no more than it says: $used bytes, of which at most $frame are the kernel's" \
	at_most "$used" $((frame + 1024 + 512))

check "the process ends while threads run" profiled running
is "all of which are in the profile, complete" \
	"$(native length) $(jq -r '.run.complete' "$json")" "4 true"
check "a native thread forks" profiled fork
check "and goes on as it was" at_least "$(of_root forking_start)" 0.1

library=$(find /usr/lib /usr/lib64 -name 'libLLVM-*.so.1' 2>/dev/null | head -n 1)
if [ -n "$library" ]; then
	check "a large object is loaded, whose table a thread of the profiler's makes" \
		profiled load "$library"
	is "which is in no profile" "$(jq -r '[.threads[].type] | join(" ")' "$json")" "initial worker"
else
	skip "a large object" "no libLLVM is installed"
fi

# An old program asks for the function's old version.
old=$live_folder/old
echo '__asm__(".symver pthread_create,pthread_create@GLIBC_2.2.5");' >"$live_folder/old.h"
if ${CC:-cc} -O2 -g -pthread -include "$live_folder/old.h" -o "$old" \
	"$srcdir/tests/programs/threads/threads.c" 2>"$live_folder/log"; then
	"$ompprof" run -q -o "$live_folder/out" -- "$old" 1 mix >"$live_folder/said" 2>&1
	"$ompprof" report -i "$live_folder/out" --format json >"$json"
	is "the old version of pthread_create, without OpenMP" "$(native 'map(.start) | sort | join(" ")')" \
		"alpha_start beta_start gamma_start"
	is "a program without OpenMP has no efficiency in its report" \
		"$("$ompprof" report -i "$live_folder/out" | grep -ciE 'efficiency|Fix first')" 0
	echo "\"$program\" 0.4 mix; \"$old\" 0.4 mix" >"$live_folder/both.sh"
	rm -rf "$live_folder/out"
	LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$ompprof" run -q -o "$live_folder/out" -- \
		"$old" 0.4 starts "$program" >"$live_folder/said" 2>&1
	is "it starts one that uses OpenMP: both work" "$(grep -c '^threads: ' "$live_folder/said")" 2
	"$ompprof" report -i "$live_folder/out" --format json >"$json"
	check "it does not count, and what its threads did is told" jq -e \
		'.processes | length == 2 and (.[] | select(.counted | not) | .openmp == false and .useful_s > 0.05)' \
		"$json"
	is "its threads are not among those of the other" "$(native 'map(.start) | sort | join(" ")')" \
		"alpha_start beta_start gamma_start"
	pid=$(jq '.processes[] | select(.counted | not) | .pid' "$json")
	check "by itself it is a plain profile" sh -c "'$ompprof' report -i '$live_folder/out' --process $pid |
		grep -q '^ompprof: .*, 2 threads, .*no OpenMP'"
	script "$live_folder/both.sh"
	is "in a script beside a program that uses OpenMP it has no file" \
		"$(jq -r '[.processes[] | select(.counted) | .openmp] | join(" ")' "$json") $(native length)" "true 3"
else
	skip "the old version of pthread_create" "$(head -n 1 "$live_folder/log")"
	skip "a program without OpenMP" "likewise"
	skip "a program without OpenMP beside one that uses it" "likewise"
fi

if command -v "${CXX:-c++}" >/dev/null &&
	${CXX:-c++} -O2 -g -pthread -o "$live_folder/cxx" "$srcdir/tests/programs/threads/threads_cxx.cpp" \
		2>"$live_folder/log"; then
	"$ompprof" run -q -o "$live_folder/out" -- "$live_folder/cxx" 1 >"$live_folder/said" 2>&1
	"$ompprof" report -i "$live_folder/out" --format json >"$json"
	is "std::thread: its output" "$(cat "$live_folder/said")" "threads_cxx: 2"
	is "std::thread: two threads" "$(native length)" 2
	is "whose paths begin at their own functions" "$(jq -r -f "$srcdir/tests/live/paths.jq" "$json" |
		cut -f 3 | cut -d ';' -f 2 | grep -v '^\[' | sort -u | tr '\n' ' ')" "long_work short_work "
	long=$(of_root long_work) short=$(of_root short_work)
	check "and the work of each ($long, $short)" \
		awk "BEGIN { exit !($long > 2 * $short && $long < 4.5 * $short) }"
else
	skip "std::thread" "no C++ compiler"
fi
plan
