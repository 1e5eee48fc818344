/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report or a comparison as one HTML page that fetches nothing: a fixed page (html/, compiled in
 * by html/embed.sh), the summary as text for readers without scripts, and data as gzip in base64.
 *
 *   cmd_report.c -> html_report() makes the data, in several views        html_report.c
 *                     html_put_threads()   threads by regions              html_threads.c
 *                     html_put_sources()   lines of the source             html_sources.c
 *                     html_put_trace()     samples and waits, with --trace  html_trace.c
 *                  -> html_write()         page, summary, data             html_write.c
 *   cmd_diff.c   -> html_diff()   the same of a comparison                 html_diff.c
 *
 * Names from the profile are in the page only inside base64, or escaped in the summary.
 */
#ifndef OMPPROF_SRC_PAGE_HTML_H
#define OMPPROF_SRC_PAGE_HTML_H

#include <stdio.h>

#include "src/compare/diff_condition.h"
#include "src/text/json.h"
#include "src/report/report.h"
#include "src/request/report_request.h"

/* One piece of data: a JSON text in memory, and the id of its element. */
struct html_part {
	const char *id;
	char *text;
	size_t n_bytes;
};

/* A fixed page. */
struct html_template {
	const unsigned char *text;
	size_t n_bytes;
};

extern const struct html_template html_report_page, html_diff_page;

/* Writes the page. Returns 0, or -1 when out of memory or after a write error (ferror). */
int html_write(FILE *out, const struct html_template *page, const char *summary,
	const struct html_part *parts, size_t n_parts);

/*
 * Writes an array with the time of each thread in each region. The report must be by_thread.
 * Returns 0, or -1 when out of memory.
 */
int html_put_threads(struct json *json, const struct report *report);

/* Whether the page has the trace. It has none with filters, which a trace does not heed. */
int html_has_trace(const struct report *report);

/*
 * Writes the trace, in ns, as an object:
 *   traced   only if the trace was full: up to when it has everything
 *   phases   the names of phases 1, 2, ...
 *   keys     [node of the report's nodes, its figure, state of the timeline, phase (0: none)] each;
 *            the figure is "work", "overhead" or "wait", or "" if the node does not count it
 *   threads  the moments of each, as arrays of numbers: `end` since the end before it; `length`
 *            from its begin to its end; `more`, the time that it counts as beyond its length;
 *            `key`, an index into keys
 * Returns 0, or -1 when out of memory.
 */
int html_put_trace(struct json *json, const struct report *report);

/* Writes an array with the report's node of each key of html_put_trace. Returns as that does. */
int html_put_trace_nodes(struct json *json, const struct report *report);

/*
 * Writes an array with an entry for each source file of the nodes, files with most samples first:
 * its lines near the nodes, or the reason why they are left out. A profile can name any file that
 * its reader may read, and a page is sent to others. So a file is quoted only if it was found by
 * the rules, or if the debug information of the object on this machine names it, and neither its
 * MD5 nor a newer date says that it is another file. Without an MD5 it is said to be not verified.
 */
void html_put_sources(
	struct json *json, const struct report *report, const struct source_rules *rules);

/*
 * Writes the report's page to request->html.path, or to standard output if that is NULL or "-". A
 * file is written completely or not changed. The report has another view afterwards. Returns an
 * exit status; failures are printed on stderr.
 */
int html_report(const struct report_request *request, struct report *report);

/*
 * Writes the page of a comparison to `place`; its data is diff_put_json(). Returns 0, or -1 with
 * *diag set.
 */
int html_diff(const struct save_place *place, const struct diff *diff,
	const struct diff_judgement *judgements, size_t n_judgements, struct diag *diag);

#endif
