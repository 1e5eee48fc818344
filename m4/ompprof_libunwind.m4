# SPDX-License-Identifier: Apache-2.0
# libunwind is the walker of an optional plug-in and the reference of the walker's tests.
AC_DEFUN([OMPPROF_LIBUNWIND], [
	PKG_CHECK_MODULES([LIBUNWIND], [libunwind >= 1.6],
		[ompprof_libunwind=`$PKG_CONFIG --modversion libunwind`],
		[OMPPROF_ABSENT([ompprof_libunwind],
			[no --unwind=libunwind, no comparison of walkers],
			[libunwind-dev], [libunwind-devel])])
	AM_CONDITIONAL([HAVE_LIBUNWIND], [test -n "$LIBUNWIND_LIBS"])
])
