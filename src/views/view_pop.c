/* SPDX-License-Identifier: Apache-2.0 */
/* --pop: the capacity as a sum of causes, and the parallel efficiency as a product of factors. */
#include <stdio.h>
#include <string.h>

#include "src/findings/efficiency.h"
#include "src/views/view.h"
#include "src/views/view_causes.h"

enum sum_column { TIME, GAIN, SHARE, CAUSE };

static const struct table_column sum_columns[] = {
	[TIME] = { "thread", "thread-s", TABLE_SECONDS, TABLE_IN_TEXT, 0, 8 },
	[GAIN] = { "gain", "gain s", TABLE_SECONDS, TABLE_IN_TEXT, 0, 7 },
	[SHARE] = { "share", "%", TABLE_SHARE, TABLE_IN_TEXT, 0, 6 },
	[CAUSE] = { "name", "name", TABLE_NAME, TABLE_IN_TEXT, 0, 0 },
	{ .key = NULL },
};

static void fill_cause(const void *data, size_t index, struct table_row *row)
{
	const struct metrics *metrics = data;
	uint64_t capacity_ns = findings_sum_causes(metrics->cause_ns);
	uint64_t ns = index < METRICS_N_CAUSES ? metrics->cause_ns[index] : capacity_ns;
	char name[64] = "total";

	row->is_empty = ns == 0 && index != METRICS_USEFUL;
	table_set(row, TIME, ns);
	if (index < METRICS_N_CAUSES) {
		view_cause_name(name, sizeof(name), metrics, index);
		if (index != METRICS_USEFUL && metrics->n_slots)
			table_set(row, GAIN, metrics_gain(metrics, ns));
	}
	table_set_part(row, SHARE, ns, capacity_ns);
	table_set_text(row, CAUSE, table_print_text(row, "%s", name));
}

enum factor_column { FACTOR, WORD, NAME };

/* The row after the factors and their product. */
enum { THREADS = EFFICIENCY_N + 1 };

static const struct table_column factor_columns[] = {
	[FACTOR] = { "factor", "factor", TABLE_FACTOR, TABLE_IN_BOTH, 0, 9 },
	[WORD] = { "word", "word", TABLE_WORD, TABLE_IN_CSV, 0, 0 },
	[NAME] = { "name", "name", TABLE_NAME, TABLE_IN_BOTH, 0, 0 },
	{ .key = NULL },
};

struct factors {
	const struct metrics *metrics;
	uint64_t left_ns[EFFICIENCY_N + 1];
};

static void fill_factor(const void *data, size_t index, struct table_row *row)
{
	static const char *const names[] = {
		[EFFICIENCY_PROCESS] = "process: no time in MPI",
		[EFFICIENCY_SERIAL] = "serial: no serial code",
		[EFFICIENCY_LOAD_BALANCE] = "load balance: no imbalance at barriers",
		[EFFICIENCY_SYNCHRONIZATION] = "synchronization: no waiting for locks and tasks",
		[EFFICIENCY_SCHEDULING] = "scheduling: no overhead of the runtime",
		[EFFICIENCY_N] = "parallel efficiency, the product of these",
		[THREADS] = "efficiency of threads, the product without the first",
	};
	/* whether there was time in waits for devices */
	static const char *const others[2] = { "other: full teams, and threads that run",
		"other: no waits for devices, full teams, and threads that run" };
	const struct factors *factors = data;
	const uint64_t *left_ns = factors->left_ns;
	uint64_t part_ns = left_ns[index < EFFICIENCY_N ? index + 1 : EFFICIENCY_N];
	uint64_t whole_ns = left_ns[index < EFFICIENCY_N ? index : index == THREADS];

	row->is_empty =
		(index == EFFICIENCY_OTHER && part_ns == whole_ns) ||
		((index == EFFICIENCY_PROCESS || index == THREADS) && left_ns[0] == left_ns[1]);
	/* If there is no time at all, the factor is 1. */
	table_set_part(row, FACTOR, whole_ns ? part_ns : 1, whole_ns ? whole_ns : 1);
	table_set_text(row, WORD,
		index == THREADS        ? "threads"
		: index == EFFICIENCY_N ? "efficiency"
					: efficiency_word(index));
	table_set_text(row, NAME,
		index == EFFICIENCY_OTHER ? others[factors->metrics->cause_ns[METRICS_DEVICE] != 0]
					  : names[index]);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct factors factors = { .metrics = &report->metrics };
	const struct table sum = {
		.columns = sum_columns,
		.title = "the CPU slots' time, each second in one line",
		.what = "cause",
		.n_rows = METRICS_N_CAUSES,
		.fill = fill_cause,
		.data = &report->metrics,
		.has_total = 1,
	};
	const struct table product = {
		.columns = factor_columns,
		.title = "of what the line above leaves",
		.what = "factor",
		.n_rows = THREADS + 1,
		.fill = fill_factor,
		.data = &factors,
	};
	static const struct table_options all = TABLE_OPTIONS_DEFAULT;

	efficiency_make(factors.left_ns, &report->metrics);
	if (options->table.is_csv)
		return table_print(&product, &options->table, terminal);
	if (table_print(&sum, &all, terminal) != 0)
		return -1;
	fputc('\n', terminal->out);
	if (table_print(&product, &options->table, terminal) != 0)
		return -1;
	view_put_notes(terminal, report);
	return 0;
}

const struct view view_pop = {
	.name = "pop",
	.is_of_user = 1,
	.columns = factor_columns,
	.print = print,
};
