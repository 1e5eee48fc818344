/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the same places in several runs, from the last run to the first; see diff_union.h. */
#include "src/compare/diff_union.h"

#include <stdlib.h>

#include "src/compare/diff_match.h"

static size_t add_place(struct diff_union *all, const struct diff_place *place)
{
	all->places[all->n_places] = *place;
	return all->n_places++;
}

/* Adds run r: each of its places is a place that later runs have, or new. */
static int add_run(struct diff_union *all, const struct diff_run *run, size_t r)
{
	struct diff_run known = { .places = all->places, .n_places = all->n_places };
	struct diff_pair *pairs;
	size_t n;

	pairs = diff_match(&known, run, &n);
	for (size_t i = 0; pairs && i < n; i++) {
		size_t place;

		if (!pairs[i].after)
			continue;
		place = pairs[i].before ? (size_t)(pairs[i].before - all->places)
					: add_place(all, pairs[i].after);
		all->found[place * all->n_runs + r] = pairs[i].after;
	}
	free(pairs);
	return pairs ? 0 : -1;
}

int diff_union_make(struct diff_union *all, const struct diff_run *runs, size_t n_runs)
{
	size_t n_most = 1;

	*all = (struct diff_union){ .n_runs = n_runs };
	for (size_t r = 0; r < n_runs; r++)
		n_most += runs[r].n_places;
	all->places = calloc(n_most, sizeof(*all->places));
	all->found = calloc(n_most * n_runs, sizeof(struct diff_place *));
	if (!all->places || !all->found)
		return -1;
	for (size_t r = n_runs; r-- > 0;)
		if (add_run(all, &runs[r], r) != 0)
			return -1;
	return 0;
}

void diff_union_release(struct diff_union *all)
{
	free(all->places);
	free(all->found);
	*all = (struct diff_union){ 0 };
}
