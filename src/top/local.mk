# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/top.h \
	%D%/top_change.c \
	%D%/top_find.c \
	%D%/top_picture.c \
	%D%/top_rows.c \
	%D%/top_rows.h \
	%D%/top_screen.c \
	%D%/top_terminal.c \
	%D%/top_watch.c
