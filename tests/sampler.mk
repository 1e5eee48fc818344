# SPDX-License-Identifier: Apache-2.0
# Programs run under the profiler; tests/live/matrix.sh is listed with the in-process tests.
LIVE_TESTS = \
	tests/cli/kinds.sh \
	tests/cli/run.sh \
	tests/cli/runtime.sh \
	tests/cli/signals.sh \
	tests/live/classes.sh \
	tests/live/clocks.sh \
	tests/live/contexts.sh \
	tests/live/cost.sh \
	tests/live/control.sh \
	tests/live/disturbed.sh \
	tests/live/events.sh \
	tests/live/examples.sh \
	tests/live/faults.sh \
	tests/live/endings.sh \
	tests/live/figures.sh \
	tests/live/flang.sh \
	tests/live/gcc.sh \
	tests/live/gcc_each.sh \
	tests/live/gcc_functions.sh \
	tests/live/gcc_real.sh \
	tests/live/gcc_settings.sh \
	tests/live/guesses.sh \
	tests/live/handler.sh \
	tests/live/harmless.sh \
	tests/live/libraries.sh \
	tests/live/limits.sh \
	tests/live/lockdown.sh \
	tests/live/modules.sh \
	tests/live/names.sh \
	tests/live/never.sh \
	tests/live/mpi.sh \
	tests/live/processes.sh \
	tests/live/part.sh \
	tests/live/queue.sh \
	tests/live/ranks.sh \
	tests/live/secure.sh \
	tests/live/shapes.sh \
	tests/live/sharing.sh \
	tests/live/signals.sh \
	tests/live/helpers.sh \
	tests/live/tasks.sh \
	tests/live/target.sh \
	tests/live/threads.sh \
	tests/live/throng.sh \
	tests/live/timeline.sh \
	tests/live/twins.sh
TESTS += $(LIVE_TESTS)
EXTRA_DIST += $(LIVE_TESTS) tests/live/hybrid.c tests/live/names.c tests/live/target.c tests/live/waits.jq tests/gcc

# To be preloaded; see tests/live/interpose.c and fault.c.
check_LTLIBRARIES += interpose.la
interpose_la_SOURCES = tests/live/interpose.c tests/live/before_libc.h
interpose_la_CFLAGS = $(OMPPROF_CFLAGS) -fno-builtin
interpose_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
check_LTLIBRARIES += fault.la
fault_la_SOURCES = tests/live/fault.c tests/live/before_libc.h
fault_la_CFLAGS = $(OMPPROF_CFLAGS) -fno-builtin
fault_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
check_PROGRAMS += tests/cli/signals tests/live/confine
tests_cli_signals_SOURCES = tests/cli/signals.c
tests_cli_signals_LDADD = -lutil
tests_live_confine_SOURCES = tests/live/confine.c
