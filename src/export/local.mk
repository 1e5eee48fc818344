# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/export.h \
	%D%/export_callgrind.c \
	%D%/export_chrome.c \
	%D%/export_chrome_internal.h \
	%D%/export_chrome_samples.c \
	%D%/export_csv.c \
	%D%/export_firefox.c \
	%D%/export_firefox_internal.h \
	%D%/export_firefox_markers.c \
	%D%/export_firefox_tables.c \
	%D%/export_firefox_threads.c \
	%D%/export_folded.c \
	%D%/export_formats.c \
	%D%/export_frames.c \
	%D%/export_frames.h \
	%D%/export_names.c \
	%D%/export_names.h \
	%D%/export_pprof.c \
	%D%/export_regions.c \
	%D%/export_speedscope.c \
	%D%/export_sqlite.c \
	%D%/export_svg.c \
	%D%/export_threads.c \
	%D%/export_threads.h \
	%D%/export_tree.c \
	%D%/export_when.c \
	%D%/export_when.h \
	%D%/export_when_buckets.c \
	%D%/export_when_internal.h \
	%D%/formats.def \
	%D%/own_files.c \
	%D%/own_files.h
