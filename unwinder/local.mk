# SPDX-License-Identifier: Apache-2.0
# Part of the signal-safe core.
CORE_UNWINDER = \
	%D%/walk.h \
	%D%/walk.c \
	%D%/walk_cfi.c \
	%D%/walk_fp.c
