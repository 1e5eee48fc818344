/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that ompprof annotate shows. It chooses the place, plans its lines and checks whether the
 * sources are what was compiled. It disassembles if that was asked for or if there is no source.
 * annotate_print.h prints it.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_LISTING_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_LISTING_H

#include "src/annotate/annotate_code.h"
#include "src/annotate/annotate_plan.h"

struct annotate_listing {
	struct report *report;
	const struct annotate_options *options;
	struct annotate functions;
	struct annotate files; /* empty if a function is annotated */
	struct annotate_target target;
	struct annotate_plan plan;
	struct annotate_code code;
	int has_code;      /* the code has instructions, which are shown */
	char remark[1024]; /* a sentence on top, or "" */
};

/*
 * `names` are the options with which the report was named. `place` is what a person typed, or NULL;
 * see annotate_choose(). Returns 0, or -1 with *diag set. Release in either case. `options` must
 * outlive the listing.
 */
int annotate_listing_make(struct annotate_listing *listing, struct report *report,
	const struct names_options *names, const char *place,
	const struct annotate_options *options, struct diag *diag);
void annotate_listing_release(struct annotate_listing *listing);

#endif
