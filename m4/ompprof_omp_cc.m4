# SPDX-License-Identifier: Apache-2.0
# A compiler that links programs with LLVM's OpenMP runtime, for the demo and the benchmarks; the
# project itself is not built with it. OMP_CC names another one. Optional.
AC_DEFUN([OMPPROF_OMP_CC], [
	AC_ARG_VAR([OMP_CC], [C compiler whose -fopenmp links LLVM's libomp, for the demo])
	AC_MSG_CHECKING([for a compiler with LLVM's OpenMP])
	cat >conftest.omp.c <<_OMP
#include <omp.h>
int main(void) { return omp_get_max_threads() < 1; }
_OMP
	ompprof_omp_cc=no
	for candidate in "$OMP_CC" clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
		AS_IF([test "$ompprof_omp_cc" = no && test -n "$candidate" &&
			$candidate -fopenmp -o conftest.omp conftest.omp.c >&AS_MESSAGE_LOG_FD 2>&1],
			[ompprof_omp_cc=$candidate])
	done
	rm -f conftest.omp conftest.omp.c
	AC_MSG_RESULT([$ompprof_omp_cc])
	AS_IF([test "$ompprof_omp_cc" = no],
		[OMP_CC=false
		OMPPROF_ABSENT([ompprof_omp_cc], [no demo, no benchmarks],
			[clang libomp-dev], [clang libomp-devel])],
		[OMP_CC=$ompprof_omp_cc])
])
