# SPDX-License-Identifier: Apache-2.0
# Programs run under the profiler; tests/live/matrix.sh is listed with the in-process tests.
LIVE_TESTS = \
	tests/cli/kinds.sh \
	tests/cli/run.sh \
	tests/gcc/run_runtime.sh \
	tests/cli/signals.sh \
	tests/live/classes.sh \
	tests/live/clocks.sh \
	tests/live/contexts.sh \
	tests/live/cost.sh \
	tests/live/control.sh \
	tests/harmless/changed_file.sh \
	tests/live/events.sh \
	tests/cli/examples.sh \
	tests/harmless/failing_calls.sh \
	tests/live/endings.sh \
	tests/live/figures.sh \
	tests/live/flang.sh \
	tests/gcc/programs.sh \
	tests/gcc/each.sh \
	tests/gcc/functions.sh \
	tests/gcc/debian.sh \
	tests/gcc/settings.sh \
	tests/live/guessed_callers.sh \
	tests/harmless/handler.sh \
	tests/harmless/process.sh \
	tests/harmless/libraries.sh \
	tests/harmless/limits.sh \
	tests/harmless/lockdown.sh \
	tests/live/modules.sh \
	tests/harmless/libc_names.sh \
	tests/live/endless_waits.sh \
	tests/processes/mpi.sh \
	tests/processes/processes.sh \
	tests/live/time_slice.sh \
	tests/live/run_queue.sh \
	tests/processes/ranks.sh \
	tests/harmless/more_rights.sh \
	tests/live/nested.sh \
	tests/bench/sharing.sh \
	tests/harmless/signals.sh \
	tests/live/hidden_helpers.sh \
	tests/live/tasks.sh \
	tests/live/target.sh \
	tests/live/threads.sh \
	tests/live/many_threads.sh \
	tests/live/timeline.sh \
	tests/live/creation_paths.sh
TESTS += $(LIVE_TESTS)
EXTRA_DIST += $(LIVE_TESTS) tests/processes/mpi_program.c tests/harmless/libc_names.c tests/live/target.c tests/live/waits.jq tests/gcc

# To be preloaded; see tests/harmless/handler_calls.c and failing_calls.c.
check_LTLIBRARIES += interpose.la
interpose_la_SOURCES = tests/harmless/handler_calls.c tests/harmless/before_libc.h
interpose_la_CFLAGS = $(OMPPROF_CFLAGS) -fno-builtin
interpose_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
check_LTLIBRARIES += fault.la
fault_la_SOURCES = tests/harmless/failing_calls.c tests/harmless/before_libc.h
fault_la_CFLAGS = $(OMPPROF_CFLAGS) -fno-builtin
fault_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
check_PROGRAMS += tests/cli/signals tests/harmless/confine
tests_cli_signals_SOURCES = tests/cli/signals.c
tests_cli_signals_LDADD = -lutil
tests_harmless_confine_SOURCES = tests/harmless/confine.c
