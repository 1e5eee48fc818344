/* SPDX-License-Identifier: Apache-2.0 */
/* Target constructs by place, and devices: from the host's events, and what devices recorded. */
#include <stdlib.h>
#include <string.h>

#include "attribution/metrics/metrics_internal.h"

/* Sorts after all other devices. */
#define ANY_DEVICE INT32_MAX

static int by_target(const void *left, const void *right)
{
	const struct metrics_target *a = left, *b = right;

	if (a->node != b->node)
		return metrics_order(a->node, b->node);
	return (a->device > b->device) - (a->device < b->device);
}

static int by_time(const void *left, const void *right)
{
	const struct metrics_target *a = left, *b = right;

	return a->whole.time_ns != b->whole.time_ns
		       ? metrics_order(b->whole.time_ns, a->whole.time_ns)
		       : by_target(a, b);
}

static int by_device(const void *left, const void *right)
{
	const struct metrics_device *a = left, *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

static void ops_add(struct metrics_ops *to, const struct metrics_ops *from)
{
	metrics_add(&to->n, from->n);
	metrics_add(&to->amount, from->amount);
	metrics_add(&to->time_ns, from->time_ns);
	metrics_raise(&to->max_ns, from->max_ns);
}

void metrics_target_add(struct metrics_target *to, const struct metrics_target *from)
{
	metrics_add(&to->data_wait_ns, from->data_wait_ns);
	metrics_add(&to->kernel_wait_ns, from->kernel_wait_ns);
	ops_add(&to->whole, &from->whole);
	for (size_t i = 0; i < METRICS_N_OPS; i++)
		ops_add(&to->ops[i], &from->ops[i]);
	for (size_t i = 0; i < METRICS_N_TRACED; i++)
		ops_add(&to->traced[i], &from->traced[i]);
}

static void add_target(void *to, const void *from)
{
	metrics_target_add(to, from);
}

static void add_device(void *left, const void *right)
{
	struct metrics_device *to = left;
	const struct metrics_device *from = right;

	metrics_add(&to->n_initialized, from->n_initialized);
	metrics_add(&to->n_finalized, from->n_finalized);
	metrics_add(&to->n_loaded, from->n_loaded);
	metrics_add(&to->n_unloaded, from->n_unloaded);
	metrics_add(&to->loaded_bytes, from->loaded_bytes);
	to->flags |= from->flags;
	metrics_add(&to->traced_ns, from->traced_ns);
	metrics_add(&to->busy_ns, from->busy_ns);
	metrics_add(&to->n_records, from->n_records);
	for (size_t i = 0; i < PROFILE_TRACE_N_LOSSES; i++)
		metrics_add(&to->lost[i], from->lost[i]);
	for (size_t i = 0; i < METRICS_N_TRACED; i++)
		ops_add(&to->traced[i], &from->traced[i]);
	if (to->n_procs < from->n_procs)
		to->n_procs = from->n_procs;
	if (!to->type[0])
		memcpy(to->type, from->type, sizeof(to->type));
}

const struct metrics_kind metrics_targets = { sizeof(struct metrics_target), by_target, add_target,
	by_time };
const struct metrics_kind metrics_devices = { sizeof(struct metrics_device), by_device, add_device,
	by_device };

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

static int is_event(const struct profile_tree_node *node, uint8_t first, uint8_t last)
{
	return node->kind == PROFILE_NODE_EVENT && node->event >= first && node->event <= last;
}

static int is_of_target(const struct profile_tree_node *node)
{
	return is_event(node, PROFILE_EVENT_TARGET, PROFILE_EVENT_KERNEL);
}

/* Whether the node has a device's own records in a target construct. */
static int is_traced(const struct profile_tree_node *node)
{
	return is_event(node, PROFILE_DEVICE_KERNEL, PROFILE_DEVICE_QUEUE);
}

static int is_of_device(const struct profile_tree_node *node)
{
	return is_event(node, PROFILE_EVENT_DEVICE_INITIALIZE, PROFILE_EVENT_DEVICE_UNLOAD);
}

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

/* A wait at a target construct, of no particular device yet. */
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

static void append_target(struct metrics_work *work, struct metrics_target target)
{
	struct metrics *metrics = work->metrics;

	if (work->tree->nodes[target.node].kind == TREE_TARGET)
		metrics->targets[metrics->n_targets++] = target;
}

/* Makes an entry of each event of a device, and of each leaf or wait of a target construct. */
static void collect(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;

	for (uint32_t i = 0; i < work->profile->n_nodes; i++) {
		const struct profile_tree_node *node = &work->profile->nodes[i];

		if (is_of_device(node))
			metrics->devices[metrics->n_devices++] = device_of(node);
		else if (is_of_target(node) || is_traced(node))
			append_target(work, target_of(work, i, node));
		else if (is_wait(node))
			append_target(work, wait_of(work, i, node));
	}
}

/* Adds an entry for each target construct without an entry: no event of it ended. */
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

/* Adds an entry of ANY_DEVICE to the last device at its place, if there is a device. */
static void merge_targets(struct metrics *metrics)
{
	struct metrics_target *targets = metrics->targets;
	size_t n = metrics_fold(targets, metrics->n_targets, &metrics_targets), n_left = 0;

	for (size_t i = 0; i < n; i++) {
		if (targets[i].device == ANY_DEVICE && n_left &&
			targets[n_left - 1].node == targets[i].node) {
			metrics_target_add(&targets[n_left - 1], &targets[i]);
			continue;
		}
		targets[n_left] = targets[i];
		if (targets[n_left].device == ANY_DEVICE)
			targets[n_left].device = PROFILE_NO_DEVICE;
		n_left++;
	}
	metrics->n_targets = n_left;
	qsort(targets, n_left, sizeof(*targets), by_time);
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
	memcpy(device.type, trace->type, sizeof(device.type) - 1);
	return device;
}

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
		metrics->n_devices =
			metrics_fold(metrics->devices, metrics->n_devices, &metrics_devices);
	}
	free(has_target);
	return has_target && metrics->targets && metrics->devices ? 0 : -1;
}
