/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The option --time: the part of the run, from one moment to another, that a report or an export
 * shows. A profile is reduced to it before trees or figures are made
 * (attribution/select/select_time.h). In a run of several processes, moments count from the begin
 * of the first process. Each process is reduced to its own share of the time. profile.part has the
 * result.
 */
#ifndef OMPPROF_SRC_REPORT_TIME_RANGE_H
#define OMPPROF_SRC_REPORT_TIME_RANGE_H

#include "profile/shared/diag.h"
#include "profile/reader/reader.h"

struct time_range {
	const char *text;          /* as the user gave it; NULL: not given */
	uint64_t begin_ns, end_ns; /* UINT64_MAX: to the end of the run */
	int needs_paths;           /* call paths are shown, which a timeline does not have */
};

/* Reads "2s..5s", "1.5s..", "..300ms"; seconds without a unit. Returns 0, or -1 with *diag set. */
int time_range_read(struct time_range *range, const char *text, struct diag *diag);

/* Whether a time is given; `range` may be NULL. */
int time_range_is_given(const struct time_range *range);

/*
 * Reduces the profile of a process that began origin_ns after the run, if a time is given. Returns
 * 0, or -1 with *diag set: out of memory.
 */
int time_range_cut(const struct time_range *range, struct profile *profile, uint64_t origin_ns,
	struct diag *diag);

/* Adds the result for a process to the result for the processes before it. */
void time_range_join(struct profile_part *to, const struct profile_part *from, uint64_t origin_ns,
	size_t n_threads);

/*
 * Whether the result can be shown: the run must include the time, the profile must have data for
 * it, and call paths if they are needed. Sets the beginning and the end of *part to the run's.
 * Returns 0, or -1 with *diag set; `path` is the profile's path.
 */
int time_range_check(const struct time_range *range, struct profile_part *part, size_t n_threads,
	const char *path, struct diag *diag);

#endif
