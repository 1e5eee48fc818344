# SPDX-License-Identifier: Apache-2.0
attribution_libattribution_a_SOURCES += \
	%D%/causes.def \
	%D%/metrics.c \
	%D%/metrics.h \
	%D%/metrics_counts.c \
	%D%/metrics_events.c \
	%D%/metrics_internal.h \
	%D%/metrics_locks.c \
	%D%/metrics_make.c \
	%D%/metrics_phases.c \
	%D%/metrics_regions.c \
	%D%/metrics_run.c \
	%D%/metrics_targets.c \
	%D%/metrics_tasks.c \
	%D%/metrics_threads.c \
	%D%/metrics_waits.c \
	%D%/time_budget.c
