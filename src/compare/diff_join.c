/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several runs of one program as one run; see diff_run.h. Each figure is the median over the runs.
 * Its error follows from how the runs differ:
 *
 *   variance of a median = pi / 2 * (variance of the runs) / n
 *
 * This is times (t / 2)^2, where t is the 97.5 % quantile of Student's distribution: the variance
 * of few runs is known badly, and twice the error has to hold in 95 of 100 cases. The error that
 * samples and events give a figure is a lower bound, also for runs that are equal by chance.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/diff_union.h"
#include "src/findings/order.h"

/* Values of one figure, by run, with the mean of their own variances. */
struct figures {
	double *values;
	size_t n;
	double own_variance;
};

static int by_value(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

double diff_student(size_t freedom)
{
	static const double few[] = { 12.71, 4.30, 3.18 };
	double n = (double)freedom;

	return freedom <= 3 ? few[freedom - 1]
			    : 1.96 + 2.37 / n + 2.8 / (n * n) + 2.9 / (n * n * n);
}

/* Sorts the values, and returns their median. */
static double median(const struct figures *figures)
{
	size_t n = figures->n;

	qsort(figures->values, n, sizeof(*figures->values), by_value);
	return (figures->values[(n - 1) / 2] + figures->values[n / 2]) / 2;
}

static double variance_of_median(const struct figures *figures)
{
	double n = (double)figures->n, sum = 0, squares = 0, factor;

	for (size_t i = 0; i < figures->n; i++)
		sum += figures->values[i];
	for (size_t i = 0; i < figures->n; i++)
		squares += diff_square(figures->values[i] - sum / n);
	factor = diff_square(diff_student(figures->n - 1) / 2) * M_PI_2;
	return fmax(factor * squares / (n - 1) / n, figures->own_variance / n);
}

/* Where a struct has a figure, a uint64_t, and its variance, a double; 0: it has no variance. */
struct member {
	size_t value, variance;
};

static double read_variance(const void *from, const struct member *member)
{
	double variance = 0;

	if (member->variance)
		memcpy(&variance, (const char *)from + member->variance, sizeof(variance));
	return variance;
}

/* Sets a member of `to` to the median of the runs' structs; NULL counts as 0. */
static void join_member(
	void *to, const void *const *from, struct figures *figures, const struct member *member)
{
	double variance;
	uint64_t value;

	figures->own_variance = 0;
	for (size_t r = 0; r < figures->n; r++) {
		figures->values[r] = 0;
		if (!from[r])
			continue;
		memcpy(&value, (const char *)from[r] + member->value, sizeof(value));
		figures->values[r] = (double)value;
		figures->own_variance += read_variance(from[r], member) / (double)figures->n;
	}
	variance = variance_of_median(figures);
	value = diff_round(median(figures));
	memcpy((char *)to + member->value, &value, sizeof(value));
	if (member->variance)
		memcpy((char *)to + member->variance, &variance, sizeof(variance));
}

static void join_causes(
	void *to, const void *const *from, struct figures *figures, size_t values, size_t variances)
{
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		join_member(to, from, figures,
			&(struct member){
				values + i * sizeof(uint64_t), variances + i * sizeof(double) });
}

/* The causes that the place lists in half of the runs or more: else other places have that time. */
static uint16_t join_lists(const struct diff_place **found, size_t n)
{
	uint16_t listed = 0;

	for (unsigned i = 0; i < METRICS_N_CAUSES; i++) {
		size_t n_listed = 0;

		for (size_t r = 0; r < n; r++)
			n_listed += found[r] && (found[r]->listed >> i & 1);
		listed |= (uint16_t)((2 * n_listed >= n) << i);
	}
	return listed;
}

#define MEMBER(value, variance)                                                                    \
	{                                                                                          \
		offsetof(struct diff_place, value), offsetof(struct diff_place, variance)          \
	}
#define MEMBER_ALONE(value)                                                                        \
	{                                                                                          \
		offsetof(struct diff_place, value), 0                                              \
	}

static void join_place(
	struct diff_place *place, const struct diff_place **found, struct figures *figures)
{
	static const struct member members[] = { MEMBER_ALONE(n),
		MEMBER(region_ns, region_variance), MEMBER(amounts.self, amounts.self_variance),
		MEMBER(amounts.total, amounts.total_variance), MEMBER_ALONE(amounts.work),
		MEMBER_ALONE(amounts.wait), MEMBER_ALONE(amounts.overhead) };
	const void *const *from = (const void *const *)found;

	place->listed = join_lists(found, figures->n);
	join_causes(place, from, figures, offsetof(struct diff_place, wall_ns),
		offsetof(struct diff_place, variance));
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		join_member(place, from, figures, &members[i]);
}

static void join_run(struct diff_run *run, const struct diff_run *runs, struct figures *figures,
	const void **from)
{
	static const size_t totals[] = { offsetof(struct diff_run, amounts.self),
		offsetof(struct diff_run, amounts.total), offsetof(struct diff_run, amounts.work),
		offsetof(struct diff_run, amounts.wait),
		offsetof(struct diff_run, amounts.overhead) };

	for (size_t r = 0; r < figures->n; r++) {
		from[r] = &runs[r];
		figures->values[r] = (double)runs[r].wall_ns;
		run->is_complete &= runs[r].is_complete;
		run->is_truncated |= runs[r].is_truncated;
	}
	figures->own_variance = 0;
	run->noise_ns = sqrt(variance_of_median(figures));
	run->noise_of_ns = run->wall_ns = diff_round(median(figures));
	join_causes(run, from, figures, offsetof(struct diff_run, wall_of_ns),
		offsetof(struct diff_run, variance));
	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++)
		join_member(run, from, figures, &(struct member){ totals[i], 0 });
}

static int by_wall(const void *left, const void *right)
{
	const struct diff_run *a = left, *b = right;

	return ORDER({ a->wall_ns, b->wall_ns });
}

/* The paths of *run, which is the run `middle` of all, name the places of *all from here on. */
static int rename_paths(struct diff_run *run, const struct diff_union *all, size_t middle)
{
	uint32_t *place_of = calloc(run->n_places + 1, sizeof(*place_of));
	int status;

	for (size_t i = 0; place_of && i < all->n_places; i++) {
		const struct diff_place *place = all->found[i * all->n_runs + middle];

		if (place)
			place_of[place - run->places] = (uint32_t)i;
	}
	for (size_t i = 1; place_of && i < run->n_paths; i++)
		run->paths[i].place = place_of[run->paths[i].place];
	status = place_of ? 0 : -1;
	free(place_of);
	return status;
}

/* Takes over the places of *all as the places of *run, with their figures. */
static void take_places(struct diff_run *run, struct diff_union *all, struct figures *figures)
{
	for (size_t i = 0; i < all->n_places; i++)
		join_place(&all->places[i], all->found + i * all->n_runs, figures);
	free(run->places);
	run->places = all->places;
	run->n_places = all->n_places;
	all->places = NULL;
}

int diff_run_join(struct diff_run *run, struct diff_run *runs, size_t n)
{
	struct figures figures = { .values = malloc(n * sizeof(double)), .n = n };
	const void **from = malloc(n * sizeof(void *));
	struct diff_union all = { 0 };
	size_t middle = (n - 1) / 2;
	int status = -1;

	qsort(runs, n, sizeof(*runs), by_wall);
	*run = runs[middle];
	if (n > 1 && figures.values && from && diff_union_make(&all, runs, n) == 0 &&
		rename_paths(run, &all, middle) == 0) {
		run->n_runs = (uint32_t)n;
		run->least_ns = runs[0].wall_ns;
		run->most_ns = runs[n - 1].wall_ns;
		join_run(run, runs, &figures, from);
		take_places(run, &all, &figures);
		status = 0;
	}
	diff_union_release(&all);
	for (size_t r = 0; r < n; r++)
		if (r != middle)
			diff_run_release(&runs[r]);
	free(figures.values);
	free(from);
	return n > 1 ? status : 0;
}
