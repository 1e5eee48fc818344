# SPDX-License-Identifier: Apache-2.0
# The unwinder's part of the signal-safe core: the walk in the handler.
CORE_UNWINDER = $(ARCH_CORE) \
	%D%/arch.h \
	%D%/cfi.h \
	%D%/cfi_find.c \
	%D%/cfi_pointer.h \
	%D%/cfi_read.h \
	%D%/cfi_row.c \
	%D%/cfi_step.c \
	%D%/code_rows.h \
	%D%/loaded.c \
	%D%/loaded.h \
	%D%/objects.c \
	%D%/objects.h \
	%D%/objects_state.h \
	%D%/remote.c \
	%D%/remote.h \
	%D%/rule.c \
	%D%/rule.h \
	%D%/table.c \
	%D%/table.h \
	%D%/table_memory.h \
	%D%/walk.h \
	%D%/walk_cfi.c \
	%D%/walk_fp.c \
	%D%/walk_gap.c \
	%D%/walk_state.h \
	%D%/walk_step.c
