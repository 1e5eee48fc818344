# SPDX-License-Identifier: Apache-2.0
# Scripts are tests; *.inc are included by them.
RUNTIME_CASES = \
	%D%/control.txt \
	%D%/dependences.txt \
	%D%/dispatch.txt \
	%D%/endings.txt \
	%D%/events.txt \
	%D%/explicit_tasks.txt \
	%D%/handshake.txt \
	%D%/helpers.txt \
	%D%/many.txt \
	%D%/mutex_impls.txt \
	%D%/mutexes.txt \
	%D%/paces.txt \
	%D%/places.txt \
	%D%/regions.txt \
	%D%/states.txt \
	%D%/sync.txt \
	%D%/target.txt \
	%D%/task_ends.txt \
	%D%/teams.txt \
	%D%/threads.txt \
	%D%/trace.txt \
	%D%/turn_alone.txt \
	%D%/turn_ends.txt \
	%D%/turn_samples.txt \
	%D%/turns.txt \
	%D%/unseen.txt \
	%D%/waits.txt
TESTS += $(RUNTIME_CASES)
EXTRA_DIST += $(RUNTIME_CASES) %D%/prelude.inc %D%/turns.inc
