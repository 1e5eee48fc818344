/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --by device: what each device reports about itself in its trace. The only figure of a device
 * without a trace is the count of lost records.
 */
#include "src/views/view.h"
#include "src/views/view_json.h"

#define COLUMNS(X)                                                                                 \
	X(TRACED, "traced", "traced s", TABLE_SECONDS, TABLE_IN_BOTH, 1)                           \
	X(BUSY, "busy", "busy s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                 \
	X(IDLE, "idle%", "idle%", TABLE_SHARE, TABLE_IN_BOTH, 0)                                   \
	X(KERNELS, "kernels", "kernels", TABLE_COUNT, TABLE_IN_BOTH, 2)                            \
	X(KERNEL_TIME, "kernel", "kernel s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                      \
	X(KERNEL_LONGEST, "kernel_max", "max", TABLE_DURATION, TABLE_IN_CSV, 0)                    \
	X(TO_BYTES, "to_bytes", "to B", TABLE_COUNT, TABLE_IN_CSV, 0)                              \
	X(TO_TIME, "to", "to s", TABLE_SECONDS, TABLE_IN_CSV, 0)                                   \
	X(TO_RATE, "to_gbps", "to GB/s", TABLE_RATIO, TABLE_IN_BOTH, 3)                            \
	X(FROM_BYTES, "from_bytes", "from B", TABLE_COUNT, TABLE_IN_CSV, 0)                        \
	X(FROM_TIME, "from", "from s", TABLE_SECONDS, TABLE_IN_CSV, 0)                             \
	X(FROM_RATE, "from_gbps", "from GB/s", TABLE_RATIO, TABLE_IN_BOTH, 4)                      \
	X(DATA_TIME, "data", "data s", TABLE_SECONDS, TABLE_IN_CSV, 0)                             \
	X(NATIVE, "native", "native", TABLE_COUNT, TABLE_IN_CSV | TABLE_IF_ANY, 0)                 \
	X(NATIVE_TIME, "native_time", "native s", TABLE_SECONDS, TABLE_IN_CSV | TABLE_IF_ANY, 0)   \
	X(QUEUE, "queue", "queue", TABLE_DURATION, TABLE_IN_BOTH, 5)                               \
	X(RECORDS, "records", "records", TABLE_COUNT, TABLE_IN_CSV, 0)                             \
	X(LOST, "lost", "lost", TABLE_COUNT, TABLE_IN_BOTH | TABLE_IF_ANY, 0)                      \
	X(NUMBER, "device", "dev", TABLE_WORD, TABLE_IN_BOTH, 0)                                   \
	X(TYPE, "type", "device", TABLE_NAME, TABLE_IN_BOTH, 0)

enum device_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

static void fill_operations(struct table_row *row, const struct metrics_ops *traced)
{
	const struct metrics_ops *kernel = &traced[METRICS_TRACED_KERNEL];
	const struct metrics_ops *to = &traced[METRICS_TRACED_TO];
	const struct metrics_ops *from = &traced[METRICS_TRACED_FROM];
	const struct metrics_ops *queue = &traced[METRICS_TRACED_QUEUE];

	table_set_all(
		row, KERNELS, kernel->n, kernel->time_ns, kernel->max_ns, to->amount, to->time_ns);
	table_set_all(row, FROM_BYTES, from->amount, from->time_ns);
	/* Bytes per ns equal GB per second. */
	if (to->time_ns)
		table_set_part(row, TO_RATE, to->amount, to->time_ns);
	if (from->time_ns)
		table_set_part(row, FROM_RATE, from->amount, from->time_ns);
	table_set_all(row, DATA_TIME, traced[METRICS_TRACED_DATA].time_ns,
		traced[METRICS_TRACED_NATIVE].n, traced[METRICS_TRACED_NATIVE].time_ns);
	if (queue->n)
		table_set(row, QUEUE, queue->time_ns / queue->n);
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct report *report = data;
	const struct metrics_device *device = &report->metrics.devices[index];
	uint64_t lost = 0;

	table_set_text(row, NUMBER, table_print_text(row, "%d", (int)device->number));
	table_set_text(row, TYPE, table_print_text(row, "%s", device->type));
	row->identity = index + 1;
	row->is_kept = 1;
	for (size_t i = 0; i < PROFILE_TRACE_N_LOSSES; i++)
		lost += device->lost[i];
	table_set(row, LOST, lost);
	if (!(device->flags & PROFILE_DEVICE_TRACED))
		return;
	table_set(row, TRACED, device->traced_ns);
	table_set(row, BUSY, device->busy_ns);
	/*
	 * busy_ns can be larger: it includes time in which buffers were missing, traced_ns does
	 * not.
	 */
	if (device->traced_ns >= device->busy_ns)
		table_set_part(row, IDLE, device->traced_ns - device->busy_ns, device->traced_ns);
	table_set(row, RECORDS, device->n_records);
	fill_operations(row, device->traced);
}

/* Writes the type, and the figures of a trace if there is one. */
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
	json_numbers(json, "processors traced_s busy_s records", device->n_procs, device->traced_ns,
		device->busy_ns, device->n_records);
	json_object(json, "lost");
	for (size_t i = 0; i < PROFILE_TRACE_N_LOSSES; i++)
		if (device->lost[i])
			json_number(json, losses[i], device->lost[i]);
	json_end_object(json);
	view_target_put_traced(json, device->traced);
}

static const struct metrics_device *find_device(const struct metrics *metrics, int32_t number)
{
	for (size_t i = 0; i < metrics->n_devices; i++) {
		if (metrics->devices[i].number == number)
			return &metrics->devices[i];
	}
	return NULL;
}

/*
 * Writes the sum of the target constructs on a device, and the device's record, which may be NULL.
 */
static void put_device(
	struct json *json, const struct metrics_target *sum, const struct metrics_device *device)
{
	static const struct metrics_device none;

	if (!device)
		device = &none;
	json_row(json);
	view_target_put_device(json, sum->device);
	json_numbers(json, "initialized finalized loaded unloaded loaded_bytes executions time_s",
		device->n_initialized, device->n_finalized, device->n_loaded, device->n_unloaded,
		device->loaded_bytes, sum->whole.n, sum->whole.time_ns);
	view_target_put_ops(json, sum);
	put_trace(json, device);
	json_end_object(json);
}

static void sum_of_device(const struct report *report, int32_t number, struct metrics_target *sum)
{
	const struct findings *figures = &report->figures;

	*sum = (struct metrics_target){ .device = number };
	for (size_t i = 0; i < figures->n_targets; i++) {
		if (figures->targets[i].sum.device != number ||
			!report_shows(report->rows.targets, i))
			continue;
		metrics_target_add(sum, &figures->targets[i].sum);
	}
}

/*
 * Moves *number to the next larger device number that has target constructs or a record. Returns
 * whether there is one.
 */
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

/* Devices without a record are listed, too; the table has only devices with a record. */
static void put_json(struct json *json, const struct report *report)
{
	int64_t number = INT64_MIN;
	struct metrics_target sum;

	json_array(json, "devices");
	while (next_device(report, &number)) {
		sum_of_device(report, (int32_t)number, &sum);
		put_device(json, &sum, find_device(&report->metrics, (int32_t)number));
	}
	json_end_array(json);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct table table = {
		.columns = columns,
		.title = "device",
		.what = "device",
		.n_rows = report->metrics.n_devices,
		.fill = fill,
		.data = report,
	};

	return view_put_table(&table, options, report, terminal);
}

const struct view view_by_device = {
	.name = "by device",
	.takes = VIEW_TAKES_TABLE,
	.is_of_user = 1,
	.columns = columns,
	.print = print,
	.put_json = put_json,
};
