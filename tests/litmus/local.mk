# SPDX-License-Identifier: Apache-2.0
# The order of memory accesses between threads: `make litmus`.
check_PROGRAMS += %D%/cases
TESTS += %D%/cases
%C%_cases_SOURCES = %D%/cases.c %D%/explore.c %D%/explore.h %D%/internal.h %D%/record.c %D%/record.h
%C%_cases_CPPFLAGS = $(AM_CPPFLAGS) $(OMP_TOOLS_CFLAGS)
%C%_cases_LDADD = libcore.la

.PHONY: litmus
litmus: %D%/cases$(EXEEXT)
	%D%/cases$(EXEEXT)
