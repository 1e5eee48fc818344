# SPDX-License-Identifier: Apache-2.0
noinst_LIBRARIES += %D%/libattribution.a
%C%_libattribution_a_SOURCES = \
	%D%/attribute.c \
	%D%/cut.c \
	%D%/cut_time.c \
	%D%/cut_time.h \
	%D%/cut.h \
	%D%/elide.c \
	%D%/elide.h \
	%D%/grow.c \
	%D%/grow.h \
	%D%/merge.c \
	%D%/merge.h \
	%D%/merge_figures.c \
	%D%/merge_fold.c \
	%D%/merge_join.c \
	%D%/merge_modules.c \
	%D%/merge_modules.h \
	%D%/merge_parts.h \
	%D%/merge_targets.c \
	%D%/merge_phases.c \
	%D%/merge_tasks.c \
	%D%/merge_timelines.c \
	%D%/metrics.c \
	%D%/metrics.h \
	%D%/metrics_depend.c \
	%D%/metrics_events.c \
	%D%/metrics_locks.c \
	%D%/metrics_mpi.c \
	%D%/metrics_part.c \
	%D%/metrics_parts.h \
	%D%/metrics_phases.c \
	%D%/metrics_regions.c \
	%D%/metrics_run.c \
	%D%/metrics_targets.c \
	%D%/metrics_traces.c \
	%D%/metrics_tasks.c \
	%D%/metrics_threads.c \
	%D%/metrics_waits.c \
	%D%/settle.c \
	%D%/settle.h \
	%D%/sparse.c \
	%D%/sparse.h \
	%D%/tree.c \
	%D%/tree.h
