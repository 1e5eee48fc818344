/* SPDX-License-Identifier: Apache-2.0 */
/* For the judges of a walk: what the call frame information itself says about an instruction. */
#ifndef OMPPROF_TESTS_WALKER_ROW_H
#define OMPPROF_TESTS_WALKER_ROW_H

#include "unwinder/core/cfi.h"

#include <dlfcn.h>

/*
 * The row of rules at pc. Returns 0 if there is one.
 * Signal-safe.
 */
static inline int row_find(uint64_t pc, struct cfi_row *row)
{
	struct dl_find_object object;
	struct cfi_image image;
	struct cfi_fde fde;

	if (_dl_find_object((void *)(uintptr_t)pc, &object) != 0 || !object.dlfo_eh_frame)
		return -1;
	if (cfi_image_init(&image, object.dlfo_map_start,
		    (size_t)((char *)object.dlfo_map_end - (char *)object.dlfo_map_start),
		    (uintptr_t)object.dlfo_map_start, (uintptr_t)object.dlfo_eh_frame) != 0)
		return -1;
	return cfi_find(&image, pc, &fde) == 0 ? cfi_row_at(&image, &fde, pc, row) : -1;
}

/*
 * Whether a row is that of longjmp while it loads registers: its rules count from the buffer and say
 * where it is about to go.
 * Signal-safe.
 */
static inline int row_is_jump(const struct cfi_row *row)
{
	return row->cfa.kind == CFI_REGISTER && row->cfa.reg == WALK_RDI &&
	       row->rule[WALK_RSP].kind == CFI_REGISTER;
}

#endif
