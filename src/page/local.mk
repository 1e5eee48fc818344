# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/html.h \
	%D%/html_diff.c \
	%D%/html_report.c \
	%D%/html_sources.c \
	%D%/html_threads.c \
	%D%/html_trace.c \
	%D%/html_write.c
nodist_src_libcommand_a_SOURCES += html/report_page.c html/diff_page.c
