# SPDX-License-Identifier: Apache-2.0
# Whether the scripted runtime (tests/runtime) can play the tool with AddressSanitizer and UndefinedBehaviorSanitizer: the
# compiler has to have both. Optional.
AC_DEFUN([OMPPROF_PLAYED], [
	AC_MSG_CHECKING([whether $CC can sanitize what is played])
	PLAYED_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all"
	saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $PLAYED_CFLAGS"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [ompprof_played=yes], [ompprof_played=no])
	CFLAGS=$saved_CFLAGS
	AS_IF([test "x$enable_tsan" = xyes], [ompprof_played=no])
	AC_MSG_RESULT([$ompprof_played])
	AC_SUBST([PLAYED_CFLAGS])
	AM_CONDITIONAL([HAVE_PLAYED], [test "$ompprof_played" = yes])
])
