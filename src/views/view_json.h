/* SPDX-License-Identifier: Apache-2.0 */
/* What the JSON of a report has in common, whether it is of the whole run or of a part. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_JSON_H
#define OMPPROF_SRC_VIEWS_VIEW_JSON_H

#include "src/text/json.h"
#include "src/report/report.h"

/* Opens the object, with "format", "version" and "view". */
void view_json_begin(struct json *json, const struct report *report);

/* "nodes" */
void view_json_nodes(struct json *json, const struct report *report);

#endif
