/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads' activity in a part of the run (--time). It replaces the summary, --by thread and
 * JSON, whose figures are of the whole run and cannot be cut.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_SLICES_H
#define OMPPROF_SRC_VIEWS_VIEW_SLICES_H

#include "src/text/json.h"
#include "src/views/view.h"

/* Where a thread's time in the part went. */
struct part_times {
	/* as in its timeline; IN_WAIT is the same time as waits and is not in the sum */
	uint64_t ns[PROFILE_N_TIMES];
	uint64_t rest_ns;  /* time of its life in no class */
	uint64_t total_ns; /* its life */
};

/* Whether IN_WAIT counts: if waits were not measured. */
int part_counts_in_wait(const struct report *report);

/* The times of thread `i` (index into profile.threads). */
struct part_times part_of_thread(const struct report *report, size_t i);

/* The sum over the threads that are shown. */
struct part_times part_of_all(const struct report *report);

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
