/* SPDX-License-Identifier: Apache-2.0 */
/* The part of objects.h that walks call. Part of the signal-safe core. */
#include "unwinder/core/objects.h"

#include <string.h>

#include "unwinder/core/loaded.h"
#include "unwinder/core/objects_state.h"

struct objects_state objects_state;

const struct objects *objects_enter(uint32_t *place, unsigned int *counter)
{
	if (*place == 0)
		*place = 1 + __atomic_fetch_add(&objects_state.n_places, 1, __ATOMIC_RELAXED) %
				     OBJECTS_COUNTERS;
	*counter = *place - 1;
	/* Count before the load: whoever has replaced the list looks at the counters. */
	__atomic_fetch_add(&objects_state.walks[*counter].n, 1, __ATOMIC_SEQ_CST);
	return __atomic_load_n(&objects_state.current, __ATOMIC_SEQ_CST);
}

void objects_leave(unsigned int counter)
{
	__atomic_fetch_sub(&objects_state.walks[counter].n, 1, __ATOMIC_RELEASE);
}

const struct object *objects_find(const struct objects *objects, uint64_t pc)
{
	uint32_t left = objects->n, half;
	const uint64_t *lo = objects->lo;
	const struct object *object;

	while (left > 1) { /* at most 32 rounds */
		half = left / 2;
		lo += lo[half] <= pc ? half : 0;
		left -= half;
	}
	object = &objects->object[lo - objects->lo];
	return left && pc >= *lo && pc < object->identity.hi ? object : NULL;
}

int objects_is_here(const struct object *object, uint64_t pc)
{
	const struct object_identity *identity = &object->identity;
	struct loaded found;

	if (object->is_permanent)
		return 1;
	if (loaded_find(pc, &found) != 0)
		return 0;
	if (found.lo != identity->lo || found.hi != identity->hi ||
		(uintptr_t)found.link_map != identity->link_map ||
		found.eh_frame != identity->eh_frame)
		return 0;
	return objects_is_same_data(identity);
}

void objects_missed(void)
{
	if (!__atomic_load_n(&objects_state.is_missed, __ATOMIC_RELAXED))
		__atomic_store_n(&objects_state.is_missed, 1, __ATOMIC_RELAXED);
}
