/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the threads did in a part of the run (--time): in place of the summary, of --by thread, and of JSON, whose figures
 * are of the whole run and cannot be cut.
 */
#ifndef OMPPROF_SRC_VIEWS_VIEW_SLICES_H
#define OMPPROF_SRC_VIEWS_VIEW_SLICES_H

#include "src/text/json.h"
#include "src/views/view.h"

/* What a thread's time in the part went into. */
struct part_times {
	uint64_t ns
		[PROFILE_N_TIMES]; /* as its timeline has it; IN_WAIT is the same time as waits are, not in the sum */
	uint64_t rest_ns;  /* of its life, in none of these; */
	uint64_t total_ns; /* its life */
};

/* IN_WAIT counts where waits were not measured. */
int part_counts_in_wait(const struct report *report);

/* Of thread `i` (index into profile.threads). */
struct part_times part_of_thread(const struct report *report, size_t i);

/* The sum over the threads that are shown. */
struct part_times part_of_all(const struct report *report);

/* "time: 2.000..5.000 s of 12.400 s" for reports of anything in the part. */
void part_put_line(struct terminal *terminal, const struct report *report);

/* The view that shows what `asked` would of the whole run; NULL: the summary. */
const struct view *part_view(const struct view *asked);

/* "cut", in reports of anything in the part. */
void part_json_cut(struct json *json, const struct report *report);

extern const struct view view_part_json;

#endif
