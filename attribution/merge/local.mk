# SPDX-License-Identifier: Apache-2.0
attribution_libattribution_a_SOURCES += \
	%D%/merge.c \
	%D%/merge.h \
	%D%/merge_collectives.c \
	%D%/merge_figures.c \
	%D%/merge_fold.c \
	%D%/merge_internal.h \
	%D%/merge_join.c \
	%D%/merge_list.c \
	%D%/merge_modules.c \
	%D%/merge_shares.c
