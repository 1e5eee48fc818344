# SPDX-License-Identifier: Apache-2.0
# Whatever the tool's library asks of the system fails: at its first call, its second and so on until no call
# fails any more, and from some call on for good. The program's output and status stay as they are, and the
# profile, or a line on the standard error, tells. `make check` looks at 12 calls of each kind, or at 5 if the kind is
# called with each sample; with FAULTS_MOST=N in the environment at N, if there are so many.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
injector=$builddir/.libs/fault.so
[ -r "$injector" ] || broken "$injector is not there"
hog=$(matrix_build hog.c "$row") || broken "cannot build hog.c"
export LD_LIBRARY_PATH="$row_lib" OMP_NUM_THREADS=2
ulimit -c 0

# run_with SECONDS CALL ERRNO AT N OPTIONS...: one run, with the faults; leaves said, messages and, if a call has
# failed, `failed`. Prints what is wrong.
run_with() {
	fault_seconds=$1 fault_call=$2 fault_errno=$3 fault_at=$4 fault_n=$5
	shift 5
	rm -rf "$live_folder/out" "$live_folder/failed"
	got=0
	{
		FAULT_CALL=$fault_call FAULT_ERRNO=$fault_errno FAULT_AT=$fault_at FAULT_N=$fault_n \
			FAULT_OUT=$live_folder/failed LD_PRELOAD=$injector timeout 20 \
			"$ompprof" run "$@" -o "$live_folder/out" -- "$hog" "$fault_seconds" \
			>"$live_folder/said" 2>"$live_folder/messages" || got=$?
	} 2>/dev/null
	printed=$(sed 's/[0-9.]* CPU/N CPU/' "$live_folder/said")
	what="call $fault_at, $fault_n of them (0: all)"
	[ "$got $printed" = "0 hog: 2 threads, N CPU seconds" ] ||
		echo "$what: status $got: $printed $(head -n 3 "$live_folder/messages")"
	! grep -qv '^ompprof: ' "$live_folder/messages" || echo "$what: $(cat "$live_folder/messages")"
	[ "$(wc -l <"$live_folder/messages")" -le 4 ] || echo "$what: too many lines: $(cat "$live_folder/messages")"
	grep -q 'continuing without a profile' "$live_folder/messages" || is_sensible ||
		echo "$what: $(cat "$live_folder/messages"; jq -c .run "$live_folder/json" 2>&1)"
}

# run_once CALL ERRNO AT N OPTIONS...: the same for a short time; on a busy machine that has too few samples.
run_once() {
	for seconds in 0.03 0.2 0.6; do
		report=$(run_with $seconds "$@")
		[ -n "$report" ] || return 0
	done
	echo "$report"
}

# is_sensible: the profile has samples, or says that threads have none; and it is not of centuries.
is_sensible() {
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>&1 &&
		jq -e '(.run.samples >= 4 or .run.lost.threads > 0) and .run.wall_s < 100 and
			([.nodes[].work_s] | add) < 100' "$live_folder/json" >"$live_folder/judged"
}

# fails_everywhere CALL ERRNO NAME OPTIONS...: one test point.
fails_everywhere() {
	call=$1 error=$2 name=$3
	shift 3
	wrong='' at=0 n_runs=0
	# Some are called again with each sample.
	case $call in
	clock_gettime | timer_settime | _dl_find_object | munmap | fcntl | ioctl) most=5 ;;
	*) most=12 ;;
	esac
	most=${FAULTS_MOST:-$most}
	while [ $at -lt $most ]; do
		at=$((at + 1))
		wrong=$wrong$(run_once "$call" "$error" $at 1 "$@")
		[ -e "$live_folder/failed" ] || break
		n_runs=$((n_runs + 1))
	done
	for at in 1 3; do
		[ $at -le $n_runs ] || continue
		wrong=$wrong$(run_once "$call" "$error" $at 0 "$@")
	done
	if [ -z "$wrong" ] && [ $n_runs -gt 0 ]; then
		ok "$name fails at each of its first $n_runs calls"
	elif [ $n_runs -eq 0 ]; then
		not_ok "$name fails" "it is never called $wrong"
	else
		not_ok "$name fails at each of its first $n_runs calls" "$wrong"
	fi
}

# untried SCRIPT: calls that failing_calls.c can fail, and SCRIPT does not.
untried() {
	sed -nE 's/^(CALL\([^,]*, |int )([a-z_]+)(,.*|\(int fd, .*|\(int option, .*)$/\2/p' "$srcdir/tests/harmless/failing_calls.c" |
		grep -vxF "$(sed -nE 's/^	?fails_everywhere ([a-z_]+) .*/\1/p' "$1")"
}
echo 'fails_everywhere mmap 12 "mmap"' >"$live_folder/script"
is "a call that is not tried is found" "$(untried "$live_folder/script" | head -n 2 | xargs)" "munmap madvise"
is "each call that can fail is tried" "$(untried "$0" | xargs)" ""

# E2BIG 7 EAGAIN 11 ENOMEM 12 EACCES 13 EINVAL 22 EMFILE 24 ENOSPC 28 ENOSYS 38, EPERM 1, ENOENT 2
fails_everywhere mmap 12 "mmap"
fails_everywhere madvise 22 "madvise"
fails_everywhere munmap 12 "munmap"
fails_everywhere call257 24 "openat, for want of descriptors"
fails_everywhere call0 5 "read"
fails_everywhere call1 28 "write" -v
fails_everywhere call285 28 "fallocate, on a full disk"
fails_everywhere ftruncate 1 "ftruncate"
fails_everywhere call5 5 "fstat"
fails_everywhere mkdir 13 "mkdir"
fails_everywhere getcwd 2 "getcwd"
fails_everywhere gethostname 1 "gethostname"
fails_everywhere readlink 2 "readlink"
fails_everywhere getrlimit 1 "getrlimit"
fails_everywhere sigaction 22 "sigaction"
fails_everywhere timer_create 11 "timer_create"
fails_everywhere timer_settime 22 "timer_settime"
fails_everywhere timer_delete 22 "timer_delete"
fails_everywhere clock_gettime 22 "clock_gettime"
fails_everywhere clock_getres 22 "clock_getres"
fails_everywhere pthread_getattr_np 12 "pthread_getattr_np"
fails_everywhere pthread_attr_getstack 22 "pthread_attr_getstack"
fails_everywhere sched_getaffinity 22 "sched_getaffinity"
fails_everywhere __register_atfork 12 "pthread_atfork"
fails_everywhere dl_iterate_phdr 0 "dl_iterate_phdr"
fails_everywhere _dl_find_object 0 "_dl_find_object"
fails_everywhere prctl 22 "prctl"
fails_everywhere dlopen 0 "dlopen"

# The process ends while a thread's handler is about to set its timer, which is gone by then: no loss.
lost_late() {
	rm -rf "$live_folder/out"
	OMP_NUM_THREADS=16 FAULT_CALL=timer_settime FAULT_AT=1 FAULT_N=0 FAULT_LATE_MS=50 LD_PRELOAD=$injector \
		timeout 20 "$ompprof" run -q -e wall -F 15 -o "$live_folder/out" -- "$hog" 0.2 >"$live_folder/said" 2>"$live_folder/messages"
	"$ompprof" report -i "$live_folder/out" --format json | jq -c '[.run.complete, .run.lost.threads]'
}
is "timer_settime is late, and the process ends meanwhile" "$(lost_late)" "[true,null]"
if live_has_perf; then
	fails_everywhere call298 24 "perf_event_open" -F 1000
	fails_everywhere fcntl 22 "fcntl" -F 1000
	fails_everywhere ioctl 25 "ioctl" -F 1000
	# The event that is tried is due at once: its signal meets a program without a handler.
	got=$(FAULT_CALL=ioctl FAULT_AT=1 FAULT_N=6 FAULT_BUSY_MS=20 FAULT_OUT=$live_folder/failed LD_PRELOAD=$injector \
		timeout 20 "$ompprof" run -q -F 5000 --signal PROF -o "$live_folder/out" -- "$hog" 0.05 2>&1 >/dev/null
		echo $?)
	is "a perf event that is tried, and is due" "$(echo "$got" | tail -n 1)" 0
else
	skip "perf_event_open fails" "perf events are not to be had"
fi
plan
