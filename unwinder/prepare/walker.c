/* SPDX-License-Identifier: Apache-2.0 */
/* The default walker: the walk of walk_cfi.c, with tables that are prepared outside the handler. */
#include "unwinder/core/objects.h"
#include "unwinder/core/walk.h"

/* Without memory for tables, rules are read in place. */
static int prepare(void)
{
	objects_start();
	return 0;
}

const struct walker walker_cfi = {
	.name = "cfi",
	.init = prepare,
	.refresh = objects_refresh,
	.walk = walk_cfi,
};
