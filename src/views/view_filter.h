/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report's text about its filters, above the view and in JSON. Prints nothing without filters.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_FILTER_H
#define OMPPROF_SRC_VIEWS_VIEW_FILTER_H

#include "src/text/json.h"
#include "src/views/view.h"

/*
 * Prints a line with the filters and how much they leave of the whole, then notes on what they do
 * not apply to. If `terminal` is NULL, prints the notes only, on stderr.
 */
void view_put_filters(
	struct terminal *terminal, const struct report *report, const struct view *view);

/* The number of lines that view_put_filters prints before the summary. */
size_t view_count_filters(const struct report *report, const struct terminal *terminal);

/* Whether the report has filters other than --phase. */
int view_has_filters(const struct report *report);

/* Writes the key "cut": the phases that the profile was cut by, and the wall time of the whole. */
void view_json_phases(struct json *json, const struct report *report);

/*
 * Writes the key "filters": the given filters, how much is left, and which filters cut each table.
 */
void view_json_filters(struct json *json, const struct report *report);

#endif
