/* SPDX-License-Identifier: Apache-2.0 */
/* The directive at an item's line, and what it makes of the remedy; see why.h. */
#ifndef OMPPROF_SRC_WHY_WHY_DIRECTIVE_H
#define OMPPROF_SRC_WHY_WHY_DIRECTIVE_H

#include "src/why/why.h"

/* Sets why->directive and why->advice.remedy, given the listing. */
void why_read_directive(struct why *why);

/*
 * Writes the directive of which `line` is a part, in one line, without signs that it goes on; "" if
 * the line has none.
 */
void why_directive_at(
	char *directive, size_t directive_bytes, const struct source *source, uint32_t line);

/* The remedy for a loss at a directive, given the remedy that is known without it. */
enum advice_remedy why_refine(enum advice_remedy remedy, const char *directive);

#endif
