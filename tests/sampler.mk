# SPDX-License-Identifier: Apache-2.0
# Programs run under the profiler; tests/live/matrix.sh is listed with the in-process tests.
LIVE_TESTS = \
	tests/cli/run.sh \
	tests/live/classes.sh \
	tests/live/clocks.sh
TESTS += $(LIVE_TESTS)
EXTRA_DIST += $(LIVE_TESTS) tests/live/waits.jq
