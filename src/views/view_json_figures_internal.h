/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of view_json_figures.h share: values that several figures have. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_JSON_FIGURES_INTERNAL_H
#define OMPPROF_SRC_VIEWS_VIEW_JSON_FIGURES_INTERNAL_H

#include "src/text/json.h"
#include "src/report/report.h"

/* "node": one of the named tree, null for NAMES_NONE. */
void view_json_node(struct json *json, uint32_t node);

/* "name", "file", "line" and "function"; the label may be NULL. */
void view_json_place(struct json *json, const char *name, const struct name_label *label,
	struct name_place place);

/* Where the label is. */
struct name_place view_json_place_of(const struct name_label *label);

/* The number of a thread, by its index into profile.threads. */
uint64_t view_json_thread(const struct report *report, uint32_t thread);

/* "pid" and "rank": of several processes, whose thread it is. */
void view_json_owner(struct json *json, const struct report *report, size_t thread);

/* An object for a mutex, for the tasks of a place, and for an event at a place. */
void view_json_lock(
	struct json *json, const struct report *report, const struct figures_lock *lock);
void view_json_task(
	struct json *json, const struct report *report, const struct figures_task *task);
void view_json_event(
	struct json *json, const struct report *report, const struct figures_event *event);

#endif
