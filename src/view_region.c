/* SPDX-License-Identifier: Apache-2.0 */
/* --by region: what each parallel region loses, in seconds of wall time that could be won. */
#include <stdio.h>
#include <string.h>

#include "src/view_table.h"

enum { DEFAULT_LIMIT_PERMYRIAD = 50, NAME_LEAST = 16, COLUMN_LEAST_PERMYRIAD = 50 };

enum region_column {
	GAIN,
	WALL,
	RUNS,
	MEAN,
	EFFICIENCY,
	IMBALANCE,
	LOCK,
	TASK,
	OVERHEAD,
	SHORT,
	NOT_RUNNING,
	ASLEEP,
};

static const enum metrics_cause causes[TABLE_COLUMNS] = {
	[IMBALANCE] = METRICS_IMBALANCE,
	[LOCK] = METRICS_LOCK,
	[TASK] = METRICS_TASK,
	[OVERHEAD] = METRICS_OVERHEAD,
	[SHORT] = METRICS_SHORT_TEAM,
	[NOT_RUNNING] = METRICS_NOT_RUNNING,
	[ASLEEP] = METRICS_BLOCKED,
};

/* Whether a row has enough of a cause for a column that is seldom needed. */
static int is_worth_a_column(
	const struct metrics *metrics, const struct figures *figures, enum metrics_cause cause)
{
	uint64_t most_ns = metrics->serial_cause_ns[cause];

	for (size_t i = 0; i < figures->n_regions; i++)
		if (figures->regions[i].sum.cause_ns[cause] > most_ns)
			most_ns = figures->regions[i].sum.cause_ns[cause];
	return most_ns > 0 && (double)metrics_gain(metrics, most_ns) * 10000.0 >=
				      (double)metrics->wall_ns * COLUMN_LEAST_PERMYRIAD;
}

static int has_column(
	const struct metrics *metrics, const struct figures *figures, enum region_column column)
{
	if (column == NOT_RUNNING || column == ASLEEP)
		return is_worth_a_column(metrics, figures, causes[column]);
	return column == IMBALANCE || column == OVERHEAD || metrics->cause_ns[causes[column]] > 0;
}

static struct table make_table(
	struct terminal *terminal, const struct metrics *metrics, const struct figures *figures)
{
	struct table table = { terminal,
		{ { "gain s", 6, 0 }, { "wall s", 6, 0 }, { "runs", 5, 0 }, { "mean", 6, 0 },
			{ "eff%", 5, 0 }, { "imbal", 5, 0 }, { "lock", 5, 0 }, { "task", 5, 0 },
			{ "ovrhd", 5, 0 }, { "short", 5, 0 }, { "no cpu", 6, 0 },
			{ "asleep", 6, 0 } } };

	static const enum region_column spare[] = { RUNS, MEAN, EFFICIENCY, WALL };

	for (size_t i = IMBALANCE; i < TABLE_COLUMNS; i++)
		table.columns[i].is_hidden = !has_column(metrics, figures, i);
	for (size_t i = 0; i < sizeof(spare) / sizeof(spare[0]); i++)
		if (table_width(&table) + NAME_LEAST >= (size_t)terminal->width)
			table.columns[spare[i]].is_hidden = 1;
	return table;
}

static void put_region(const struct table *table, const struct metrics *metrics,
	const struct figures_region *region)
{
	const struct metrics_region *sum = &region->sum;
	struct table_row row = { .prefix = NULL };

	table_seconds(row.cells[GAIN], metrics_gain(metrics, region->lost_ns));
	text_count(row.cells[RUNS], sum->n);
	if (sum->wall_ns && sum->n) {
		table_seconds(row.cells[WALL], metrics_wall(metrics, sum->wall_ns));
		table_duration(row.cells[MEAN], sum->wall_ns / sum->n);
	}
	text_percent(row.cells[EFFICIENCY], sum->cause_ns[METRICS_USEFUL], figures_capacity(sum));
	for (size_t i = IMBALANCE; i < TABLE_COLUMNS; i++)
		table_seconds(row.cells[i], metrics_gain(metrics, sum->cause_ns[causes[i]]));
	advice_place(row.name, sizeof(row.name), region->label);
	if (advice_is_tiny(sum))
		strncat(row.name, " [tiny]", sizeof(row.name) - strlen(row.name) - 1);
	snprintf(row.place, sizeof(row.place), "%s", region->label->function);
	table_put(table, &row);
}

/* Its wall time, or without a record of that what its threads' time comes to. */
static uint64_t weight_of(const struct metrics *metrics, const struct metrics_region *region)
{
	uint64_t slots_ns = metrics_gain(metrics, figures_capacity(region));
	uint64_t wall_ns = metrics_wall(metrics, region->wall_ns);

	return wall_ns > slots_ns ? wall_ns : slots_ns;
}

/* What was lost in no region, by the serial code and beside it. */
static uint64_t serial_lost_ns(const struct metrics *metrics)
{
	uint64_t sum = 0;

	for (size_t i = METRICS_USEFUL + 1; i < METRICS_N_CAUSES; i++)
		sum += metrics->serial_cause_ns[i];
	return sum;
}

static void put_serial(const struct table *table, const struct metrics *metrics)
{
	struct table_row row = { .prefix = NULL };

	strcpy(row.name,
		metrics->has_waits && metrics->serial_ns ? "(serial code)" : "(in no region)");
	if (metrics->serial_ns == 0 && metrics_gain(metrics, serial_lost_ns(metrics)) == 0)
		return;
	table_seconds(row.cells[GAIN], metrics_gain(metrics, serial_lost_ns(metrics)));
	table_seconds(row.cells[WALL], metrics_wall(metrics, metrics->serial_ns));
	for (size_t i = IMBALANCE; i < TABLE_COLUMNS; i++)
		if (metrics_gain(metrics, metrics->serial_cause_ns[causes[i]]) > 0)
			table_seconds(row.cells[i],
				metrics_gain(metrics, metrics->serial_cause_ns[causes[i]]));
	table_put(table, &row);
}

static void put_total(const struct table *table, const struct metrics *metrics)
{
	uint64_t capacity_ns = metrics_capacity(metrics);
	uint64_t useful_ns = metrics->cause_ns[METRICS_USEFUL];
	struct table_row row = { .name = "total" };

	table_seconds(row.cells[GAIN],
		metrics_gain(metrics, capacity_ns > useful_ns ? capacity_ns - useful_ns : 0));
	table_seconds(row.cells[WALL], metrics->wall_ns);
	text_percent(row.cells[EFFICIENCY], useful_ns, capacity_ns);
	for (size_t i = IMBALANCE; i < TABLE_COLUMNS; i++)
		table_seconds(row.cells[i], metrics_gain(metrics, metrics->cause_ns[causes[i]]));
	table_put(table, &row);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct metrics *metrics = &report->metrics;
	const struct figures *figures = &report->figures;
	struct table table = make_table(terminal, metrics, figures);
	struct table_limits limits = table_limits(options, DEFAULT_LIMIT_PERMYRIAD);
	size_t n_shown = 0;
	int has_serial = 0;

	table_heading(&table, "region (in wall s)");
	for (size_t i = 0; i < figures->n_regions; i++) {
		const struct figures_region *region = &figures->regions[i];

		if (!has_serial && region->lost_ns <= serial_lost_ns(metrics)) {
			put_serial(&table, metrics);
			has_serial = 1;
		}
		if (!table_shows(
			    &limits, n_shown, weight_of(metrics, &region->sum), metrics->wall_ns))
			continue;
		put_region(&table, metrics, region);
		n_shown++;
	}
	if (!has_serial)
		put_serial(&table, metrics);
	put_total(&table, metrics);
	table_end(&table, report, "region", figures->n_regions - n_shown, &limits);
	return 0;
}

const struct view view_by_region = {
	.name = "by region",
	.takes = VIEW_TAKES_LIMITS,
	.is_of_user = 1,
	.filters = FILTER_REGION,
	.print = print,
};
