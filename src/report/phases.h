/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's phases on the command line. --phase reduces a profile to some of its phases before
 * trees or figures are made (attribution/select/select_phase.h), so all views show these phases
 * alone. The texts of --phase are in a struct filter that has only terms of FILTER_PHASE. It is
 * separate from the filters that reduce figures.
 */
#ifndef OMPPROF_SRC_REPORT_PHASES_H
#define OMPPROF_SRC_REPORT_PHASES_H

#include "profile/reader/reader.h"
#include "src/report/filter.h"

/*
 * Writes the names from the outermost phase to profile.phases[i], with "/" between. The text is cut
 * where it has no room.
 */
void phases_name(char *text, size_t text_bytes, const struct profile *profile, size_t i);

/*
 * Reduces the profile to the given phases. `given` may be NULL or empty. A phase is selected if a
 * pattern matches its name, or its names from the outermost phase on, or if a phase around it is
 * selected. Returns 0, or -1 with *diag set.
 */
int phases_cut(const struct filter *given, struct profile *profile, struct diag *diag);

/*
 * Whether any phase of the profile, which may be that of a whole job, is selected. Returns 0, or -1
 * with *diag set.
 */
int phases_check(const struct filter *given, const struct profile *profile, struct diag *diag);

/* Whether any phase is given. */
int phases_are_given(const struct filter *given);

#endif
