/* SPDX-License-Identifier: Apache-2.0 */
/* The calling-context tree in the mapped file; see cct.h. Part of the signal-safe core. */
#include "profile/core/cct.h"

#include <stddef.h>

#include "profile/core/writer.h"

enum {
	NODES_PER_SEGMENT = PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES,
	MAX_TRIE_DEPTH = 96, /* the 64 bits of the hash, then a list for keys with equal hashes */
};

static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdULL;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ULL;
	return x ^ x >> 33;
}

/* A new node, filled in and visible to readers; 0 without space. */
static uint32_t add_node(struct cct *cct, uint32_t parent, const struct cct_key *key)
{
	struct profile_node *node;
	uint32_t slot;

	if (!cct->segment || cct->segment->used + 1 >= NODES_PER_SEGMENT) {
		uint32_t number;
		struct profile_segment *segment = writer_segment(
			PROFILE_SEGMENT_NODES, PROFILE_NODE_BYTES, cct->owner, &number);

		if (!segment)
			return 0;
		cct->segment = segment;
		cct->first_id = number * NODES_PER_SEGMENT;
	}
	slot = cct->segment->used + 1;
	node = (struct profile_node *)cct->segment + slot;
	node->addr = key->addr;
	node->parent = parent;
	node->kind = key->kind;
	node->flags = key->flags;
	node->module = key->module;
	__atomic_store_n(&cct->segment->used, slot, __ATOMIC_RELEASE);
	return cct->first_id + slot;
}

int cct_init(struct cct *cct, uint32_t owner)
{
	struct cct_key key = { .kind = PROFILE_NODE_THREAD, .addr = owner };

	*cct = (struct cct){ .owner = owner };
	cct->root = add_node(cct, 0, &key);
	return cct->root ? 0 : -1;
}

static int is_key(const struct profile_node *node, const struct cct_key *key)
{
	return node->addr == key->addr && node->kind == key->kind && node->flags == key->flags &&
	       node->module == key->module;
}

static uint64_t hash_of(const struct cct_key *key)
{
	return mix(key->addr ^ (uint64_t)key->kind << 56 ^ (uint64_t)key->flags << 48 ^
		   (uint64_t)key->module << 44);
}

uint32_t cct_insert(struct cct *cct, uint32_t parent, const struct cct_key *key)
{
	uint64_t hash = 0;
	uint32_t *slot = &writer_node(parent)->child;

	for (int depth = 0; depth < MAX_TRIE_DEPTH; depth++) {
		if (*slot == 0) {
			*slot = add_node(cct, parent, key);
			return *slot;
		}
		if (is_key(writer_node(*slot), key))
			return *slot;
		if (depth == 0)
			hash = hash_of(key);
		slot = &writer_node(*slot)->link[hash & 1];
		hash >>= 1;
	}
	return 0;
}

uint32_t cct_child(struct cct *cct, uint32_t parent, uint8_t kind, uint8_t flags, uint64_t addr)
{
	struct cct_key key = { .addr = addr, .kind = kind, .flags = flags };

	return cct_insert(cct, parent, &key);
}

const struct profile_node *cct_find(uint32_t id)
{
	uint32_t slot = id % NODES_PER_SEGMENT, number = id / NODES_PER_SEGMENT;
	const struct profile_segment *segment;

	if (number == 0 ||
		number >= __atomic_load_n(&writer_header()->n_segments, __ATOMIC_ACQUIRE))
		return NULL;
	segment = (const struct profile_segment *)writer_node(id - slot);
	if (__atomic_load_n(&segment->kind, __ATOMIC_ACQUIRE) != PROFILE_SEGMENT_NODES ||
		slot == 0 || slot > __atomic_load_n(&segment->used, __ATOMIC_ACQUIRE))
		return NULL;
	return (const struct profile_node *)segment + slot;
}

void cct_add_sample(uint32_t id, uint64_t time_ns, uint64_t events)
{
	struct profile_node *node = writer_node(id);

	__atomic_store_n(&node->n, node->n + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&node->time_ns, node->time_ns + time_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&node->events, node->events + events, __ATOMIC_RELAXED);
}

void cct_add_blame(struct cct *cct, uint32_t parent, uint8_t flags, uint64_t key, uint64_t amount)
{
	uint32_t id = cct_child(cct, parent, PROFILE_NODE_BLAME, flags, key);
	struct profile_node *node;

	if (!id)
		return;
	node = writer_node(id);
	__atomic_store_n(&node->n, node->n + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&node->blame_ns, node->blame_ns + amount, __ATOMIC_RELAXED);
}
