# SPDX-License-Identifier: Apache-2.0
# libsqlite3 writes one format of ompprof export. Optional, and --without-sqlite3 leaves it out. A database is made in
# memory and written as one block of bytes, which needs sqlite3_serialize().
AC_DEFUN([OMPPROF_SQLITE], [
	AC_ARG_WITH([sqlite3],
		[AS_HELP_STRING([--without-sqlite3],
			[leave out ompprof export --format sqlite @<:@if libsqlite3 is there: with it@:>@])],
		[], [with_sqlite3=check])
	AS_IF([test "x$with_sqlite3" = xno], [ompprof_sqlite="no: --without-sqlite3"], [
		PKG_CHECK_MODULES([SQLITE], [sqlite3 >= 3.36],
			[ompprof_sqlite=`$PKG_CONFIG --modversion sqlite3`
			AC_DEFINE([HAVE_SQLITE3], [1], [libsqlite3 can be used])],
			[AS_IF([test "x$with_sqlite3" = xyes],
				[OMPPROF_MISSING([libsqlite3], [libsqlite3-dev], [sqlite-devel])])
			OMPPROF_ABSENT([ompprof_sqlite], [no ompprof export --format sqlite],
				[libsqlite3-dev], [sqlite-devel])])])
])
