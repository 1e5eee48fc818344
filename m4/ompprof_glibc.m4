# SPDX-License-Identifier: Apache-2.0
# _dl_find_object (glibc 2.35) is the one way to find an object's unwind data in a signal handler.
AC_DEFUN([OMPPROF_GLIBC], [
	AC_CHECK_FUNC([_dl_find_object], [],
		[OMPPROF_MISSING([the C library's _dl_find_object (glibc 2.35 or later)],
			[libc6-dev], [glibc-devel])])
])
