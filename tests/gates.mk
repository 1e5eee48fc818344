# SPDX-License-Identifier: Apache-2.0
# What all tests share, the test programs, and the gates.
test_program_files = \
	tests/programs/system/allocs.cpp \
	tests/programs/time/alternate.c \
	tests/programs/sync/atomic.c \
	tests/programs/sync/barrier.c \
	tests/programs/system/blocking.c \
	tests/programs/time/busy.c \
	tests/programs/regions/many_paths.c \
	tests/programs/threads/cancel.c \
	tests/programs/time/control.c \
	tests/programs/endings/crash.c \
	tests/programs/sync/critical.c \
	tests/programs/regions/cxx.cpp \
	tests/programs/tasks/depend.c \
	tests/programs/objects/dlopen.c \
	tests/programs/objects/dlopen_kernel.c \
	tests/programs/system/eintr.c \
	tests/programs/endings/open_waits.c \
	tests/programs/tasks/task_ends.c \
	tests/programs/sync/events.c \
	tests/programs/endings/exits.c \
	tests/programs/system/fds.c \
	tests/programs/objects/early_kernel.c \
	tests/programs/endings/fork.c \
	tests/programs/endings/forks.c \
	tests/programs/objects/no_frame_info.c \
	tests/programs/time/second_half_waits.c \
	tests/programs/tasks/hidden_helpers.c \
	tests/programs/time/hog.c \
	tests/programs/system/exhaust.c \
	tests/programs/regions/imbalance.c \
	tests/programs/regions/tail_call.c \
	tests/programs/endings/exit_while_working.c \
	tests/programs/sync/lock.c \
	tests/programs/system/lockdown.c \
	tests/programs/regions/loops.c \
	tests/programs/regions/nested.c \
	tests/programs/sync/endless_waits.c \
	tests/programs/system/noomp.c \
	tests/programs/sync/many_events.c \
	tests/programs/sync/ordered.c \
	tests/programs/system/pages.c \
	tests/programs/regions/two_regions.c \
	tests/programs/endings/pause.c \
	tests/programs/endings/processes.c \
	tests/programs/threads/pthread.c \
	tests/programs/regions/recursion.c \
	tests/programs/objects/reload.c \
	tests/programs/objects/reload_one_bare.c \
	tests/programs/objects/reload_one_kernel.c \
	tests/programs/objects/reload_two_bare.c \
	tests/programs/objects/reload_two_kernel.c \
	tests/programs/regions/sections.c \
	tests/programs/regions/serial.c \
	tests/programs/regions/serialized.c \
	tests/programs/regions/nested_tasks.c \
	tests/programs/system/own_handlers.c \
	tests/programs/sync/single.c \
	tests/programs/system/stacks.c \
	tests/programs/system/own_signals.c \
	tests/programs/tasks/taskgroup.c \
	tests/programs/tasks/tasks.c \
	tests/programs/tasks/taskwait.c \
	tests/programs/regions/teams.c \
	tests/programs/sync/testlock.c \
	tests/programs/threads/threads.c \
	tests/programs/threads/threads_cxx.cpp \
	tests/programs/threads/many_threads.c \
	tests/programs/regions/two_paths.c \
	tests/programs/sync/waits.c \
	tests/programs/time/timed_phases.c \
	tests/programs/work.h

EXTRA_DIST += tests/tap.sh tests/runtimes.sh tests/matrix.txt $(test_program_files)

# The programs of tests/programs, built for the rows of matrix.txt, and the unpacked runtimes.
# The runtimes survive `make clean`: bringing them again needs the network.
clean-local: clean-test-programs
distclean-local: clean-test-runtimes
.PHONY: clean-test-programs clean-test-runtimes
clean-test-programs:
	rm -rf tests/programs/omp*/
clean-test-runtimes:
	rm -rf runtimes

GATES = \
	tests/gates/dist.sh \
	tests/gates/exports.sh \
	tests/gates/format.sh \
	tests/gates/help.sh \
	tests/gates/hygiene.sh \
	tests/gates/imports.sh \
	tests/gates/folders.txt \
	tests/gates/includes.sh \
	tests/gates/ompt.sh \
	tests/gates/symbols.sh
TESTS += $(GATES)
EXTRA_DIST += $(GATES) tests/gates/core_symbols.txt tests/gates/imports.txt

# Rewrites the C files as the format gate wants them.
.PHONY: format
format:
	cd $(srcdir) && find unwinder profile sampler attribution src tests demo bench \
		\( -name '*.[ch]' -o -name '*.cpp' \) -exec clang-format-14 -i {} +

TESTS += tests/harmless/all_programs.sh
EXTRA_DIST += tests/harmless/all_programs.sh
