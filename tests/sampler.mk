# SPDX-License-Identifier: Apache-2.0
# Programs run under the profiler; tests/live/matrix.sh is listed with the in-process tests.
LIVE_TESTS = \
	tests/cli/run.sh \
	tests/live/classes.sh \
	tests/live/clocks.sh \
	tests/live/contexts.sh \
	tests/live/figures.sh \
	tests/live/guesses.sh \
	tests/live/handler.sh \
	tests/live/harmless.sh \
	tests/live/modules.sh \
	tests/live/never.sh \
	tests/live/shapes.sh \
	tests/live/sharing.sh \
	tests/live/twins.sh
TESTS += $(LIVE_TESTS)
EXTRA_DIST += $(LIVE_TESTS) tests/live/waits.jq

# To be preloaded; see tests/live/interpose.c.
check_LTLIBRARIES += interpose.la
interpose_la_SOURCES = tests/live/interpose.c
interpose_la_CFLAGS = $(OMPPROF_CFLAGS) -fno-builtin
interpose_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere -Wl,-z,now
