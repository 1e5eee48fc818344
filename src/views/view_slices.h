/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads' activity in a part of the run (--time). This replaces the summary, --by thread and
 * JSON, whose figures are only known for the whole run.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_SLICES_H
#define OMPPROF_SRC_VIEWS_VIEW_SLICES_H

#include "src/text/json.h"
#include "src/views/view.h"

/* Prints "time: 2.000 to 5.000 s of 12.400 s; ...". */
void part_put_line(struct terminal *terminal, const struct report *report);

/*
 * The view to use instead of `asked` with --time; `asked` itself if it works for a part. NULL: the
 * summary.
 */
const struct view *part_view(const struct view *asked);

/* Writes "cut": the part, and what its figures come from. */
void part_json_cut(struct json *json, const struct report *report);

extern const struct view view_part_json;

#endif
