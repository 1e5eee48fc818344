# SPDX-License-Identifier: Apache-2.0
# The program runs as alone where little is allowed: system calls that a container refuses, limits on
# descriptors, memory, signals and processes, few CPUs, many threads.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
confine=$builddir/tests/harmless/confine
[ -x "$confine" ] || broken "$confine is not there"
hog=$(matrix_build hog.c "$row") || broken "cannot build hog.c"
guessed=$(matrix_build no_frame_info.c "$row") || broken "cannot build no_frame_info.c"
exhaust=$(matrix_build exhaust.c "$row") || broken "cannot build exhaust.c"
export LD_LIBRARY_PATH="$row_lib" OMP_NUM_THREADS=2
ulimit -c 0
work_is_there='([.nodes[].work_s] | add) > 0.05 and .run.complete'

# within DESCRIPTION SHELL-WORDS OPTIONS FILTER PROGRAM ARGUMENTS...: after these words of the shell, which may
# say `exec COMMAND` before "$@", the program prints and ends under the profiler as without it, says no more
# than a few lines, and the profile, if FILTER is not "", is as FILTER says. Leaves the messages.
# OPTIONS is split into words on purpose.
# shellcheck disable=SC2086
within() {
	description=$1 words=$2 options=$3 filter=$4
	shift 4
	alone=0 got=0
	rm -rf "$live_folder/out"
	{
		timeout 60 sh -c "$words \"\$@\"" - "$@" >"$live_folder/alone" 2>"$live_folder/alone-messages" ||
			alone=$?
		timeout 60 sh -c "$words \"\$@\"" - "$ompprof" run $options -o "$live_folder/out" -- "$@" \
			>"$live_folder/said" 2>"$live_folder/messages" || got=$?
	} 2>/dev/null
	sed -i 's/[0-9.]* CPU/N CPU/' "$live_folder/alone" "$live_folder/said"
	if [ "$got $(cat "$live_folder/said")" = "$alone $(cat "$live_folder/alone")" ] &&
		[ "$(grep -v '^ompprof: ' "$live_folder/messages")" = "$(cat "$live_folder/alone-messages")" ] &&
		[ "$(grep -c '^ompprof: ' "$live_folder/messages")" -le 4 ]; then
		ok "$description: as alone"
	else
		not_ok "$description: as alone" "status $got, alone $alone
$(cat "$live_folder/alone" "$live_folder/alone-messages" "$live_folder/said" "$live_folder/messages")"
	fi
	[ -n "$filter" ] || return 0
	"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" 2>>"$live_folder/messages"
	if jq -e "$filter" "$live_folder/json" >"$live_folder/judged" 2>&1; then
		ok "... with its profile"
	else
		not_ok "... with its profile" "$(cat "$live_folder/messages"; jq -c .run "$live_folder/json")"
	fi
}

# told PATTERN: the messages say that.
told() {
	check "... and a line says so" grep -q "$1" "$live_folder/messages"
}

# --- what a container refuses
if "$confine" 1 298 -- true; then
	for error in 1 38; do
		within "no perf_event_open (errno $error)" "exec $confine $error 298 --" "-F 1000" \
			"$work_is_there" "$hog" 0.1
		told "cannot open perf event"
		within "... at the default rate (errno $error)" "exec $confine $error 298 --" "" "$work_is_there" "$hog" 0.1
		check "... and the report says how wrong shares can be" sh -c \
			'"$1" report --warnings -i "$2" | tr -s " \n" " " | grep -q "30 points too high or too low"' \
			- "$ompprof" "$live_folder/out"
		within "no timer_create (errno $error)" "exec $confine $error 222 --" "" \
			".run.lost.threads == 2" "$hog" 0.1
		# The caller of code without call frame information is guessed by reading the code around.
		within "no process_vm_readv (errno $error)" "exec $confine $error 310 --" "-F 1000" \
			"$work_is_there and .run.guessed > 5" "$guessed" 0.2
		within "no fallocate (errno $error)" "exec $confine $error 285 --" "-F 1000" "" "$hog" 0.1
		if [ $error = 38 ]; then
			check "... zeros are written instead" "$ompprof" info -i "$live_folder/out"
		else
			told "continuing without a profile"
		fi
		within "no madvise, prctl (errno $error)" "exec $confine $error 28 157 --" "" "" "$hog" 0.1
		told "continuing without a profile"
		within "no ftruncate, no getrlimit (errno $error)" \
			"exec $confine $error 77 97 302 --" "-F 1000" "$work_is_there" "$hog" 0.1
	done
else
	skip "system calls that a container refuses" "no seccomp filter can be installed here"
fi

# --- descriptors, memory, signals
close_others="exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-;"
within "as few descriptors as the program itself can start with" "$close_others ulimit -n 4;" "" "" "$hog" 0.1
told "Too many open files; continuing without a profile"
within "one descriptor more" "$close_others ulimit -n 5;" "" "$work_is_there" "$hog" 0.1
within "descriptors used up by the program" "ulimit -n 64;" "-F 1000" "$work_is_there" \
	"$exhaust" descriptors 0.5
if live_has_perf; then
	# Of 40 threads 32 have a descriptor, in the upper half.
	within "more threads with perf events than half of the descriptors" "OMP_NUM_THREADS=40; ulimit -n 64;" "-F 1000" \
		"$work_is_there and .run.threads == 40 and .run.lost.threads == 8" "$exhaust" half 4
	"$ompprof" report -i "$live_folder/out" >"$live_folder/text" 2>&1
	check "... and the report says so" grep -q "8 threads were not sampled" "$live_folder/text"
else
	skip "more threads with perf events than half of the descriptors" "perf events are not to be had"
fi
within "an address space that the program uses up" "ulimit -v 400000;" "-F 1000" "$work_is_there" \
	"$exhaust" memory 0.5
within "a data segment that the program uses up" "ulimit -d 300000;" "-F 1000" "$work_is_there" \
	"$exhaust" memory 0.5
if command -v prlimit >/dev/null; then
	within "no pending signals" "exec prlimit --sigpending=0" "" ".run.lost.threads == 2" "$hog" 0.1
else
	skip "no pending signals" "prlimit is not installed"
fi
# For root the limit holds without the capability alone.
unlocked="ulimit -l 0;"
[ "$(id -u)" != 0 ] || ! setpriv --bounding-set=-ipc_lock true 2>/dev/null ||
	unlocked="$unlocked exec setpriv --bounding-set=-ipc_lock"
within "no locked memory" "$unlocked" "-F 1000" "$work_is_there" "$hog" 0.1

# cgroup version 2, or 1: as much as the program needs, no more.
group=
for base in /sys/fs/cgroup /sys/fs/cgroup/memory; do
	group=$base/ompprof-test-$$
	mkdir "$group" 2>/dev/null || continue
	for file in memory.max memory.limit_in_bytes; do
		if [ -w "$group/$file" ] && echo 64M >"$group/$file" 2>/dev/null; then
			limit=$group/$file
		fi
	done
	[ -z "${limit-}" ] || break
	rmdir "$group"
done
if [ -n "${limit-}" ]; then
	# The inner shell expands its own.
	# shellcheck disable=SC2016
	within "a cgroup of 64 MB" "echo \$\$ >$group/cgroup.procs; exec" "-F 1000" "$work_is_there" "$hog" 0.1
	rmdir "$group" || note "$group is still there"
else
	skip "a cgroup's limit on memory" "no cgroup can be made here"
fi

# --- CPUs and threads
if command -v taskset >/dev/null; then
	within "one CPU" "exec taskset -c 0" "" "$work_is_there and .run.threads == 2" "$hog" 0.1
else
	skip "one CPU" "taskset is not installed"
fi
within "bound threads" "OMP_PROC_BIND=close OMP_PLACES=threads exec env" "" "$work_is_there" "$hog" 0.1
within "the least priority" "exec nice -n 19" "" "$work_is_there" "$hog" 0.1
within "64 threads" "OMP_NUM_THREADS=64 exec env" "-F 100" "$work_is_there and .run.threads == 64" "$hog" 0.02

# --- the output
mkdir "$live_folder/fixed"
OMPPROF_OUTPUT=/proc/nowhere OMP_TOOL_LIBRARIES=$builddir/.libs/libompprof.so "$hog" 0.1 \
	>"$live_folder/said" 2>"$live_folder/messages"
is "a folder that cannot be made: as alone" "$? $(sed 's/[0-9.]* CPU/N CPU/' "$live_folder/said")" \
	"0 hog: 2 threads, N CPU seconds"
is "... and one line says so" "$(sed 's/: [A-Z].*;/: WHY;/' "$live_folder/messages")" \
	"ompprof: cannot write a profile in '/proc/nowhere': WHY; continuing without a profile"
if unshare -m mount -t tmpfs -o ro none "$live_folder/fixed" 2>/dev/null; then
	unshare -m sh -c 'mount -t tmpfs -o ro none "$1" && OMPPROF_OUTPUT=$1/out OMP_TOOL_LIBRARIES=$2 "$3" 0.1' \
		- "$live_folder/fixed" "$builddir/.libs/libompprof.so" "$hog" \
		>"$live_folder/said" 2>"$live_folder/messages"
	is "a file system that is read-only: as alone" \
		"$? $(sed 's/[0-9.]* CPU/N CPU/' "$live_folder/said")" "0 hog: 2 threads, N CPU seconds"
	check "... and one line says so" grep -q "Read-only file system; continuing without" \
		"$live_folder/messages"
else
	skip "a file system that is read-only" "no file system can be mounted here"
fi
shm_tidy
plan
