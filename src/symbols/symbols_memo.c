/* SPDX-License-Identifier: Apache-2.0 */
/* Remembers lookups by object, address and kind; see symbols_internal.h. */
#include <stdlib.h>

#include "profile/shared/hash.h"
#include "src/symbols/symbols_internal.h"

enum { FIRST_SLOTS = 4096 };

static struct place *find_slot(const struct places *places, const struct object *object,
	enum cache_kind kind, uint64_t addr)
{
	uint64_t hash = hash_mix(hash_mix((uintptr_t)object, kind), addr);
	size_t i = hash & (places->n_slots - 1);

	while (places->slots[i].object &&
		(places->slots[i].object != object || places->slots[i].addr != addr ||
			places->slots[i].kind != kind))
		i = (i + 1) & (places->n_slots - 1);
	return &places->slots[i];
}

const struct place *symbols_memo_find(const struct places *places, const struct object *object,
	enum cache_kind kind, uint64_t addr)
{
	const struct place *place = places->n_slots ? find_slot(places, object, kind, addr) : NULL;

	return place && place->object ? place : NULL;
}

/* Keeps a quarter of the slots empty. Returns 0, or -1 when out of memory. */
static int make_room(struct places *places)
{
	struct places grown = { .n = places->n,
		.n_slots = places->n_slots ? 2 * places->n_slots : FIRST_SLOTS };

	if (places->n < places->n_slots / 4 * 3)
		return 0;
	grown.slots = calloc(grown.n_slots, sizeof(*grown.slots));
	if (!grown.slots)
		return -1;
	for (size_t i = 0; i < places->n_slots; i++) {
		const struct place *place = &places->slots[i];

		if (place->object)
			*find_slot(&grown, place->object, (enum cache_kind)place->kind,
				place->addr) = *place;
	}
	free(places->slots);
	*places = grown;
	return 0;
}

void symbols_memo_add(struct places *places, const struct place *place)
{
	if (make_room(places) != 0)
		return;
	*find_slot(places, place->object, (enum cache_kind)place->kind, place->addr) = *place;
	places->n++;
}

void symbols_memo_release(struct places *places)
{
	free(places->slots);
	*places = (struct places){ 0 };
}
