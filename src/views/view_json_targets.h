/* SPDX-License-Identifier: Apache-2.0 */
/* Target constructs and devices as JSON; a part of view_json_figures.h. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_JSON_TARGETS_H
#define OMPPROF_SRC_VIEWS_VIEW_JSON_TARGETS_H

#include "src/text/json.h"
#include "src/report/report.h"

/* Adds the members "targets" and "devices" to the object that is open. */
void view_json_targets(struct json *json, const struct report *report);

#endif
