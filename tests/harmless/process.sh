# SPDX-License-Identifier: Apache-2.0
# The user's program stays itself: signals, descriptors, children, its own end and the limits it runs
# under; and whatever happens, the profile says what it can, or a line says why there is none.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_row omp19-clang19-O2 omp19-clang14-O2 omp14-clang14-O2
ulimit -c 0
fast=$(live_fast)

# ends DESCRIPTION STATUS OUTPUT PROGRAM OPTIONS ARGUMENTS...: how the program ends and what it prints
# (a pattern); what the profiler says is in the log. The shell's own word on a signal is no output.
ends() {
	description=$1 expected=$2 expected_output=$3
	shift 3
	got=0
	{ live_profile "$@" || got=$?; } 2>/dev/null
	# The expected output is a pattern on purpose.
	# shellcheck disable=SC2254
	case "$got $(cat "$live_folder/said")" in
	"$expected "$expected_output) ok "$description" ;;
	*)
		not_ok "$description" "status $got, not $expected
$(cat "$live_folder/said" "$live_folder/messages" "$live_folder/report-messages")"
		;;
	esac
}

# run_is FILTER VALUE: a figure of the report.
run_is() {
	figure=$(jq -r "$1" "$live_folder/json")
	[ "$figure" = "$2" ] || { echo "$1 is $figure, not $2"; return 1; }
}

# work_is_near NAMES SECONDS SLACK: the work in these functions.
work_is_near() {
	# Names are words on purpose.
	# shellcheck disable=SC2086
	seen=$(live_work $1)
	near "$seen" "$2" "$3" || { echo "$seen s in $1, not $2"; return 1; }
}

# paths REGEX PERCENT: so much of the work has such a path.
paths() {
	share=$(live_share "$live_folder/json" "$1")
	at_least "$share" "$(live_least "$2")" || { jq -r -f "$srcdir/tests/live/paths.jq" "$live_folder/json"; return 1; }
}

# --- signals, system calls and descriptors
ends "a program's own signals" 0 "own_handlers: 100" own_handlers.c -q 0.4
check "... taken from the profiler are a loss that is told" run_is .run.lost.handler 1
ends "... at a higher rate, too" 0 "own_handlers: 100" own_handlers.c "-q $fast" 0.4
ends "no system call is interrupted" 0 "eintr: 0" eintr.c -q 1
ends "closing all descriptors" 0 "fds: 8" fds.c -q 0.5
check "... loses no time of the default clock: as much work in each of the two regions" jq -e \
	'[.nodes[] | select(.name == "daemon_kernel") | .work_s] | length == 2 and min > 0.3 * add' \
	"$live_folder/json"
check "... is complete" run_is .run.complete true
ends "... with perf events" 0 "fds: 8" fds.c "-q $fast" 0.5

# --- children
ends "fork" 0 "fork: 5" fork.c "-q $fast" 0.5
is "... a file for each process" "$(ls "$live_folder/out" | grep -c "ompprof\$")" 2
for file in "$live_folder/out"/*; do
	"$ompprof" report -i "$file" --format json >"$live_folder/one.json" || continue
	if [ "$(jq '[.nodes[].name] | index("child_kernel")' "$live_folder/one.json")" = null ]; then
		mv "$live_folder/one.json" "$live_folder/parent.json"
	else
		mv "$live_folder/one.json" "$live_folder/child.json"
	fi
done
for process in parent child; do
	cp "$live_folder/$process.json" "$live_folder/json" 2>/dev/null
	check "... the $process's profile is its own" paths ";${process}_kernel" 95
	check "... and complete" run_is .run.complete true
	eval "$process"_work="$(live_work ${process}_kernel)"
done
live_check_time "... with the same work ($parent_work and $child_work s)" near "$parent_work" "$child_work" \
	"$(awk -v work="$parent_work" 'BEGIN { print 0.2 * work + 0.02 }')"
hog=$(matrix_build hog.c "$row") || broken "cannot build hog.c"
export LD_LIBRARY_PATH="$row_lib" OMP_NUM_THREADS=2
rm -rf "$live_folder/out"
"$ompprof" run -q -o "$live_folder/out" -- sh -c "exec $hog 0.2" >"$live_folder/said"
"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json"
check "exec: the report is about the program that worked" work_is_near hog_kernel 0.4 0.04
is "... the files are two" "$(ls "$live_folder/out" | grep -c "ompprof\$")" 2
rm -rf "$live_folder/out"
"$ompprof" run -q -o "$live_folder/out" -- sh -c "$hog 0.1; $hog 0.2; exit 3" >"$live_folder/said"
is "a script: the status" $? 3
check "... and a profile for each program that used OpenMP" [ "$(ls "$live_folder/out" | grep -c "ompprof\$")" -ge 3 ]

# --- its end
ends "a crash" 139 "crash: now" crash.c -q 0.3
check "... leaves a profile, not complete" run_is .run.complete false
check "... with what was before" paths ';last_kernel' 95
check "... that says so" sh -c '"$0" report -i "$1" 2>&1 | grep -qi "incomplete\|did not end\|killed"' \
	"$ompprof" "$live_folder/out"
for how in kill _exit abort; do
	case $how in kill) status=137 ;; abort) status=134 ;; *) status=3 ;; esac
	ends "$how" "$status" "exits: $how" exits.c -q "$how" 0.5
	check "... leaves a profile, not complete" run_is .run.complete false
	check "... with what was before" paths ';before_kernel' 95
	check "... in numbers" jq -e '.run.samples > 10 and .run.threads == 2' "$live_folder/json"
done
for how in region thread pthread; do
	ends "exit while threads work ($how)" 6 "exit_while_working: now" exit_while_working.c "-q $fast" "$how" 0.3
	check "... is complete" run_is .run.complete true
	check "... with the work" paths ';busy_kernel' 95
done
ends "the runtime gives its resources back" 0 "pause: 1" pause.c "-q $fast" 0.5
check "... and what follows is seen" paths ';paused_kernel' 25

# --- threads
ends "threads of the program's own" 0 "pthread: 4" pthread.c "-q $fast" 0.5
check "... left under its start" paths ';left_start;[{]region[}];left_kernel' 40
check "... right under its start" paths ';right_start;[{]region[}];right_kernel' 40
ends "a library loaded late" 0 "dlopen: 1" dlopen.c "-q $fast" 0.5
check "... under its caller" paths ';main;call_library;library_work;[{]region[}];library_kernel' 95
OMP_NUM_THREADS=64
ends "64 threads" 0 "hog: 64 threads, [12].* CPU seconds" hog.c "-q $fast" 0.03
OMP_NUM_THREADS=2
check "... are 64" run_is .run.threads 64
if live_has_perf; then
	live_check_time "... and their work adds up" work_is_near hog_kernel 1.92 0.2
else
	skip "... and their work adds up" "perf events are not to be had"
fi

# --- limits
# printed: what hog printed, without what it measured.
printed() {
	sed 's/[0-9.]* CPU/N CPU/' "$live_folder/said"
}

# limited DESCRIPTION SCRIPT: hog runs as ever after these words of the shell; leaves the messages.
limited() {
	got=0
	rm -rf "$live_folder/out"
	sh -c "$2
		exec \"\$@\"" - "$ompprof" run -o "$live_folder/out" -- "$hog" 0.1 \
		>"$live_folder/said" 2>"$live_folder/messages" || got=$?
	is "$1" "$got $(printed)" "0 hog: 2 threads, N CPU seconds"
}

limited "a limit on the size of files" "ulimit -f 100"
is "... costs the profile, and a line says so" \
	"$(sed -n "1s,'.*',X,p" "$live_folder/messages")" \
	"ompprof: cannot write a profile in X: File too large; continuing without a profile"
is "... once" "$(grep -c cannot "$live_folder/messages")" 1
limited "a larger one" "ulimit -f 8000"
check "... does not" "$ompprof" info -i "$live_folder/out"
limited "a limit on memory" "ulimit -v 200000"
check "... costs nothing" "$ompprof" info -i "$live_folder/out"
limited "few descriptors" "ulimit -n 16"
check "... are enough" "$ompprof" info -i "$live_folder/out"

# full SIZE COMMAND...: runs it with an empty file system of that size at $live_folder/disk, and
# leaves the report's messages.
full() {
	size=$1
	shift
	mkdir -p "$live_folder/disk"
	# The inner shell expands its own.
	# shellcheck disable=SC2016
	SIZE=$size DISK=$live_folder/disk unshare -m sh -c '
		mount -t tmpfs -o size="$SIZE" none "$DISK" || exit 99
		"$0" run $OPTIONS -o "$DISK/out" -- "$@"
		status=$?
		{ "$0" report -i "$DISK/out" && "$0" report -i "$DISK/out" --flat; } >"$DISK.report" 2>&1
		exit $status' "$ompprof" "$@" >"$live_folder/said" 2>"$live_folder/messages"
}

if unshare -m mount -t tmpfs -o size=64k none "$live_folder" 2>/dev/null; then
	OPTIONS=-v full 64k "$hog" 0.1
	is "a full disk" "$? $(printed)" "0 hog: 2 threads, N CPU seconds"
	is "... is told" "$(sed -n "1s,'.*',X,p" "$live_folder/messages")" \
		"ompprof: cannot write a profile in X: No space left on device; continuing without a profile"
else
	skip "a full disk" "no file system can be mounted here"
fi
paths_program=$(matrix_build many_paths.c "$row") || broken "cannot build many_paths.c"
if live_has_perf && unshare -m mount -t tmpfs -o size=64k none "$live_folder" 2>/dev/null; then
	OPTIONS="-q -F 4000" full 1500k "$paths_program" 0.4
	is "a disk that fills" "$? $(cat "$live_folder/said" "$live_folder/messages")" "0 many_paths: 2"
	check "... leaves a profile with what fitted" grep -q 'many_paths.c' "$live_folder/disk.report"
	live_check_time "... that says so" grep -q 'could not grow' "$live_folder/disk.report"
else
	skip "a disk that fills" "no file system can be mounted here, or perf events are not to be had"
fi
live_profile many_paths.c "-q -F 4000" 0.3
check "a profile that grows loses little" jq -e '(.run.lost.no_space // 0) <= 0.05 * .run.samples' \
	"$live_folder/json"
plan
