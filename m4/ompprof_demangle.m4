# SPDX-License-Identifier: Apache-2.0
# C++ and Rust names as people write them, by libiberty. Optional: without it they stay mangled.
AC_DEFUN([OMPPROF_DEMANGLE], [
	OMPPROF_ABSENT([ompprof_demangle], [names of C++ and Rust stay mangled],
		[libiberty-dev], [binutils-devel])
	AC_CHECK_HEADER([libiberty/demangle.h], [
		ompprof_save_LIBS=$LIBS
		AC_CHECK_LIB([iberty], [cplus_demangle], [
			ompprof_demangle=libiberty
			DEMANGLE_LIBS=-liberty
			AC_DEFINE([HAVE_LIBIBERTY], [1], [cplus_demangle of libiberty can be used])])
		AC_CHECK_LIB([iberty], [md5_buffer], [
			AC_DEFINE([HAVE_MD5_BUFFER], [1], [md5_buffer of libiberty can be used])])
		LIBS=$ompprof_save_LIBS])
	AC_SUBST([DEMANGLE_LIBS])
])
