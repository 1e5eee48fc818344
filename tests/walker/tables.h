/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for the walker's tables, so that walks use the same rules in each run. */
#ifndef OMPPROF_TESTS_WALKER_TABLES_H
#define OMPPROF_TESTS_WALKER_TABLES_H

#include <time.h>

#include "unwinder/core/objects.h"

/* A thread of the walker's own compiles large objects. Waits for it, but at most 3 s. */
static void wait_for_tables(void)
{
	enum { MOST_MS = 3000 };
	struct objects_cost cost = { .n_interpreted = 1 };

	for (int i = 0; i < MOST_MS && cost.n_interpreted > 0; i++) {
		objects_cost(&cost);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
}

#endif
