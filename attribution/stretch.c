/* SPDX-License-Identifier: Apache-2.0 */
/* Threads' time without waiting over their CPU time; see stretch.h. */
#include "attribution/stretch.h"

#include <stdlib.h>

#define NONE           UINT32_MAX
#define ENOUGH_SAMPLES 10

/* A thread that did next to nothing cannot have made others wait for ever. */
#define MOST 1000

static int compare_rows(const void *left, const void *right)
{
	const struct stretch_row *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->region > b->region) - (a->region < b->region);
}

static void add_row(struct stretch *stretch, struct stretch_row row)
{
	stretch->rows[stretch->n_rows++] = row;
}

/* A stay in a region is time that the thread was not in the one around it. */
static void add_stay(struct stretch *stretch, const struct tree *tree, const uint32_t *region,
	const struct profile_tree_node *context)
{
	uint32_t place = tree->place[context->context];
	struct stretch_row row = { .thread = context->owner, .region = region[place] };

	row.busy_ns = (double)context->time_ns;
	add_row(stretch, row);
	row.region = place ? region[tree->nodes[place].parent] : NONE;
	row.busy_ns = -row.busy_ns;
	add_row(stretch, row);
}

static void add_node(struct stretch *stretch, const struct profile *profile,
	const struct tree *tree, const uint32_t *region, uint32_t i)
{
	const struct profile_tree_node *node = &profile->nodes[i];
	struct stretch_row row = { .thread = node->owner, .region = region[tree->place[i]] };

	if (node->kind == PROFILE_NODE_CONTEXT && node->context != NONE &&
		profile->nodes[node->context].kind == PROFILE_NODE_REGION) {
		add_stay(stretch, tree, region, node);
	} else if (node->kind == PROFILE_NODE_WAIT) {
		row.busy_ns = -(double)node->time_ns;
		add_row(stretch, row);
	} else if (node->kind == PROFILE_NODE_SAMPLES &&
		   tree->nodes[tree->place[i]].kind != TREE_WAIT) {
		row.cpu_ns = (double)node->time_ns;
		row.n = node->n;
		add_row(stretch, row);
	}
}

static void add_life(struct stretch *stretch, const struct profile *profile, uint32_t i)
{
	const struct profile_thread *thread = &profile->threads[i];
	uint64_t end_ns = thread->end_ns ? thread->end_ns : profile->header.last_ns;

	if (end_ns > thread->start_ns)
		add_row(stretch, (struct stretch_row){ .thread = i,
					 .region = NONE,
					 .busy_ns = (double)(end_ns - thread->start_ns) });
}

static void add_to(struct stretch_row *sum, const struct stretch_row *row)
{
	sum->busy_ns += row->busy_ns;
	sum->cpu_ns += row->cpu_ns;
	sum->n += row->n;
}

static void merge(struct stretch *stretch)
{
	size_t n = 0;

	qsort(stretch->rows, stretch->n_rows, sizeof(*stretch->rows), compare_rows);
	for (size_t i = 0; i < stretch->n_rows; i++) {
		add_to(&stretch->threads[stretch->rows[i].thread], &stretch->rows[i]);
		if (n && !compare_rows(&stretch->rows[n - 1], &stretch->rows[i]))
			add_to(&stretch->rows[n - 1], &stretch->rows[i]);
		else
			stretch->rows[n++] = stretch->rows[i];
	}
	stretch->n_rows = n;
}

int stretch_make(struct stretch *stretch, const struct profile *profile, const struct tree *tree,
	const uint32_t *region)
{
	*stretch = (struct stretch){ 0 };
	if (profile->header.clock_kind != PROFILE_CLOCK_CPU)
		return 0;
	stretch->rows =
		calloc(2 * profile->n_nodes + profile->n_threads + 1, sizeof(*stretch->rows));
	stretch->threads = calloc(profile->n_threads + 1, sizeof(*stretch->threads));
	if (!stretch->rows || !stretch->threads)
		return -1;
	for (uint32_t i = 0; i < profile->n_nodes; i++)
		add_node(stretch, profile, tree, region, i);
	for (uint32_t i = 0; i < profile->n_threads; i++)
		add_life(stretch, profile, i);
	merge(stretch);
	return 0;
}

static int is_enough(const struct stretch_row *row)
{
	return row && row->n >= ENOUGH_SAMPLES && row->cpu_ns > 0;
}

double stretch_of(const struct stretch *stretch, uint32_t thread, uint32_t region)
{
	struct stretch_row key = { .thread = thread, .region = region };
	const struct stretch_row *row = NULL;
	double ratio;

	if (!stretch->rows)
		return 1;
	row = bsearch(&key, stretch->rows, stretch->n_rows, sizeof(key), compare_rows);
	if (!is_enough(row))
		row = &stretch->threads[thread];
	if (!is_enough(row))
		return 1;
	ratio = row->busy_ns / row->cpu_ns;
	if (ratio < 1)
		return 1;
	return ratio < MOST ? ratio : MOST;
}

void stretch_release(struct stretch *stretch)
{
	free(stretch->rows);
	free(stretch->threads);
	*stretch = (struct stretch){ 0 };
}
