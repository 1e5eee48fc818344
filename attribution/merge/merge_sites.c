/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the task sites of several processes and which sites waited for which, their target
 * constructs and their devices; see merge.h. A device has the same number in all processes.
 */
#include "attribution/merge/merge_internal.h"

static int by_site(const void *left, const void *right)
{
	const struct metrics_task *a = left, *b = right;

	return a->node < b->node ? -1 : a->node > b->node;
}

static int is_same_site(const void *left, const void *right)
{
	return by_site(left, right) == 0;
}

static void add_task(void *to, const void *from)
{
	metrics_task_add(to, from);
}

static int is_same_pair(const void *left, const void *right)
{
	return metrics_by_sites(left, right) == 0;
}

static void add_await(void *to, const void *from)
{
	metrics_await_add(to, from);
}

void merge_tasks_fold(struct merge_figures *figures)
{
	static const struct merge_kind tasks = { sizeof(struct metrics_task), by_site, is_same_site,
		add_task };
	static const struct merge_kind awaits = { sizeof(struct metrics_await), metrics_by_sites,
		is_same_pair, add_await };

	merge_fold(&figures->tasks, &tasks);
	merge_fold(&figures->awaits, &awaits);
}

void merge_tasks_finish(struct merge_figures *figures, struct metrics *metrics)
{
	metrics->tasks = merge_hand_over(&figures->tasks, &metrics->n_tasks,
		sizeof(struct metrics_task), metrics_by_created);
	metrics->awaits = merge_hand_over(&figures->awaits, &metrics->n_awaits,
		sizeof(struct metrics_await), metrics_by_wait);
}

static int is_same_target(const void *left, const void *right)
{
	return metrics_by_target(left, right) == 0;
}

static void add_target(void *to, const void *from)
{
	metrics_target_add(to, from);
}

static int is_same_device(const void *left, const void *right)
{
	return metrics_by_device(left, right) == 0;
}

static void add_device(void *to, const void *from)
{
	metrics_device_add(to, from);
}

void merge_targets_fold(struct merge_figures *figures)
{
	static const struct merge_kind targets = { sizeof(struct metrics_target), metrics_by_target,
		is_same_target, add_target };
	static const struct merge_kind devices = { sizeof(struct metrics_device), metrics_by_device,
		is_same_device, add_device };

	merge_fold(&figures->targets, &targets);
	merge_fold(&figures->devices, &devices);
}

void merge_targets_finish(struct merge_figures *figures, struct metrics *metrics)
{
	metrics->targets = merge_hand_over(&figures->targets, &metrics->n_targets,
		sizeof(struct metrics_target), metrics_by_time);
	metrics->devices = merge_hand_over(&figures->devices, &metrics->n_devices,
		sizeof(struct metrics_device), metrics_by_device);
}
