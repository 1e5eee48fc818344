/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --by region: what each parallel region loses, in seconds of wall time that could be won.
 */
#include <string.h>

#include "src/views/view.h"
#include "src/views/view_counters.h"
#include "src/views/view_json.h"

enum { LIMIT_PERMYRIAD = 50, COLUMN_LEAST_PERMYRIAD = 50 };

enum region_column {
	GAIN,
	WALL,
	RUNS,
	MEAN,
	MEDIAN,
	P95,
	LEAST,
	MOST,
	TEAM,
	EFFICIENCY,
	/* after the column of METRICS_IMBALANCE: see metrics_region.persistent_ns */
	PERSISTENT = EFFICIENCY + 2,
#define RUN_CAUSE(...)
#define CAUSE(NAME, ...)                                                                           \
	OF_##NAME = PERSISTENT + METRICS_##NAME - METRICS_IMBALANCE -                              \
		    (METRICS_##NAME == METRICS_IMBALANCE),
#include "attribution/metrics/causes.def"
	COUNTER_COLUMNS(TABLE_ENUM, OF_WORK_, 0) ESTIMATED,
	NAME,
	FUNCTION,
	FILE_NAME,
	LINE,
	PLACE,
	N_COLUMNS,
};

static const struct table_column columns[] = {
	[GAIN] = { "gain", "gain s", TABLE_SECONDS, TABLE_IN_BOTH, 0 },
	[WALL] = { "wall", "wall s", TABLE_SECONDS, TABLE_IN_BOTH, 4 },
	[RUNS] = { "executions", "runs", TABLE_COUNT, TABLE_IN_BOTH | TABLE_IF_ANY, 1 },
	[MEAN] = { "mean", "mean", TABLE_DURATION, TABLE_IN_BOTH | TABLE_IF_ANY, 2 },
	[MEDIAN] = { "p50", "p50", TABLE_DURATION, TABLE_IN_CSV, 0 },
	[P95] = { "p95", "p95", TABLE_DURATION, TABLE_IN_CSV, 0 },
	[LEAST] = { "min", "min", TABLE_DURATION, TABLE_IN_CSV, 0 },
	[MOST] = { "max", "max", TABLE_DURATION, TABLE_IN_CSV, 0 },
	[TEAM] = { "threads_max", "threads", TABLE_COUNT, TABLE_IN_CSV, 0 },
	[EFFICIENCY] = { "efficiency", "eff%", TABLE_SHARE, TABLE_IN_BOTH, 3 },
	[PERSISTENT] = { "persistent", "persistent", TABLE_SECONDS, TABLE_IN_CSV, 0 },
#define RUN_CAUSE(...)
#define CAUSE(NAME, word, label, advice, heading, columns, ...)                                    \
	[OF_##NAME] = { word, heading, TABLE_SECONDS, columns, 0 },
#include "attribution/metrics/causes.def"
	COUNTER_COLUMNS(TABLE_COLUMN, OF_WORK_, TABLE_IN_BOTH)[ESTIMATED] = { "estimated%",
		"estimated%", TABLE_SHARE, TABLE_IN_CSV | TABLE_ABSENT, 0 },
	[NAME] = { "name", "region", TABLE_NAME, TABLE_IN_BOTH, 0 },
	[FUNCTION] = { "function", "function", TABLE_NAME, TABLE_IN_CSV, 0 },
	[FILE_NAME] = { "file", "file", TABLE_NAME, TABLE_IN_CSV, 0 },
	[LINE] = { "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0 },
	[PLACE] = { "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0 },
	{ .key = NULL },
};

/* By column: its cause; METRICS_USEFUL if it has none. */
static const enum metrics_cause causes[N_COLUMNS] = {
#define RUN_CAUSE(...)
#define CAUSE(NAME, ...) [OF_##NAME] = METRICS_##NAME,
#include "attribution/metrics/causes.def"
};

/* The regions, then the row of the time in no region, if there is any. */
struct regions {
	const struct report *report;
	const struct metrics *metrics;
	const struct findings *figures;
	int has_serial;
};

/* Whether a cause is large enough in some row for a column of its own. */
static int is_worth_a_column(const struct regions *regions, enum metrics_cause cause)
{
	const struct findings *figures = regions->figures;
	uint64_t most_ns = regions->metrics->serial_cause_ns[cause];

	for (size_t i = 0; i < figures->n_regions; i++)
		if (figures->regions[i].sum.cause_ns[cause] > most_ns)
			most_ns = figures->regions[i].sum.cause_ns[cause];
	return most_ns > 0 && (double)metrics_gain(regions->metrics, most_ns) * 10000.0 >=
				      (double)regions->metrics->wall_ns * COLUMN_LEAST_PERMYRIAD;
}

/*
 * The region's wall time, or the time of its slots if that is more: the wall time may not be known.
 */
static uint64_t weight_of(const struct metrics *metrics, const struct metrics_region *region)
{
	uint64_t slots_ns = metrics_gain(metrics, findings_sum_causes(region->cause_ns));
	uint64_t wall_ns = metrics_wall(metrics, region->wall_ns);

	return wall_ns > slots_ns ? wall_ns : slots_ns;
}

static void set_runs(
	struct table_row *row, const struct metrics *metrics, const struct metrics_region *sum)
{
	table_set(row, RUNS, sum->n);
	row->cells[TEAM].value = sum->max_team;
	if (!sum->wall_ns)
		return;
	table_set(row, WALL, metrics_wall(metrics, sum->wall_ns));
	/* With --phase, n can be 0: executions count in the phase in which they began. */
	if (!sum->n)
		return;
	table_set_all(row, MEAN, sum->wall_ns / sum->n, metrics_quantile(metrics, sum, 500),
		metrics_quantile(metrics, sum, 950), sum->min_ns, sum->max_ns, sum->max_team);
}

static void set_causes(
	struct table_row *row, const struct metrics *metrics, const uint64_t *cause_ns)
{
	for (size_t i = 0; i < N_COLUMNS; i++)
		if (causes[i] != METRICS_USEFUL)
			table_set(row, i, metrics_gain(metrics, cause_ns[causes[i]]));
}

static void fill_region(
	struct table_row *row, const struct report *report, const struct findings_region *region)
{
	const struct metrics *metrics = &report->metrics;
	const struct metrics_region *sum = &region->sum;
	char place[4096];

	set_runs(row, metrics, sum);
	table_set(row, GAIN, metrics_most_gain(metrics, region->lost_ns));
	table_set_part(
		row, EFFICIENCY, sum->cause_ns[METRICS_USEFUL], findings_sum_causes(sum->cause_ns));
	set_causes(row, metrics, sum->cause_ns);
	view_set_counters(row, OF_WORK_IPC, report, &sum->work, &sum->work);
	table_set(row, PERSISTENT, metrics_gain(metrics, sum->persistent_ns));
	table_set_estimated(row, ESTIMATED,
		sum->unseen_ns < region->lost_ns ? sum->unseen_ns : region->lost_ns,
		region->lost_ns,
		1ULL << GAIN | 1ULL << OF_IMBALANCE | 1ULL << PERSISTENT | 1ULL << OF_TASK);
	advice_place(place, sizeof(place), region->label);
	table_set_name(row, NAME, "", table_print_text(row, "%s", place),
		advice_is_tiny(sum) ? " [tiny]" : "");
	view_set_construct(row, NAME, region->label);
	table_set_text(row, PLACE, region->label->function);
	row->weight = weight_of(metrics, sum);
}

/* The thread time lost outside of regions. */
static uint64_t serial_lost_ns(const struct metrics *metrics)
{
	return findings_sum_causes(metrics->serial_cause_ns) -
	       metrics->serial_cause_ns[METRICS_USEFUL];
}

static void fill_serial(struct table_row *row, const struct metrics *metrics)
{
	table_set(row, GAIN, metrics_most_gain(metrics, serial_lost_ns(metrics)));
	table_set(row, WALL, metrics_wall(metrics, metrics->serial_ns));
	for (size_t i = 0; i < N_COLUMNS; i++) {
		uint64_t ns = metrics_gain(metrics, metrics->serial_cause_ns[causes[i]]);

		if (causes[i] != METRICS_USEFUL && ns > 0)
			table_set(row, i, ns);
	}
	table_set_text(row, NAME,
		metrics->has_waits && metrics->serial_ns ? "(serial code)" : "(in no region)");
	row->is_kept = 1;
}

/*
 * The total with filters. Wall times are not added up, because a nested region's is part of its
 * parent's.
 */
static void fill_left(struct table_row *row, const struct regions *regions)
{
	const struct findings *figures = regions->figures;
	uint64_t cause_ns[METRICS_N_CAUSES] = { 0 }, capacity_ns = 0;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		for (size_t k = 0; k < figures->n_regions; k++)
			if (report_shows(regions->report->rows.regions, k))
				cause_ns[i] += figures->regions[k].sum.cause_ns[i];
		if (regions->has_serial)
			cause_ns[i] += regions->metrics->serial_cause_ns[i];
		capacity_ns += cause_ns[i];
	}
	table_set(row, GAIN,
		metrics_most_gain(regions->metrics, capacity_ns - cause_ns[METRICS_USEFUL]));
	table_set_part(row, EFFICIENCY, cause_ns[METRICS_USEFUL], capacity_ns);
	set_causes(row, regions->metrics, cause_ns);
	table_set_text(row, NAME, "total");
}

static void fill_total(struct table_row *row, const struct metrics *metrics)
{
	uint64_t capacity_ns = metrics_capacity(metrics);
	uint64_t useful_ns = metrics->cause_ns[METRICS_USEFUL];

	table_set(row, GAIN,
		metrics_most_gain(metrics, capacity_ns > useful_ns ? capacity_ns - useful_ns : 0));
	table_set(row, WALL, metrics->wall_ns);
	table_set_part(row, EFFICIENCY, useful_ns, capacity_ns);
	set_causes(row, metrics, metrics->cause_ns);
	table_set_text(row, NAME, "total");
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct regions *regions = data;

	row->is_empty = index < regions->figures->n_regions &&
			!report_shows(regions->report->rows.regions, index);
	if (index < regions->figures->n_regions)
		fill_region(row, regions->report, &regions->figures->regions[index]);
	else if (index == regions->figures->n_regions && regions->has_serial)
		fill_serial(row, regions->metrics);
	else if (regions->report->rows.regions)
		fill_left(row, regions);
	else
		fill_total(row, regions->metrics);
}

/* Writes losses as wall time, to the nearest ns. */
static void put_losses(
	struct json *json, const struct metrics *metrics, const struct findings_region *region)
{
	uint64_t most_ns = metrics_most_gain(metrics, region->lost_ns);

	if (most_ns < metrics_gain(metrics, region->lost_ns))
		json_seconds(json, "gain_s", most_ns);
	else
		json_share(json, "gain_s", region->lost_ns, metrics_slots(metrics));
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		if (i != METRICS_SERIAL)
			view_json_cause(json, metrics, i, region->sum.cause_ns[i], 1);
}

static void put_imbalance(
	struct json *json, const struct metrics *metrics, const struct metrics_region *sum)
{
	uint64_t imbalance_ns = sum->cause_ns[METRICS_IMBALANCE], slots_s = metrics_slots(metrics);

	json_share(json, "persistent_s", sum->persistent_ns, slots_s);
	json_share(json, "random_s",
		imbalance_ns > sum->persistent_ns ? imbalance_ns - sum->persistent_ns : 0, slots_s);
	json_number(json, "barriers", sum->n_barriers);
	json_known(json, sum->n_barriers > 0, "slowest_thread", sum->slowest);
	json_share(json, "slowest_share", sum->n_slowest, sum->n_barriers);
	json_number(json, "tasks", sum->n_tasks);
	json_share(json, "dependence_s", sum->dependence_ns, slots_s);
}

static void put_nodes(
	struct json *json, const struct report *report, const struct findings_region *region)
{
	int has_nodes = report->figures.names == &report->names;

	view_json_node(json, report_node(report, region->sum.node));
	json_array(json, "nodes");
	for (size_t i = 0; has_nodes && i < region->n_nodes; i++)
		json_number(json, NULL, region->nodes[i]);
	json_end_array(json);
}

static void put_more(struct json *json, const void *data, size_t index, int nth)
{
	const struct regions *regions = data;
	const struct findings_region *region = &regions->figures->regions[index];

	if (nth == 0) {
		put_nodes(json, regions->report, region);
	} else if (nth == 1) {
		json_number(json, "threads_min", region->sum.min_team);
	} else if (nth == 2) {
		json_seconds(json, "thread_s", region->sum.thread_ns);
	} else {
		put_losses(json, regions->metrics, region);
		put_imbalance(json, regions->metrics, &region->sum);
		view_put_counters(json, regions->report, region->sum.work.counters);
	}
}

static void put_json(struct json *json, const struct report *report)
{
	const struct regions regions = { report, &report->metrics, &report->figures, 0 };

	view_put_rows(json, &view_by_region, &regions, report->figures.n_regions, 0);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct metrics *metrics = &report->metrics;
	struct regions regions = {
		.report = report,
		.metrics = metrics,
		.figures = &report->figures,
		.has_serial = (metrics->serial_ns > 0 ||
				      metrics_gain(metrics, serial_lost_ns(metrics)) > 0) &&
			      report_shows_outside(report),
	};
	struct table table = {
		.columns = columns,
		.title = "region (in wall s)",
		.what = "region",
		.order = "gain",
		.together = "gain",
		.unit = "s",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.whole = metrics->wall_ns,
		.n_rows = report->figures.n_regions + regions.has_serial,
		.hidden = view_counters_hidden(report, OF_WORK_IPC),
		.fill = fill,
		.data = &regions,
		.has_total = 1,
	};

	for (size_t i = OF_NOT_RUNNING; i <= OF_BLOCKED && !options->table.is_csv; i++)
		if (!is_worth_a_column(&regions, causes[i]))
			table.hidden |= (uint64_t)1 << i;
	return view_put_table(&table, options, report, terminal);
}

const struct view view_by_region = {
	.name = "by region",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_REGION,
	.print = print,
	.json = "regions",
	.members = "* name file line function executions wall mean p50 p95 max min "
		   "* threads_max * efficiency estimated% *",
	.fill = fill,
	.put_more = put_more,
	.put_json = put_json,
};
