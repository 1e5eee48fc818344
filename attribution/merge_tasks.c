/* SPDX-License-Identifier: Apache-2.0 */
/* Task sites, and which of them waited for which, of several processes; see merge.h. */
#include "attribution/merge_parts.h"

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_site(const void *left, const void *right)
{
	const struct metrics_task *a = left, *b = right;

	return order(a->node, b->node);
}

static int is_same_site(const void *left, const void *right)
{
	return by_site(left, right) == 0;
}

static void add_task(void *to, const void *from)
{
	metrics_task_add(to, from);
}

static int by_created(const void *left, const void *right)
{
	const struct metrics_task *a = left, *b = right;

	return a->n_created != b->n_created ? order(b->n_created, a->n_created)
					    : order(a->node, b->node);
}

static int by_pair(const void *left, const void *right)
{
	const struct metrics_await *a = left, *b = right;

	return a->task != b->task ? order(a->task, b->task) : order(a->awaited, b->awaited);
}

static int is_same_pair(const void *left, const void *right)
{
	return by_pair(left, right) == 0;
}

static void add_await(void *to, const void *from)
{
	metrics_await_add(to, from);
}

static int by_wait(const void *left, const void *right)
{
	const struct metrics_await *a = left, *b = right;

	return a->wait_ns != b->wait_ns ? order(b->wait_ns, a->wait_ns) : by_pair(a, b);
}

void merge_tasks_fold(struct merge_figures *figures)
{
	static const struct merge_kind tasks = { sizeof(struct metrics_task), by_site, is_same_site,
		add_task };
	static const struct merge_kind awaits = { sizeof(struct metrics_await), by_pair,
		is_same_pair, add_await };

	merge_fold(&figures->tasks, &tasks);
	merge_fold(&figures->awaits, &awaits);
}

void merge_tasks_finish(struct merge_figures *figures, struct metrics *metrics)
{
	metrics->tasks = merge_hand_over(
		&figures->tasks, &metrics->n_tasks, sizeof(struct metrics_task), by_created);
	metrics->awaits = merge_hand_over(
		&figures->awaits, &metrics->n_awaits, sizeof(struct metrics_await), by_wait);
}
