# SPDX-License-Identifier: Apache-2.0
# Sleep in calls of the C library has its place and its length, and blames its path for those who wait
# (tests/programs/sync/blocked.c). The program is what it is without the profiler, and no call is interrupted.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
json=$live_folder/json

# slept FUNCTION CALL: the seconds of sleep below the function in calls like this.
slept() {
	jq -r -f "$srcdir/tests/live/waits.jq" "$json" | awk -F '\t' -v name="$1" -v call="$2" '
		$1 == "blocked" && $3 ~ ";" name "(;|$)" && $3 ~ ";_*(libc_)?" call "(@.*)?$" { sum += $2 }
		END { printf "%.4f\n", sum }'
}

# is_slept FUNCTION CALL: the sleep is within 5 % of what the program measured.
is_slept() {
	truth=$(awk -v name="$1" '$1 == name { sum += $2 } END { print sum + 0 }' "$live_folder/said")
	share=$(slept "$1" "$2")
	check "$1 sleeps in $2 as long as it says ($share of $truth s)" awk \
		"BEGIN { exit !($truth > 0 && $share > 0.95 * $truth - 0.002 && $share < 1.05 * $truth + 0.002) }"
}

# is_blamed REGEX SHARE KIND: at least so much of the waiting of a kind is blamed on functions like this.
is_blamed() {
	share=$(jq -r --arg like "$1" --arg kind "$3" '[.waits[] | select(.kind == $kind)] | (map(.wait_s) | add) as $all |
		([.[].causes[] | select(.name | test($like)) | .blame_s] | add // 0) / $all | . * 100 | floor' "$json")
	check "$3: blamed on $1 to $share %" at_least "$share" "$2"
}

for one in omp19-clang19-O2 omp14-clang14-O2 libgomp-gcc; do
	[ $one != libgomp-gcc ] || matrix_file=$srcdir/tests/accuracy/matrix.txt
	matrix_row "$one" || continue
	row=$one
	check "$row: the program ends as without the profiler" live_profile blocked.c "-q" 0.2
	is_slept serial_sleep usleep
	is_slept serial_read read
	is_slept region_poll poll
	is_slept critical_sleep nanosleep
	is_slept task_sleep nanosleep
	is_slept region_mutex pthread_mutex_lock
	is_slept region_cond pthread_cond_wait
	is "... a thread of pthreads has no sleep: it is in no cause" "$(slept write_bytes nanosleep)" 0.0000
	is_blamed 'sleep|poll|pthread|nap' 90 barrier
	is_blamed 'sleep' 90 critical
	slept=$(awk '/^serial_/ { sum += $2 } END { print sum }' "$live_folder/said")
	serial=$(jq .summary.serial_s "$json")
	check "... while serial code sleeps the other threads wait for sleep, not for its work ($serial of $slept s)" \
		at_most "$serial" "$(awk "BEGIN { print $slept / 5 }")"

	# The runtime's thread sleeps while it is idle: that is no sleep in the quick regions.
	check "$row: quick regions, then serial work, are profiled" live_profile awake.c "-q"
	blocked=$(jq .summary.blocked_s "$json")
	check "... nobody sleeps in them ($blocked s)" \
		at_most "$blocked" "$(jq '.summary.wall_s / 50' "$json")"
done
[ -n "${row:-}" ] || skip_all "no compiler has a runtime here"

if command -v strace >/dev/null; then
	program=$(matrix_build blocked.c "$row") || broken "cannot build blocked.c"
	interrupted() {
		LD_LIBRARY_PATH=$row_lib strace -f -qq -e signal=none -o "$live_folder/calls" "$@" >/dev/null 2>&1
		grep -cE '= (-1 EINTR|\? ERESTART)' "$live_folder/calls"
	}
	# The numbers differ from run to run.
	for _ in 1 2 3; do
		bare=$(interrupted "$program" 0.02)
		profiled=$(interrupted "$ompprof" run -q -o "$live_folder/out" -- "$program" 0.02)
		[ "$profiled" -gt "$bare" ] || break
	done
	check "no more calls are interrupted than without the profiler ($profiled, $bare)" at_most "$profiled" "$bare"
else
	skip "no call is interrupted" "strace is not installed"
fi
plan
