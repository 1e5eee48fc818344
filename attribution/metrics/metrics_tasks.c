/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explicit tasks by the place in the tree that creates them. Also which tasks waited for which, and
 * the time that others waited because of that.
 */
#include <stdlib.h>

#include "attribution/metrics/metrics_internal.h"

/* A thread created tasks at a place. */
struct creation {
	uint32_t task; /* index into metrics.tasks */
	uint32_t thread;
};

static int compare_creations(const void *left, const void *right)
{
	const struct creation *a = left, *b = right;

	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

static void count_creators(struct metrics *metrics, struct creation *creations, size_t n)
{
	qsort(creations, n, sizeof(*creations), compare_creations);
	for (size_t i = 0; i < n; i++) {
		if (!i || compare_creations(&creations[i - 1], &creations[i]))
			metrics->tasks[creations[i].task].n_creators++;
	}
}

static void add_executions(struct metrics_task *task, const struct profile_tree_node *context)
{
	task->n_executed = add_saturated(task->n_executed, context->n);
	task->n_stolen = add_saturated(task->n_stolen, context->n_stolen);
	task->busy_ns = add_saturated(task->busy_ns, context->time_ns);
	if (context->longest_ns > task->max_ns)
		task->max_ns = context->longest_ns;
}

static void add_up(struct metrics_work *work, const uint32_t *task_of, struct creation *creations)
{
	const struct profile *profile = work->profile;
	struct metrics *metrics = work->metrics;
	size_t n = 0;

	for (uint32_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];
		uint32_t task;

		if (node->kind == PROFILE_NODE_TASK && node->n) {
			task = task_of[work->tree->place[i]];
			metrics->tasks[task].n_created += node->n;
			creations[n++] = (struct creation){ task, node->owner };
		} else if (node->kind == PROFILE_NODE_CONTEXT && node->context != METRICS_NONE &&
			   profile->nodes[node->context].kind == PROFILE_NODE_TASK) {
			task = task_of[work->tree->place[node->context]];
			add_executions(&metrics->tasks[task], node);
			if (node->n_created)
				creations[n++] = (struct creation){ task, node->owner };
		}
	}
	count_creators(metrics, creations, n);
}

static void share_starvation(struct metrics_work *work, struct scale_blame_shares *shares)
{
	struct metrics *metrics = work->metrics;

	for (size_t i = 0; i < metrics->n_regions; i++)
		shares[i] = (struct scale_blame_shares){
			.total = metrics->regions[i].cause_ns[METRICS_TASK],
			.whole = metrics->regions[i].n_tasks,
		};
	for (size_t i = 0; i < metrics->n_tasks; i++) {
		uint32_t region = work->region_of[metrics->tasks[i].node];

		if (region != METRICS_NONE)
			metrics->tasks[i].starved_ns =
				scale_blame_share(&shares[region], metrics->tasks[i].n_created);
	}
}

int metrics_by_created(const void *left, const void *right)
{
	const struct metrics_task *a = left, *b = right;

	if (a->n_created != b->n_created)
		return a->n_created > b->n_created ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/* The context node directly above a leaf if it is of a task; else NULL. */
static const struct profile_tree_node *task_context(
	const struct profile *profile, const struct profile_tree_node *leaf)
{
	const struct profile_tree_node *parent =
		leaf->parent == METRICS_NONE ? NULL : &profile->nodes[leaf->parent];

	return parent && parent->kind == PROFILE_NODE_CONTEXT && parent->context != METRICS_NONE &&
			       profile->nodes[parent->context].kind == PROFILE_NODE_TASK
		       ? parent
		       : NULL;
}

static void add_status(struct metrics_task *task, const struct profile_tree_node *leaf)
{
	uint64_t *counts[] = { [3] = &task->n_cancelled, /* by ompt_task_status_t */
		[4] = &task->n_detached,
		[5] = NULL,
		[6] = &task->n_fulfilled };
	uint64_t *count = leaf->addr < 7 ? counts[leaf->addr] : NULL;

	if (count)
		*count = add_saturated(*count, leaf->n_events);
}

static void add_await(struct metrics_work *work, struct metrics_task *task, uint32_t node,
	const struct profile_tree_node *leaf)
{
	struct metrics *metrics = work->metrics;

	task->n_awaiting = add_saturated(task->n_awaiting, leaf->n_events);
	task->await_ns = add_saturated(task->await_ns, leaf->time_ns);
	metrics->awaits[metrics->n_awaits++] = (struct metrics_await){
		.task = node,
		.awaited = work->tree->place[leaf->context],
		.n = leaf->n_events,
		.wait_ns = leaf->time_ns,
		.max_ns = leaf->longest_ns,
	};
}

int metrics_by_sites(const void *left, const void *right)
{
	const struct metrics_await *a = left, *b = right;

	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return (a->awaited > b->awaited) - (a->awaited < b->awaited);
}

int metrics_by_wait(const void *left, const void *right)
{
	const struct metrics_await *a = left, *b = right;

	if (a->wait_ns != b->wait_ns)
		return a->wait_ns > b->wait_ns ? -1 : 1;
	return metrics_by_sites(left, right);
}

void metrics_await_add(struct metrics_await *to, const struct metrics_await *from)
{
	to->n = add_saturated(to->n, from->n);
	to->wait_ns = add_saturated(to->wait_ns, from->wait_ns);
	if (from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
}

/* Makes one entry of each pair of sites, for all threads; the longest wait comes first. */
static void merge(struct metrics *metrics)
{
	size_t n = 0;

	qsort(metrics->awaits, metrics->n_awaits, sizeof(*metrics->awaits), metrics_by_sites);
	for (size_t i = 0; i < metrics->n_awaits; i++) {
		if (n && !metrics_by_sites(&metrics->awaits[n - 1], &metrics->awaits[i]))
			metrics_await_add(&metrics->awaits[n - 1], &metrics->awaits[i]);
		else
			metrics->awaits[n++] = metrics->awaits[i];
	}
	metrics->n_awaits = n;
	qsort(metrics->awaits, n, sizeof(*metrics->awaits), metrics_by_wait);
}

/* Adds the time that others waited while a task was executed whose end tasks waited for. */
static int add_blame(struct metrics_work *work, const uint32_t *task_of)
{
	const struct tree *tree = work->tree;
	const struct blame_scale *blame_scale = &work->tree->blame_scale;
	uint32_t *within = malloc((tree->n_nodes + 1) * sizeof(*within)); /* the innermost task */

	if (!within)
		return -1;
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		within[i] = i ? within[tree->nodes[i].parent] : METRICS_NONE;
		if (tree->nodes[i].kind == TREE_TASK)
			within[i] = i;
	}
	for (size_t p = 0; p < blame_scale->n_pools; p++) {
		const struct scale_blame_pool *pool = &blame_scale->pools[p];

		for (size_t i = pool->first; i < pool->first + pool->n_entries; i++) {
			const struct scale_blame_entry *entry = &blame_scale->entries[i];
			uint32_t task = within[tree->place[entry->node]];
			uint64_t *sum;

			if (!entry->is_blame || !(work->profile->nodes[entry->node].flags &
							PROFILE_BLAME_DEPENDENCE))
				continue;
			if (task != METRICS_NONE) {
				sum = &work->metrics->tasks[task_of[task]].blocked_ns;
				*sum = add_saturated(*sum, entry->ns);
			}
			if (pool->region != METRICS_NONE) {
				sum = &work->metrics->regions[work->region_of[pool->region]]
					       .dependence_ns;
				*sum = add_saturated(*sum, entry->ns);
			}
		}
	}
	free(within);
	return 0;
}

static int add_dependences(struct metrics_work *work, const uint32_t *task_of)
{
	const struct profile *profile = work->profile;
	size_t n = 1;

	for (size_t i = 0; i < profile->n_nodes; i++)
		n += profile->nodes[i].kind == PROFILE_NODE_EVENT &&
		     profile->nodes[i].event == PROFILE_EVENT_AWAITED_TASK;
	work->metrics->awaits = calloc(n, sizeof(*work->metrics->awaits));
	if (!work->metrics->awaits)
		return -1;
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *leaf = &profile->nodes[i];
		const struct profile_tree_node *context =
			leaf->kind == PROFILE_NODE_EVENT ? task_context(profile, leaf) : NULL;
		uint32_t node;

		if (!context)
			continue;
		node = work->tree->place[context->context];
		if (leaf->event == PROFILE_EVENT_TASK_STATUS)
			add_status(&work->metrics->tasks[task_of[node]], leaf);
		else if (leaf->event == PROFILE_EVENT_AWAITED_TASK && leaf->context != METRICS_NONE)
			add_await(work, &work->metrics->tasks[task_of[node]], node, leaf);
	}
	merge(work->metrics);
	return add_blame(work, task_of);
}

int metrics_make_tasks(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;
	const struct tree *tree = work->tree;
	uint32_t *task_of = calloc(tree->n_nodes + 1, sizeof(*task_of));
	struct creation *creations = calloc(work->profile->n_nodes + 1, sizeof(*creations));
	struct scale_blame_shares *shares = calloc(metrics->n_regions + 1, sizeof(*shares));
	int status = -1;

	metrics->tasks = calloc(tree->n_nodes + 1, sizeof(*metrics->tasks));
	if (!task_of || !creations || !shares || !metrics->tasks)
		goto out;
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		if (tree->nodes[i].kind != TREE_TASK)
			continue;
		task_of[i] = (uint32_t)metrics->n_tasks;
		metrics->tasks[metrics->n_tasks++].node = i;
	}
	add_up(work, task_of, creations);
	share_starvation(work, shares);
	if (add_dependences(work, task_of))
		goto out;
	qsort(metrics->tasks, metrics->n_tasks, sizeof(*metrics->tasks), metrics_by_created);
	status = 0;
out:
	free(task_of);
	free(creations);
	free(shares);
	return status;
}
