/* SPDX-License-Identifier: Apache-2.0 */
/* The part of --format json that says when a thread did what. Used by view_json_figures.c. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_JSON_TIMELINE_H
#define OMPPROF_SRC_VIEWS_VIEW_JSON_TIMELINE_H

#include "src/text/json.h"
#include "src/report/report.h"

/* What times are called, by enum profile_time. */
extern const char *const view_json_time_words[PROFILE_N_TIMES];

/* "timeline" of a thread (index into report->profile.threads), if it has one. */
void view_json_timeline(struct json *json, const struct report *report, size_t thread);

#endif
