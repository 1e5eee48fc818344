/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread's calling-context tree, built in the mapped profile. Only its own thread inserts: its
 * signal handler, and its events while the handler is kept out (struct thread_gate.in_tool).
 * When its record is closed, the thread that closes it may insert, too. Other threads may hold node
 * ids of this tree (region and task contexts) but never change it. A device has a tree as well
 * (device_trace.h).
 */
#ifndef OMPPROF_PROFILE_CORE_CCT_H
#define OMPPROF_PROFILE_CORE_CCT_H

#include <stdint.h>

#include "profile/shared/layout.h"

struct cct {
	/* new nodes are taken from here; NULL before the first node */
	struct profile_segment *segment;
	uint32_t first_id; /* id of the segment's slot 0 */
	uint32_t owner;    /* as in struct profile_segment */
	uint32_t root;     /* id of the root node; during a phase, of its PHASE node (phase.h) */
};

/* Starts the tree of `owner`. Returns 0, or -1 without space. Owning thread only. */
int cct_init(struct cct *cct, uint32_t owner);

/* The fields of struct profile_node that tell a node from its siblings. */
struct cct_key {
	uint64_t addr;
	uint16_t module;
	uint8_t kind;
	uint8_t flags;
};

/*
 * The child of `parent` with this key, made if it does not exist. Returns its id, or 0 without
 * space.
 *
 * Children are in a binary trie over a hash of the key. A look-up takes one comparison a level,
 * about log2 of the number of siblings; nothing has to be rebalanced, and a new node is linked by
 * one store. Bounded by MAX_TRIE_DEPTH levels; a key that would be deeper is not inserted.
 * Signal-safe.
 */
uint32_t cct_insert(struct cct *cct, uint32_t parent, const struct cct_key *key);

/* cct_insert for a key without a module. Signal-safe. */
uint32_t cct_child(struct cct *cct, uint32_t parent, uint8_t kind, uint8_t flags, uint64_t addr);

/*
 * The node with this id, which may have any value; NULL if the file has no such node. Signal-safe.
 */
const struct profile_node *cct_find(uint32_t id);

/* Adds one sample, which represents time_ns and events, to the SAMPLES node `id`. Signal-safe. */
void cct_add_sample(uint32_t id, uint64_t time_ns, uint64_t events);

/*
 * Adds one sample or release, and the waiting that it is blamed for, to the BLAME child of `parent`
 * for the wait with this key. The child is made if it does not exist. Does nothing without space.
 * Signal-safe.
 */
void cct_add_blame(struct cct *cct, uint32_t parent, uint8_t flags, uint64_t key, uint64_t amount);

#endif
