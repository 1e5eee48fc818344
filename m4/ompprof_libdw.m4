# SPDX-License-Identifier: Apache-2.0
AC_DEFUN([OMPPROF_LIBDW], [
	PKG_CHECK_MODULES([LIBDW], [libdw >= 0.180 libelf],
		[ompprof_libdw=`$PKG_CONFIG --modversion libdw`],
		[ompprof_libdw=no
		OMPPROF_MISSING([libdw], [libdw-dev libelf-dev], [elfutils-devel])])
])
