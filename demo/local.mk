# SPDX-License-Identifier: Apache-2.0
# `make demo` builds it; the project itself needs no OpenMP compiler.
EXTRA_DIST += %D%/ljmd.c
CLEANFILES += %D%/ljmd

.PHONY: demo
demo: %D%/ljmd

%D%/ljmd: %D%/ljmd.c
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_CCLD)$(OMP_CC) -fopenmp -O2 -g -o $@ $(srcdir)/%D%/ljmd.c -lm
