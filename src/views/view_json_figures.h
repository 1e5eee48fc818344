/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of --format json that are made of the figures: summary to tasks. Used by view_json.c. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_JSON_FIGURES_H
#define OMPPROF_SRC_VIEWS_VIEW_JSON_FIGURES_H

#include "src/text/json.h"
#include "src/report/report.h"

void view_json_figures(struct json *json, const struct report *report);

#endif
