/* SPDX-License-Identifier: Apache-2.0 */
/* --by region: what each parallel region loses, in seconds of wall time that could be won. */
#include <stdio.h>
#include <string.h>

#include "src/view_table.h"

enum { DEFAULT_LIMIT_PERMYRIAD = 50, NAME_LEAST = 16 };

enum region_column { GAIN, WALL, RUNS, MEAN, EFFICIENCY, IMBALANCE, LOCK, TASK, OVERHEAD, SHORT };

static const enum metrics_cause causes[TABLE_COLUMNS] = {
	[IMBALANCE] = METRICS_IMBALANCE,
	[LOCK] = METRICS_LOCK,
	[TASK] = METRICS_TASK,
	[OVERHEAD] = METRICS_OVERHEAD,
	[SHORT] = METRICS_SHORT_TEAM,
};

static struct table make_table(struct terminal *terminal, const struct metrics *metrics)
{
	struct table table = { terminal,
		{ { "gain s", 6, 0 }, { "wall s", 6, 0 }, { "runs", 5, 0 }, { "mean", 6, 0 },
			{ "eff%", 5, 0 }, { "imbal", 5, 0 }, { "lock", 5, 0 }, { "task", 5, 0 },
			{ "ovrhd", 5, 0 }, { "short", 5, 0 } } };

	static const enum region_column spare[] = { RUNS, MEAN, EFFICIENCY };

	for (size_t i = IMBALANCE; i < TABLE_COLUMNS; i++)
		table.columns[i].is_hidden =
			i != IMBALANCE && i != OVERHEAD && metrics->cause_ns[causes[i]] == 0;
	for (size_t i = 0; i < sizeof(spare) / sizeof(spare[0]); i++)
		if (table_width(&table) + NAME_LEAST >= (size_t)terminal->width)
			table.columns[spare[i]].is_hidden = 1;
	return table;
}

static uint64_t gain_ns(const struct metrics *metrics, uint64_t thread_ns)
{
	return metrics->n_slots ? thread_ns / metrics->n_slots : 0;
}

static void put_region(const struct table *table, const struct metrics *metrics,
	const struct figures_region *region)
{
	const struct metrics_region *sum = &region->sum;
	struct table_row row = { .prefix = NULL };

	table_seconds(row.cells[GAIN], gain_ns(metrics, region->lost_ns));
	text_count(row.cells[RUNS], sum->n);
	if (sum->wall_ns && sum->n) {
		table_seconds(row.cells[WALL], sum->wall_ns);
		table_duration(row.cells[MEAN], sum->wall_ns / sum->n);
	}
	text_percent(row.cells[EFFICIENCY], sum->cause_ns[METRICS_USEFUL], figures_capacity(sum));
	for (size_t i = IMBALANCE; i < TABLE_COLUMNS; i++)
		table_seconds(row.cells[i], gain_ns(metrics, sum->cause_ns[causes[i]]));
	advice_place(row.name, sizeof(row.name), region->label);
	if (advice_is_tiny(sum))
		strncat(row.name, " [tiny]", sizeof(row.name) - strlen(row.name) - 1);
	snprintf(row.place, sizeof(row.place), "%s", region->label->function);
	table_put(table, &row);
}

/* Its wall time, or without a record of that what its threads' time comes to. */
static uint64_t weight_of(const struct metrics *metrics, const struct metrics_region *region)
{
	uint64_t slots_ns = gain_ns(metrics, figures_capacity(region));

	return region->wall_ns > slots_ns ? region->wall_ns : slots_ns;
}

static void put_serial(const struct table *table, const struct metrics *metrics)
{
	struct table_row row = { .name = "(serial code)" };

	if (metrics->serial_ns == 0)
		return;
	table_seconds(row.cells[GAIN], gain_ns(metrics, metrics->cause_ns[METRICS_SERIAL]));
	table_seconds(row.cells[WALL], metrics->serial_ns);
	table_put(table, &row);
}

static void put_total(const struct table *table, const struct metrics *metrics)
{
	uint64_t capacity_ns = metrics->n_slots * metrics->wall_ns;
	uint64_t useful_ns = metrics->cause_ns[METRICS_USEFUL];
	struct table_row row = { .name = "total" };

	table_seconds(row.cells[GAIN],
		gain_ns(metrics, capacity_ns > useful_ns ? capacity_ns - useful_ns : 0));
	table_seconds(row.cells[WALL], metrics->wall_ns);
	text_percent(row.cells[EFFICIENCY], useful_ns, capacity_ns);
	for (size_t i = IMBALANCE; i < TABLE_COLUMNS; i++)
		table_seconds(row.cells[i], gain_ns(metrics, metrics->cause_ns[causes[i]]));
	table_put(table, &row);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct metrics *metrics = &report->metrics;
	const struct figures *figures = &report->figures;
	struct table table = make_table(terminal, metrics);
	struct table_limits limits = table_limits(options, DEFAULT_LIMIT_PERMYRIAD);
	size_t n_shown = 0;
	int has_serial = 0;

	table_heading(&table, "region (in wall s)");
	for (size_t i = 0; i < figures->n_regions; i++) {
		const struct figures_region *region = &figures->regions[i];

		if (!has_serial && region->lost_ns <= metrics->cause_ns[METRICS_SERIAL]) {
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
	.print = print,
};
