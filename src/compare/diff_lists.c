/* SPDX-License-Identifier: Apache-2.0 */
/* The functions and the regions of two runs, largest change first; see diff.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/diff_internal.h"

/* A pair, and the size of its change. */
struct sized {
	struct diff_pair *pair;
	double size;
};

static int by_size(const void *left, const void *right)
{
	const struct sized *a = left, *b = right;
	const struct diff_place *p = diff_place(a->pair), *q = diff_place(b->pair);
	int order;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	order = strcmp(p->where, q->where);
	return order ? order : strcmp(p->what, q->what);
}

static int is_region(const struct diff_pair *pair)
{
	enum diff_kind kind = diff_place(pair)->kind;

	return kind == DIFF_OUTSIDE || kind == DIFF_REGION;
}

static int is_function(const struct diff_pair *pair)
{
	enum diff_kind kind = diff_place(pair)->kind;

	return kind == DIFF_FUNCTION || kind == DIFF_BODY || kind == DIFF_STATE;
}

/* Returns an array of *n pairs that the caller frees. NULL when out of memory. */
static struct diff_pair **list_pairs(const struct diff *diff, size_t *n,
	int (*is_of_list)(const struct diff_pair *pair),
	struct diff_value (*value)(const struct diff *diff, const struct diff_pair *pair))
{
	struct sized *sized = malloc((diff->n_pairs + 1) * sizeof(*sized));
	struct diff_pair **pairs = malloc((diff->n_pairs + 1) * sizeof(*pairs));

	for (size_t i = 0; sized && pairs && i < diff->n_pairs; i++) {
		struct diff_pair *pair = &diff->pairs[i];

		if (is_of_list(pair))
			sized[(*n)++] = (struct sized){ pair, fabs(value(diff, pair).change_ns) };
	}
	if (sized && pairs)
		qsort(sized, *n, sizeof(*sized), by_size);
	for (size_t i = 0; i < *n; i++)
		pairs[i] = sized[i].pair;
	if (!sized) {
		free(pairs);
		pairs = NULL;
	}
	free(sized);
	return pairs;
}

int diff_lists_make(struct diff *diff)
{
	diff->functions = list_pairs(diff, &diff->n_functions, is_function, diff_pair_self);
	diff->regions = list_pairs(diff, &diff->n_regions, is_region, diff_pair_sum);
	return diff->functions && diff->regions ? 0 : -1;
}
