/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explains an item of "Fix first" for `ompprof why`. The module computes nothing of its own: the
 * advice (src/findings/advice.h) has the evidence and what to try, report_cells.h the threads'
 * times, and `ompprof annotate` the lines.
 *
 *  report by thread ── why_begin(): the item, its region, the threads' times in it
 *       │ report_again(), for all threads together, cut to that region
 *       ▼
 *  user view ── why_find_source(): lines with most time ── why_print(), why_print_json()
 */
#ifndef OMPPROF_SRC_WHY_WHY_H
#define OMPPROF_SRC_WHY_WHY_H

#include "src/annotate/annotate_listing.h"
#include "src/report/report.h"
#include "src/text/terminal.h"

enum { WHY_PLACE_BYTES = 2 * 4096, WHY_DIRECTIVE_BYTES = 1024 };

struct why_thread {
	char name[64];
	uint64_t work_ns, wait_ns, overhead_ns;
};

struct why {
	size_t item;                  /* index into report.advice.entries */
	char region[WHY_PLACE_BYTES]; /* for --region: "FILE:LINE", "none", or "": the whole run */
	struct why_thread *threads;   /* their times in that region */
	size_t n_threads;
	int lacks_cpus; /* threads had no CPU for much of the run */
	/* the item's place, then the function with most work in the region, if that is another */
	struct annotate_listing listings[2];
	size_t n_listings;
	char problem[1024]; /* why there is no listing, or "" */
	/* the directive at the item's line as it is in the source, or "" */
	char directive[WHY_DIRECTIVE_BYTES];
	struct advice advice; /* the item; its remedy heeds the directive */
};

/*
 * Finds item `number`, from 1 on, of a report that was loaded by thread. Returns 0, or -1 with
 * *diag set: there is no such item, or out of memory. Release in either case.
 */
int why_begin(struct why *why, const struct report *report, size_t number, struct diag *diag);

/* Finds the source of the item in the user view of all threads. `options` must outlive `why`. */
void why_find_source(struct why *why, struct report *report, const struct names_options *names,
	const struct annotate_options *options);

void why_release(struct why *why);

/* The wall time that the run has at best if the item's loss is gone. */
uint64_t why_at_best(const struct why *why, const struct report *report);

/* Writes the i-th command that shows more, and returns the buffer; NULL past the last. */
const char *why_command(const struct why *why, const struct report *report, size_t i, char *text,
	size_t text_bytes);

/* The first returns 0, or -1 when out of memory. */
int why_print(const struct why *why, const struct report *report, struct terminal *terminal);
void why_print_json(const struct why *why, const struct report *report, FILE *out);

#endif
