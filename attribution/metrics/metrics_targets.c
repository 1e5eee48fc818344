/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target constructs by the place in the tree that encounters them, and devices: from the events of
 * the host and from the traces of devices.
 */
#include <stdlib.h>
#include <string.h>

#include "attribution/metrics/metrics_internal.h"

/* Sorts after all other devices. */
#define ANY_DEVICE INT32_MAX

int metrics_by_target(const void *left, const void *right)
{
	const struct metrics_target *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

int metrics_by_time(const void *left, const void *right)
{
	const struct metrics_target *a = left, *b = right;

	if (a->whole.time_ns != b->whole.time_ns)
		return a->whole.time_ns > b->whole.time_ns ? -1 : 1;
	return metrics_by_target(left, right);
}

int metrics_by_device(const void *left, const void *right)
{
	const struct metrics_device *a = left, *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

static void ops_add(struct metrics_ops *to, const struct metrics_ops *from)
{
	to->n = add_saturated(to->n, from->n);
	to->amount = add_saturated(to->amount, from->amount);
	to->time_ns = add_saturated(to->time_ns, from->time_ns);
	if (from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
}

static void trace_add(struct metrics_device *to, const struct metrics_device *from)
{
	to->flags |= from->flags;
	to->traced_ns = add_saturated(to->traced_ns, from->traced_ns);
	to->busy_ns = add_saturated(to->busy_ns, from->busy_ns);
	to->n_records = add_saturated(to->n_records, from->n_records);
	for (size_t i = 0; i < PROFILE_TRACE_N_LOSSES; i++)
		to->lost[i] = add_saturated(to->lost[i], from->lost[i]);
	for (size_t i = 0; i < METRICS_N_TRACED; i++)
		ops_add(&to->traced[i], &from->traced[i]);
	if (to->n_procs < from->n_procs)
		to->n_procs = from->n_procs;
	if (!to->type[0])
		memcpy(to->type, from->type, sizeof(to->type));
}

void metrics_target_add(struct metrics_target *to, const struct metrics_target *from)
{
	to->data_wait_ns = add_saturated(to->data_wait_ns, from->data_wait_ns);
	to->kernel_wait_ns = add_saturated(to->kernel_wait_ns, from->kernel_wait_ns);
	ops_add(&to->whole, &from->whole);
	for (size_t i = 0; i < METRICS_N_OPS; i++)
		ops_add(&to->ops[i], &from->ops[i]);
	for (size_t i = 0; i < METRICS_N_TRACED; i++)
		ops_add(&to->traced[i], &from->traced[i]);
}

void metrics_device_add(struct metrics_device *to, const struct metrics_device *from)
{
	to->n_initialized = add_saturated(to->n_initialized, from->n_initialized);
	to->n_finalized = add_saturated(to->n_finalized, from->n_finalized);
	to->n_loaded = add_saturated(to->n_loaded, from->n_loaded);
	to->n_unloaded = add_saturated(to->n_unloaded, from->n_unloaded);
	to->loaded_bytes = add_saturated(to->loaded_bytes, from->loaded_bytes);
	trace_add(to, from);
}

struct metrics_ops metrics_target_transfers(const struct metrics_target *target)
{
	struct metrics_ops both = target->ops[METRICS_OP_TO];

	ops_add(&both, &target->ops[METRICS_OP_FROM]);
	return both;
}

uint64_t metrics_target_wait(const struct metrics_target *target)
{
	return add_saturated(target->data_wait_ns, target->kernel_wait_ns);
}

static int is_of_target(const struct profile_tree_node *node)
{
	return node->kind == PROFILE_NODE_EVENT && node->event >= PROFILE_EVENT_TARGET &&
	       node->event <= PROFILE_EVENT_KERNEL;
}

/* Whether the node is of a device's own records in a target construct. */
static int is_traced(const struct profile_tree_node *node)
{
	return node->kind == PROFILE_NODE_EVENT && node->event >= PROFILE_DEVICE_KERNEL &&
	       node->event <= PROFILE_DEVICE_QUEUE;
}

static int is_of_device(const struct profile_tree_node *node)
{
	return node->kind == PROFILE_NODE_EVENT && node->event >= PROFILE_EVENT_DEVICE_INITIALIZE &&
	       node->event <= PROFILE_EVENT_DEVICE_UNLOAD;
}

/* The figures of a leaf in a target construct. */
static struct metrics_target target_of(
	const struct metrics_work *work, uint32_t i, const struct profile_tree_node *node)
{
	struct metrics_target target = {
		.node = work->tree->place[i],
		.device = (int32_t)(uint32_t)node->addr,
	};
	struct metrics_ops ops = { node->n_events, node->events, node->time_ns, node->longest_ns };

	if (node->event == PROFILE_EVENT_TARGET)
		target.whole = ops;
	else if (is_traced(node))
		target.traced[node->event - PROFILE_DEVICE_KERNEL] = ops;
	else
		target.ops[node->event - PROFILE_EVENT_DATA_TO] = ops;
	return target;
}

static int is_wait(const struct profile_tree_node *node)
{
	return node->kind == PROFILE_NODE_WAIT && profile_is_device(node->wait);
}

/* The wait at a target construct, of no particular device yet. */
static struct metrics_target wait_of(
	const struct metrics_work *work, uint32_t i, const struct profile_tree_node *node)
{
	struct metrics_target target = {
		.node = metrics_holder(work->tree, work->tree->place[i]),
		.device = ANY_DEVICE,
	};

	if (node->wait == PROFILE_TARGET_DATA)
		target.data_wait_ns = node->time_ns;
	else
		target.kernel_wait_ns = node->time_ns;
	return target;
}

static struct metrics_device device_of(const struct profile_tree_node *node)
{
	struct metrics_device device = { .number = (int32_t)(uint32_t)node->addr };

	if (node->event == PROFILE_EVENT_DEVICE_INITIALIZE)
		device.n_initialized = node->n_events;
	else if (node->event == PROFILE_EVENT_DEVICE_FINALIZE)
		device.n_finalized = node->n_events;
	else if (node->event == PROFILE_EVENT_DEVICE_UNLOAD)
		device.n_unloaded = node->n_events;
	else
		device.n_loaded = node->n_events;
	device.loaded_bytes = node->events;
	return device;
}

static void add_target(struct metrics_work *work, const struct metrics_target *target)
{
	struct metrics *metrics = work->metrics;

	if (work->tree->nodes[target->node].kind == TREE_TARGET)
		metrics->targets[metrics->n_targets++] = *target;
}

/*
 * Makes an entry of each node that is an event of a device, part of a target construct, or a wait
 * at a target construct. Most nodes are none of these.
 */
static void collect(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;

	for (uint32_t i = 0; i < work->profile->n_nodes; i++) {
		const struct profile_tree_node *node = &work->profile->nodes[i];
		struct metrics_target target;

		if (is_of_device(node)) {
			metrics->devices[metrics->n_devices++] = device_of(node);
		} else if (is_of_target(node) || is_traced(node)) {
			target = target_of(work, i, node);
			add_target(work, &target);
		} else if (is_wait(node)) {
			target = wait_of(work, i, node);
			add_target(work, &target);
		}
	}
}

/* Adds an entry for each target construct whose node has none, since no event of it ended. */
static void add_open(struct metrics_work *work, uint8_t *has_target)
{
	struct metrics *metrics = work->metrics;

	for (size_t i = 0; i < metrics->n_targets; i++)
		has_target[metrics->targets[i].node] = 1;
	for (uint32_t i = 0; i < work->tree->n_nodes; i++) {
		if (work->tree->nodes[i].kind == TREE_TARGET && !has_target[i])
			metrics->targets[metrics->n_targets++] =
				(struct metrics_target){ .node = i, .device = PROFILE_NO_DEVICE };
	}
}

/* Whether two entries are joined. An entry of ANY_DEVICE joins the last device at its place. */
static int is_same(const struct metrics_target *one, const struct metrics_target *two)
{
	return one->node == two->node && (one->device == two->device || two->device == ANY_DEVICE);
}

static void merge_targets(struct metrics *metrics)
{
	size_t n = 0;

	qsort(metrics->targets, metrics->n_targets, sizeof(*metrics->targets), metrics_by_target);
	for (size_t i = 0; i < metrics->n_targets; i++) {
		if (n && is_same(&metrics->targets[n - 1], &metrics->targets[i]))
			metrics_target_add(&metrics->targets[n - 1], &metrics->targets[i]);
		else
			metrics->targets[n++] = metrics->targets[i];
	}
	for (size_t i = 0; i < n; i++) {
		if (metrics->targets[i].device == ANY_DEVICE)
			metrics->targets[i].device = PROFILE_NO_DEVICE;
	}
	metrics->n_targets = n;
	qsort(metrics->targets, n, sizeof(*metrics->targets), metrics_by_time);
}

static void merge_devices(struct metrics *metrics)
{
	size_t n = 0;

	qsort(metrics->devices, metrics->n_devices, sizeof(*metrics->devices), metrics_by_device);
	for (size_t i = 0; i < metrics->n_devices; i++) {
		if (n && metrics_by_device(&metrics->devices[n - 1], &metrics->devices[i]) == 0)
			metrics_device_add(&metrics->devices[n - 1], &metrics->devices[i]);
		else
			metrics->devices[n++] = metrics->devices[i];
	}
	metrics->n_devices = n;
}

_Static_assert(METRICS_N_TRACED == PROFILE_N_EVENTS - PROFILE_DEVICE_KERNEL, "a row for each");

static struct metrics_device of_trace(const struct profile_device *trace)
{
	struct metrics_device device = {
		.number = trace->number,
		.flags = trace->flags,
		.n_procs = trace->n_procs,
		.traced_ns = trace->traced,
		.busy_ns = trace->busy,
		.n_records = trace->n_records,
	};

	for (size_t i = 0; i < METRICS_N_TRACED; i++)
		device.traced[i] = (struct metrics_ops){ trace->ops[i].n, trace->ops[i].bytes,
			trace->ops[i].time, trace->ops[i].longest };
	memcpy(device.lost, trace->lost, sizeof(device.lost));
	/* A longer name is truncated. */
	memcpy(device.type, trace->type, sizeof(device.type) - 1);
	return device;
}

/* work->metrics->devices has room. */
static void collect_traces(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;

	for (size_t i = 0; i < work->profile->n_devices; i++)
		metrics->devices[metrics->n_devices++] = of_trace(&work->profile->devices[i]);
}

int metrics_make_targets(struct metrics_work *work)
{
	const struct profile *profile = work->profile;
	struct metrics *metrics = work->metrics;
	uint8_t *has_target = calloc(work->tree->n_nodes + 1, 1);
	size_t n_targets = 0, n_devices = 0;

	for (size_t i = 0; i < profile->n_nodes; i++) {
		n_targets +=
			(size_t)(is_of_target(&profile->nodes[i]) || is_wait(&profile->nodes[i]) ||
				 is_traced(&profile->nodes[i]) ||
				 profile->nodes[i].kind == PROFILE_NODE_TARGET);
		n_devices += (size_t)is_of_device(&profile->nodes[i]);
	}
	metrics->targets = calloc(n_targets + 1, sizeof(*metrics->targets));
	metrics->devices = calloc(n_devices + profile->n_devices + 1, sizeof(*metrics->devices));
	if (has_target && metrics->targets && metrics->devices) {
		collect(work);
		collect_traces(work);
		add_open(work, has_target);
		merge_targets(metrics);
		merge_devices(metrics);
	}
	free(has_target);
	return has_target && metrics->targets && metrics->devices ? 0 : -1;
}
