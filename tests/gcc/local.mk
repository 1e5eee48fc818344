# SPDX-License-Identifier: Apache-2.0
# Programs that are built for GCC's libgomp, on libgomp and on a libomp.
GCC_TESTS = \
	%D%/debian.sh \
	%D%/each.sh \
	%D%/events.sh \
	%D%/jumps.sh \
	%D%/modules.sh \
	%D%/programs.sh \
	%D%/provider.sh \
	%D%/run_runtime.sh \
	%D%/symbols.sh
TESTS += $(GCC_TESTS)
EXTRA_DIST += $(GCC_TESTS) \
	%D%/ancient.c \
	%D%/asleep.c \
	%D%/cases.h \
	%D%/constructs.c \
	%D%/counter.c \
	%D%/dgemm.c \
	%D%/down.c \
	%D%/each.c \
	%D%/events.c \
	%D%/events.txt \
	%D%/fake.c \
	%D%/gcc.sh \
	%D%/gcc17.c \
	%D%/jumps.c \
	%D%/kernel.c \
	%D%/late.c \
	%D%/loops.c \
	%D%/loops.f90 \
	%D%/missing.sh \
	%D%/module.c \
	%D%/modules.c \
	%D%/nest.c \
	%D%/newer.c \
	%D%/newer.map \
	%D%/order.c \
	%D%/phases.f90 \
	%D%/routines.c \
	%D%/routines.f90 \
	%D%/scan.c \
	%D%/silent.c \
	%D%/steps.c \
	%D%/stubs.c \
	%D%/symbols.txt \
	%D%/sync.c \
	%D%/teller.c \
	%D%/threads.cpp \
	%D%/waits.c \
	%D%/weak.c
