/* SPDX-License-Identifier: Apache-2.0 */
/* State that objects.c and objects_refresh.c share. */
#ifndef OMPPROF_UNWINDER_CORE_OBJECTS_STATE_H
#define OMPPROF_UNWINDER_CORE_OBJECTS_STATE_H

#include <link.h>
#include <stdint.h>
#include <string.h>

#include "unwinder/core/objects.h"
#include "unwinder/core/remote.h"

/* Counters of walks. More threads than this share them. */
#define OBJECTS_COUNTERS 1024

/* At most this many bytes of a name are read, or twice as many across the end of a page. */
#define OBJECTS_NAME_BYTES 256

struct objects_state {
	const struct objects *current;
	uint32_t is_missed; /* a walk has met an object without a table */
	uint32_t n_places;  /* threads that have taken a counter */
	struct {
		uint32_t n;
		uint32_t spare[15];
	} walks[OBJECTS_COUNTERS] __attribute__((aligned(64)));
};

extern struct objects_state objects_state;

/*
 * FNV-1a of the begin of the loader's name for the object. Another thread may unload the object
 * meanwhile, so the name can be gone or another by now. 0 if it cannot be read. Signal-safe.
 */
static inline uint64_t objects_name_hash(const struct object_identity *identity)
{
	const struct link_map *object = (const struct link_map *)(uintptr_t)identity->link_map;
	uint64_t hash = 0xcbf29ce484222325, at;
	char name[OBJECTS_NAME_BYTES];
	size_t n, i;

	if (remote_read((uintptr_t)&object->l_name, &at, sizeof(at)) != 0)
		return 0;
	for (int part = 0; part < 2; part++, at += n) { /* the second part is on another page */
		n = 4096 - at % 4096;
		n = n < sizeof(name) ? n : sizeof(name);
		if (remote_read(at, name, n) != 0)
			return 0;
		for (i = 0; i < n && name[i]; i++)
			hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3;
		if (i < n || n == sizeof(name))
			break;
	}
	return hash;
}

/*
 * Whether the data at the places in the identity has not changed. The object has to be loaded.
 * Signal-safe.
 */
static inline int objects_is_same_data(const struct object_identity *identity)
{
	uint64_t seen[2];

	if (identity->data_hi && (remote_read(identity->eh_frame, seen, sizeof(seen)) != 0 ||
					 memcmp(seen, identity->header, sizeof(seen)) != 0))
		return 0;
	if (!identity->note)
		return objects_name_hash(identity) == identity->name_hash;
	return remote_read(identity->note, seen, sizeof(seen)) == 0 &&
	       memcmp(seen, identity->build_id, sizeof(seen)) == 0;
}

#endif
