/* SPDX-License-Identifier: Apache-2.0 */
/* --by target: each place that encounters target constructs. */
#include "src/views/view.h"
#include "src/views/view_json.h"

enum { LIMIT_PERMYRIAD = 50 };

#define COLUMNS(X)                                                                                 \
	X(TIME, "time", "time s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                 \
	X(RUNS, "executions", "runs", TABLE_COUNT, TABLE_IN_BOTH, 0)                               \
	X(MEAN, "mean", "mean", TABLE_DURATION, TABLE_IN_CSV, 0)                                   \
	X(LONGEST, "max", "max", TABLE_DURATION, TABLE_IN_CSV, 0)                                  \
	X(TO_MB, "to_mb", "to MB", TABLE_RATIO, TABLE_IN_TEXT, 0)                                  \
	X(TO_RATE, "to_gbps", "to GB/s", TABLE_RATIO, TABLE_IN_BOTH, 2)                            \
	X(FROM_MB, "from_mb", "from MB", TABLE_RATIO, TABLE_IN_TEXT, 0)                            \
	X(FROM_RATE, "from_gbps", "from GB/s", TABLE_RATIO, TABLE_IN_BOTH, 3)                      \
	X(TO_N, "to", "to", TABLE_COUNT, TABLE_IN_CSV, 0)                                          \
	X(TO_BYTES, "to_bytes", "to B", TABLE_COUNT, TABLE_IN_CSV, 0)                              \
	X(TO_TIME, "to_time", "to s", TABLE_SECONDS, TABLE_IN_CSV, 0)                              \
	X(FROM_N, "from", "from", TABLE_COUNT, TABLE_IN_CSV, 0)                                    \
	X(FROM_BYTES, "from_bytes", "from B", TABLE_COUNT, TABLE_IN_CSV, 0)                        \
	X(FROM_TIME, "from_time", "from s", TABLE_SECONDS, TABLE_IN_CSV, 0)                        \
	X(WAIT, "wait", "wait s", TABLE_SECONDS, TABLE_IN_BOTH, 6)                                 \
	X(DATA_WAIT, "data_wait", "data wait", TABLE_SECONDS, TABLE_IN_CSV, 0)                     \
	X(KERNEL_WAIT, "kernel_wait", "kernel wait", TABLE_SECONDS, TABLE_IN_CSV, 0)               \
	X(MOVED, "moving%", "moving%", TABLE_SHARE, TABLE_IN_BOTH, 0)                              \
	X(ALLOCS, "allocs", "allocs", TABLE_COUNT, TABLE_IN_CSV, 0)                                \
	X(ALLOC_BYTES, "alloc_bytes", "alloc B", TABLE_COUNT, TABLE_IN_CSV, 0)                     \
	X(ALLOC_TIME, "alloc_time", "alloc s", TABLE_SECONDS, TABLE_IN_CSV, 0)                     \
	X(DELETES, "deletes", "deletes", TABLE_COUNT, TABLE_IN_CSV, 0)                             \
	X(DELETE_TIME, "delete_time", "delete s", TABLE_SECONDS, TABLE_IN_CSV, 0)                  \
	X(ASSOCIATES, "associates", "assocs", TABLE_COUNT, TABLE_IN_CSV, 0)                        \
	X(MAPS, "maps", "maps", TABLE_COUNT, TABLE_IN_CSV, 0)                                      \
	X(KERNELS, "kernels", "kernels", TABLE_COUNT, TABLE_IN_BOTH, 4)                            \
	X(KERNEL_TIME, "kernel_time", "submit s", TABLE_SECONDS, TABLE_IN_BOTH, 1)                 \
	X(KERNEL_LONGEST, "kernel_max", "submit max", TABLE_DURATION, TABLE_IN_CSV, 0)             \
	X(TEAMS, "teams", "teams", TABLE_COUNT, TABLE_IN_CSV, 0)                                   \
	X(ON_DEVICE_TIME, "device_kernel", "kernel s", TABLE_SECONDS,                              \
		TABLE_IN_BOTH | TABLE_IF_ANY, 0)                                                   \
	X(ON_DEVICE_TO_RATE, "device_to_gbps", "dev to GB/s", TABLE_RATIO, TABLE_IN_CSV, 0)        \
	X(ON_DEVICE_FROM_RATE, "device_from_gbps", "dev from GB/s", TABLE_RATIO, TABLE_IN_CSV, 0)  \
	X(QUEUE, "device_queue", "queue", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 5)          \
	X(DEVICE, "device", "dev", TABLE_WORD, TABLE_IN_BOTH, 0)                                   \
	X(NAME, "name", "target", TABLE_NAME, TABLE_IN_BOTH, 0)                                    \
	X(FUNCTION, "function", "function", TABLE_NAME, TABLE_IN_CSV, 0)                           \
	X(FILE_NAME, "file", "file", TABLE_NAME, TABLE_IN_CSV, 0)                                  \
	X(LINE, "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum target_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

struct targets {
	const struct report *report;
	struct metrics_target sum; /* over the places shown */
};

/* Bytes per ns equal GB per second. */
static void set_transfers(
	struct table_row *row, const struct metrics_ops *ops, int first_text, int first_csv)
{
	if (ops->n)
		table_set_part(row, (unsigned)first_text, ops->amount, 1000000);
	if (ops->time_ns)
		table_set_part(row, (unsigned)first_text + 1, ops->amount, ops->time_ns);
	table_set(row, (unsigned)first_csv, ops->n);
	table_set(row, (unsigned)first_csv + 1, ops->amount);
	table_set(row, (unsigned)first_csv + 2, ops->time_ns);
}

/* Sets what the device recorded. */
static void set_traced(struct table_row *row, const struct metrics_ops *traced)
{
	const struct metrics_ops *to = &traced[METRICS_TRACED_TO];
	const struct metrics_ops *from = &traced[METRICS_TRACED_FROM];

	if (traced[METRICS_TRACED_KERNEL].n)
		table_set(row, ON_DEVICE_TIME, traced[METRICS_TRACED_KERNEL].time_ns);
	if (to->time_ns)
		table_set_part(row, ON_DEVICE_TO_RATE, to->amount, to->time_ns);
	if (from->time_ns)
		table_set_part(row, ON_DEVICE_FROM_RATE, from->amount, from->time_ns);
	if (traced[METRICS_TRACED_QUEUE].n)
		table_set(row, QUEUE, traced[METRICS_TRACED_QUEUE].time_ns);
}

static void set_figures(struct table_row *row, const struct metrics_target *sum)
{
	const struct metrics_ops *ops = sum->ops, *whole = &sum->whole;

	table_set_all(row, TIME, whole->time_ns, whole->n, whole->n ? whole->time_ns / whole->n : 0,
		whole->max_ns);
	set_transfers(row, &ops[METRICS_OP_TO], TO_MB, TO_N);
	set_transfers(row, &ops[METRICS_OP_FROM], FROM_MB, FROM_N);
	table_set_all(row, WAIT, metrics_target_wait(sum), sum->data_wait_ns, sum->kernel_wait_ns);
	table_set_part(row, MOVED, metrics_target_transfers(sum).time_ns, whole->time_ns);
	table_set_all(row, ALLOCS, ops[METRICS_OP_ALLOC].n, ops[METRICS_OP_ALLOC].amount,
		ops[METRICS_OP_ALLOC].time_ns, ops[METRICS_OP_DELETE].n,
		ops[METRICS_OP_DELETE].time_ns,
		ops[METRICS_OP_ASSOCIATE].n + ops[METRICS_OP_DISASSOCIATE].n, ops[METRICS_OP_MAP].n,
		ops[METRICS_OP_KERNEL].n, ops[METRICS_OP_KERNEL].time_ns,
		ops[METRICS_OP_KERNEL].max_ns, ops[METRICS_OP_KERNEL].amount);
	set_traced(row, sum->traced);
}

static void set_device(struct table_row *row, int32_t device)
{
	table_set_text(row, DEVICE,
		device == PROFILE_NO_DEVICE ? "" : table_print_text(row, "%d", (int)device));
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct targets *targets = data;
	const struct findings_target *target = &targets->report->figures.targets[index];
	char name[4096];

	if (index == targets->report->figures.n_targets) {
		set_figures(row, &targets->sum);
		table_set_text(row, NAME, "total");
		return;
	}
	set_figures(row, &target->sum);
	set_device(row, target->sum.device);
	advice_construct(name, sizeof(name), target->label);
	table_set_text(row, NAME, table_print_text(row, "%s", name));
	view_set_construct(row, NAME, target->label);
	advice_place(name, sizeof(name), target->label);
	table_set_text(row, PLACE, table_print_text(row, "%s", name));
	row->weight = target->sum.whole.time_ns;
	row->is_empty = !report_shows(targets->report->rows.targets, index);
	row->identity = index + 1;
}

static struct metrics_target sum_up(const struct report *report)
{
	const struct findings *figures = &report->figures;
	struct metrics_target total = { .node = 0 };

	for (size_t i = 0; i < figures->n_targets; i++) {
		if (report_shows(report->rows.targets, i))
			metrics_target_add(&total, &figures->targets[i].sum);
	}
	return total;
}

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
	/* Bytes per ns equal GB per second. */
	if (op <= METRICS_OP_FROM)
		json_share(json, "gb_per_s", ops->amount, ops->time_ns);
	json_end_object(json);
}

void view_target_put_ops(struct json *json, const struct metrics_target *sum)
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

void view_target_put_traced(struct json *json, const struct metrics_ops *traced)
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

void view_target_put_device(struct json *json, int32_t device)
{
	if (device == PROFILE_NO_DEVICE)
		json_null(json, "device");
	else
		json_integer(json, "device", device);
}

static void put_more(struct json *json, const void *data, size_t index, int nth)
{
	const struct targets *targets = data;
	const struct metrics_target *sum = &targets->report->figures.targets[index].sum;

	if (nth == 0) {
		view_json_node(json, report_node(targets->report, sum->node));
	} else if (nth == 1) {
		view_target_put_device(json, sum->device);
	} else {
		view_target_put_ops(json, sum);
		view_target_put_traced(json, sum->traced);
	}
}

static void put_json(struct json *json, const struct report *report)
{
	const struct targets targets = { .report = report };

	view_put_rows(json, &view_by_target, &targets, report->figures.n_targets, 0);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct targets targets = { report, sum_up(report) };
	struct table table = {
		.columns = columns,
		.title = "target (in thread-s)",
		.what = "target construct",
		.order = "time",
		.together = "time",
		.unit = "s",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.whole = targets.sum.whole.time_ns,
		.n_rows = report->figures.n_targets,
		.fill = fill,
		.data = &targets,
		.has_total = 1,
	};

	return view_put_table(&table, options, report, terminal);
}

const struct view view_by_target = {
	.name = "by target",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_REGION,
	.print = print,
	.json = "targets",
	.members = "* name file line function * executions time mean max data_wait "
		   "kernel_wait *",
	.fill = fill,
	.put_more = put_more,
	.put_json = put_json,
};
