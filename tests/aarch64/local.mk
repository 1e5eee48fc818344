# SPDX-License-Identifier: Apache-2.0
# Tests for AArch64 on another machine, by emulation: ./quickstart check-aarch64.
EXTRA_DIST += %D%/check.sh %D%/environment.sh %D%/init %D%/matrix.txt %D%/steps.sh %D%/system.sh %D%/tests.txt \
	%D%/stepped.c %D%/steps.c %D%/steps.h

if ARCH_aarch64
check_LTLIBRARIES += walksteps.la
walksteps_la_SOURCES = %D%/stepped.c %D%/steps.h
walksteps_la_CFLAGS = $(OMPPROF_CFLAGS) -fvisibility=hidden
walksteps_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
walksteps_la_LIBADD = libwalker.la
check_PROGRAMS += %D%/steps
%C%_steps_SOURCES = %D%/steps.c %D%/steps.h
endif
