/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report as one page of HTML, which fetches nothing: a fixed page (html/, compiled in by
 * html/embed.sh), the summary as text for readers without scripts, and data as gzip in base64.
 *
 *   cmd_report.c -> html_report() makes the data, of all views            html_report.c
 *                     html_put_threads()   threads by regions              html_threads.c
 *                     html_put_sources()   lines of the source             html_sources.c
 *                  -> html_write()         page, summary, data             html_write.c
 *
 * No name of the profile is in the page but inside base64, or escaped in the summary.
 */
#ifndef OMPPROF_SRC_PAGE_HTML_H
#define OMPPROF_SRC_PAGE_HTML_H

#include <stdio.h>

#include "src/text/json.h"
#include "src/report/report.h"
#include "src/request/report_request.h"

/* One piece of data: a JSON text in memory, and the id of its element. */
struct html_part {
	const char *id;
	char *text;
	size_t n_bytes;
};

/* The page, as html/embed.sh has made it. */
extern const unsigned char html_page[];
extern const size_t html_page_bytes;

/* Writes the page. Returns 0, or -1: out of memory, or the stream has failed (ferror). */
int html_write(FILE *out, const char *summary, const struct html_part *parts, size_t n_parts);

/* An array, for each thread and region, of the thread's time there: of a report with by_thread. */
void html_put_threads(struct json *json, const struct report *report);

/*
 * An array: for each source file of the nodes, those with most samples first, its lines near them, or why they
 * are left out. A profile can name any file that its reader may read, and a page is sent to others: lines are
 * quoted of files that the rules lead to, and of such as are what was compiled, by the MD5 in the debug
 * information of the object on this machine, or by their age, if that names the file without MD5.
 */
void html_put_sources(
	struct json *json, const struct report *report, const struct source_rules *rules);

/*
 * Writes the page of the report to request->html.path, or to standard output where that is NULL or "-". A file has
 * all of it or is as it was. The report is of another view afterwards. Returns an exit status; failures are
 * said on stderr.
 */
int html_report(const struct report_request *request, struct report *report);

#endif
