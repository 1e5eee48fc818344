# SPDX-License-Identifier: Apache-2.0
# The writer is part of the signal-safe core; the reader belongs to the offline half.
CORE_PROFILE = \
	%D%/cct.c \
	%D%/cct.h \
	%D%/layout.h \
	%D%/plain_calls.h \
	%D%/writer.c \
	%D%/writer.h

noinst_LIBRARIES += %D%/libprofile.a
%C%_libprofile_a_SOURCES = \
	%D%/layout.h \
	%D%/merged.h \
	%D%/merged_read.c \
	%D%/merged_write.c \
	%D%/part.c \
	%D%/part.h \
	%D%/part_expand.c \
	%D%/part_expand_nodes.c \
	%D%/part_make.c \
	%D%/part_make_nodes.c \
	%D%/part_parts.h \
	%D%/reader.c \
	%D%/reader.h \
	%D%/reader_devices.c \
	%D%/reader_file.c \
	%D%/reader_folder.c \
	%D%/reader_live.c \
	%D%/reader_modules.c \
	%D%/reader_figures.c \
	%D%/reader_nodes.c \
	%D%/reader_open.c \
	%D%/reader_parts.h \
	%D%/reader_phases.c \
	%D%/reader_regions.c \
	%D%/reader_text.c \
	%D%/reader_threads.c \
	%D%/reader_timeline.c \
	%D%/diag.c \
	%D%/diag.h \
	%D%/event_names.c \
	%D%/event_names.h \
	%D%/frequency.c \
	%D%/frequency.h \
	%D%/launcher.c \
	%D%/launcher.h \
	%D%/perf_event.c \
	%D%/perf_event.h
