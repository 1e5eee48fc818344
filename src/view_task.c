/* SPDX-License-Identifier: Apache-2.0 */
/* --by task: each place that creates explicit tasks. */
#include <stdio.h>
#include <string.h>

#include "src/view_table.h"

enum { DEFAULT_LIMIT_PERMYRIAD = 50 };

enum task_column { CREATED, EXECUTED, BUSY, MEAN, LONGEST, STOLEN, STARVED };

static void put_task(const struct table *table, const struct metrics_task *sum, const char *name,
	const char *place)
{
	struct table_row row = { .prefix = NULL };

	text_count(row.cells[CREATED], sum->n_created);
	text_count(row.cells[EXECUTED], sum->n_executed);
	text_seconds(row.cells[BUSY], sum->busy_ns);
	table_duration(row.cells[MEAN], sum->n_executed ? sum->busy_ns / sum->n_executed : 0);
	table_duration(row.cells[LONGEST], sum->max_ns);
	text_percent(row.cells[STOLEN], sum->n_stolen, sum->n_executed);
	text_seconds(row.cells[STARVED], sum->starved_ns);
	snprintf(row.name, sizeof(row.name), "%s", name);
	snprintf(row.place, sizeof(row.place), "%s", place);
	table_put(table, &row);
}

static struct metrics_task sum_up(const struct figures *figures)
{
	struct metrics_task total = { .node = 0 };

	for (size_t i = 0; i < figures->n_tasks; i++) {
		const struct metrics_task *sum = &figures->tasks[i].sum;

		total.n_created += sum->n_created;
		total.n_executed += sum->n_executed;
		total.n_stolen += sum->n_stolen;
		total.busy_ns += sum->busy_ns;
		total.starved_ns += sum->starved_ns;
		total.max_ns = sum->max_ns > total.max_ns ? sum->max_ns : total.max_ns;
	}
	return total;
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct figures *figures = &report->figures;
	struct table table = { terminal,
		{ { "created", 7, 0 }, { "executed", 8, 0 }, { "busy s", 6, 0 }, { "mean", 6, 0 },
			{ "max", 6, 0 }, { "stolen%", 7, 0 }, { "starved", 7, 0 } } };
	struct table_limits limits = table_limits(options, DEFAULT_LIMIT_PERMYRIAD);
	struct metrics_task total = sum_up(figures);
	size_t n_shown = 0;

	table_heading(&table, "task (in thread-s)");
	for (size_t i = 0; i < figures->n_tasks; i++) {
		const struct figures_task *task = &figures->tasks[i];
		char place[512];

		if (!table_shows(&limits, n_shown, task->sum.n_created, total.n_created))
			continue;
		advice_place(place, sizeof(place), task->label);
		put_task(&table, &task->sum, place, task->label->function);
		n_shown++;
	}
	put_task(&table, &total, "total", "");
	table_end(&table, report, "task", figures->n_tasks - n_shown, &limits);
	return 0;
}

const struct view view_by_task = {
	.name = "by task",
	.takes = VIEW_TAKES_LIMITS,
	.is_of_user = 1,
	.filters = FILTER_REGION,
	.print = print,
};
