#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# walker_cfi against libunwind at timer samples of real programs. Every row below is one test; the
# last asks for 1000 samples for each row that ran, or with WALK_PROVE for 5000. Any difference that
# compare.c cannot explain is a failure.

preload=$builddir/.libs/walkcompare.so
src=$srcdir/tests/walker
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
samples_wanted=1600
row_wanted=1000
if [ -n "${WALK_PROVE-}" ]; then
	samples_wanted=6000
	row_wanted=5000
fi
n=0
n_ran=0
total=0

# result ok|not_ok NAME [DIRECTIVE]
result()
{
	n=$((n + 1))
	case $1 in
	ok) echo "ok $n - $2${3:+ # $3}" ;;
	*) echo "not ok $n - $2" ;;
	esac
}

# compare NAME PROGRAM [ARGUMENT]: runs it and judges its counts.
compare()
{
	n_ran=$((n_ran + 1))
	WALK_COMPARE_SAMPLES=$samples_wanted WALK_COMPARE_OUT=$dir/out LD_PRELOAD=$preload \
		OMP_NUM_THREADS=2 "$2" $3 >"$dir/stdout" 2>"$dir/stderr"
	status=$?
	if [ $status -ne 0 ] || ! [ -s "$dir/out" ]; then
		sed 's/^/# /' "$dir/stderr"
		echo "# exit status $status"
		result not_ok "$1"
		return
	fi
	read -r _ samples _ equal _ explained _ unexplained _ frames _ kept <"$dir/out"
	sed 1d "$dir/out" | sed -n '1,40s/^/# /p'
	total=$((total + samples))
	# Explanations are for single samples: more than one in a hundred is no exception any more.
	if [ "$unexplained" -eq 0 ] && [ $((explained * 100)) -le "$samples" ] &&
		[ "$samples" -gt 0 ]; then
		verdict=ok
	else
		verdict=not_ok
	fi
	result $verdict "$1: $samples samples, $equal equal, $explained explained, $frames frames, \
$kept samples with kept frames"
}

# row COMPILER SOURCE FLAGS...: builds a program and compares it.
row()
{
	compiler=$1 source=$2
	shift 2
	if ! command -v "$compiler" >/dev/null; then
		result ok "$source by $compiler" "SKIP no $compiler"
	elif ! "$compiler" -g "$@" "$src/$source" -o "$dir/program" -lm >"$dir/log" 2>&1; then
		if "$compiler" "$@" "$dir/can.c" -o "$dir/can" -lm >/dev/null 2>&1; then
			sed 's/^/# /' "$dir/log"
			result not_ok "$source by $compiler $*"
		else
			result ok "$source by $compiler $*" "SKIP $compiler cannot build anything so"
		fi
	else
		compare "$source by $compiler $*" "$dir/program" "$dir/plugin.so"
	fi
}

echo 1..11
printf '#ifdef _OPENMP\n#include <omp.h>\n#endif\nint main(void) { return 0; }\n' >"$dir/can.c"
${CC:-cc} -O2 -shared -fPIC -Wl,-z,lazy "$src/plugin.c" -o "$dir/plugin.so" -lm || exit 99
row clang program_openmp.c -O2 -fopenmp
row clang program_openmp.c -O0 -fopenmp -fno-omit-frame-pointer
row gcc program_openmp.c -O2 -fopenmp
row gcc program_libc.c -O2 -Wl,-z,lazy
row clang program_libc.c -O3 -Wl,-z,lazy -march=native
row gcc program_libc.c -Os -Wl,-z,lazy -fcf-protection=full
row g++ program_cxx.cpp -O2
row clang++ program_cxx.cpp -O1
row gcc program_dl.c -O2
row clang program_dl.c -O2
total_wanted=$((n_ran * row_wanted))
if [ $n_ran -eq 0 ]; then
	result ok "samples in all" "SKIP nothing could be compared"
elif [ $total -ge $total_wanted ]; then
	result ok "$total samples"
else
	result not_ok "$total samples, $total_wanted wanted"
fi
