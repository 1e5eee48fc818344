/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of a comparison; see diff_table.h. */
#include "src/compare/diff_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/diff_table_internal.h"

static const struct table_column *columns_of(enum diff_table which, int is_event)
{
	if (which == DIFF_TABLE_FUNCTIONS)
		return is_event ? diff_event_columns : diff_function_columns;
	return which == DIFF_TABLE_REGIONS ? diff_region_columns : diff_change_columns;
}

int diff_table_check(enum diff_table which, const struct table_options *options, struct diag *diag)
{
	static const char *const options_of[] = { "diff", "by function", "by region" };

	return table_check(columns_of(which, 0), options, options_of[which], diag);
}

void diff_set_change(struct table_row *row, int column, double ns)
{
	table_set(row, column, (uint64_t)(int64_t)llround(fmax(-9e18, fmin(ns, 9e18))));
}

/* A pair with the size of its change, to sort by. */
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

static int is_of_table(const struct diff_pair *pair, enum diff_table which)
{
	enum diff_kind kind = diff_place(pair)->kind;

	if (which == DIFF_TABLE_REGIONS)
		return kind == DIFF_OUTSIDE || kind == DIFF_REGION;
	return kind == DIFF_FUNCTION || kind == DIFF_BODY || kind == DIFF_STATE;
}

/* Lists the pairs of a table. Returns 0, or -1 when out of memory. */
static int list_pairs(struct diff_source *source, enum diff_table which)
{
	const struct diff *diff = source->diff;
	struct sized *sized = malloc((diff->n_pairs + 1) * sizeof(*sized));

	source->pairs = malloc((diff->n_pairs + 1) * sizeof(struct diff_pair *));
	if (!sized || !source->pairs) {
		free(sized);
		return -1;
	}
	for (size_t i = 0; i < diff->n_pairs; i++) {
		struct diff_pair *pair = &diff->pairs[i];

		if (is_of_table(pair, which))
			sized[source->n_pairs++] = (struct sized){ pair,
				fabs(which == DIFF_TABLE_REGIONS
						? diff_pair_sum(diff, pair).change_ns
						: diff_self_change(source, pair)) };
	}
	qsort(sized, source->n_pairs, sizeof(*sized), by_size);
	for (size_t i = 0; i < source->n_pairs; i++)
		source->pairs[i] = sized[i].pair;
	free(sized);
	return 0;
}

static const char *title_of(const struct diff *diff, enum diff_table which)
{
	int is_change = diff->mode == DIFF_CHANGE;

	if (which == DIFF_TABLE_FUNCTIONS)
		return diff->after->is_event ? "function (events)"
		       : is_change           ? "function (thread-s)"
					     : "function (thread-s, before: ideal)";
	if (which == DIFF_TABLE_REGIONS)
		return is_change ? "region (wall s)" : "region (wall s, before: ideal)";
	return "place (wall s)";
}

int diff_table_print(const struct diff *diff, enum diff_table which, int shows_all,
	const struct table_options *options, struct terminal *terminal)
{
	static table_fill *const fills[] = { diff_fill_change, diff_fill_function,
		diff_fill_region };
	static const char *const whats[] = { "change", "function", "region" };
	struct diff_source source = { .diff = diff, .shows_all = shows_all };
	struct table table = {
		.columns = columns_of(which, diff->after->is_event),
		.hidden = which == DIFF_TABLE_CHANGES ? diff_hidden_columns(diff) : 0,
		.title = title_of(diff, which),
		.what = whats[which],
		.whole = diff->wall.after_ns,
		.n_rows = diff->n_rows,
		.fill = fills[which],
		.data = &source,
		.has_total = which != DIFF_TABLE_CHANGES,
	};
	int status = 0;

	source.scale = diff->scale * (double)diff->after->n_slots / (double)diff->before->n_slots;
	if (which != DIFF_TABLE_CHANGES) {
		status = list_pairs(&source, which);
		table.n_rows = source.n_pairs;
	}
	if (status == 0)
		status = table_print(&table, options, terminal);
	free(source.pairs);
	return status;
}
