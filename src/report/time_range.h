/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --time: a part of the run, from one moment to another, that a report or an export is of. A profile is cut down to it
 * before anything is made of it (attribution/select/select_time.h); of a run of several processes each to its own share of it, as
 * moments count from the begin of the first. profile.part says what came of it.
 */
#ifndef OMPPROF_SRC_REPORT_TIME_RANGE_H
#define OMPPROF_SRC_REPORT_TIME_RANGE_H

#include "profile/shared/diag.h"
#include "profile/reader/reader.h"

struct time_range {
	const char *text;          /* as it was given; NULL: it was not */
	uint64_t begin_ns, end_ns; /* UINT64_MAX: the run's end */
	int needs_paths; /* what is shown are call paths, which a timeline does not tell */
};

/* "2s..5s", "1.5s..", "..300ms"; seconds without a unit. Returns 0, or -1 with *diag set. */
int time_range_read(struct time_range *range, const char *text, struct diag *diag);

/* Whether there is anything to cut by; `range` may be NULL. */
int time_range_is_given(const struct time_range *range);

/*
 * Cuts a process that began origin_ns after the run, if there is anything to cut by. Returns 0, or -1 with *diag set:
 * out of memory.
 */
int time_range_cut(const struct time_range *range, struct profile *profile, uint64_t origin_ns,
	struct diag *diag);

/* Adds what came of a process to what came of those before it. */
void time_range_join(struct profile_part *to, const struct profile_part *from, uint64_t origin_ns,
	size_t n_threads);

/*
 * Whether what came of it can be shown: the run has such a time, the profile knows of it, and call paths if need be.
 * Sets *part's begin and end to the run's. Returns 0, or -1 with *diag set; `path` is the profile's.
 */
int time_range_check(const struct time_range *range, struct profile_part *part, size_t n_threads,
	const char *path, struct diag *diag);

#endif
