/* SPDX-License-Identifier: Apache-2.0 */
/* The directive at an item's line, and what it makes of the remedy; see why.h. */
#ifndef OMPPROF_SRC_WHY_WHY_DIRECTIVE_H
#define OMPPROF_SRC_WHY_WHY_DIRECTIVE_H

#include "src/why/why.h"

/* Sets why->directive and why->advice.remedy, given the listing. */
void why_read_directive(struct why *why);

/* The remedy for a loss at a directive, given the remedy that is known without it. */
enum advice_remedy why_refine(enum advice_remedy remedy, const char *directive);

#endif
