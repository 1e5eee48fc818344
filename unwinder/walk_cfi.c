/* SPDX-License-Identifier: Apache-2.0 */
/* Walker by call frame information. */
#include "unwinder/walk.h"

static uint32_t walk(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	return walker_fp.walk(start, bounds, stop_cfa, path);
}

const struct walker walker_cfi = { .name = "cfi", .walk = walk };
