#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that is killed while others want its CPU has been ready to run for most of its time: that is shown, and not as
# sleeping, with OpenMP, without, and on GCC's own runtime. What is right the kernel says right before. It does not count,
# and so nobody knows of, the wait for a CPU that a thread is in just then: a few tenths of a second where many want one.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
command -v taskset >/dev/null || skip_all "taskset is not installed"
[ "$(awk '{ print NF }' /proc/self/schedstat 2>/dev/null)" = 3 ] ||
	skip_all "the kernel does not count how long threads are ready to run"
live_row omp19-clang19-O2 omp14-clang14-O2
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
ulimit -c 0

# Two that do nothing but compute, on the program's CPU.
rivals=
for _ in 1 2; do
	taskset -c "$cpu" sh -c 'while :; do :; done' &
	rivals="$rivals $!"
done
# shellcheck disable=SC2086 # numbers
trap 'kill $rivals 2>/dev/null; rm -rf "$live_folder"' EXIT

# queued PID: seconds that all its threads have been ready to run, as the kernel counts them.
queued() {
	cat /proc/"$1"/task/*/schedstat | awk '{ sum += $2 } END { print sum / 1e9 }'
}

# row_of CAUSE: thread-seconds of it on the first screen.
row_of() {
	awk -F , -v cause="$1" '$(NF - 3) == cause { print $(NF - 1) }' "$live_folder/csv" | tail -n 1
}

# run_killed SIGNAL OPTIONS PROGRAM ARGUMENTS...: sends it the signal after two seconds. Leaves $truth, $ready and $asleep;
# returns whether the last two are right.
run_killed() {
	signal=$1 options=$2
	shift 2
	rm -rf "$live_folder/out"
	# shellcheck disable=SC2086
	LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 taskset -c "$cpu" "$ompprof" run -q $options \
		-o "$live_folder/out" -- "$@" >/dev/null 2>&1 &
	runner=$!
	sleep 2
	program=$(pgrep -P $runner)
	truth=$(queued "$program")
	kill -"$signal" "$program"
	wait $runner 2>/dev/null
	"$ompprof" report -i "$live_folder/out" --format csv >"$live_folder/csv"
	ready=$(row_of not_running)
	asleep=$(row_of blocked)$(row_of off_cpu)
	near "${ready:-0}" "$truth" "$(awk -v a="$truth" 'BEGIN { print 0.15 * a + 0.1 }')" &&
		at_most "${asleep:-0}" "$(awk -v a="$truth" 'BEGIN { print 0.25 * a }')"
}

# killed NAME SIGNAL OPTIONS PROGRAM ARGUMENTS...: up to three times, as what the kernel does not count yet can be long
# where many programs want a CPU.
killed() {
	name=$1
	shift
	for try in 1 2 3; do
		is_right=
		! run_killed "$@" || is_right=yes
		[ -z "$is_right" ] || break
	done
	message="of $truth s the kernel counted ${ready:-0} s are shown; asleep ${asleep:-0} s"
	if ! at_least "$truth" 0.5; then
		skip "$name" "nobody wanted its CPU: $truth s"
	elif [ -n "$is_right" ]; then
		ok "$name: $message"
	else
		not_ok "$name: $message" "$(cat "$live_folder/csv")"
	fi
}

hog=$(matrix_build hog.c "$row" 2>"$live_folder/log") || broken "cannot build hog.c"
noomp=$(matrix_build noomp.c "$row" 2>"$live_folder/log") || broken "cannot build noomp.c"
killed "SIGKILL" KILL "" "$hog" 60
killed "SIGSEGV" SEGV "" "$hog" 60
killed "SIGTERM" TERM "" "$hog" 60
killed "without OpenMP" KILL "" "$noomp" 1000
if gcc -O2 -fopenmp -o "$live_folder/hog" "$srcdir/tests/programs/time/hog.c" 2>"$live_folder/log"; then
	row_lib=
	killed "on libgomp, plain" KILL --runtime=plain "$live_folder/hog" 60
else
	skip "on libgomp, plain" "gcc does not build hog.c"
fi

# Regions of equal work on two CPUs with rivals: who waits does so for a thread without a CPU, be it the last one to come to
# a closing barrier, or the one that ends the region there.
cpus=$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/self/status)
for _ in 1 2; do
	sh -c 'while :; do :; done' &
	rivals="$rivals $!"
done
for rival in $rivals; do
	taskset -cp "$cpus" "$rival" >/dev/null
done
if gcc -O2 -fopenmp -o "$live_folder/even" "$srcdir/tests/programs/regions/even.c" 2>"$live_folder/log"; then
	rm -rf "$live_folder/out"
	OMP_NUM_THREADS=$(nproc) "$ompprof" run -q -o "$live_folder/out" -- "$live_folder/even" >"$live_folder/log" 2>&1
	"$ompprof" report -i "$live_folder/out" --format csv >"$live_folder/csv"
	imbalance=$(row_of imbalance) held=$(row_of held_up)
	message="imbalance ${imbalance:-0} s, held up ${held:-0} s"
	if ! at_least "${held:-0}" 0.2; then
		skip "waits for a thread without a CPU" "$message"
	elif at_most "${imbalance:-0}" "$(awk -v a="$held" 'BEGIN { print 0.25 * a }')"; then
		ok "waits for a thread without a CPU: $message"
	else
		not_ok "waits for a thread without a CPU: $message" "$(cat "$live_folder/csv")"
	fi
else
	skip "waits for a thread without a CPU" "gcc does not build even.c"
fi

# Timelines have the waits of the tree, and both leave out the time without a CPU.
live_row omp19-clang19-O2 omp14-clang14-O2
imbalance=$(matrix_build imbalance.c "$row" 2>"$live_folder/log") || broken "cannot build imbalance.c"
rm -rf "$live_folder/out"
LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 KMP_BLOCKTIME=infinite taskset -c "$cpu" \
	"$ompprof" run -q -o "$live_folder/out" -- "$imbalance" 0.1 >"$live_folder/log" 2>&1
"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json"
check "timelines have the tree's waits" jq -e '[.threads[] | [.barrier_s, .idle_s, (.timeline.times | (.barrier, .idle | . // [] | add // 0))]]
	| transpose | map(add) | . as [$barrier, $idle, $in_barrier, $in_idle] | $barrier > 0.001
	and ($in_barrier - $barrier | fabs) < 0.02 * $barrier + 0.002 and $in_idle < 1.02 * $idle + 0.01' "$live_folder/json"
plan
