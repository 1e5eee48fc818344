/* SPDX-License-Identifier: Apache-2.0 */
/* --pop: the parallel efficiency, as a sum of losses and as a product of factors. */
#include <stdio.h>
#include <string.h>

#include "src/efficiency.h"
#include "src/view_causes.h"
#include "src/view_table.h"

/* "0.873"; by hand because printf asks the locale for the decimal point. */
static void put_factor(struct terminal *terminal, uint64_t part, uint64_t whole, const char *name)
{
	unsigned thousandths =
		whole ? (unsigned)((double)part * 1000.0 / (double)whole + 0.5) : 1000;

	fprintf(terminal->out, "    %u.%03u  %s\n", thousandths / 1000, thousandths % 1000, name);
}

static void put_sum(struct terminal *terminal, const struct metrics *metrics)
{
	struct table table = { terminal,
		{ { "thread-s", 8, 0 }, { "gain s", 7, 0 }, { "%", 6, 0 } } };
	uint64_t capacity_ns = 0;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		capacity_ns += metrics->cause_ns[i];
	table_heading(&table, "the CPU slots' time, each second in one line");
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		struct table_row row = { .prefix = NULL };

		if (metrics->cause_ns[i] == 0 && i != METRICS_USEFUL)
			continue;
		text_seconds(row.cells[0], metrics->cause_ns[i]);
		if (i != METRICS_USEFUL && metrics->n_slots)
			text_seconds(row.cells[1], metrics_gain(metrics, metrics->cause_ns[i]));
		text_percent(row.cells[2], metrics->cause_ns[i], capacity_ns);
		view_cause_name(row.name, sizeof(row.name), metrics, i);
		table_put(&table, &row);
	}
	struct table_row total = { .name = "total" };
	text_seconds(total.cells[0], capacity_ns);
	text_percent(total.cells[2], capacity_ns, capacity_ns);
	table_put(&table, &total);
}

static void put_product(struct terminal *terminal, const struct metrics *metrics)
{
	static const char *const names[EFFICIENCY_N] = {
		[EFFICIENCY_SERIAL] = "serial: no serial code",
		[EFFICIENCY_LOAD_BALANCE] = "load balance: no imbalance at barriers",
		[EFFICIENCY_SYNCHRONIZATION] = "synchronization: no waiting for locks and tasks",
		[EFFICIENCY_SCHEDULING] = "scheduling: no overhead of the runtime",
		[EFFICIENCY_OTHER] = "other: full teams, and threads that run",
	};
	static const char with_mpi[] = "other: no time in MPI, full teams, and threads that run";
	uint64_t left_ns[EFFICIENCY_N + 1];

	efficiency_make(left_ns, metrics);
	fprintf(terminal->out, "\n%s   factor  of what the one before leaves%s\n",
		terminal_style(terminal, STYLE_HEADING), terminal_style(terminal, STYLE_NONE));
	for (size_t i = 0; i < EFFICIENCY_N; i++)
		if (i != EFFICIENCY_OTHER || left_ns[i] != left_ns[i + 1])
			put_factor(terminal, left_ns[i + 1], left_ns[i],
				i == EFFICIENCY_OTHER && metrics->cause_ns[METRICS_MPI] ? with_mpi
											: names[i]);
	put_factor(terminal, left_ns[EFFICIENCY_N], left_ns[0],
		"parallel efficiency, the product of these");
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	static const struct table_limits nothing_cut = { 0 };
	struct table end = { .terminal = terminal };

	(void)options;
	put_sum(terminal, &report->metrics);
	put_product(terminal, &report->metrics);
	table_end(&end, report, "line", 0, &nothing_cut);
	return 0;
}

const struct view view_pop = { .name = "pop", .is_of_user = 1, .print = print };
