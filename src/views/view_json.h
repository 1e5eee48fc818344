/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON of a report, and what its parts share. A view with a table writes its rows by the
 * table's columns (put_json of struct view). view_json.c writes the run, the summary, advice and
 * the tree.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_JSON_H
#define OMPPROF_SRC_VIEWS_VIEW_JSON_H

#include "src/text/json.h"
#include "src/report/report.h"

/* The names of times, by enum profile_time. */
extern const char *const view_json_time_words[PROFILE_N_TIMES];

/* Opens the object and writes "format", "version" and "view". */
void view_json_begin(struct json *json, const struct report *report);

/* Writes "nodes". */
void view_json_nodes(struct json *json, const struct report *report);

/* Writes "node": a node of the named tree, null for NAMES_NONE. */
void view_json_node(struct json *json, uint32_t node);

/* Writes "name", "file", "line" and "function"; the label may be NULL. */
void view_json_place(struct json *json, const char *name, const struct name_label *label,
	struct name_place place);

/*
 * The function of a label: the function that a construct is in, or the function itself; "" for
 * other labels, and for NULL.
 */
const char *view_json_function(const struct name_label *label);

/*
 * Writes the cost of a cause as wall time, or null. Causes of MPI and of devices are left out if
 * the run did not use MPI or devices.
 */
void view_json_cause(struct json *json, const struct metrics *metrics, size_t cause,
	uint64_t thread_ns, int is_known);

/* The number of a thread, by its index into profile.threads. */
uint64_t view_json_thread(const struct report *report, uint32_t thread);

/* Writes "pid" and "rank" of a thread's process, if there are several processes. */
void view_json_owner(struct json *json, const struct report *report, size_t thread);

/* Writes an object for each kind of operation, from the host's events. */
void view_target_put_ops(struct json *json, const struct metrics_target *sum);

/* Writes "on_device": the device's own records. Writes nothing if it recorded nothing. */
void view_target_put_traced(struct json *json, const struct metrics_ops *traced);

/* Writes "device": its number, null for PROFILE_NO_DEVICE. */
void view_target_put_device(struct json *json, int32_t device);

#endif
