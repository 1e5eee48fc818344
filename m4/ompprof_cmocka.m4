# SPDX-License-Identifier: Apache-2.0
AC_DEFUN([OMPPROF_CMOCKA], [
	PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1],
		[ompprof_cmocka=`$PKG_CONFIG --modversion cmocka`],
		[OMPPROF_ABSENT([ompprof_cmocka], [unit tests are not built],
			[libcmocka-dev], [libcmocka-devel])])
	AM_CONDITIONAL([HAVE_CMOCKA], [test -n "$CMOCKA_LIBS"])
])
