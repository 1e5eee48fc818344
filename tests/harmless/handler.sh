# SPDX-License-Identifier: Apache-2.0
# The behaviour of the signal handler: real programs run with a library that knows when the handler
# runs, and that fails the process if memory is allocated, a lock of libpthread taken, the list of
# objects walked or stdio used there. The gate must be able to fail: the libunwind walker does so.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
interpose=$builddir/.libs/interpose.so
[ -r "$interpose" ] || broken "$interpose is not there"
rate=$(live_fast)

# gate PROGRAM OPTIONS ARGUMENTS...: runs it; prints what the library says. Status 1 for a bad call.
gate() {
	rm -f "$live_folder/calls"
	gate_status=0
	INTERPOSE_OUT=$live_folder/calls LD_PRELOAD=$interpose live_profile "$@" || gate_status=$?
	cat "$live_folder/calls" "$live_folder/messages"
	[ "$gate_status" != 86 ] || return 1
	[ "$gate_status" = 0 ] || return 2
}

# passes PROGRAM OPTIONS ARGUMENTS...: nothing bad, and the handler really ran, and walked. A few
# samples may come after the library has written its count.
passes() {
	gate "$@" || return
	runs=$(sed -n 's/^runs //p' "$live_folder/calls")
	samples=$(jq .run.samples "$live_folder/json")
	echo "$runs runs, $samples samples"
	[ "$runs" -ge 50 ] && [ "$samples" -ge 50 ] && [ "$samples" -le $((runs + 4)) ] &&
		[ "$(jq '.run.lost.handler // 0' "$live_folder/json")" = 0 ]
}

for walker in cfi fp; do
	for program in loops tasks nested recursion lock dlopen pthread cxx; do
		file=$program.c
		[ "$program" != cxx ] || file=cxx.cpp
		check "$walker: $program" passes "$file" "-q $rate --unwind=$walker" 0.3
	done
done
check "wall clock" passes waits.c "-q $rate -e wall" 0.03 wall
check "page faults, from everywhere" passes pages.c "-q -e page-faults@1" 5000

# The profile of a walker that uses libunwind says so.
if [ -r "$builddir/.libs/ompprof-walk-libunwind.so" ]; then
	check_fails "a walker that takes locks is found out" gate loops.c "-q $rate --unwind=libunwind" 0.3
	note "$(cat "$live_folder/calls")"
else
	skip "a walker that takes locks is found out" "built without libunwind"
fi
plan
