#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# include/ompprof.h compiles in any program, with and without OpenMP and its header, and there does nothing where nobody
# profiles; and it is installed.
. "$srcdir/tests/tap.sh"
tap_scratch

cat >"$scratch/program.c" <<'END'
#ifdef BEFORE
#include <omp.h>
#endif
#include <ompprof.h>
#include <ompprof.h>
#if defined(AFTER)
#include <omp.h>
#endif
#include <stdio.h>
int main(void)
{
	int sum = ompprof_phase_begin("name") + ompprof_phase_begin_number(OMPPROF_END);
	sum += ompprof_phase_end() + ompprof_start() + ompprof_pause() + ompprof_flush() + ompprof_end();
	printf("%d\n", sum);
	return 0;
}
END
cp "$scratch/program.c" "$scratch/program.cpp"
printf '#include <ompprof.h>\nint unused;\n' >"$scratch/unused.c"

# try COMPILER OPTIONS SOURCE: seven times OMPPROF_NO_TOOL.
try() {
	if ! command -v "$1" >/dev/null; then
		skip "$1 $2" "$1 is not installed"
		return
	fi
	# Words on purpose.
	# shellcheck disable=SC2086
	if "$1" $2 -Wall -Wextra -Werror -I"$srcdir/include" -o "$scratch/program" "$scratch/$3" \
		>"$scratch/log" 2>&1; then
		is "$1 $2" "$("$scratch/program" 2>&1)" -14
	elif grep -q 'omp.h.*No such file\|cannot find -lomp\|omp.h.*not found' "$scratch/log"; then
		skip "$1 $2" "it has no OpenMP"
	else
		not_ok "$1 $2" "$(cat "$scratch/log")"
	fi
}

for compiler in gcc clang clang-19; do
	for options in "-std=c89 -pedantic-errors" "-std=c99 -pedantic-errors" "-std=c11" "-O2 -fopenmp" \
		"-fopenmp -DBEFORE" "-fopenmp -DAFTER" "-no-pie -fno-pie -fopenmp" "-static"; do
		try "$compiler" "$options" program.c
	done
	! command -v "$compiler" >/dev/null ||
		check "$compiler: unused it says nothing" "$compiler" -std=c89 -pedantic-errors -Wall -Wextra \
			-Werror -I"$srcdir/include" -c -o "$scratch/unused.o" "$scratch/unused.c"
done
for compiler in g++ clang++ clang++-19; do
	for options in "-std=c++98 -pedantic-errors" "-std=c++17 -pedantic-errors" "-O2 -fopenmp" \
		"-fopenmp -DBEFORE" "-fopenmp -DAFTER"; do
		try "$compiler" "$options" program.cpp
	done
done

check "it is installed" make -s -C "$builddir" install-includeHEADERS DESTDIR="$scratch/root"
is "... with what Fortran needs" "$(find "$scratch/root" -type f -name 'ompprof*' | sed 's,.*/,,' | sort | tr '\n' ' ')" \
	"ompprof-gomp.h ompprof.f90 ompprof.h ompprof_fortran.c "
plan
