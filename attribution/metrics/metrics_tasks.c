/* SPDX-License-Identifier: Apache-2.0 */
/* Explicit tasks by place, which of them waited for which, and what waited because of that. */
#include <stdlib.h>

#include "attribution/metrics/metrics_internal.h"

/* The thread created tasks at the site, an index into metrics.tasks. */
static struct metrics_blame creation(uint32_t site, uint32_t thread)
{
	return (struct metrics_blame){ .node = site, .thread = thread };
}

static void add_executions(struct metrics_task *task, const struct profile_tree_node *context)
{
	metrics_add(&task->n_executed, context->n);
	metrics_add(&task->n_stolen, context->n_stolen);
	metrics_add(&task->busy_ns, context->time_ns);
	if (context->flags & PROFILE_UNSEEN)
		metrics_add(&task->unseen_ns, context->time_ns);
	metrics_raise(&task->max_ns, context->longest_ns);
}

static void add_up(struct metrics_work *work, const uint32_t *task_of)
{
	const struct profile *profile = work->profile;
	struct metrics *metrics = work->metrics;
	struct metrics_blame *creations = work->scratch;
	size_t n = 0;

	for (uint32_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];
		uint32_t task;

		if (node->kind == PROFILE_NODE_TASK && node->n) {
			task = task_of[work->tree->place[i]];
			metrics->tasks[task].n_created += node->n;
			creations[n++] = creation(task, node->owner);
		} else if (node->kind == PROFILE_NODE_CONTEXT && node->context != METRICS_NONE &&
			   profile->nodes[node->context].kind == PROFILE_NODE_TASK) {
			task = task_of[work->tree->place[node->context]];
			add_executions(&metrics->tasks[task], node);
			if (node->n_created)
				creations[n++] = creation(task, node->owner);
		}
	}
	n = metrics_fold(creations, n, &metrics_blames);
	for (size_t i = 0; i < n; i++)
		metrics->tasks[creations[i].node].n_creators++;
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

	return a->n_created != b->n_created ? metrics_order(b->n_created, a->n_created)
					    : metrics_order(a->node, b->node);
}

static int by_site(const void *left, const void *right)
{
	const struct metrics_task *a = left, *b = right;

	return metrics_order(a->node, b->node);
}

static void add_task(void *to, const void *from)
{
	metrics_task_add(to, from);
}

const struct metrics_kind metrics_tasks = { sizeof(struct metrics_task), by_site, add_task,
	metrics_by_created };

/* The CONTEXT node of a task directly above the leaf, or NULL. */
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
		metrics_add(count, leaf->n_events);
}

static void add_await(struct metrics_work *work, struct metrics_task *task, uint32_t node,
	const struct profile_tree_node *leaf)
{
	struct metrics *metrics = work->metrics;

	metrics_add(&task->n_awaiting, leaf->n_events);
	metrics_add(&task->await_ns, leaf->time_ns);
	metrics->awaits[metrics->n_awaits++] = (struct metrics_await){
		.task = node,
		.awaited = work->tree->place[leaf->context],
		.n = leaf->n_events,
		.wait_ns = leaf->time_ns,
		.max_ns = leaf->longest_ns,
	};
}

static int by_sites(const void *left, const void *right)
{
	const struct metrics_await *a = left, *b = right;

	return a->task != b->task ? metrics_order(a->task, b->task)
				  : metrics_order(a->awaited, b->awaited);
}

static int by_wait(const void *left, const void *right)
{
	const struct metrics_await *a = left, *b = right;

	return a->wait_ns != b->wait_ns ? metrics_order(b->wait_ns, a->wait_ns) : by_sites(a, b);
}

void metrics_await_add(struct metrics_await *to, const struct metrics_await *from)
{
	metrics_add(&to->n, from->n);
	metrics_add(&to->wait_ns, from->wait_ns);
	metrics_raise(&to->max_ns, from->max_ns);
}

static void add_same_sites(void *to, const void *from)
{
	metrics_await_add(to, from);
}

const struct metrics_kind metrics_awaits = { sizeof(struct metrics_await), by_sites, add_same_sites,
	by_wait };

static void add_blame_of(struct metrics_work *work, const struct scale_blame_pool *pool,
	const struct scale_blame_entry *entry, const uint32_t *within, const uint32_t *task_of)
{
	uint32_t task = within[work->tree->place[entry->node]];

	if (!entry->is_blame || entry->has_no_cpu ||
		!(work->profile->nodes[entry->node].flags & PROFILE_BLAME_DEPENDENCE))
		return;
	if (task != METRICS_NONE)
		metrics_add(&work->metrics->tasks[task_of[task]].blocked_ns, entry->ns);
	if (pool->region != METRICS_NONE)
		metrics_add(&work->metrics->regions[work->region_of[pool->region]].dependence_ns,
			entry->ns);
}

/* Adds the waiting while a task was executed that others waited for. Returns 0, or -1. */
static int add_blame(struct metrics_work *work, const uint32_t *task_of)
{
	const struct tree *tree = work->tree;
	const struct blame_scale *scale = &tree->blame_scale;
	uint32_t *within = malloc((tree->n_nodes + 1) * sizeof(*within)); /* the innermost task */

	if (!within)
		return -1;
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		within[i] = i ? within[tree->nodes[i].parent] : METRICS_NONE;
		if (tree->nodes[i].kind == TREE_TASK)
			within[i] = i;
	}
	for (size_t p = 0; p < scale->n_pools; p++)
		for (size_t i = 0; i < scale->pools[p].n_entries; i++)
			add_blame_of(work, &scale->pools[p],
				&scale->entries[scale->pools[p].first + i], within, task_of);
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
	work->metrics->n_awaits =
		metrics_fold(work->metrics->awaits, work->metrics->n_awaits, &metrics_awaits);
	qsort(work->metrics->awaits, work->metrics->n_awaits, sizeof(*work->metrics->awaits),
		by_wait);
	return add_blame(work, task_of);
}

int metrics_make_tasks(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;
	const struct tree *tree = work->tree;
	uint32_t *task_of = calloc(tree->n_nodes + 1, sizeof(*task_of));
	struct scale_blame_shares *shares = calloc(metrics->n_regions + 1, sizeof(*shares));
	int status = -1;

	metrics->tasks = calloc(tree->n_nodes + 1, sizeof(*metrics->tasks));
	if (!task_of || !shares || !metrics->tasks)
		goto out;
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		if (tree->nodes[i].kind != TREE_TASK)
			continue;
		task_of[i] = (uint32_t)metrics->n_tasks;
		metrics->tasks[metrics->n_tasks++].node = i;
	}
	add_up(work, task_of);
	share_starvation(work, shares);
	if (add_dependences(work, task_of))
		goto out;
	qsort(metrics->tasks, metrics->n_tasks, sizeof(*metrics->tasks), metrics_by_created);
	status = 0;
out:
	free(task_of);
	free(shares);
	return status;
}
