# SPDX-License-Identifier: Apache-2.0
# Whether the scripted runtime (tests/runtime) can play the tool with AddressSanitizer and UndefinedBehaviorSanitizer: the
# compiler has to have both. Frames get no red zones: the tool reads the program's stack, its own frames among it, at places
# that only what it reads decides. Optional. In a cross build no test runs it.
AC_DEFUN([OMPPROF_PLAYED], [
	AC_MSG_CHECKING([whether $CC can sanitize what is played])
	saved_CFLAGS=$CFLAGS
	ompprof_played=no
	for flags in "--param asan-stack=0" "-mllvm -asan-stack=0"; do
		AS_IF([test "$ompprof_played" = no], [
			PLAYED_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all $flags"
			CFLAGS="$saved_CFLAGS $PLAYED_CFLAGS"
			AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [ompprof_played=yes])
		])
	done
	CFLAGS=$saved_CFLAGS
	AS_IF([test "x$enable_tsan" = xyes || test "$cross_compiling" = yes], [ompprof_played=no])
	AC_MSG_RESULT([$ompprof_played])
	AC_SUBST([PLAYED_CFLAGS])
	AM_CONDITIONAL([HAVE_PLAYED], [test "$ompprof_played" = yes])
])
