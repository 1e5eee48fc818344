/* SPDX-License-Identifier: Apache-2.0 */
/* Target constructs and devices as JSON; see view_json_targets.h. */
#include "src/views/view_json_targets.h"

#include "src/views/view_json_figures_internal.h"

static const char *const op_keys[METRICS_N_OPS] = {
	[METRICS_OP_TO] = "to",
	[METRICS_OP_FROM] = "from",
	[METRICS_OP_ALLOC] = "alloc",
	[METRICS_OP_DELETE] = "delete",
	[METRICS_OP_ASSOCIATE] = "associate",
	[METRICS_OP_DISASSOCIATE] = "disassociate",
	[METRICS_OP_OTHER] = "other",
	[METRICS_OP_MAP] = "map",
	[METRICS_OP_KERNEL] = "kernel",
};

static void put_ops(struct json *json, const struct metrics_target *sum, enum metrics_op op)
{
	const struct metrics_ops *ops = &sum->ops[op];

	json_object(json, op_keys[op]);
	json_number(json, "count", ops->n);
	json_number(json, op == METRICS_OP_KERNEL ? "teams" : "bytes", ops->amount);
	json_seconds(json, "time_s", ops->time_ns);
	json_seconds(json, "max_s", ops->max_ns);
	/* Bytes in ns are as many GB in a second. */
	if (op <= METRICS_OP_FROM)
		json_share(json, "gb_per_s", ops->amount, ops->time_ns);
	json_end_object(json);
}

static void put_all_ops(struct json *json, const struct metrics_target *sum)
{
	for (size_t i = 0; i < METRICS_N_OPS; i++)
		put_ops(json, sum, (enum metrics_op)i);
}

static const char *const traced_keys[METRICS_N_TRACED] = {
	[METRICS_TRACED_KERNEL] = "kernel",
	[METRICS_TRACED_TO] = "to",
	[METRICS_TRACED_FROM] = "from",
	[METRICS_TRACED_DATA] = "data",
	[METRICS_TRACED_NATIVE] = "native",
	[METRICS_TRACED_QUEUE] = "queue",
};

/* What a device recorded itself; nothing where it recorded nothing. */
static void put_traced(struct json *json, const struct metrics_ops *traced)
{
	uint64_t n = 0;

	for (size_t i = 0; i < METRICS_N_TRACED; i++)
		n += traced[i].n != 0;
	if (!n)
		return;
	json_object(json, "on_device");
	for (size_t i = 0; i < METRICS_N_TRACED; i++) {
		int is_transfer = i == METRICS_TRACED_TO || i == METRICS_TRACED_FROM;

		if (!traced[i].n)
			continue;
		json_object(json, traced_keys[i]);
		json_number(json, "count", traced[i].n);
		if (is_transfer || i == METRICS_TRACED_DATA)
			json_number(json, "bytes", traced[i].amount);
		json_seconds(json, "time_s", traced[i].time_ns);
		json_seconds(json, "max_s", traced[i].max_ns);
		if (is_transfer)
			json_share(json, "gb_per_s", traced[i].amount, traced[i].time_ns);
		json_end_object(json);
	}
	json_end_object(json);
}

/* What is known of its trace; nothing of a device without one. */
static void put_trace(struct json *json, const struct metrics_device *device)
{
	static const char *const losses[PROFILE_TRACE_N_LOSSES] = {
		[PROFILE_TRACE_UNKNOWN] = "unknown",
		[PROFILE_TRACE_SHORT] = "short",
		[PROFILE_TRACE_CURSOR] = "cursor",
		[PROFILE_TRACE_TIMES] = "times",
		[PROFILE_TRACE_LATE] = "late",
		[PROFILE_TRACE_FOREIGN] = "foreign",
		[PROFILE_TRACE_UNMATCHED] = "unmatched",
		[PROFILE_TRACE_DECLINED] = "declined",
	};

	if (device->type[0])
		json_string(json, "type", device->type);
	if (!(device->flags & PROFILE_DEVICE_TRACED))
		return;
	json_number(json, "processors", device->n_procs);
	json_seconds(json, "traced_s", device->traced_ns);
	json_seconds(json, "busy_s", device->busy_ns);
	json_number(json, "records", device->n_records);
	json_object(json, "lost");
	for (size_t i = 0; i < PROFILE_TRACE_N_LOSSES; i++)
		if (device->lost[i])
			json_number(json, losses[i], device->lost[i]);
	json_end_object(json);
	put_traced(json, device->traced);
}

static void put_device_number(struct json *json, const char *key, int32_t device)
{
	if (device == PROFILE_NO_DEVICE)
		json_null(json, key);
	else
		json_integer(json, key, device);
}

static void put_target(
	struct json *json, const struct report *report, const struct figures_target *target)
{
	const struct metrics_target *sum = &target->sum;

	json_newline(json);
	json_object(json, NULL);
	view_json_node(json, report_node(report, sum->node));
	json_string(json, "name", target->label->name);
	json_string(json, "file", target->label->file);
	json_number(json, "line", target->label->line);
	json_string(json, "function", target->label->function);
	put_device_number(json, "device", sum->device);
	json_number(json, "executions", sum->whole.n);
	json_seconds(json, "time_s", sum->whole.time_ns);
	json_seconds(json, "mean_s", sum->whole.n ? sum->whole.time_ns / sum->whole.n : 0);
	json_seconds(json, "max_s", sum->whole.max_ns);
	json_seconds(json, "data_wait_s", sum->data_wait_ns);
	json_seconds(json, "kernel_wait_s", sum->kernel_wait_ns);
	put_all_ops(json, sum);
	put_traced(json, sum->traced);
	json_end_object(json);
}

static const struct metrics_device *find_device(const struct metrics *metrics, int32_t number)
{
	for (size_t i = 0; i < metrics->n_devices; i++) {
		if (metrics->devices[i].number == number)
			return &metrics->devices[i];
	}
	return NULL;
}

/* What all target constructs did on one device, with what is known of it as a whole. */
static void put_device(
	struct json *json, const struct metrics_target *sum, const struct metrics_device *device)
{
	static const struct metrics_device none;

	if (!device)
		device = &none;
	json_newline(json);
	json_object(json, NULL);
	put_device_number(json, "device", sum->device);
	json_number(json, "initialized", device->n_initialized);
	json_number(json, "finalized", device->n_finalized);
	json_number(json, "loaded", device->n_loaded);
	json_number(json, "unloaded", device->n_unloaded);
	json_number(json, "loaded_bytes", device->loaded_bytes);
	json_number(json, "executions", sum->whole.n);
	json_seconds(json, "time_s", sum->whole.time_ns);
	put_all_ops(json, sum);
	put_trace(json, device);
	json_end_object(json);
}

static void sum_of_device(const struct report *report, int32_t number, struct metrics_target *sum)
{
	const struct figures *figures = &report->figures;

	*sum = (struct metrics_target){ .device = number };
	for (size_t i = 0; i < figures->n_targets; i++) {
		if (figures->targets[i].sum.device != number ||
			!report_shows(report->rows.targets, i))
			continue;
		metrics_target_add(sum, &figures->targets[i].sum);
	}
}

/* The smallest number after `number` of a device with target constructs or of its own. Returns whether there is
   one. */
static int next_device(const struct report *report, int64_t *number)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < report->figures.n_targets; i++) {
		int64_t device = report->figures.targets[i].sum.device;

		if (device > *number && device < next && device != PROFILE_NO_DEVICE)
			next = device;
	}
	for (size_t i = 0; i < report->metrics.n_devices; i++) {
		int64_t device = report->metrics.devices[i].number;

		if (device > *number && device < next)
			next = device;
	}
	*number = next;
	return next != INT64_MAX;
}

void view_json_targets(struct json *json, const struct report *report)
{
	const struct figures *figures = &report->figures;
	int64_t number = INT64_MIN;
	struct metrics_target sum;

	json_array(json, "targets");
	for (size_t i = 0; i < figures->n_targets; i++)
		if (report_shows(report->rows.targets, i))
			put_target(json, report, &figures->targets[i]);
	json_end_array(json);
	json_array(json, "devices");
	while (next_device(report, &number)) {
		sum_of_device(report, (int32_t)number, &sum);
		put_device(json, &sum, find_device(&report->metrics, (int32_t)number));
	}
	json_end_array(json);
}
