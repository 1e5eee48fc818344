/* SPDX-License-Identifier: Apache-2.0 */
/* What a report says of its filters, above the view; and what JSON says. Prints nothing without filters. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_FILTER_H
#define OMPPROF_SRC_VIEWS_VIEW_FILTER_H

#include "src/text/json.h"
#include "src/views/view.h"

/*
 * The filters and how much they leave of the whole, in a line; and notes on what they do not hold for. With
 * `terminal` NULL the notes alone, on stderr.
 */
void view_put_filters(
	struct terminal *terminal, const struct report *report, const struct view *view);

/* The lines that view_put_filters prints before the summary: of filters, and of phases. */
size_t view_count_filters(const struct report *report, const struct terminal *terminal);
size_t view_count_phases(const struct report *report, const struct terminal *terminal);

/* The key "cut": by which phases the profile was cut, and the wall time of the whole. */
void view_json_phases(struct json *json, const struct report *report);

/* The key "filters": what was given, how much is left, and which filters each table is cut by. */
void view_json_filters(struct json *json, const struct report *report);

#endif
