/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and sorting; see prepare.h. Not for the signal handler. */
#include "unwinder/core/prepare.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_ITEM_BYTES 64

struct sorting {
	uint8_t *items;
	size_t item_bytes;
	int (*is_before)(const void *, const void *);
};

static void *take(size_t n_bytes, int flags)
{
	void *memory = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void *prepare_take(size_t n_bytes)
{
	return take(n_bytes, 0);
}

void *prepare_take_present(size_t n_bytes)
{
	return take(n_bytes, MAP_POPULATE);
}

void prepare_give(void *memory, size_t n_bytes)
{
	if (memory)
		munmap(memory, n_bytes);
}

void *prepare_room(struct prepare_room *room, size_t n_bytes)
{
	if (room->n_bytes >= n_bytes && room->memory)
		return room->memory;
	prepare_room_give(room);
	room->memory = prepare_take(n_bytes);
	room->n_bytes = room->memory ? n_bytes : 0;
	return room->memory;
}

void *prepare_room_double(struct prepare_room *room)
{
	void *memory = mremap(room->memory, room->n_bytes, 2 * room->n_bytes, MREMAP_MAYMOVE);

	if (memory == MAP_FAILED)
		return NULL;
	room->memory = memory;
	room->n_bytes *= 2;
	return memory;
}

void prepare_room_give(struct prepare_room *room)
{
	prepare_give(room->memory, room->n_bytes);
	*room = (struct prepare_room){ 0 };
}

static void *item(const struct sorting *s, size_t i)
{
	return s->items + i * s->item_bytes;
}

static void sift(const struct sorting *s, size_t root, size_t n)
{
	uint8_t down[MAX_ITEM_BYTES];

	memcpy(down, item(s, root), s->item_bytes);
	for (size_t child; (child = 2 * root + 1) < n; root = child) {
		child += child + 1 < n && s->is_before(item(s, child), item(s, child + 1));
		if (!s->is_before(down, item(s, child)))
			break;
		memcpy(item(s, root), item(s, child), s->item_bytes);
	}
	memcpy(item(s, root), down, s->item_bytes);
}

static int is_sorted(const struct sorting *s, size_t n)
{
	size_t i = 1;

	while (i < n && !s->is_before(item(s, i), item(s, i - 1)))
		i++;
	return i >= n;
}

void prepare_sort(
	void *items, size_t n, size_t item_bytes, int (*is_before)(const void *, const void *))
{
	const struct sorting s = { items, item_bytes, is_before };
	uint8_t last[MAX_ITEM_BYTES];

	if (is_sorted(&s, n))
		return;
	for (size_t i = n / 2; i-- > 0;)
		sift(&s, i, n);
	for (size_t i = n; i-- > 1;) {
		memcpy(last, item(&s, i), item_bytes);
		memcpy(item(&s, i), items, item_bytes);
		memcpy(items, last, item_bytes);
		sift(&s, 0, i);
	}
}
