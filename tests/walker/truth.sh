#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# walker_cfi against the truth: real programs step instruction by instruction, and at random ones the
# walker's list of (ip, CFA) must be that of the calls that were made. truth.c does it, judge.h says
# what differences have a known cause; any other is a failure. Each row below is one test.
#
# With WALK_TRUTH_BUDGET (make prove CHECKS=N) about that many checks are made, with all rows of
# matrix.txt and a seed of its own each time; without, each program does its work once.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/runtimes.sh"

budget=${WALK_TRUTH_BUDGET:-0}
src=$srcdir/tests/walker
any='(fresh|kept|stopped|distant|in-place)' # walk
exact=0 complete=0 checks=0 guessed_right=0 guessed_wrong=0 seconds=$(date +%s)
causes='unexplained no-cfi no-object install jump epilogue alternate'

if [ "$budget" -gt 0 ]; then
	rows=$(matrix_rows)
	n_rows=$(($(echo "$rows" | wc -l) + 19))
	WALK_TRUTH_CHECKS=$((budget / n_rows)) WALK_TRUTH_EVERY=3 WALK_TRUTH_HALVINGS=5
	WALK_TRUTH_SEED=${WALK_TRUTH_SEED:-$seconds}
	WALK_TRUTH_REFRESH=1
	export WALK_TRUTH_REFRESH
	note "seed $WALK_TRUTH_SEED"
else
	rows='omp19-clang19-O2 omp19-gcc-O2'
	WALK_TRUTH_CHECKS=1 WALK_TRUTH_EVERY=8 WALK_TRUTH_HALVINGS=8
	WALK_TRUTH_SEED=${WALK_TRUTH_SEED:-1}
fi
export WALK_TRUTH_CHECKS WALK_TRUTH_EVERY WALK_TRUTH_HALVINGS WALK_TRUTH_SEED
# Threads that wait for each other should not do so step by step.
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 GOMP_SPINCOUNT=20

# value NAME: the sum of what the program's counts say under NAME, an expression.
value() {
	awk -v name="^($1)\$" '$1 ~ name { sum += $2 } END { print sum + 0 }' "$scratch/out"
}

# words: what there is besides exact lists.
words() {
	for word in guessed-right guessed-wrong ended wrong; do
		n=$(value "$any-$word")
		[ "$n" -eq 0 ] || printf ', %s %s' "$n" "$word"
	done
	for cause in $causes; do
		n=$(value "$any-cause-$cause")
		[ "$n" -eq 0 ] || printf '; %s %s' "$cause" "$n"
	done
}

# judge NAME: the counts of a program that has run. A check makes two to four lists.
judge() {
	row_exact=$(value "$any-exact")
	checks=$((checks + $(value checks)))
	exact=$((exact + row_exact))
	complete=$((complete + row_exact + $(value "$any-wrong")))
	guessed_right=$((guessed_right + $(value "$any-guessed-right")))
	guessed_wrong=$((guessed_wrong + $(value "$any-guessed-wrong")))
	name="$1: $(value checks) checks, of the lists $row_exact exact$(words)"
	if [ "$(value "$any-cause-unexplained")" -eq 0 ] && [ "$(value strange)" -eq 0 ] &&
		[ "$(value misremembered)" -eq 0 ] && [ "$row_exact" -gt 0 ] && ! guesses_fail; then
		ok "$name"
	else
		not_ok "$name" "$(grep -A 4 -E '^at .* (unexplained|guessed-wrong)|^(strange|misremembered) [1-9]' \
			"$scratch/out" | sed -n 1,60p)"
	fi
}

# A row's least share of right guesses among the checks in code without call frame information, in %.
least_guessed=0

# guesses_fail: whether there is a wrong guess, of any walk, or too few are right.
guesses_fail() {
	guessed=$(value 'fresh-guessed-right')
	[ "$(value '.*-guessed-wrong')" -ne 0 ] ||
		[ $((guessed * 100)) -lt $(($(value fresh-cause-no-cfi) * least_guessed)) ]
}

# truth NAME PROGRAM [ARGUMENTS...]: runs it and judges.
truth() {
	name=$1
	shift
	rm -f "$scratch/out"
	status=0
	timeout 900 env WALK_TRUTH_OUT="$scratch/out" LD_PRELOAD="$builddir/.libs/walktruth.so" \
		"$@" >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
	if [ $status -ne 0 ] || ! [ -s "$scratch/out" ]; then
		not_ok "$name" "exit status $status
$(cat "$scratch/stderr")"
	else
		judge "$name"
	fi
}

# can COMPILER FLAGS...: whether it builds a program by these flags.
can() {
	printf '#ifdef _OPENMP\n#include <omp.h>\n#endif\nint main(void) { return 0; }\n' >"$scratch/can.c"
	"$@" "$scratch/can.c" -o "$scratch/can" -lm >/dev/null 2>&1
}

# row COMPILER SOURCE FLAGS...: builds a program and runs it with $arguments.
row() {
	compiler=$1 source=$2
	shift 2
	title="$source by $compiler $*"
	if ! command -v "$compiler" >/dev/null; then
		skip "$title" "$compiler is not installed"
	elif ! "$compiler" -g "$@" -Wl,-z,lazy "$src/$source" -o "$scratch/program" -lm \
		>"$scratch/log" 2>&1; then
		if can "$compiler" -g "$@" -Wl,-z,lazy; then
			not_ok "$title" "$(head -n 40 "$scratch/log")"
		else
			skip "$title" "$compiler cannot build anything so"
		fi
	else
		# Arguments are words on purpose.
		# shellcheck disable=SC2086
		truth "$title" "$scratch/program" $arguments
	fi
}

# openmp_row NAME: a row of matrix.txt.
openmp_row() {
	if ! matrix_row "$1"; then
		skip "program_openmp.c, $1" "$row_reason"
	# The lists of flags are split into words on purpose.
	# shellcheck disable=SC2086
	elif ! "$row_cc" $row_flags $row_include -o "$scratch/program" "$src/program_openmp.c" \
		$row_link -lm >"$scratch/log" 2>&1; then
		not_ok "program_openmp.c, $1" "$(cat "$scratch/log")"
	else
		# The runtime's start takes a million instructions: once is enough.
		first=omp_get_max_threads
		[ "$budget" -eq 0 ] || [ "$1" != omp19-clang19-O2 ] || first=none
		WALK_TRUTH_FIRST=$first LD_LIBRARY_PATH=$row_lib truth "program_openmp.c, $1" "$scratch/program"
	fi
}

# bare_row COMPILER FLAGS...: a program with a part that has no call frame information.
bare_row() {
	compiler=$1
	shift
	title="program_bare.c by $compiler $*"
	if ! command -v "$compiler" >/dev/null; then
		skip "$title" "$compiler is not installed"
	elif ! { "$compiler" "$@" -fno-asynchronous-unwind-tables -fno-unwind-tables \
		-c "$src/program_bare_part.c" -o "$scratch/part.o" &&
		"$compiler" -O2 "$src/program_bare.c" "$scratch/part.o" -o "$scratch/program"; } \
		>"$scratch/log" 2>&1; then
		not_ok "$title" "$(head -n 40 "$scratch/log")"
	else
		truth "$title" "$scratch/program"
	fi
}

# blas_row CORE: OpenBLAS with its kernels for CORE.
blas_row() {
	title="program_blas.c, kernels for $1"
	for folder in /usr/lib/*/openblas-openmp /usr/lib/*/openblas-* /usr/lib/* /usr/lib64; do
		[ ! -e "$folder/libopenblas.so.0" ] || break
	done
	if ! [ -e "$folder/libopenblas.so.0" ]; then
		skip "$title" "OpenBLAS is not installed"
	elif ! command -v gcc >/dev/null; then
		skip "$title" "gcc is not installed"
	elif ! grep -q avx2 /proc/cpuinfo; then
		skip "$title" "the kernels need AVX2"
	elif ! gcc -g -O2 "$src/program_blas.c" -o "$scratch/program" "-L$folder" \
		"-Wl,-rpath,$folder" -l:libopenblas.so.0 >"$scratch/log" 2>&1; then
		not_ok "$title" "$(head -n 40 "$scratch/log")"
	else
		least_guessed=95
		OPENBLAS_CORETYPE=$1 truth "$title" "$scratch/program"
		least_guessed=0
	fi
}

tap_scratch
arguments=''
row gcc program_libc.c -O2
row clang program_libc.c -O3 -march=native
[ "$budget" -eq 0 ] || row gcc program_libc.c -Os -fcf-protection=full
[ "$budget" -eq 0 ] || row gcc program_libc.c -O0 -fno-omit-frame-pointer
row gcc program_signals.c -O2
row clang program_signals.c -O1
row g++ program_cxx.cpp -O2
row clang++ program_cxx.cpp -O1
row gcc program_openmp.c -O2 -fopenmp
for matrix_name in $rows; do
	openmp_row "$matrix_name"
done
blas_row Haswell
blas_row Zen
blas_row Barcelona
for core in Sandybridge Nehalem; do
	[ "$budget" -eq 0 ] || blas_row "$core"
done
bare_row gcc -O2
bare_row gcc -O0
bare_row clang -O2 -fno-omit-frame-pointer
bare_row clang -O2 -s
${CC:-cc} -O2 -shared -fPIC -Wl,-z,lazy "$src/plugin.c" -o "$scratch/plugin.so" -lm ||
	broken "cannot build the plug-in"
arguments=$scratch/plugin.so
row gcc program_dl.c -O2
row clang program_dl.c -O2

seconds=$(($(date +%s) - seconds))
note "$checks instructions checked in $seconds s; guesses: $guessed_right right, $guessed_wrong wrong"
name="of $complete complete lists $exact are exact"
if [ $((exact * 1000)) -ge $((complete * 999)) ] && [ "$complete" -gt 0 ]; then
	ok "$name"
else
	not_ok "$name, fewer than 99.9 %"
fi
plan
