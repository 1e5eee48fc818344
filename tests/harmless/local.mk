# SPDX-License-Identifier: Apache-2.0
# The program is as alone, whatever it does and whatever happens to it.
HARMLESS_TESTS = \
	%D%/all_programs.sh \
	%D%/changed_file.sh \
	%D%/early_runtime.sh \
	%D%/failing_calls.sh \
	%D%/handler.sh \
	%D%/libc_names.sh \
	%D%/libraries.sh \
	%D%/limits.sh \
	%D%/lockdown.sh \
	%D%/more_rights.sh \
	%D%/process.sh \
	%D%/signals.sh
TESTS += $(HARMLESS_TESTS)
EXTRA_DIST += $(HARMLESS_TESTS) \
	%D%/libc_names.c

# To be preloaded; see handler_calls.c and failing_calls.c.
check_LTLIBRARIES += interpose.la
interpose_la_SOURCES = %D%/handler_calls.c %D%/before_libc.h
interpose_la_CFLAGS = $(OMPPROF_CFLAGS) -fno-builtin
interpose_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
check_LTLIBRARIES += fault.la
fault_la_SOURCES = %D%/failing_calls.c %D%/before_libc.h
fault_la_CFLAGS = $(OMPPROF_CFLAGS) -fno-builtin
fault_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now

check_PROGRAMS += %D%/confine
%C%_confine_SOURCES = %D%/confine.c
