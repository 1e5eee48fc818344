# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/filter.c \
	%D%/filter.h \
	%D%/filter_internal.h \
	%D%/filter_match.c \
	%D%/phases.c \
	%D%/phases.h \
	%D%/report.h \
	%D%/report_cells.c \
	%D%/report_cells.h \
	%D%/report_command.c \
	%D%/report_filter.c \
	%D%/report_found.c \
	%D%/report_internal.h \
	%D%/report_job.c \
	%D%/report_job.h \
	%D%/report_job_load.c \
	%D%/report_json.c \
	%D%/report_json.h \
	%D%/report_load.c \
	%D%/report_moment.c \
	%D%/report_names.c \
	%D%/report_process.c \
	%D%/report_process.h \
	%D%/report_totals.c \
	%D%/report_warnings.c \
	%D%/report_warnings_figures.c \
	%D%/report_warnings_internal.h \
	%D%/report_warnings_lost.c \
	%D%/report_warnings_run.c \
	%D%/time_range.c \
	%D%/time_range.h
