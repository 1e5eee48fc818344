# SPDX-License-Identifier: Apache-2.0
# What all tests share, the test programs, and the gates.
test_program_files = \
	tests/programs/allocs.cpp \
	tests/programs/alternate.c \
	tests/programs/atomic.c \
	tests/programs/barrier.c \
	tests/programs/blocking.c \
	tests/programs/busy.c \
	tests/programs/bushy.c \
	tests/programs/cancel.c \
	tests/programs/control.c \
	tests/programs/crash.c \
	tests/programs/critical.c \
	tests/programs/cxx.cpp \
	tests/programs/depend.c \
	tests/programs/dlopen.c \
	tests/programs/dlopen_kernel.c \
	tests/programs/eintr.c \
	tests/programs/endings.c \
	tests/programs/ends.c \
	tests/programs/events.c \
	tests/programs/exits.c \
	tests/programs/fds.c \
	tests/programs/early_kernel.c \
	tests/programs/fork.c \
	tests/programs/forks.c \
	tests/programs/gap.c \
	tests/programs/halves.c \
	tests/programs/helpers.c \
	tests/programs/hog.c \
	tests/programs/hungry.c \
	tests/programs/imbalance.c \
	tests/programs/jump.c \
	tests/programs/leave.c \
	tests/programs/lock.c \
	tests/programs/lockdown.c \
	tests/programs/loops.c \
	tests/programs/nested.c \
	tests/programs/never.c \
	tests/programs/noomp.c \
	tests/programs/often.c \
	tests/programs/ordered.c \
	tests/programs/pages.c \
	tests/programs/pairs.c \
	tests/programs/pause.c \
	tests/programs/processes.c \
	tests/programs/pthread.c \
	tests/programs/recursion.c \
	tests/programs/reload.c \
	tests/programs/reload_one_bare.c \
	tests/programs/reload_one_kernel.c \
	tests/programs/reload_two_bare.c \
	tests/programs/reload_two_kernel.c \
	tests/programs/sections.c \
	tests/programs/serial.c \
	tests/programs/serialized.c \
	tests/programs/shapes.c \
	tests/programs/signals.c \
	tests/programs/single.c \
	tests/programs/stacks.c \
	tests/programs/takes.c \
	tests/programs/taskgroup.c \
	tests/programs/tasks.c \
	tests/programs/taskwait.c \
	tests/programs/teams.c \
	tests/programs/testlock.c \
	tests/programs/threads.c \
	tests/programs/threads_cxx.cpp \
	tests/programs/throng.c \
	tests/programs/twins.c \
	tests/programs/waits.c \
	tests/programs/when.c \
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
