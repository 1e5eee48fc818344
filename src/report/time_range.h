/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The option --time: reduces a profile to the time between two moments, before trees or figures are
 * made (attribution/select/select_time.h). In a run of several processes moments count from the
 * begin of the first process. The result is in profile.part.
 */
#ifndef OMPPROF_SRC_REPORT_TIME_RANGE_H
#define OMPPROF_SRC_REPORT_TIME_RANGE_H

#include "profile/shared/diag.h"
#include "profile/reader/reader.h"

struct time_range {
	const char *text;          /* the option's text; NULL: not given */
	uint64_t begin_ns, end_ns; /* end_ns is UINT64_MAX without an end */
	int needs_paths;           /* the view shows call paths, which need a trace */
};

/*
 * Reads "2s..5s", "1.5s..", "..300ms"; a number without a unit is in seconds. `text` must outlive
 * the range. Returns 0, or -1 with *diag set.
 */
int time_range_read(struct time_range *range, const char *text, struct diag *diag);

/* `range` may be NULL. */
int time_range_is_given(const struct time_range *range);

/*
 * Reduces the profile of a process that began origin_ns after the run, if a time is given. Returns
 * 0, or -1 with *diag set (out of memory).
 */
int time_range_cut(const struct time_range *range, struct profile *profile, uint64_t origin_ns,
	struct diag *diag);

/* Adds the profile.part of a process to the part of the processes before it. */
void time_range_join(struct profile_part *to, const struct profile_part *from, uint64_t origin_ns,
	size_t n_threads);

/*
 * Checks that the run reaches the time, and that there is data for it, and call paths if they are
 * needed; `path` is the profile's, for messages. Sets the begin and end of *part. Returns 0, or -1
 * with *diag set.
 */
int time_range_check(const struct time_range *range, struct profile_part *part, size_t n_threads,
	const char *path, struct diag *diag);

#endif
