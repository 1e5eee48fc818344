/* SPDX-License-Identifier: Apache-2.0 */
/* --by phase: what the threads did in each phase that the program has named. */
#include "src/report/phases.h"
#include "src/views/view.h"

enum { NAME_BYTES = 4096 };

#define COLUMNS(X)                                                                                 \
	X(WALL, "wall", "wall s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                 \
	X(WALL_SHARE, "wall%", "wall%", TABLE_SHARE, TABLE_IN_BOTH, 6)                             \
	X(USEFUL, "useful", "useful", TABLE_SECONDS, TABLE_IN_BOTH, 0)                             \
	X(BARRIER, "barrier", "barrier", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)           \
	X(LOCK, "lock", "lock", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)                    \
	X(TASK, "task", "task", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 2)                    \
	X(IDLE, "idle", "idle", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 3)                    \
	X(OVERHEAD, "overhead", "ovhd", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 1)            \
	X(ASLEEP, "blocked", "off cpu", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 4,            \
		.json = "off_cpu_s")                                                               \
	X(MPI, "mpi", "mpi", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 5)                       \
	X(DEVICE, "device", "device", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)              \
	X(TOTAL, "total", "total", TABLE_SECONDS, TABLE_IN_CSV, 0)                                 \
	X(BLAME, "blame", "blame", TABLE_SECONDS, TABLE_IN_CSV, 0)                                 \
	X(EFFICIENCY, "efficiency", "eff%", TABLE_SHARE, TABLE_IN_BOTH, 0)                         \
	X(TIMES, "times", "times", TABLE_COUNT, TABLE_IN_BOTH, 7)                                  \
	X(NAME, "name", "phase", TABLE_NAME, TABLE_IN_BOTH, 0)

enum phase_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

struct phases {
	const struct report *report;
	uint64_t wall_ns;
};

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct phases *phases = data;
	const struct report *report = phases->report;
	const struct metrics_phase *phase = &report->metrics.phases[index];
	const struct metrics_thread *sum = &phase->sum;
	char name[NAME_BYTES] = "(in no phase)";

	table_set(row, WALL, phase->wall_ns);
	table_set_part(row, WALL_SHARE, phase->wall_ns, phases->wall_ns);
	table_set_all(row, USEFUL, sum->useful_ns, sum->barrier_ns, sum->lock_ns, sum->task_ns,
		sum->idle_ns, sum->overhead_ns, sum->blocked_ns + sum->not_running_ns, sum->mpi_ns,
		sum->device_ns, sum->total_ns, sum->blame_ns);
	table_set_part(row, EFFICIENCY, sum->useful_ns, phase->capacity_ns);
	row->cells[TIMES].value = phase->n;
	if (index) {
		table_set(row, TIMES, phase->n);
		phases_name(name, sizeof(name), &report->profile, index - 1);
	}
	table_set_text(row, NAME, table_print_text(row, "%s", name));
	row->weight = phase->wall_ns;
	row->identity = index + 1;
	/*
	 * A thread without time in the kept phases has 1 ns left
	 * (attribution/select/select_phase.h).
	 */
	row->is_empty =
		phase->n == 0 && phase->wall_ns == 0 && sum->total_ns <= report->profile.n_threads;
}

/* JSON has phases without time, too. */
static void fill_all(const void *data, size_t index, struct table_row *row)
{
	fill(data, index, row);
	row->is_empty = 0;
}

static void put_more(struct json *json, const void *data, size_t index, int nth)
{
	const struct profile *profile = &((const struct phases *)data)->report->profile;
	const struct profile_phase_record *record = index ? &profile->phases[index - 1] : NULL;
	char path[NAME_BYTES] = "";

	(void)nth;
	if (record)
		phases_name(path, sizeof(path), profile, index - 1);
	json_strings(json, "path name", path, record ? record->name : "");
	json_bool(json, "other", record && record->flags & PROFILE_PHASE_OTHER);
}

static void put_json(struct json *json, const struct report *report)
{
	const struct phases phases = { .report = report };

	if (report->metrics.n_phases)
		view_put_rows(json, &view_by_phase, &phases, report->metrics.n_phases,
			view_unused(report, MPI, DEVICE));
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct phases phases = { .report = report };
	struct table table = {
		.columns = columns,
		.title = "phase",
		.what = "phase",
		.order = "wall",
		.together = "wall",
		.unit = "s",
		.n_rows = report->metrics.n_phases,
		.fill = fill,
		.data = &phases,
	};

	for (size_t i = 0; i < report->metrics.n_phases; i++)
		phases.wall_ns += report->metrics.phases[i].wall_ns;
	table.whole = phases.wall_ns;
	return view_put_table(&table, options, report, terminal);
}

const struct view view_by_phase = {
	.name = "by phase",
	VIEW_OF_TABLE(columns),
	.print = print,
	.json = "phases",
	.members = "* times wall useful overhead barrier task lock idle blocked mpi device "
		   "total blame efficiency",
	.fill = fill_all,
	.put_more = put_more,
	.put_json = put_json,
};
