/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that ompprof annotate shows, from a report and what a person asked for: chooses the place, plans its
 * lines, looks whether the sources are those that were compiled, and disassembles if that was asked for or
 * there is no source. annotate_print.h prints it.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_LISTING_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_LISTING_H

#include "src/annotate/annotate_code.h"
#include "src/annotate/annotate_plan.h"

struct annotate_listing {
	struct report *report;
	const struct annotate_options *options;
	struct annotate functions; /* that the target is of */
	struct annotate files;     /* of a file alone, else empty */
	struct annotate_target target;
	struct annotate_plan plan;
	struct annotate_code code;
	int has_code;      /* the code has instructions: they are shown */
	char remark[1024]; /* a sentence on top, or "" */
};

/*
 * `names` are the options that named the report, `place` what was asked for, or NULL; see
 * annotate_choose(). Returns 0, or -1 with *diag set; release in either case. `options` must last.
 */
int annotate_listing_make(struct annotate_listing *listing, struct report *report,
	const struct names_options *names, const char *place,
	const struct annotate_options *options, struct diag *diag);
void annotate_listing_release(struct annotate_listing *listing);

#endif
