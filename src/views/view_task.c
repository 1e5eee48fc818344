/* SPDX-License-Identifier: Apache-2.0 */
/* --by task: each place that creates explicit tasks. */
#include "src/views/view.h"
#include "src/views/view_json.h"

enum { LIMIT_PERMYRIAD = 50 };

#define COLUMNS(X)                                                                                 \
	X(CREATED, "created", "created", TABLE_COUNT, TABLE_IN_BOTH, 0)                            \
	X(EXECUTED, "executed", "executed", TABLE_COUNT, TABLE_IN_BOTH, 2)                         \
	X(CREATORS, "creators", "creators", TABLE_COUNT, TABLE_IN_CSV, 0)                          \
	X(BUSY, "busy", "busy s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                 \
	X(MEAN, "mean", "mean", TABLE_DURATION, TABLE_IN_BOTH, 0)                                  \
	X(LONGEST, "max", "max", TABLE_DURATION, TABLE_IN_BOTH, 1)                                 \
	X(STOLEN, "stolen%", "stolen%", TABLE_SHARE, TABLE_IN_BOTH, 3)                             \
	X(STARVED, "starved", "starved", TABLE_SECONDS, TABLE_IN_BOTH, 0)                          \
	X(BLOCKED, "blocks", "blocks", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0,             \
		.json = "blocked_s")                                                               \
	X(AWAITING, "awaiting", "awaiting", TABLE_COUNT, TABLE_IN_CSV, 0)                          \
	X(AWAIT, "await", "await", TABLE_DURATION, TABLE_IN_CSV, 0)                                \
	X(CANCELLED, "cancelled", "cancelled", TABLE_COUNT, TABLE_IN_BOTH | TABLE_IF_ANY, 4)       \
	X(DETACHED, "detached", "detached", TABLE_COUNT, TABLE_IN_BOTH | TABLE_IF_ANY, 5)          \
	X(FULFILLED, "fulfilled", "fulfilled", TABLE_COUNT, TABLE_IN_CSV, 0)                       \
	X(ESTIMATED, "estimated%", "estimated%", TABLE_SHARE, TABLE_IN_CSV | TABLE_ABSENT, 0)      \
	X(NAME, "name", "task", TABLE_NAME, TABLE_IN_BOTH, 0)                                      \
	X(FUNCTION, "function", "function", TABLE_NAME, TABLE_IN_CSV, 0)                           \
	X(FILE_NAME, "file", "file", TABLE_NAME, TABLE_IN_CSV, 0)                                  \
	X(LINE, "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum task_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

struct tasks {
	const struct report *report;
	struct metrics_task sum; /* over the places shown */
};

static void set_figures(struct table_row *row, const struct metrics_task *sum)
{
	table_set(row, CREATED, sum->n_created);
	table_set(row, EXECUTED, sum->n_executed);
	table_set_all(row, BUSY, sum->busy_ns, sum->n_executed ? sum->busy_ns / sum->n_executed : 0,
		sum->max_ns);
	table_set_part(row, STOLEN, sum->n_stolen, sum->n_executed);
	table_set_all(row, STARVED, sum->starved_ns, sum->blocked_ns, sum->n_awaiting,
		sum->n_awaiting ? sum->await_ns / sum->n_awaiting : 0, sum->n_cancelled,
		sum->n_detached, sum->n_fulfilled);
	table_set_estimated(row, ESTIMATED, sum->unseen_ns, sum->busy_ns,
		1ULL << EXECUTED | 1ULL << STOLEN | 1ULL << BUSY | 1ULL << MEAN | 1ULL << LONGEST |
			1ULL << STARVED);
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct tasks *tasks = data;
	const struct findings_task *task = &tasks->report->figures.tasks[index];
	char place[4096];

	if (index == tasks->report->figures.n_tasks) {
		set_figures(row, &tasks->sum);
		table_set_text(row, NAME, "total");
		return;
	}
	set_figures(row, &task->sum);
	table_set(row, CREATORS, task->sum.n_creators);
	advice_place(place, sizeof(place), task->label);
	table_set_text(row, NAME, table_print_text(row, "%s", place));
	view_set_construct(row, NAME, task->label);
	table_set_text(row, PLACE, task->label->function);
	row->weight = task->sum.n_created;
	row->is_empty = !report_shows(tasks->report->rows.tasks, index);
	row->identity = index + 1;
}

static struct metrics_task sum_up(const struct report *report)
{
	const struct findings *figures = &report->figures;
	struct metrics_task total = { .node = 0 };

	for (size_t i = 0; i < figures->n_tasks; i++) {
		const struct metrics_task *sum = &figures->tasks[i].sum;

		if (!report_shows(report->rows.tasks, i))
			continue;
		metrics_task_add(&total, sum);
	}
	return total;
}

/* The second table: which tasks waited for which. */
#define AWAIT_COLUMNS(X)                                                                           \
	X(AWAIT_TASKS, "tasks", "tasks", TABLE_COUNT, TABLE_IN_BOTH, 0)                            \
	X(AWAIT_MEAN, "mean", "mean", TABLE_DURATION, TABLE_IN_BOTH, 0)                            \
	X(AWAIT_MAX, "max", "max", TABLE_DURATION, TABLE_IN_BOTH, 1)                               \
	X(AWAIT_NAME, "name", "task", TABLE_NAME, TABLE_IN_BOTH, 0)                                \
	X(AWAIT_PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum await_column { AWAIT_COLUMNS(TABLE_ENUM) };
static const struct table_column await_columns[] = { AWAIT_COLUMNS(TABLE_COLUMN){ .key = NULL } };

static void fill_await(const void *data, size_t index, struct table_row *row)
{
	const struct tasks *tasks = data;
	const struct findings_await *await = &tasks->report->figures.awaits[index];
	const struct findings_task *task = &tasks->report->figures.tasks[await->task];
	const struct findings_task *awaited = &tasks->report->figures.tasks[await->awaited];
	char place[2048], other[2048];

	advice_place(place, sizeof(place), task->label);
	advice_place(other, sizeof(other), awaited->label);
	table_set(row, AWAIT_TASKS, await->sum.n);
	table_set(row, AWAIT_MEAN, await->sum.n ? await->sum.wait_ns / await->sum.n : 0);
	table_set(row, AWAIT_MAX, await->sum.max_ns);
	table_set_text(row, AWAIT_NAME, table_print_text(row, "%s for %s", place, other));
	table_set_text(row, AWAIT_PLACE, task->label->function);
	row->weight = await->sum.wait_ns;
	row->is_empty = !report_shows(tasks->report->rows.tasks, await->task);
	row->identity = index + 1;
}

static int print_awaits(const struct tasks *tasks, struct terminal *terminal)
{
	struct table_options options = TABLE_OPTIONS_DEFAULT;
	struct table table = {
		.columns = await_columns,
		.title = "waited, since it was created, for one to end",
		.what = "pair",
		.order = "mean",
		.together = "tasks",
		.unit = "tasks",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.n_rows = tasks->report->figures.n_awaits,
		.fill = fill_await,
		.data = tasks,
	};

	for (size_t i = 0; i < tasks->report->figures.n_awaits; i++)
		table.whole += tasks->report->figures.awaits[i].sum.wait_ns;
	if (!table.n_rows)
		return 0;
	fputc('\n', terminal->out);
	return table_print(&table, &options, terminal);
}

/* Writes which tasks had to end before tasks of this site could begin. */
static void put_awaits(
	struct json *json, const struct report *report, const struct findings_task *task)
{
	const struct findings *figures = &report->figures;

	json_array(json, "awaits");
	for (size_t i = task->first_await; i < task->first_await + task->n_awaits; i++) {
		const struct findings_await *await = &figures->awaits[i];
		const struct findings_task *awaited = &figures->tasks[await->awaited];

		json_row(json);
		view_json_node(json, report_node(report, awaited->sum.node));
		view_json_place(json, awaited->label->name, awaited->label,
			(struct name_place){ awaited->label->file, awaited->label->line });
		json_numbers(json, "tasks wait_s mean_s max_s", await->sum.n, await->sum.wait_ns,
			await->sum.n ? await->sum.wait_ns / await->sum.n : 0, await->sum.max_ns);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_more(struct json *json, const void *data, size_t index, int nth)
{
	const struct tasks *tasks = data;
	const struct findings_task *task = &tasks->report->figures.tasks[index];

	if (nth == 0)
		view_json_node(json, report_node(tasks->report, task->sum.node));
	else
		put_awaits(json, tasks->report, task);
}

static void put_json(struct json *json, const struct report *report)
{
	const struct tasks tasks = { .report = report };

	view_put_rows(json, &view_by_task, &tasks, report->figures.n_tasks, 0);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct tasks tasks = { report, sum_up(report) };
	struct table table = {
		.columns = columns,
		.title = "task (in thread-s)",
		.what = "task",
		.order = "created",
		.together = "created",
		.unit = "created",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.whole = tasks.sum.n_created,
		.n_rows = report->figures.n_tasks,
		.fill = fill,
		.data = &tasks,
		.has_total = 1,
	};
	int status = table_print(&table, &options->table, terminal);

	if (status == 0 && !options->table.is_csv)
		status = print_awaits(&tasks, terminal);
	if (status == 0 && !options->table.is_csv)
		view_put_notes(terminal, report);
	return status;
}

const struct view view_by_task = {
	.name = "by task",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_REGION,
	.print = print,
	.json = "tasks",
	.members = "* name file line function created executed creators busy mean max "
		   "stolen% starved cancelled detached fulfilled blocks estimated% *",
	.fill = fill,
	.put_more = put_more,
	.put_json = put_json,
};
