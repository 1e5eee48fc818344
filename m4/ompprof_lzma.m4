# SPDX-License-Identifier: Apache-2.0
AC_DEFUN([OMPPROF_LZMA], [
	PKG_CHECK_MODULES([LZMA], [liblzma >= 5.2],
		[ompprof_lzma=`$PKG_CONFIG --modversion liblzma`],
		[ompprof_lzma=no
		OMPPROF_MISSING([liblzma], [liblzma-dev], [xz-devel])])
])
