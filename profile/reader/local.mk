# SPDX-License-Identifier: Apache-2.0
profile_libprofile_a_SOURCES += \
	%D%/merged.h \
	%D%/merged_read.c \
	%D%/merged_write.c \
	%D%/reader.c \
	%D%/reader.h \
	%D%/reader_access.c \
	%D%/reader_collectives.c \
	%D%/reader_delays.c \
	%D%/reader_devices.c \
	%D%/reader_figures.c \
	%D%/reader_file.c \
	%D%/reader_folder.c \
	%D%/reader_internal.h \
	%D%/reader_live.c \
	%D%/reader_modules.c \
	%D%/reader_nodes.c \
	%D%/reader_open.c \
	%D%/reader_phases.c \
	%D%/reader_regions.c \
	%D%/reader_runs.c \
	%D%/reader_text.c \
	%D%/reader_threads.c \
	%D%/reader_timeline.c
