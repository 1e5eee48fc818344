/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary's parts on the measured figures: the efficiency, where the time went by cause, and
 * what to fix first. The summary and --pop use it.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_CAUSES_H
#define OMPPROF_SRC_VIEWS_VIEW_CAUSES_H

#include "src/report/report.h"
#include "src/text/table.h"

/* Where the time went: a line for each cause or, without measured waits, each class of samples. */
struct cause_row {
	const char *word; /* the word in CSV */
	char name[64];
	size_t order;     /* sorts rows of the same amount */
	uint64_t amount;  /* thread ns, or events */
	uint64_t wall_ns; /* wall time that the cause costs; UINT64_MAX: none */
};

struct cause_rows {
	const struct report *report;
	struct cause_row rows[24];
	size_t n;
	uint64_t whole; /* sum of the amounts */
	int has_total;
};

/* The columns of the table; as text it shows wall time, thread time or events. */
extern const struct table_column cause_columns[];

/*
 * Lists all causes. With n_rows it lists useful work and the largest losses, and sums up the rest
 * in one row.
 */
void view_list_causes(struct cause_rows *causes, const struct report *report, size_t n_rows);

/* Prints the table, uncut unless the options say so. Returns 0 or -1. */
int view_print_causes(const struct cause_rows *causes, const struct table_options *options,
	struct terminal *terminal);

/* "load imbalance (barriers)". */
void view_cause_name(
	char *text, size_t text_bytes, const struct metrics *metrics, enum metrics_cause cause);

/* The number of causes that are worth a line. */
size_t view_count_causes(const struct metrics *metrics);

/* Prints one line: "Parallel efficiency 55 % (8 threads did the work of 4.4)   ideal: 6.83 s". */
void view_put_efficiency(struct terminal *terminal, const struct metrics *metrics);

/*
 * Prints a heading, two lines for each of the first `n` entries, and a last line. Prints one line
 * if there are no entries.
 */
void view_put_advice(struct terminal *terminal, const struct report *report, size_t n);

/*
 * Lists a row for each class that occurred (work always), and rows for the time that no sample
 * represents. There are 10 rows at most unless all waits are wanted.
 */
void view_list_classes(struct cause_rows *classes, const struct report *report, int wants_all);

#endif
