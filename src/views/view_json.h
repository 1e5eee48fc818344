/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JSON of a report: what views share. Views write their own rows (put_json of struct view), and
 * view_json.c the rest; with --time view_slices.c writes all.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_JSON_H
#define OMPPROF_SRC_VIEWS_VIEW_JSON_H

#include "src/text/json.h"
#include "src/report/report.h"

/* JSON keys by enum profile_time, for timelines. */
extern const char *const view_json_time_words[PROFILE_N_TIMES];

/* Opens the object of the report and writes "format", "version" and "view". */
void view_json_begin(struct json *json, const struct report *report);

/* Writes "nodes": report->names. */
void view_json_nodes(struct json *json, const struct report *report);

/* Writes "node"; null for NAMES_NONE. */
void view_json_node(struct json *json, uint32_t node);

/* Writes "name", "file", "line" and "function", which is view_json_function(label). */
void view_json_place(struct json *json, const char *name, const struct name_label *label,
	struct name_place place);

/* The function that a construct is in, or the function itself; "" for other labels and NULL. */
const char *view_json_function(const struct name_label *label);

/*
 * Writes "CAUSE_s": wall time, or null unless is_known. Leaves out MPI, waits for devices, and
 * threads held up, if the run has no such time.
 */
void view_json_cause(struct json *json, const struct metrics *metrics, size_t cause,
	uint64_t thread_ns, int is_known);

/* Writes the members of an entry of the advice, but for its node. */
void view_json_advice(struct json *json, const struct report *report, const struct advice *advice);

/* The number of a thread from its index into profile.threads; 0 if there is no such thread. */
uint64_t view_json_thread(const struct report *report, uint32_t thread);

/* Writes "pid" and "rank" of a thread's process; nothing in a profile of one process. */
void view_json_owner(struct json *json, const struct report *report, size_t thread);

/* Writes an object for each kind of operation, as the host saw it. */
void view_target_put_ops(struct json *json, const struct metrics_target *sum);

/* Writes "on_device": what the device recorded; nothing if it recorded nothing. */
void view_target_put_traced(struct json *json, const struct metrics_ops *traced);

/* Writes "device": its number, null for PROFILE_NO_DEVICE. */
void view_target_put_device(struct json *json, int32_t device);

#endif
