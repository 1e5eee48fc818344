/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report's text about its filters and repeated runs, above the view and in JSON. Nothing without
 * them.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_FILTER_H
#define OMPPROF_SRC_VIEWS_VIEW_FILTER_H

#include "src/text/json.h"
#include "src/views/view.h"

/*
 * Prints how many runs there are, the filters and how much they leave, then notes on what they do
 * not apply to. If `terminal` is NULL, as for CSV, only the notes are printed, on stderr.
 */
void view_put_filters(
	struct terminal *terminal, const struct report *report, const struct view *view);

/* Prints of how many runs the figures are the median run's; on stderr if `terminal` is NULL. */
void view_put_runs(struct terminal *terminal, const struct report *report);

/* The number of lines that view_put_filters prints before the summary. */
size_t view_count_filters(const struct report *report, const struct terminal *terminal);

/* Whether the report has filters other than --phase. */
int view_has_filters(const struct report *report);

/* Writes "walls_s": the wall times of repeated runs, shortest first. */
void view_json_runs(struct json *json, const struct report *report);

/* Writes "cut": the texts of --phase, and the wall time without it. */
void view_json_phases(struct json *json, const struct report *report);

/* Writes "filters": the filters, how much they leave, and which of them apply to each table. */
void view_json_filters(struct json *json, const struct report *report);

#endif
