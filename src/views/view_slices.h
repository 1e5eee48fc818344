/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads' activity in a part of the run (--time). It replaces the summary, --by thread and
 * JSON, whose figures are of the whole run and cannot be cut.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_SLICES_H
#define OMPPROF_SRC_VIEWS_VIEW_SLICES_H

#include "src/text/json.h"
#include "src/views/view.h"

/* Prints "time: 2.000..5.000 s of 12.400 s", in all reports of a part. */
void part_put_line(struct terminal *terminal, const struct report *report);

/*
 * The view that shows for a part what `asked` shows for the whole run. `asked` NULL: the summary.
 */
const struct view *part_view(const struct view *asked);

/* Writes "cut", in all reports of a part. */
void part_json_cut(struct json *json, const struct report *report);

extern const struct view view_part_json;

#endif
