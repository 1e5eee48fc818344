# SPDX-License-Identifier: Apache-2.0
# Signals, stacks and cancellation of the program stay its own: it takes, blocks and waits for signals, works
# where there is little stack, and is cancelled, as without the profiler.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
ulimit -c 0
fast=$(live_fast)

# as_alone PROGRAM OPTIONS FILTER ARGUMENTS...: it prints and ends as without the profiler, and its profile is
# as FILTER says.
as_alone() {
	program=$1 options=$2 filter=$3
	shift 3
	bare=$(matrix_build "$program" "$row") || broken "cannot build $program"
	alone=0
	{ LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$bare" "$@" >"$live_folder/alone" 2>&1 || alone=$?; } 2>/dev/null
	got=0
	{ live_profile "$program" "$options" "$@" || got=$?; } 2>/dev/null
	description="${program%.c} $*${options:+ ($options)}"
	if [ "$got $(cat "$live_folder/said")" = "$alone $(cat "$live_folder/alone")" ]; then
		ok "$description: as alone"
	else
		not_ok "$description: as alone" "status $got, alone $alone
$(cat "$live_folder/said" "$live_folder/messages" "$live_folder/alone")"
	fi
	check "... and its profile is there" jq -e "$filter" "$live_folder/json"
}

# At least so many seconds of work in a function, and no samples lost for want of a handler or a stack.
in_kernel() {
	echo "([.nodes[] | select(.name == \"$1\") | .work_s] | add) > $2 and .run.lost.handler == null and
		.run.lost.small_stack == null"
}

# The time of a thread that blocks the signal goes to the next sample: none is lost.
as_alone own_signals.c "-q" "$(in_kernel open_kernel 0.04)" blocked 0.5
for how in held masked hold; do
	as_alone own_signals.c "-q" "$(in_kernel open_kernel 0.04)" $how 0.5
done
for how in sigwait timedwait signalfd suspend pselect; do
	as_alone own_signals.c "-q" "$(in_kernel open_kernel 0.03)" "$how" 0.3
done
as_alone own_signals.c "-q -e wall" "$(in_kernel open_kernel 0.03)" sigwait 0.3
as_alone own_signals.c "-q --signal 40" "$(in_kernel open_kernel 0.03)" suspend 0.3
if live_has_perf; then
	as_alone own_signals.c "-q -e page-faults@3" ".run.samples > 0" sigwait 0.3
	# Another signal than SIGURG would end the program that is executed, nearly each time.
	ended=0
	for turn in 1 2 3 4 5; do
		live_profile processes.c "-q -F 5000 --signal PROF" chain 0.1 || ended=$?
	done
	is "an exec while a perf event's signals come" $ended 0
else
	skip "sigwait and exec beside a perf event" "perf events are not to be had"
fi
as_alone own_signals.c "-q $fast" "$(in_kernel open_kernel 0.02)" timers
as_alone own_signals.c "-q $fast" "$(in_kernel open_kernel 0.04)" faults 0.3
as_alone own_signals.c "-q" "$(in_kernel open_kernel 0.02)" jump 0.5
as_alone own_signals.c "-q" "$(in_kernel open_kernel 0.02)" within 0.5
as_alone own_signals.c "-q" "$(in_kernel open_kernel 0.02)" words 0.5
as_alone own_signals.c "-q $fast" ".run.complete == false and .run.samples > 10" overflow 0.5
as_alone own_signals.c "-q $fast" "$(in_kernel blocked_kernel 0.04)" handler 0.5
as_alone stacks.c "-q $fast" "$(in_kernel coroutine_kernel 0.04)" coroutines 0.5
as_alone stacks.c "-q $fast" "$(in_kernel coroutine_kernel 0.04)" deep 0.5
as_alone stacks.c "-q $fast" "$(in_kernel region_kernel 0.04)" small 0.5
as_alone stacks.c "-q $fast" "$(in_kernel region_kernel 0.03)" code 0.5
as_alone blocking.c "-q" "$(in_kernel between_kernel 0.04)" 1
(
	ulimit -s unlimited 2>/dev/null && echo yes
) >"$live_folder/unlimited"
if [ -s "$live_folder/unlimited" ]; then
	ulimit -S -s unlimited
	as_alone stacks.c "-q $fast" "$(in_kernel region_kernel 0.04)" small 0.5
else
	skip "a stack without a limit" "the limit cannot be raised here"
fi
if live_has_perf; then
	as_alone cancel.c "-q -e page-faults@20" ".run.samples > 100" 0.05
fi
as_alone cancel.c "-q $fast" "$(in_kernel cancelled_kernel 0.02)" 0.2
as_alone cancel.c "-q $fast" "$(in_kernel compute 0.02)" 1 anywhere
plan
