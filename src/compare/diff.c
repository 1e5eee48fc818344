/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two runs; see diff.h. */
#include "src/compare/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/diff_internal.h"

/* A change by a smaller share of the wall time is hidden, whatever its error. */
static const double least_share = 0.001;

static struct diff_value scaled(uint64_t before_ns, uint64_t after_ns, double before_variance,
	double after_variance, double scale)
{
	return (struct diff_value){ .before_ns = before_ns,
		.after_ns = after_ns,
		.change_ns = (double)after_ns - (double)before_ns * scale,
		.error_ns = sqrt(before_variance * scale * scale + after_variance) };
}

static struct diff_value compare(const struct diff *diff, uint64_t before_ns, uint64_t after_ns,
	double before_variance, double after_variance)
{
	return scaled(before_ns, after_ns, before_variance, after_variance, diff->scale);
}

double diff_thread_scale(const struct diff *diff)
{
	return diff->scale * (double)diff->after->n_slots / (double)diff->before->n_slots;
}

struct diff_value diff_thread_value(const struct diff *diff, uint64_t before_ns, uint64_t after_ns,
	double before_variance, double after_variance)
{
	return scaled(
		before_ns, after_ns, before_variance, after_variance, diff_thread_scale(diff));
}

int diff_is_beyond_error(const struct diff_value *value)
{
	return fabs(value->change_ns) > 2 * value->error_ns;
}

const struct diff_place *diff_place(const struct diff_pair *pair)
{
	return pair->after ? pair->after : pair->before;
}

struct diff_value diff_pair_value(
	const struct diff *diff, const struct diff_pair *pair, enum metrics_cause cause)
{
	const struct diff_place *before = pair->before, *after = pair->after;

	return compare(diff, before ? before->wall_ns[cause] : 0, after ? after->wall_ns[cause] : 0,
		before ? before->variance[cause] : 0, after ? after->variance[cause] : 0);
}

struct diff_value diff_pair_sum(const struct diff *diff, const struct diff_pair *pair)
{
	struct diff_value sum = { 0 };
	double variance = 0;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		struct diff_value value = diff_pair_value(diff, pair, i);

		sum.before_ns += value.before_ns;
		sum.after_ns += value.after_ns;
		sum.change_ns += value.change_ns;
		variance += value.error_ns * value.error_ns;
	}
	sum.error_ns = sqrt(variance);
	return sum;
}

const struct diff_amounts *diff_amounts(const struct diff_place *place)
{
	static const struct diff_amounts none;

	return place ? &place->amounts : &none;
}

struct diff_value diff_pair_self(const struct diff *diff, const struct diff_pair *pair)
{
	const struct diff_amounts *before = diff_amounts(pair->before);
	const struct diff_amounts *after = diff_amounts(pair->after);

	return diff_thread_value(
		diff, before->self, after->self, before->self_variance, after->self_variance);
}

struct diff_value diff_pair_total(const struct diff *diff, const struct diff_pair *pair)
{
	const struct diff_amounts *before = diff_amounts(pair->before);
	const struct diff_amounts *after = diff_amounts(pair->after);

	return diff_thread_value(
		diff, before->total, after->total, before->total_variance, after->total_variance);
}

double diff_noise_ns(const struct diff *diff)
{
	return sqrt(diff->before->noise_ns * diff->before->noise_ns +
		    diff->after->noise_ns * diff->after->noise_ns);
}

int diff_is_repeated(const struct diff *diff)
{
	return diff->before->n_runs > 1 && diff->after->n_runs > 1;
}

int diff_knows_noise(const struct diff *diff)
{
	return diff_run_knows_noise(diff->before) && diff_run_knows_noise(diff->after);
}

const char *diff_pair_word(const struct diff_pair *pair, const struct diff_value *value)
{
	if (!pair->before)
		return "new";
	if (!pair->after)
		return "gone";
	if (fabs(value->change_ns) < 1)
		return "same";
	return value->change_ns < 0 ? "better" : "worse";
}

const char *diff_row_word(const struct diff_row *row)
{
	return diff_pair_word(row->pair, &row->value);
}

static int by_change(const void *left, const void *right)
{
	const struct diff_row *a = left, *b = right;
	double x = fabs(a->value.change_ns), y = fabs(b->value.change_ns);
	const struct diff_place *p = diff_place(a->pair), *q = diff_place(b->pair);
	int order;

	if (x != y)
		return x > y ? -1 : 1;
	if (a->cause != b->cause)
		return a->cause < b->cause ? -1 : 1;
	order = strcmp(p->where, q->where);
	if (order == 0)
		order = strcmp(p->what, q->what);
	return order ? order : (int)p->kind - (int)q->kind;
}

static int is_listed(const struct diff_pair *pair, size_t cause)
{
	unsigned listed = (pair->before ? pair->before->listed : 0u) |
			  (pair->after ? pair->after->listed : 0u);

	return (listed >> cause) & 1;
}

/* A run in which the place does not list the cause counts as 0: other rows have that time. */
static struct diff_value listed_value(
	const struct diff *diff, const struct diff_pair *pair, enum metrics_cause cause)
{
	struct diff_pair listed = *pair;

	if (listed.before && !(listed.before->listed >> cause & 1))
		listed.before = NULL;
	if (listed.after && !(listed.after->listed >> cause & 1))
		listed.after = NULL;
	return diff_pair_value(diff, &listed, cause);
}

/*
 * Whether the time outside of regions has the cause in one run only: the other run lists it at
 * functions. That is no change.
 */
static int is_listed_elsewhere(const struct diff_pair *pair, size_t cause)
{
	return diff_place(pair)->kind == DIFF_OUTSIDE && pair->before && pair->after &&
	       ((pair->before->listed ^ pair->after->listed) >> cause & 1);
}

static void add_rows(struct diff *diff, const struct diff_pair *pair)
{
	double least_ns = least_share * fmax((double)diff->before->wall_ns * diff->scale,
						(double)diff->after->wall_ns);

	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		struct diff_row row = { .pair = pair, .cause = i };

		if (!is_listed(pair, i))
			continue;
		row.value = listed_value(diff, pair, i);
		if (diff_place(pair)->kind != DIFF_OUTSIDE) {
			diff->placed_ns += row.value.after_ns;
			diff->common_ns += pair->before ? row.value.after_ns : 0;
		}
		if (row.value.before_ns == 0 && row.value.after_ns == 0)
			continue;
		row.is_hidden = is_listed_elsewhere(pair, i) || !diff_is_beyond_error(&row.value) ||
				fabs(row.value.change_ns) <= least_ns;
		diff->n_hidden += (size_t)row.is_hidden;
		diff->rows[diff->n_rows++] = row;
	}
}

static size_t count_listed(const struct diff *diff)
{
	size_t n = 0;

	for (size_t i = 0; i < diff->n_pairs; i++)
		for (size_t k = 0; k < METRICS_N_CAUSES; k++)
			n += (size_t)is_listed(&diff->pairs[i], k);
	return n;
}

int diff_make(
	struct diff *diff, const struct diff_run *before, const struct diff_run *after, int is_weak)
{
	memset(diff, 0, sizeof(*diff));
	diff->before = before;
	diff->after = after;
	diff->mode = before->n_slots == after->n_slots ? DIFF_CHANGE
		     : is_weak                         ? DIFF_WEAK
						       : DIFF_STRONG;
	diff->scale =
		diff->mode == DIFF_STRONG ? (double)before->n_slots / (double)after->n_slots : 1;
	diff->wall = compare(diff, before->wall_ns, after->wall_ns,
		diff_is_repeated(diff) ? diff_square(before->noise_ns) : 0,
		diff_is_repeated(diff) ? diff_square(after->noise_ns) : 0);
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		diff->cause[i] = compare(diff, before->wall_of_ns[i], after->wall_of_ns[i],
			before->variance[i], after->variance[i]);
	diff->pairs = diff_match(before, after, &diff->n_pairs);
	if (!diff->pairs)
		return -1;
	diff->rows = malloc((count_listed(diff) + 1) * sizeof(*diff->rows));
	if (!diff->rows)
		return -1;
	for (size_t i = 0; i < diff->n_pairs; i++)
		add_rows(diff, &diff->pairs[i]);
	qsort(diff->rows, diff->n_rows, sizeof(*diff->rows), by_change);
	if (diff_lists_make(diff) != 0)
		return -1;
	return before->n_paths && after->n_paths ? diff_tree_make(diff) : 0;
}

void diff_release(struct diff *diff)
{
	free(diff->pairs);
	free(diff->rows);
	free(diff->functions);
	free(diff->regions);
	free(diff->nodes);
	memset(diff, 0, sizeof(*diff));
}

double diff_speed_up(const struct diff_run *before, const struct diff_run *after, int is_weak)
{
	double work = is_weak ? (double)after->n_slots / (double)before->n_slots : 1;

	return after->wall_ns ? (double)before->wall_ns * work / (double)after->wall_ns : 0;
}

double diff_scaling(const struct diff_run *before, const struct diff_run *after, int is_weak)
{
	return diff_speed_up(before, after, is_weak) * (double)before->n_slots /
	       (double)after->n_slots;
}

double diff_parallel_efficiency(const struct diff_run *run)
{
	return run->capacity_ns ? (double)run->useful_ns / (double)run->capacity_ns : 0;
}

double diff_computation_scaling(
	const struct diff_run *before, const struct diff_run *after, int is_weak)
{
	double work = is_weak ? (double)after->n_slots / (double)before->n_slots : 1;

	return after->useful_ns ? (double)before->useful_ns * work / (double)after->useful_ns : 0;
}
