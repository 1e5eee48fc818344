/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread's calling-context tree, built in the mapped profile. Only its own thread inserts: its
 * signal handler, and its callbacks while the handler is kept out (struct thread.in_tool). Other
 * threads may hold node ids of this tree (region and task contexts) but never change it.
 */
#ifndef OMPPROF_PROFILE_CORE_CCT_H
#define OMPPROF_PROFILE_CORE_CCT_H

#include <stdint.h>

#include "profile/shared/layout.h"

struct cct {
	struct profile_segment *segment; /* nodes are taken from here; NULL before the first */
	uint32_t first_id;               /* id of the segment's slot 0 */
	uint32_t owner;                  /* index of the thread */
	uint32_t root;                   /* id of the thread's root node */
};

/*
 * Starts the tree of thread `owner`. Returns 0, or -1 without space.
 * Owning thread only.
 */
int cct_init(struct cct *cct, uint32_t owner);

/* What tells a node from its siblings; see struct profile_node. */
struct cct_key {
	uint64_t addr;
	uint16_t module;
	uint8_t kind;
	uint8_t flags;
};

/*
 * The child of `parent` with this key, made if it is not there. Returns its id, or 0 without space.
 *
 * Children hang in a binary trie over a hash of the key: one comparison a level, about log2 of the
 * number of siblings, nothing to rebalance, and insertion is one store. Bounded by MAX_TRIE_DEPTH
 * levels; a key that would lie deeper is not inserted.
 * Signal-safe.
 */
uint32_t cct_insert(struct cct *cct, uint32_t parent, const struct cct_key *key);

/*
 * cct_insert for what belongs to no module.
 * Signal-safe.
 */
uint32_t cct_child(struct cct *cct, uint32_t parent, uint8_t kind, uint8_t flags, uint64_t addr);

/*
 * The node with an id that may be anything, or NULL if the file has none of it.
 * Signal-safe.
 */
const struct profile_node *cct_find(uint32_t id);

/*
 * Adds one sample that stands for time_ns and events to the SAMPLES node `id`.
 * Signal-safe.
 */
void cct_add_sample(uint32_t id, uint64_t time_ns, uint64_t events);

/*
 * Adds one sample or release, and the waiting that it is blamed for, to the BLAME child of `parent` for the
 * wait with this key, made if it is not there; nothing without space.
 * Signal-safe.
 */
void cct_add_blame(struct cct *cct, uint32_t parent, uint8_t flags, uint64_t key, uint64_t amount);

#endif
