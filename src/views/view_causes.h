/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary's parts on the measured figures: the efficiency, where the time went by cause, and
 * what to fix first. Used by the summary and --pop.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_CAUSES_H
#define OMPPROF_SRC_VIEWS_VIEW_CAUSES_H

#include "src/report/report.h"
#include "src/text/table.h"

/* Where the time went: a line for each cause or, without measured waits, each class of samples. */
struct cause_row {
	const char *word; /* as CSV has it */
	char name[64];
	size_t order;     /* of what amounts to the same */
	uint64_t amount;  /* thread ns, or events */
	uint64_t wall_ns; /* what of causes that comes to; UINT64_MAX: nothing */
};

struct cause_rows {
	const struct report *report;
	struct cause_row rows[24];
	size_t n;
	uint64_t whole; /* of the amounts */
	int has_total;
};

/* The columns of their table: its text has wall time, thread time or events. */
extern const struct table_column cause_columns[];

/* All causes; or with n_rows useful work and the largest losses, the rest being one line. */
void view_list_causes(struct cause_rows *causes, const struct report *report, size_t n_rows);

/* Prints the table, nothing of it cut unless the options say so. Returns 0 or -1. */
int view_print_causes(const struct cause_rows *causes, const struct table_options *options,
	struct terminal *terminal);

/* "load imbalance (barriers)". */
void view_cause_name(
	char *text, size_t text_bytes, const struct metrics *metrics, enum metrics_cause cause);

/* How many causes are worth a line. */
size_t view_count_causes(const struct metrics *metrics);

/* "Parallel efficiency 55 % (8 threads did the work of 4.4)   ideal: 6.83 s": one line. */
void view_put_efficiency(struct terminal *terminal, const struct metrics *metrics);

/* A heading, two lines for each of the first `n` entries, a last line; without entries one line. */
void view_put_advice(struct terminal *terminal, const struct report *report, size_t n);

/*
 * A row for each class that occurred (work always), and what no sample stands for: 10 at most unless all
 * waits are wanted.
 */
void view_list_classes(struct cause_rows *classes, const struct report *report, int wants_all);

#endif
