# SPDX-License-Identifier: Apache-2.0
# `make bench` prints what profiling costs; it is no test and never fails on speed.
bench_kernels = %D%/kernels/compute %D%/kernels/regions %D%/kernels/tasks %D%/kernels/locks
bench_tools = %D%/measure %D%/empty_handler.so

EXTRA_DIST += \
	%D%/bench.sh \
	%D%/empty_handler.c \
	%D%/kernels/compute.c \
	%D%/kernels/locks.c \
	%D%/kernels/regions.c \
	%D%/kernels/tasks.c \
	%D%/measure.c
CLEANFILES += $(bench_kernels) $(bench_tools)

.PHONY: bench
bench: all $(bench_kernels) $(bench_tools)
	@$(SHELL) $(srcdir)/%D%/bench.sh

$(bench_kernels): tests/programs/work.h
	$(AM_V_at)$(MKDIR_P) %D%/kernels
	$(AM_V_CCLD)$(OMP_CC) -fopenmp -O2 -g -I$(srcdir) -o $@ $(srcdir)/$@.c

%D%/measure: %D%/measure.c
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_CCLD)$(CC) $(OMPPROF_CFLAGS) -O2 -D_GNU_SOURCE -o $@ $(srcdir)/%D%/measure.c

%D%/empty_handler.so: %D%/empty_handler.c
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_CCLD)$(CC) $(OMPPROF_CFLAGS) -Wno-missing-prototypes $(OMP_TOOLS_CFLAGS) -O2 -D_GNU_SOURCE \
		-shared -fPIC -Wl,-z,nodelete -o $@ $(srcdir)/%D%/empty_handler.c
