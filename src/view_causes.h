/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary's parts on the measured figures: the efficiency, where the time went by cause, and
 * what to fix first. Used by the summary and --pop.
 */
#ifndef OMPPROF_VIEW_CAUSES_H
#define OMPPROF_VIEW_CAUSES_H

#include "src/report.h"
#include "src/terminal.h"

/* "load imbalance (barriers)". */
void view_cause_name(
	char *text, size_t text_bytes, const struct metrics *metrics, enum metrics_cause cause);

/* How many causes are worth a line. */
size_t view_count_causes(const struct metrics *metrics);

/* "Parallel efficiency 55 % (8 threads did the work of 4.4)   ideal: 6.83 s": one line. */
void view_put_efficiency(struct terminal *terminal, const struct metrics *metrics);

/* A heading and `n_rows` lines at most: useful work, then the largest losses; the rest is one line. */
void view_put_causes(struct terminal *terminal, const struct metrics *metrics, size_t n_rows);

/* A heading, two lines for each of the first `n` entries, a last line; without entries one line. */
void view_put_advice(struct terminal *terminal, const struct report *report, size_t n);

#endif
