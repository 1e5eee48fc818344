/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The three forms of what ompprof annotate shows: text for people, JSON and CSV for programs. They print
 * a listing; they decide nothing. Used by cmd_annotate.c.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_PRINT_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_PRINT_H

#include "src/annotate/annotate_listing.h"
#include "src/text/terminal.h"

void annotate_print_text(const struct annotate_listing *listing, struct terminal *terminal);
void annotate_print_json(const struct annotate_listing *listing, struct terminal *terminal);
/* Returns 0, or -1 when out of memory. */
int annotate_print_csv(const struct annotate_listing *listing, struct terminal *terminal);

/* --- what text has in both its parts (annotate_text.c) --- */

/* One line: figures, empty ones for NULL, then `where` at the right of its column and text. */
struct annotate_text_line {
	const struct annotate_figures *own; /* the figures shown */
	const struct annotate_figures
		*total; /* with what is called, for the last column; or NULL */
	const char *where;
	char mark;  /* after it */
	char *text; /* clean; is cut */
	int is_remark;
};

/* How wide and with what columns. */
struct annotate_layout {
	struct terminal *terminal;
	const struct report *report;
	uint64_t hot; /* figures from this amount on stand out */
	int has_total;
	int has_overhead;
	int where_width;
	const char *where_heading, *text_heading;
	int is_inclusive;
};

void annotate_put_heading(const struct annotate_layout *layout);
void annotate_put_line(const struct annotate_layout *layout, const struct annotate_text_line *line);
int annotate_has_overhead(const struct annotate_figures *figures);
void annotate_put_warning(struct terminal *terminal, const char *text);

/* The code, after annotate_print_text's heading (annotate_text_code.c). */
void annotate_print_code(const struct annotate_listing *listing, struct terminal *terminal);

#endif
