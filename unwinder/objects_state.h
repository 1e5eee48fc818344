/* SPDX-License-Identifier: Apache-2.0 */
/* What objects.c and objects_refresh.c share. */
#ifndef OMPPROF_UNWINDER_OBJECTS_STATE_H
#define OMPPROF_UNWINDER_OBJECTS_STATE_H

#include <link.h>
#include <stdint.h>
#include <string.h>

#include "unwinder/objects.h"

/* Walks are counted apart by thread, as far as the stack's address tells threads apart. */
#define OBJECTS_COUNTERS 16

/* Of a name, as far as it is looked at. */
#define OBJECTS_NAME_BYTES 4096

struct objects_state {
	const struct objects *current;
	uint32_t is_missed; /* a walk has met an object without a table */
	struct {
		uint32_t n;
		uint32_t spare[15];
	} walks[OBJECTS_COUNTERS] __attribute__((aligned(64)));
};

extern struct objects_state objects_state;

/* The loader's name for the object, which has to be loaded. Signal-safe. */
static inline const char *objects_name(const struct object_identity *identity)
{
	return ((const struct link_map *)(uintptr_t)identity->link_map)->l_name;
}

/* FNV-1a of at most OBJECTS_NAME_BYTES. Signal-safe. */
static inline uint64_t objects_hash(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (int i = 0; i < OBJECTS_NAME_BYTES && name && name[i]; i++)
		hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3;
	return hash;
}

/*
 * Whether the data at the places that the identity names is what it was. The object has to be loaded.
 * Signal-safe.
 */
static inline int objects_is_same_data(const struct object_identity *identity)
{
	return (!identity->eh_frame || memcmp((const void *)(uintptr_t)identity->eh_frame,
					       identity->header, sizeof(identity->header)) == 0) &&
	       (identity->note ? memcmp((const void *)(uintptr_t)identity->note, identity->build_id,
					 sizeof(identity->build_id)) == 0
			       : objects_hash(objects_name(identity)) == identity->name_hash);
}

#endif
