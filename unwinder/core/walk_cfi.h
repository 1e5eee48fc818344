/* SPDX-License-Identifier: Apache-2.0 */
/* The walk of the default walker; see walk_cfi.c. */
#ifndef OMPPROF_UNWINDER_CORE_WALK_CFI_H
#define OMPPROF_UNWINDER_CORE_WALK_CFI_H

#include <stdint.h>

#include "unwinder/core/walk.h"

/*
 * The `walk` of struct walker. Uses the tables that objects_start has made, if it has been called.
 * Signal-safe.
 */
uint32_t walk_cfi(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path);

#endif
