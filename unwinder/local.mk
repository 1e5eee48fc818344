# SPDX-License-Identifier: Apache-2.0
# Part of the signal-safe core.
CORE_UNWINDER = \
	%D%/walk.h \
	%D%/walk.c \
	%D%/cfi.h \
	%D%/cfi_read.h \
	%D%/cfi_find.c \
	%D%/cfi_row.c \
	%D%/cfi_step.c \
	%D%/walk_cfi.c \
	%D%/walk_fp.c
