/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's phases on the command line: --phase cuts a profile down to some of them before anything is made of it
 * (attribution/select/select_phase.h), so all views are of these alone. What --phase says is a struct filter with terms of
 * FILTER_PHASE only, apart from the filters that cut figures.
 */
#ifndef OMPPROF_SRC_REPORT_PHASES_H
#define OMPPROF_SRC_REPORT_PHASES_H

#include "profile/reader/reader.h"
#include "src/report/filter.h"

/* The names from the outermost phase to profile.phases[i], with "/" between. Cut where `text` is full. */
void phases_name(char *text, size_t text_bytes, const struct profile *profile, size_t i);

/*
 * Cuts the profile by what is given, which may be NULL or nothing. A phase is selected if a pattern matches its name or
 * its names from the outermost one, or those of a phase around it. Returns 0, or -1 with *diag set.
 */
int phases_cut(const struct filter *given, struct profile *profile, struct diag *diag);

/* Whether anything of the profile, which may be a job's, is selected. Returns 0, or -1 with *diag set. */
int phases_check(const struct filter *given, const struct profile *profile, struct diag *diag);

/* Whether there is anything to cut by. */
int phases_are_given(const struct filter *given);

#endif
