# SPDX-License-Identifier: Apache-2.0
# A program that takes the time-stamp counter or system calls away from one of its threads runs as alone: the profile ends
# before that, and says so.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
ulimit -c 0
program=$(matrix_build lockdown.c "$row") || broken "cannot build lockdown.c"

# alone HOW: whether the program does this here, without the profiler.
alone() {
	[ "$(LD_LIBRARY_PATH=$row_lib OMP_NUM_THREADS=2 "$program" "$1" 0.1 2>&1; echo $?)" = "lockdown: end
6" ]
}

# as_alone HOW OPTIONS
as_alone() {
	got=0
	{ live_profile lockdown.c "-q $2" "$1" 0.5 || got=$?; } 2>/dev/null
	is "$1 $2: as alone" "$got $(cat "$live_folder/said" "$live_folder/messages")" "6 lockdown: end"
	check "... with a profile of what was before" jq -e \
		'.run.complete and ([.nodes[] | select(.name == "before_kernel") | .work_s] | add) > 0.01 and
			([.nodes[] | select(.name == "after_kernel") | .work_s] | add // 0) == 0' "$live_folder/json"
	check "... that says so" jq -e '.warnings | any(contains("gave up the time-stamp counter or system calls"))' \
		"$live_folder/json"
}

for how in tsc thread strict; do
	if alone $how; then
		as_alone $how ""
		as_alone $how "-e wall --trace"
	else
		skip "$how" "the program cannot do it here"
	fi
done
if live_has_perf && alone tsc; then
	as_alone tsc "-F 1000"
else
	skip "tsc with perf events" "perf events are not to be had"
fi

# A system call that the program makes by itself is not seen: a limit in the manual.
if alone raw && ! alone reads 2>"$scratch/shell"; then
	{ LD_LIBRARY_PATH=$row_lib "$ompprof" run -q -o "$live_folder/out" -- "$program" raw 0.5 >"$live_folder/said" 2>&1; } 2>/dev/null
	is "raw: ends by SIGSEGV, as the manual says" $? 139
else
	skip "raw" "the program cannot do it here, or the machine lets it read the counter all the same"
fi
plan
