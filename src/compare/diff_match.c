/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which places of two runs are the same; see diff_match.h. */
#include "src/compare/diff_match.h"

#include <stdlib.h>
#include <string.h>

/* The places of a larger group are paired in order. */
enum { ALIGN_MOST = 128 };

/* A place of the first or, with is_after, of the second run. */
struct item {
	const struct diff_place *place;
	uint8_t is_after;
	uint8_t is_paired;
};

struct matcher {
	struct item *items; /* places of both runs */
	size_t n_items;
	struct diff_pair *pairs;
	size_t n_pairs;
};

int diff_is_unnamed(const struct diff_place *place)
{
	return place->function[0] == '\0' || strncmp(place->function, "0x", 2) == 0;
}

/* Equal strings have the same address, but the order must not depend on addresses. */
static int compare_text(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

/* Compares functions without names by object and build-id. 0 for other places. */
static int compare_unnamed(const struct diff_place *a, const struct diff_place *b)
{
	int is_code = a->kind != DIFF_STATE && a->kind != DIFF_OUTSIDE;
	int order = 0;

	if (!is_code || !diff_is_unnamed(a) || !diff_is_unnamed(b))
		return 0;
	order = compare_text(a->module, b->module);
	return order ? order : compare_text(a->build_id, b->build_id);
}

static int compare_groups(const struct diff_place *a, const struct diff_place *b)
{
	int order = a->kind - b->kind;

	if (order == 0)
		order = compare_text(a->function, b->function);
	if (order == 0)
		order = compare_text(a->construct, b->construct);
	return order ? order : compare_unnamed(a, b);
}

static int compare_spots(const struct diff_place *a, const struct diff_place *b)
{
	int order = compare_text(a->module, b->module);

	if (order == 0)
		order = compare_text(a->file, b->file);
	if (order == 0)
		order = (a->line > b->line) - (a->line < b->line);
	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int compare_within(const struct diff_place *a, const struct diff_place *b)
{
	int order = compare_spots(a, b);

	return order ? order : (a > b) - (a < b);
}

static int by_group(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int order = compare_groups(a->place, b->place);

	if (order == 0)
		order = a->is_after - b->is_after;
	return order ? order : compare_within(a->place, b->place);
}

static int compare_lines(const struct diff_place *a, const struct diff_place *b)
{
	int order = a->kind - b->kind;

	if (order == 0)
		order = compare_text(a->construct, b->construct);
	if (order == 0)
		order = compare_text(a->file, b->file);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int by_line(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	int order = compare_lines(a->place, b->place);

	if (order == 0)
		order = a->is_after - b->is_after;
	return order ? order : compare_within(a->place, b->place);
}

static void put_pair(struct matcher *matcher, struct item *before, struct item *after)
{
	struct diff_pair *pair = &matcher->pairs[matcher->n_pairs++];

	*pair = (struct diff_pair){ before ? before->place : NULL, after ? after->place : NULL };
	if (before)
		before->is_paired = 1;
	if (after)
		after->is_paired = 1;
}

static int is_same_code(const struct diff_place *a, const struct diff_place *b)
{
	return a->build_id[0] && a->build_id == b->build_id;
}

/*
 * The difference of two places of a group: of their lines, counted from the function's, and a large
 * one for another file or object.
 */
static double difference(const struct diff_place *a, const struct diff_place *b)
{
	double line_a = (double)a->line - (double)a->decl_line;
	double line_b = (double)b->line - (double)b->decl_line;
	double lines = line_a > line_b ? line_a - line_b : line_b - line_a;

	/* A function's line is that of its declaration, and says little. */
	if (a->kind == DIFF_FUNCTION || !a->decl_line || !b->decl_line)
		lines = a->line == b->line ? 0 : 1;
	return lines + (a->file != b->file ? 1e6 : 0) + (a->module != b->module ? 1e6 : 0);
}

/*
 * Pairs every item of the shorter list with an item of the longer list, in order, so that the sum
 * of their differences is least. best[i][k] is the least sum for the first i items of the shorter
 * list and the first k of the longer.
 */
static void align(struct matcher *matcher, struct item **shorter, size_t n_short,
	struct item **longer, size_t n_long, int is_swapped)
{
	static const double never = 1e300;
	double best[ALIGN_MOST + 1][ALIGN_MOST + 1];

	for (size_t i = 0; i <= n_short; i++) {
		for (size_t k = 0; k <= n_long; k++) {
			double with;

			best[i][k] = i == 0 ? 0 : never;
			if (i == 0 || k < i)
				continue;
			with = best[i - 1][k - 1] +
			       difference(shorter[i - 1]->place, longer[k - 1]->place);
			best[i][k] = best[i][k - 1] < with ? best[i][k - 1] : with;
		}
	}
	for (size_t i = n_short, k = n_long; i > 0; k--) {
		if (k > i && best[i][k - 1] <= best[i][k])
			continue;
		i--;
		put_pair(matcher, is_swapped ? longer[k - 1] : shorter[i],
			is_swapped ? shorter[i] : longer[k - 1]);
	}
}

/*
 * Pairs places with the same build-id and position. Both lists are in the order of compare_spots.
 */
static void pair_same_code(struct matcher *matcher, struct item *before, size_t n_before,
	struct item *after, size_t n_after)
{
	size_t i = 0, k = 0;

	while (i < n_before && k < n_after) {
		int order = compare_spots(before[i].place, after[k].place);

		if (order == 0 && is_same_code(before[i].place, after[k].place))
			put_pair(matcher, &before[i], &after[k]);
		i += order <= 0;
		k += order >= 0;
	}
}

/*
 * Whether another place has the same build-id. Then pair_same_code has found what is the same. 0
 * for functions: they are aligned in any case.
 */
static int has_same_code(const struct item *item, const struct item *others, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_same_code(item->place, others[i].place))
			return item->place->kind != DIFF_FUNCTION;
	return 0;
}

static size_t list_left(struct item *left[ALIGN_MOST], struct item *items, size_t n,
	const struct item *others, size_t n_others)
{
	size_t n_left = 0;

	for (size_t i = 0; i < n; i++)
		if (!items[i].is_paired && !has_same_code(&items[i], others, n_others))
			left[n_left++] = &items[i];
	return n_left;
}

/* Pairs what is left in order. */
static void pair_large_group(struct matcher *matcher, struct item *before, size_t n_before,
	struct item *after, size_t n_after)
{
	for (size_t i = 0, k = 0; i < n_before && k < n_after;) {
		if (before[i].is_paired || after[k].is_paired) {
			i += before[i].is_paired;
			k += after[k].is_paired;
		} else {
			put_pair(matcher, &before[i++], &after[k++]);
		}
	}
}

static void pair_group(struct matcher *matcher, struct item *items, size_t n_before, size_t n_after)
{
	struct item *before[ALIGN_MOST], *after[ALIGN_MOST];
	struct item *first_after = items + n_before;
	size_t n, m;

	pair_same_code(matcher, items, n_before, first_after, n_after);
	if (n_before > ALIGN_MOST || n_after > ALIGN_MOST) {
		pair_large_group(matcher, items, n_before, first_after, n_after);
		return;
	}
	n = list_left(before, items, n_before, first_after, n_after);
	m = list_left(after, first_after, n_after, items, n_before);
	for (size_t i = 0; n == m && i < n; i++)
		put_pair(matcher, before[i], after[i]);
	if (n < m)
		align(matcher, before, n, after, m, 0);
	else if (m < n)
		align(matcher, after, m, before, n, 1);
}

/*
 * Calls `pair` for each group of items that are equal by `compare`, if both runs have some. Items
 * of the first run come first.
 */
static void for_groups(struct matcher *matcher,
	int (*compare)(const struct diff_place *a, const struct diff_place *b), size_t n,
	void (*pair)(struct matcher *matcher, struct item *items, size_t n_before, size_t n_after))
{
	for (size_t first = 0, end; first < n; first = end) {
		size_t n_before = 0;

		for (end = first; end < n && compare(matcher->items[first].place,
						     matcher->items[end].place) == 0;
			end++)
			n_before += !matcher->items[end].is_after;
		if (n_before && n_before < end - first)
			pair(matcher, &matcher->items[first], n_before, end - first - n_before);
	}
}

/* The places have the same line: their function was renamed. */
static void pair_renamed(
	struct matcher *matcher, struct item *items, size_t n_before, size_t n_after)
{
	size_t n = n_before < n_after ? n_before : n_after;

	if (!items[0].place->line)
		return;
	for (size_t i = 0; i < n; i++)
		put_pair(matcher, &items[i], &items[n_before + i]);
}

static void gather(struct matcher *matcher, const struct diff_run *run, int is_after)
{
	for (size_t i = 0; i < run->n_places; i++)
		matcher->items[matcher->n_items++] =
			(struct item){ &run->places[i], (uint8_t)is_after, 0 };
}

/* Moves unpaired items to the front. Returns their number. */
static size_t keep_left(struct matcher *matcher)
{
	size_t n = 0;

	for (size_t i = 0; i < matcher->n_items; i++)
		if (!matcher->items[i].is_paired)
			matcher->items[n++] = matcher->items[i];
	return n;
}

static void put_rest(struct matcher *matcher, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!matcher->items[i].is_paired)
			put_pair(matcher, matcher->items[i].is_after ? NULL : &matcher->items[i],
				matcher->items[i].is_after ? &matcher->items[i] : NULL);
}

struct diff_pair *diff_match(const struct diff_run *before, const struct diff_run *after, size_t *n)
{
	size_t n_all = before->n_places + after->n_places, n_left;
	struct matcher matcher = { .items = malloc((n_all + 1) * sizeof(*matcher.items)),
		.pairs = malloc((n_all + 1) * sizeof(*matcher.pairs)) };

	if (!matcher.items || !matcher.pairs) {
		free(matcher.items);
		free(matcher.pairs);
		return NULL;
	}
	gather(&matcher, before, 0);
	gather(&matcher, after, 1);
	qsort(matcher.items, n_all, sizeof(*matcher.items), by_group);
	for_groups(&matcher, compare_groups, n_all, pair_group);
	n_left = keep_left(&matcher);
	qsort(matcher.items, n_left, sizeof(*matcher.items), by_line);
	for_groups(&matcher, compare_lines, n_left, pair_renamed);
	put_rest(&matcher, n_left);
	free(matcher.items);
	*n = matcher.n_pairs;
	return matcher.pairs;
}
