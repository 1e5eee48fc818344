/* SPDX-License-Identifier: Apache-2.0 */
/* Explicit tasks by the place in the tree that creates them. */
#include <stdlib.h>

#include "attribution/metrics/metrics_internal.h"

/* That a thread created tasks at a place. */
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
	task->n_executed = settle_add(task->n_executed, context->n);
	task->n_stolen = settle_add(task->n_stolen, context->n_stolen);
	task->busy_ns = settle_add(task->busy_ns, context->time_ns);
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

static void share_starvation(struct metrics_work *work, struct settle_shares *shares)
{
	struct metrics *metrics = work->metrics;

	for (size_t i = 0; i < metrics->n_regions; i++)
		shares[i] = (struct settle_shares){
			.total = metrics->regions[i].cause_ns[METRICS_TASK],
			.whole = metrics->regions[i].n_tasks,
		};
	for (size_t i = 0; i < metrics->n_tasks; i++) {
		uint32_t region = work->region_of[metrics->tasks[i].node];

		if (region != METRICS_NONE)
			metrics->tasks[i].starved_ns =
				settle_share(&shares[region], metrics->tasks[i].n_created);
	}
}

int metrics_by_created(const void *left, const void *right)
{
	const struct metrics_task *a = left, *b = right;

	if (a->n_created != b->n_created)
		return a->n_created > b->n_created ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

int metrics_make_tasks(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;
	const struct tree *tree = work->tree;
	uint32_t *task_of = calloc(tree->n_nodes + 1, sizeof(*task_of));
	struct creation *creations = calloc(work->profile->n_nodes + 1, sizeof(*creations));
	struct settle_shares *shares = calloc(metrics->n_regions + 1, sizeof(*shares));
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
	if (metrics_add_dependences(work, task_of))
		goto out;
	qsort(metrics->tasks, metrics->n_tasks, sizeof(*metrics->tasks), metrics_by_created);
	status = 0;
out:
	free(task_of);
	free(creations);
	free(shares);
	return status;
}
