# SPDX-License-Identifier: Apache-2.0
src_libcommand_a_SOURCES += \
	%D%/diff.c \
	%D%/diff.h \
	%D%/diff_ci.c \
	%D%/diff_ci.h \
	%D%/diff_condition.c \
	%D%/diff_condition.h \
	%D%/diff_data.c \
	%D%/diff_data.h \
	%D%/diff_join.c \
	%D%/diff_match.c \
	%D%/diff_match.h \
	%D%/diff_places.c \
	%D%/diff_places.h \
	%D%/diff_places_code.c \
	%D%/diff_run.c \
	%D%/diff_run.h \
	%D%/diff_table.c \
	%D%/diff_table.h \
	%D%/diff_text.c \
	%D%/diff_text.h \
	%D%/diff_union.c \
	%D%/diff_union.h \
	%D%/diff_warnings.c \
	%D%/history.c \
	%D%/history.h \
	%D%/history_json.c \
	%D%/history_text.c \
	%D%/scale.c \
	%D%/scale.h \
	%D%/scale_folder.c \
	%D%/scale_json.c \
	%D%/scale_run.c \
	%D%/scale_text.c
