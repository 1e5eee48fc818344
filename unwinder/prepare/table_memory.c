/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and sorting; see table_memory.h. Not for the signal handler. */
#include "unwinder/core/table_memory.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_ITEM_BYTES 64

struct sorting {
	uint8_t *items;
	size_t item_bytes;
	int (*is_before)(const void *, const void *);
};

void *pages_take(size_t n_bytes, int is_present)
{
	void *memory = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (is_present ? MAP_POPULATE : 0), -1,
		0);

	return memory == MAP_FAILED ? NULL : memory;
}

void pages_give(void *memory, size_t n_bytes)
{
	if (memory)
		munmap(memory, n_bytes);
}

void *scratch_reserve(struct scratch *scratch, size_t n_bytes)
{
	if (scratch->n_bytes >= n_bytes && scratch->memory)
		return scratch->memory;
	scratch_release(scratch);
	scratch->memory = pages_take(n_bytes, 0);
	scratch->n_bytes = scratch->memory ? n_bytes : 0;
	return scratch->memory;
}

void *scratch_double(struct scratch *scratch)
{
	void *memory =
		mremap(scratch->memory, scratch->n_bytes, 2 * scratch->n_bytes, MREMAP_MAYMOVE);

	if (memory == MAP_FAILED)
		return NULL;
	scratch->memory = memory;
	scratch->n_bytes *= 2;
	return memory;
}

void scratch_release(struct scratch *scratch)
{
	pages_give(scratch->memory, scratch->n_bytes);
	*scratch = (struct scratch){ 0 };
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

void sort_in_place(
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
