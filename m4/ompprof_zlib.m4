# SPDX-License-Identifier: Apache-2.0
AC_DEFUN([OMPPROF_ZLIB], [
	PKG_CHECK_MODULES([ZLIB], [zlib],
		[ompprof_zlib=`$PKG_CONFIG --modversion zlib`],
		[ompprof_zlib=no
		OMPPROF_MISSING([zlib], [zlib1g-dev], [zlib-devel])])
])
