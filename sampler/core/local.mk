# SPDX-License-Identifier: Apache-2.0
# What a signal may run, and captures of paths: with the cores of the unwinder and of the profile one link unit, so that
# a gate can look at its symbols.
noinst_LTLIBRARIES += libcore.la
libcore_la_SOURCES = $(CORE_UNWINDER) $(CORE_PROFILE) $(CORE_PYTHON_READER) \
	%D%/blame.c \
	%D%/blame.h \
	%D%/capture.c \
	%D%/capture.h \
	%D%/catch_up.c \
	%D%/classify.h \
	%D%/clock.c \
	%D%/clock.h \
	%D%/clock_mixed.c \
	%D%/clock_perf.c \
	%D%/clock_timer.c \
	%D%/depend.h \
	%D%/event_timing.h \
	%D%/execution.h \
	%D%/frames.c \
	%D%/frames.h \
	%D%/handler.c \
	%D%/handler.h \
	%D%/modules.c \
	%D%/modules.h \
	%D%/mutex_fast.h \
	%D%/path.c \
	%D%/path.h \
	%D%/path_cache.c \
	%D%/path_cache.h \
	%D%/phase.h \
	%D%/phase_internal.h \
	%D%/python.h \
	%D%/region.h \
	%D%/region_fast.h \
	%D%/region_timing.h \
	%D%/run_delay.c \
	%D%/run_delay.h \
	%D%/sample_follow.c \
	%D%/sample_follow.h \
	%D%/runtime_code.h \
	%D%/settings.h \
	%D%/states.c \
	%D%/states.h \
	%D%/target.c \
	%D%/target.h \
	%D%/task_data.h \
	%D%/thread.h \
	%D%/thread_board.c \
	%D%/thread_board.h \
	%D%/thread_mutex.h \
	%D%/thread_parts.def \
	%D%/thread_path.h \
	%D%/thread_self.c \
	%D%/thread_self.h \
	%D%/thread_wait.h \
	%D%/thresholds.def \
	%D%/thresholds.h \
	%D%/timeline.c \
	%D%/timeline.h \
	%D%/tool.h \
	%D%/unseen.h \
	%D%/wait_count.h
libcore_la_CFLAGS = $(INPROCESS_CFLAGS) -fno-stack-protector -fno-jump-tables -fno-tree-slp-vectorize -Wstack-usage=16384
