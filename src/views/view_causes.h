/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of the summary: the efficiency, where the time went, and what to fix first. --pop, JSON and
 * `ompprof diff` use some of them, too.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_CAUSES_H
#define OMPPROF_SRC_VIEWS_VIEW_CAUSES_H

#include "src/report/report.h"
#include "src/text/table.h"

/* Where the time went: a row of the table, for a cause or for a class of samples. */
struct cause_row {
	const char *word; /* the key in CSV and JSON */
	char name[64];
	size_t order;     /* orders rows with the same amount */
	uint64_t amount;  /* thread time, or events */
	uint64_t wall_ns; /* wall time that the cause costs; UINT64_MAX: no such figure */
};

struct cause_rows {
	const struct report *report;
	struct cause_row rows[24];
	size_t n;
	uint64_t whole; /* the sum over all causes or classes, also without a row */
	int has_total;
};

/* The columns of a table of causes. */
extern const struct table_column cause_columns[];

/*
 * Lists useful work and the losses of at least 0.1 %, largest first, in at most n_rows rows. If
 * there are more losses, the last row sums up the rest. SIZE_MAX: all causes, even without time.
 */
void view_list_causes(struct cause_rows *causes, const struct report *report, size_t n_rows);

/* Prints the table. Returns 0, or -1 when out of memory. */
int view_print_causes(const struct cause_rows *causes, const struct table_options *options,
	struct terminal *terminal);

/* The cause on screens: "load imbalance (barriers)". */
void view_cause_name(
	char *text, size_t text_bytes, const struct metrics *metrics, enum metrics_cause cause);

/* The number of causes that are large enough for a row. */
size_t view_count_causes(const struct metrics *metrics);

/* Prints one line: "Parallel efficiency 55 % (8 threads did the work of 4.4)   ideal: 6.83 s". */
void view_put_efficiency(struct terminal *terminal, const struct metrics *metrics);

/* Prints an entry of the advice on two lines. */
void view_put_entry(struct terminal *terminal, size_t rank, const struct advice *advice);

/*
 * Prints the first `n` entries of the advice: a heading, two lines for each, the sum and the next
 * command, on one line or two. One line if there is no advice. The second returns the number of
 * lines.
 */
void view_put_advice(struct terminal *terminal, const struct report *report, size_t n);
size_t view_count_advice(const struct report *report, const struct terminal *terminal, size_t n);

/*
 * Lists a row for work, for each other class that occurred, for the time without a CPU, and for the
 * CPU time that no sample represents. Small waits share a row, so that there are at most 9; with
 * wants_all each has its own.
 */
void view_list_classes(struct cause_rows *classes, const struct report *report, int wants_all);

#endif
