#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two threads that have events at once cost each hardly more than one alone (bench/sharing.c): no event writes
# to a cache line that another thread writes. Whether that could be seen at all, a counter that both write
# says: without a profiler it has to cost nearly twice as much, or the test is skipped.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"

live_row omp14-clang14-O2 omp19-clang19-O2
executable=$builddir/tests/programs/$row/sharing
matrix_compile "$srcdir/bench/sharing.c" "$executable" || broken "cannot build sharing.c"
export OMP_PROC_BIND=true KMP_BLOCKTIME=infinite OMP_NUM_THREADS=2
[ "$(nproc)" -gt 1 ] || skip_all "one processor"

# measure COMMAND...: leaves the lines of `sharing` in $live_folder/lines.
measure() {
	LD_LIBRARY_PATH=$row_lib timeout 60 "$@" >"$live_folder/lines" 2>"$live_folder/messages"
	rm -rf "$live_folder/out"
}

# ratio NAME
ratio() {
	awk -v name="$1" '$1 == name { print $4 }' "$live_folder/lines"
}

# On a busy machine the two threads hardly ever meet: of up to 20 rounds, each with and without the profiler, those
# count in which the control shows what sharing costs, `least_control` times at least, until there are three.
least_control=1.8
n_rounds=0 n_clear=0 clearest=0
while [ $n_clear -lt 3 ] && [ $n_rounds -lt 20 ]; do
	n_rounds=$((n_rounds + 1))
	measure "$executable" || broken "sharing does not run"
	control=$(ratio shared-counter)
	[ "$control" != - ] || continue
	! at_least "$control" "$clearest" || clearest=$control
	at_least "$control" "$least_control" || continue
	measure "$ompprof" run -q -o "$live_folder/out" -- "$executable" || broken "sharing does not run under ompprof"
	cat "$live_folder/lines" >>"$live_folder/all"
	n_clear=$((n_clear + 1))
done
[ $n_clear -gt 0 ] || skip_all "sharing costs nothing to be seen here ($clearest times in $n_rounds rounds)"
ok "a counter that two threads write: $clearest times; seen in $n_clear of $n_rounds rounds"

# A run can go wrong all the same: the least counts.
for name in locks tasks taskwaits regions recursion; do
	least=$(awk -v name="$name" '$1 == name && $4 != "-" && (!n++ || $4 < least) { least = $4 }
		END { print n ? least : "-" }' "$live_folder/all")
	if [ "$least" = - ]; then
		skip "$name" "the threads never ran at once"
	elif at_most "$least" 1.5; then
		ok "$name: $least times"
	else
		not_ok "$name: $least times" "$(cat "$live_folder/all")"
	fi
done
plan
