# SPDX-License-Identifier: Apache-2.0
# What configure could not find is gathered and named once, with the packages that bring it.

# OMPPROF_MISSING(WHAT, DEBIAN-PACKAGE, FEDORA-PACKAGE)
AC_DEFUN([OMPPROF_MISSING], [
	ompprof_missing="$ompprof_missing
  $1: install '$2' (Debian, Ubuntu) or '$3' (Fedora)"
])

# OMPPROF_ABSENT(VARIABLE, CONSEQUENCE, DEBIAN-PACKAGE, FEDORA-PACKAGE): what ompprof can do without;
# the variable gets the words for the table at the end.
AC_DEFUN([OMPPROF_ABSENT], [
	$1="no: $2;
                        install '$3' (Debian, Ubuntu) or '$4' (Fedora)"
])

AC_DEFUN([OMPPROF_REPORT_MISSING], [
	AS_IF([test -n "$ompprof_missing"],
		[AC_MSG_ERROR([something that ompprof needs is not installed:$ompprof_missing])])
])
