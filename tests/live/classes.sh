# SPDX-License-Identifier: Apache-2.0
# The class of waiting time: a program in which one thread waits in one construct after another says
# itself how long that was, and as much must be shown under the function that waits, as a wait of
# that kind, whatever the runtime itself reports. Waiting threads spin, so CPU clocks see them.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"
. "$srcdir/tests/live/live.sh"
live_need jq
live_has_perf || skip_all "perf events are not to be had"

# The function that waits, the kind of its wait, and the end of its path.
constructs='enter_critical	critical	{region};enter_critical
enter_hinted	critical	{region};enter_hinted
set_lock	lock	{region};set_lock
set_nest_lock	lock	{region};set_nest_lock
take_turns	ordered	{region};take_turns
meet	barrier	{region};meet
share_single	barrier	{region};share_single
share_sections	barrier	{region};share_sections
share_loop	barrier	{region};share_loop
run_uneven	barrier	;run_uneven;{region}
wait_for_child	taskwait	{region};wait_for_child
wait_for_group	taskgroup	{region};wait_for_group
outside	idle	'

# sum_waits WAITS KIND END: the seconds of that kind whose path ends so, or with an empty END of
# those without a path; !KIND means all other kinds.
sum_waits() {
	awk -F '\t' -v kind="$2" -v end="$3" '
		(kind ~ /^!/ ? $1 != substr(kind, 2) : $1 == kind) &&
			(end == "" ? $3 == "" : substr($3, length($3) - length(end) + 1) == end) {
				sum += $2
			}
		END { printf "%.4f\n", sum }' "$1"
}

# within A B SLACK [LACKED]: A is B, give or take 5 % and SLACK seconds, or less by up to LACKED seconds.
within() {
	awk -v a="$1" -v b="$2" -v slack="$3" -v lacked="${4:-0}" \
		'BEGIN { s = 0.05 * b + slack; exit !(a - b <= s && b - a <= s + lacked) }'
}

# judge NAME: one test point for each construct, from $live_folder/{said,waits}.
judge() {
	echo "$constructs" >"$live_folder/constructs"
	# The program cannot see when a waiting thread had no CPU, which is taken out of its wait. Nor can a
	# machine see when its emulator had none.
	lacked=$(jq "[.threads[].not_running_s] | max + ${OMPPROF_TEST_STALL:-0}" "$live_folder/json")
	while IFS='	' read -r construct kind end; do
		said=$(awk -v name="$construct" '$1 == name { print $2 }' "$live_folder/said")
		seen=$(sum_waits "$live_folder/waits" "$kind" "$end")
		other=$(sum_waits "$live_folder/waits" "!$kind" "$end")
		# The program cannot see how long the thread was idle at its end.
		[ "$kind" != idle ] || at_least "$said" "$seen" || seen=$said
		figures="$1 $construct: $said s waited, $seen s shown as $kind, $other s as another"
		if [ -n "$said" ] && within "$seen" "$said" 0.002 "$lacked" && within "$other" 0 0.002; then
			ok "$figures"
		else
			live_wrong "$figures" "$(cat "$live_folder/waits")"
		fi
	done <"$live_folder/constructs"
}

# profile NAME ROW OPTIONS ENVIRONMENT ARGUMENTS: the lists are split into words on purpose.
# shellcheck disable=SC2086
profile() {
	if ! matrix_row "$2"; then
		skip "$1" "$row_reason"
		return
	fi
	executable=$(matrix_build waits.c "$2" 2>"$live_folder/log") || {
		not_ok "$1: builds" "$(cat "$live_folder/log")"
		return
	}
	if env LD_LIBRARY_PATH="$row_lib" OMP_NUM_THREADS=2 $4 "$ompprof" run -q $3 \
		-o "$live_folder/out" -- "$executable" $5 >"$live_folder/log" 2>"$live_folder/said" &&
		"$ompprof" report -i "$live_folder/out" --format json >"$live_folder/json" \
			2>>"$live_folder/log" &&
		jq -r -f "$srcdir/tests/live/waits.jq" "$live_folder/json" >"$live_folder/waits"; then
		judge "$1"
	else
		not_ok "$1: runs and is reported" "$(cat "$live_folder/log")"
	fi
}

for row in omp14-clang14-O2 omp19-clang19-O2 omp14-gcc-O2 omp19-gcc-O2; do
	profile "$row" "$row" "-F 2000" KMP_BLOCKTIME=infinite "0.05 wall"
	[ "$row" = omp14-gcc-O2 ] ||
		profile "$row tas" "$row" "-F 2000" "KMP_BLOCKTIME=infinite KMP_LOCK_KIND=tas" "0.05 wall"
done
# Threads that sleep, and the wall clock.
profile "wall" omp19-clang19-O2 "-e wall -F 1000" KMP_BLOCKTIME=0 "0.1 wall"
matrix_file=$srcdir/tests/accuracy/matrix.txt
profile libgomp-gcc libgomp-gcc "-F 2000" "OMP_WAIT_POLICY=active GOMP_SPINCOUNT=infinite" "0.05 wall"
profile "libgomp-gcc wall" libgomp-gcc "-e wall -F 1000" OMP_WAIT_POLICY=passive "0.1 wall"
plan
