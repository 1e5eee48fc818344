#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every test program behaves under the profiler as without it: same output, same exit status or
# signal, and a profile that `ompprof info` reads. It does so with gcc's calls, and with clang's of the oldest or of the newest
# version, by turns. OMPPROF_TEST_ROWS names the rows of matrix.txt to do it for, or `all`.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"

# short_run PROGRAM: arguments for a run of about a tenth of a second.
short_run() {
	case $1 in
	alternate.c) echo 1000 0.1 ;;
	crash.c | hog.c) echo 0.1 ;;
	exhaust.c) echo descriptors 0.1 ;;
	own_handlers.c) echo 0.4 ;;
	stacks.c) echo code 0.1 ;;
	own_signals.c) echo sigwait 0.1 ;;
	waits.c) echo 0.01 wall ;;
	*) echo 0.1 ;;
	esac
}

# compare PROGRAM PATH ARGUMENTS...: one test point.
compare() {
	program=$1
	shift
	# The shell says on its stderr how a program was killed.
	{ "$@" >"$scratch/bare.out" 2>"$scratch/bare.err"; bare=$?; } 2>/dev/null
	if grep -q "version .* not found (required by" "$scratch/bare.err"; then
		skip "$row $program" "the runtime lacks a function that it needs"
		return
	fi
	rm -rf "$scratch/profile"
	{
		"$builddir/ompprof" run -o "$scratch/profile" -- "$@" >"$scratch/profiled.out" \
			2>"$scratch/profiled.err"
		profiled=$?
	} 2>/dev/null
	# The lines of these programs say what they measured.
	case $program in
	open_waits.c | timed_phases.c | second_half_waits.c) sed -i 's/[0-9]*\.[0-9]*/N/g' "$scratch/bare.out" "$scratch/profiled.out" ;;
	faults.c) sed -i "s/[0-9][0-9]*/N/g" "$scratch/bare.out" "$scratch/profiled.out" ;;
	esac
	sed -i 's/[0-9.]* CPU/N CPU/' "$scratch/bare.out" "$scratch/profiled.out"
	differences=$(diff "$scratch/bare.out" "$scratch/profiled.out")
	if [ "$bare" -ne "$profiled" ] || [ -n "$differences" ]; then
		not_ok "$row $program" "status $bare, profiled $profiled
$differences
$(cat "$scratch/profiled.err")"
	elif ! "$builddir/ompprof" info -i "$scratch/profile" >/dev/null 2>"$scratch/info.err"; then
		not_ok "$row $program" "$(cat "$scratch/info.err")"
	else
		ok "$row $program"
	fi
}

tap_scratch
cd "$scratch" || broken "no scratch folder"
rows=${OMPPROF_TEST_ROWS:-omp14-clang14-O2 omp19-clang19-O2 omp19-gcc-O2}
[ "$rows" != all ] || rows=$(matrix_rows)
# alternate.c ends with 1 when it has lost its CPU at the wrong moment; blocked.c prints times; python_calls.c is a library.
programs=$(cd "$srcdir/tests/programs" && ls -- */*.c */*.cpp | sed "s|.*/||" | grep -v -e _kernel -e _bare -e alternate -e blocked -e python_calls)
[ -n "$programs" ] || broken "no test programs"

# programs_of ROW
programs_of() {
	case ${OMPPROF_TEST_ROWS-}:$1 in
	:omp14-clang14-*) echo "$programs" | sed -n 'p;n' ;;
	:omp19-clang19-*) echo "$programs" | sed -n 'n;p' ;;
	*) echo "$programs" ;;
	esac
}

for row in $rows; do
	if ! matrix_row "$row"; then
		skip "$row" "$row_reason"
		continue
	fi
	LD_LIBRARY_PATH=$row_lib
	export LD_LIBRARY_PATH
	for program in $(programs_of "$row"); do
		path=$(matrix_build "$program" "$row" 2>"$scratch/build.err") ||
			{ not_ok "$row $program is built" "$(cat "$scratch/build.err")"; continue; }
		if [ "$program" = exits.c ]; then
			for how in exit _exit abort kill exec; do
				compare "exits.c $how" "$path" "$how" 0.1
			done
			continue
		fi
		# Words on purpose.
		# shellcheck disable=SC2046
		compare "$program" "$path" $(short_run "$program")
	done
done
plan
