# SPDX-License-Identifier: Apache-2.0
# Whether figures of real programs on real runtimes are right.
LIVE_TESTS = \
	%D%/advice.sh \
	%D%/blocked.sh \
	%D%/calls.sh \
	%D%/classes.sh \
	%D%/clocks.sh \
	%D%/constructs.sh \
	%D%/contexts.sh \
	%D%/control.sh \
	%D%/cost.sh \
	%D%/counters.sh \
	%D%/creation_paths.sh \
	%D%/endings.sh \
	%D%/endless_waits.sh \
	%D%/events.sh \
	%D%/figures.sh \
	%D%/flang.sh \
	%D%/glibcs.sh \
	%D%/guessed_callers.sh \
	%D%/hidden_helpers.sh \
	%D%/many_threads.sh \
	%D%/matrix.sh \
	%D%/modules.sh \
	%D%/nested.sh \
	%D%/python.sh \
	%D%/run_queue.sh \
	%D%/target.sh \
	%D%/tasks.sh \
	%D%/threads.sh \
	%D%/time_slice.sh \
	%D%/timeline.sh \
	%D%/usage.sh
TESTS += $(LIVE_TESTS)
EXTRA_DIST += $(LIVE_TESTS) \
	%D%/live.sh \
	%D%/paths.jq \
	%D%/target.c \
	%D%/waits.jq
