# SPDX-License-Identifier: Apache-2.0
# omp-tools.h lies in clang's resource folder, which gcc does not search. --with-omp-tools=DIR
# names its folder. The folder is added with -idirafter: the compiler's own headers come first.
AC_DEFUN([OMPPROF_OMP_TOOLS], [
	AC_ARG_WITH([omp-tools],
		[AS_HELP_STRING([--with-omp-tools=DIR], [folder of omp-tools.h])],
		[ompprof_dirs=$withval],
		[ompprof_dirs=`ls -d /usr/lib/llvm-*/lib/clang/*/include /usr/lib/clang/*/include \
			/usr/lib64/clang/*/include /usr/include 2>/dev/null | sort -V`])
	AC_MSG_CHECKING([for omp-tools.h])
	ompprof_omp_tools=no
	for dir in $ompprof_dirs; do
		AS_IF([test -r "$dir/omp-tools.h"], [ompprof_omp_tools=$dir/omp-tools.h; OMP_TOOLS_CFLAGS="-idirafter $dir"])
	done
	AC_MSG_RESULT([$ompprof_omp_tools])
	AS_IF([test "$ompprof_omp_tools" = no],
		[OMPPROF_MISSING([omp-tools.h of LLVM's OpenMP], [libomp-dev], [libomp-devel])])
	AC_SUBST([OMP_TOOLS_CFLAGS])
	AC_SUBST([OMP_TOOLS_HEADER], [$ompprof_omp_tools])
])
