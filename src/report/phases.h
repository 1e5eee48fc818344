/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The option --phase: reduces a profile to some of its phases before trees or figures are made
 * (attribution/select/select_phase.h), so all views show these phases alone. Its texts are in a
 * struct filter of their own, apart from the filters that reduce figures.
 */
#ifndef OMPPROF_SRC_REPORT_PHASES_H
#define OMPPROF_SRC_REPORT_PHASES_H

#include "profile/reader/reader.h"
#include "src/report/filter.h"

/*
 * Writes the names from the outermost phase to profile.phases[i], with "/" between. If there is no
 * room, outer names are left out.
 */
void phases_name(char *text, size_t text_bytes, const struct profile *profile, size_t i);

/*
 * Reduces the profile to the given phases; `given` may be NULL or empty. A phase is selected if a
 * pattern matches its name or its path of names, or if the phase around it is selected. Returns 0,
 * or -1 with *diag set.
 */
int phases_cut(const struct filter *given, struct profile *profile, struct diag *diag);

/*
 * Checks that a pattern matches a phase of the profile, or of the job. Returns 0, or -1 with *diag
 * set. 0 if no phase is given, or with "none".
 */
int phases_check(const struct filter *given, const struct profile *profile, struct diag *diag);

/* `given` may be NULL. */
int phases_are_given(const struct filter *given);

#endif
