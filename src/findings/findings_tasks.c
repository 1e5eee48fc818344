/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task sites by their place in the source, and the waits of their tasks for other tasks; see
 * findings.h.
 */
#include <stdlib.h>

#include "src/findings/findings.h"
#include "src/findings/order.h"

static int by_site(const void *left, const void *right)
{
	const struct findings_task *a = left, *b = right;
	int order = findings_compare_places(a->label, b->label);

	return order ? order : ORDER({ a->region, b->region }, { a->sum.node, b->sum.node });
}

static int by_created(const void *left, const void *right)
{
	const struct findings_task *a = left, *b = right;

	return metrics_by_created(&a->sum, &b->sum);
}

static void sum_tasks(struct findings *figures)
{
	for (uint32_t i = 0; i < figures->n_tasks; i++) {
		const struct findings_task *task = &figures->tasks[i];
		struct findings_region *region;

		if (task->region == UINT32_MAX)
			continue;
		region = &figures->regions[task->region];
		region->n_created += task->sum.n_created;
		region->n_executed += task->sum.n_executed;
		region->n_detached += task->sum.n_detached;
		region->busy_ns += task->sum.busy_ns;
		if (task->sum.n_creators > region->n_creators)
			region->n_creators = task->sum.n_creators;
		if (region->task == UINT32_MAX)
			region->task = i;
	}
}

static int by_sites(const void *left, const void *right)
{
	const struct findings_await *a = left, *b = right;

	return ORDER({ a->task, b->task }, { a->awaited, b->awaited });
}

static int by_task_and_wait(const void *left, const void *right)
{
	const struct findings_await *a = left, *b = right;

	return ORDER({ a->task, b->task }, { b->sum.wait_ns, a->sum.wait_ns },
		{ a->awaited, b->awaited });
}

/*
 * Joins waits of the same two sites. site[] has a site's number by node of the attributed tree, and
 * place[] its index into findings.tasks by that number.
 */
static size_t merge_awaits(struct findings_await *awaits, const struct metrics *metrics,
	const uint32_t *site, const uint32_t *place)
{
	size_t n = 0;

	for (size_t i = 0; i < metrics->n_awaits; i++)
		awaits[i] = (struct findings_await){ .sum = metrics->awaits[i],
			.task = place[site[metrics->awaits[i].task]],
			.awaited = place[site[metrics->awaits[i].awaited]] };
	qsort(awaits, metrics->n_awaits, sizeof(*awaits), by_sites);
	for (size_t i = 0; i < metrics->n_awaits; i++) {
		if (n && by_sites(&awaits[n - 1], &awaits[i]) == 0)
			metrics_await_add(&awaits[n - 1].sum, &awaits[i].sum);
		else
			awaits[n++] = awaits[i];
	}
	qsort(awaits, n, sizeof(*awaits), by_task_and_wait);
	return n;
}

/* The waits are sorted by task, longest first. */
static void link_awaits(struct findings *figures)
{
	for (size_t i = figures->n_awaits; i-- > 0;) {
		const struct findings_await *await = &figures->awaits[i];
		struct findings_task *task = &figures->tasks[await->task];
		struct findings_region *region;

		task->first_await = i;
		task->n_awaits++;
		if (task->region == UINT32_MAX)
			continue;
		region = &figures->regions[task->region];
		if (region->await == UINT32_MAX ||
			figures->awaits[region->await].sum.wait_ns <= await->sum.wait_ns)
			region->await = (uint32_t)i;
	}
}

/* `site` is as in merge_awaits; frees it. */
static int add_awaits(struct findings *figures, uint32_t *site)
{
	uint32_t *place = calloc(figures->n_tasks + 1, sizeof(*place));

	figures->awaits = calloc(figures->metrics->n_awaits + 1, sizeof(*figures->awaits));
	if (place && figures->awaits) {
		for (uint32_t i = 0; i < figures->n_tasks; i++)
			place[figures->tasks[i].site] = i;
		figures->n_awaits = merge_awaits(figures->awaits, figures->metrics, site, place);
		link_awaits(figures);
	}
	free(site);
	free(place);
	return place && figures->awaits ? 0 : -1;
}

int findings_add_tasks(struct findings *figures)
{
	const struct metrics *metrics = figures->metrics;
	struct findings_task *tasks = calloc(metrics->n_tasks + 1, sizeof(*tasks));
	uint32_t *site = calloc(figures->tree->n_nodes + 1, sizeof(*site));
	size_t n = 0;

	figures->tasks = tasks;
	if (!tasks || !site) {
		free(site);
		return -1;
	}
	for (size_t i = 0; i < metrics->n_tasks; i++) {
		tasks[i].sum = metrics->tasks[i];
		tasks[i].label = findings_label(figures, tasks[i].sum.node);
		tasks[i].region = figures->region_of[tasks[i].sum.node];
	}
	qsort(tasks, metrics->n_tasks, sizeof(*tasks), by_site);
	for (size_t i = 0; i < metrics->n_tasks; i++) {
		if (n && findings_compare_places(tasks[n - 1].label, tasks[i].label) == 0 &&
			tasks[n - 1].region == tasks[i].region)
			metrics_task_add(&tasks[n - 1].sum, &tasks[i].sum);
		else
			tasks[n++] = tasks[i];
		site[tasks[i].sum.node] = tasks[n - 1].site = (uint32_t)n - 1;
	}
	qsort(tasks, n, sizeof(*tasks), by_created);
	figures->n_tasks = n;
	sum_tasks(figures);
	return add_awaits(figures, site);
}
