# SPDX-License-Identifier: Apache-2.0
# --enable-asan, --enable-ubsan, --enable-tsan. They instrument the offline half and the unit
# tests. The in-process library stays plain: it is loaded into programs that have no sanitizer
# runtime, and an instrumented signal handler would no longer be signal-safe.
AC_DEFUN([OMPPROF_SANITIZER], [
	AC_ARG_ENABLE([$1],
		[AS_HELP_STRING([--enable-$1], [build the offline half and unit tests with -fsanitize=$2])],
		[], [enable_$1=no])
	AS_IF([test "x$enable_$1" = xyes], [ompprof_sanitizers="$ompprof_sanitizers $2"])
])

AC_DEFUN([OMPPROF_SANITIZERS], [
	ompprof_sanitizers=
	OMPPROF_SANITIZER([asan], [address])
	OMPPROF_SANITIZER([ubsan], [undefined])
	OMPPROF_SANITIZER([tsan], [thread])
	AS_IF([test "x$enable_asan$enable_tsan" = xyesyes],
		[AC_MSG_ERROR([--enable-asan and --enable-tsan exclude each other])])
	SANITIZER_CFLAGS=
	for sanitizer in $ompprof_sanitizers; do
		SANITIZER_CFLAGS="$SANITIZER_CFLAGS -fsanitize=$sanitizer"
	done
	AS_IF([test -n "$SANITIZER_CFLAGS"],
		[SANITIZER_CFLAGS="$SANITIZER_CFLAGS -fno-omit-frame-pointer -fno-sanitize-recover=all"])
	AC_SUBST([SANITIZER_CFLAGS])
	AM_CONDITIONAL([WITH_SANITIZER], [test -n "$ompprof_sanitizers"])
	AS_IF([test -z "$ompprof_sanitizers"], [ompprof_sanitizers=none])
])
