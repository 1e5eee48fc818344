/* SPDX-License-Identifier: Apache-2.0 */
/* Figures that are not 0, stored one after the other; see sparse_metrics.h. */
#include "attribution/tree/sparse_metrics.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct tree_metrics) % sizeof(uint64_t) == 0, "figures are 64 bits each");
/* A bit for each figure. In the store it takes MASK_WORDS words. */
typedef unsigned __int128 mask_bits;
enum { MASK_WORDS = sizeof(mask_bits) / sizeof(uint64_t) };

_Static_assert(SPARSE_METRICS_MOST <= 8 * sizeof(mask_bits), "a bit for each figure");

#define BIT(figure) ((mask_bits)1 << (figure))

/* Figures of one node: a bit for each figure it has, and these figures in order. */
struct entry {
	mask_bits mask;
	uint64_t values[SPARSE_METRICS_MOST];
};

static uint32_t count(mask_bits mask)
{
	return (uint32_t)(__builtin_popcountll((uint64_t)mask) +
			  __builtin_popcountll((uint64_t)(mask >> 64)));
}

/* The lowest figure of the mask, which is not empty. */
static unsigned lowest(mask_bits mask)
{
	return (uint64_t)mask ? (unsigned)__builtin_ctzll((uint64_t)mask)
			      : 64 + (unsigned)__builtin_ctzll((uint64_t)(mask >> 64));
}

/* The mask at the begin of an entry; its figures follow. */
static mask_bits mask_of(const uint64_t *words)
{
	return (mask_bits)words[1] << 64 | words[0];
}

static void set_mask(uint64_t *words, mask_bits mask)
{
	words[0] = (uint64_t)mask;
	words[1] = (uint64_t)(mask >> 64);
}

void sparse_metrics_release(struct sparse *store)
{
	free(store->words);
	*store = (struct sparse){ 0 };
}

struct tree_metrics sparse_metrics_get(const struct sparse *store, uint32_t at)
{
	struct tree_metrics metrics = { 0 };
	uint64_t *figures = (uint64_t *)&metrics;
	const uint64_t *value;

	if (!at)
		return metrics;
	value = &store->words[at + MASK_WORDS];
	for (mask_bits mask = mask_of(&store->words[at]); mask; mask &= mask - 1)
		figures[lowest(mask)] = *value++;
	return metrics;
}

static int reserve(struct sparse *store, size_t n_words)
{
	size_t capacity = store->capacity ? store->capacity : 1024;
	uint64_t *words;

	if (!store->n_words)
		store->n_words = 1;
	while (capacity < store->n_words + n_words)
		capacity *= 2;
	if (capacity == store->capacity)
		return 0;
	if (capacity > UINT32_MAX)
		return -1;
	words = realloc(store->words, capacity * sizeof(*words));
	if (!words)
		return -1;
	store->words = words;
	store->capacity = capacity;
	return 0;
}

/* Returns a place for n figures, or 0 when out of memory. */
static uint32_t take(struct sparse *store, uint32_t n)
{
	uint32_t at = store->free[n];

	if (at) {
		store->free[n] = (uint32_t)store->words[at];
		return at;
	}
	if (reserve(store, n + MASK_WORDS) != 0)
		return 0;
	at = (uint32_t)store->n_words;
	store->n_words += n + MASK_WORDS;
	return at;
}

static void give_back(struct sparse *store, uint32_t at)
{
	uint32_t n = count(mask_of(&store->words[at]));

	store->words[at] = store->free[n];
	store->free[n] = at;
}

/* The node must already have all of the figures. */
static void add_in_place(uint64_t *words, const struct entry *more)
{
	const uint64_t *value = more->values;

	mask_bits all = mask_of(words);

	for (mask_bits mask = more->mask; mask; mask &= mask - 1)
		words[MASK_WORDS + count(all & (BIT(lowest(mask)) - 1))] += *value++;
}

/* Writes the sums of both entries to `words`. */
static void unite(uint64_t *words, const struct entry *more, const uint64_t *old)
{
	const uint64_t *value = more->values, *old_value = old ? old + MASK_WORDS : NULL;
	mask_bits old_mask = old ? mask_of(old) : 0, mask = old_mask | more->mask;

	set_mask(words, mask);
	for (words += MASK_WORDS; mask; mask &= mask - 1, words++) {
		mask_bits bit = mask & -mask;

		*words = old_mask & bit ? *old_value++ : 0;
		if (more->mask & bit)
			*words += *value++;
	}
}

static int add(struct sparse *store, uint32_t *at, const struct entry *more)
{
	mask_bits old = *at ? mask_of(&store->words[*at]) : 0;
	uint32_t place;

	if (!(more->mask & ~old)) {
		if (more->mask)
			add_in_place(&store->words[*at], more);
		return 0;
	}
	place = take(store, count(old | more->mask));
	if (!place)
		return -1;
	unite(&store->words[place], more, *at ? &store->words[*at] : NULL);
	if (*at)
		give_back(store, *at);
	*at = place;
	return 0;
}

int sparse_metrics_add(struct sparse *store, uint32_t *at, const struct tree_metrics *more)
{
	const uint64_t *figures = (const uint64_t *)more;
	struct entry entry;
	size_t n = 0;

	entry.mask = 0;
	for (unsigned i = 0; i < SPARSE_METRICS_MOST; i++) {
		if (!figures[i])
			continue;
		entry.mask |= BIT(i);
		entry.values[n++] = figures[i];
	}
	return add(store, at, &entry);
}

int sparse_metrics_join(
	struct sparse *store, uint32_t *at, const struct sparse *from, uint32_t from_at)
{
	struct entry entry;

	if (!from_at)
		return 0;
	entry.mask = mask_of(&from->words[from_at]);
	memcpy(entry.values, &from->words[from_at + MASK_WORDS],
		count(entry.mask) * sizeof(uint64_t));
	return add(store, at, &entry);
}

int sparse_metrics_set(struct sparse *store, uint32_t *at, const struct tree_metrics *metrics)
{
	uint32_t place = 0;

	if (sparse_metrics_add(store, &place, metrics) != 0)
		return -1;
	if (*at)
		give_back(store, *at);
	*at = place;
	return 0;
}
