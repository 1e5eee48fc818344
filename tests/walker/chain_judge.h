/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares a walker's path with the chain that a thread knows itself to have (chain.h). Used by
 * chain.c and dl_stress.c in their handlers: it calls no library and keeps nothing.
 */
#ifndef OMPPROF_TESTS_WALKER_CHAIN_JUDGE_H
#define OMPPROF_TESTS_WALKER_CHAIN_JUDGE_H

#include "tests/walker/chain.h"
#include "unwinder/core/walk.h"

struct chain_trial {
	const struct walk_path *path;
	uint64_t ip;                      /* where the thread stood */
	const struct walk_bounds *bounds; /* of its own stack */
	const struct chain *chain;
	uint32_t n; /* links of the chain that count */
	const struct chain_wanted *wanted;
	/* Out: the path ends early, and says so, but is right as far as it goes. */
	int is_short;
};

/* Returns the fault of the path, or NULL if it has none. */
const char *chain_judge(struct chain_trial *trial);

#endif
