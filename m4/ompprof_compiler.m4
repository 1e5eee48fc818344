# SPDX-License-Identifier: Apache-2.0
# Flags that every part is built with; --enable-werror, --enable-coverage.

# OMPPROF_TRY_CFLAG(VARIABLE, FLAG): adds FLAG to VARIABLE if the compiler takes it.
AC_DEFUN([OMPPROF_TRY_CFLAG], [
	ompprof_save_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror $2"
	AC_MSG_CHECKING([whether $CC takes $2])
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
		[AC_MSG_RESULT([yes]); $1="$$1 $2"],
		[AC_MSG_RESULT([no])])
	CFLAGS=$ompprof_save_CFLAGS
])

AC_DEFUN([OMPPROF_COMPILER], [
	ompprof_cflags="-std=gnu11 -Wall -Wextra"
	for flag in -Wmissing-prototypes -Wstrict-prototypes -Wshadow -Wpointer-arith \
			-Wwrite-strings -Wundef -Wvla -Wno-unused-parameter; do
		OMPPROF_TRY_CFLAG([ompprof_cflags], [$flag])
	done
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
		[], [enable_werror=no])
	AS_IF([test "x$enable_werror" = xyes], [ompprof_cflags="$ompprof_cflags -Werror"])
	AC_ARG_ENABLE([coverage],
		[AS_HELP_STRING([--enable-coverage], [build with gcov counters (offline half)])],
		[], [enable_coverage=no])
	AS_IF([test "x$enable_coverage" = xyes], [ompprof_coverage="--coverage -O0"])
	# In the program: atomic operations are instructions, no calls of libgcc.
	ompprof_inline_cflags=
	OMPPROF_TRY_CFLAG([ompprof_inline_cflags], [-mno-outline-atomics])
	AC_SUBST([INLINE_CFLAGS], [$ompprof_inline_cflags])
	AC_SUBST([OMPPROF_CFLAGS], [$ompprof_cflags])
	AC_SUBST([COVERAGE_CFLAGS], [$ompprof_coverage])
])
