/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be said below a view of text: what makes its figures doubtful. */
#ifndef OMPPROF_SRC_VIEWS_WARNINGS_FOOTER_H
#define OMPPROF_SRC_VIEWS_WARNINGS_FOOTER_H

#include "src/report/report.h"
#include "src/text/table.h"
#include "src/text/terminal.h"
#include "src/views/view.h"

/* That only a part of the run is shown, if that is so. */
void view_put_incomplete(struct terminal *terminal, const struct report *report);

/* That waits were not measured, if so, before that. */
void view_put_doubts(struct terminal *terminal, const struct report *report);

/* A view that is a table: prints it and, if it is for people, what is doubtful of it. Returns as table_print. */
int view_put_table(const struct table *table, const struct view_options *options,
	const struct report *report, struct terminal *terminal);

#endif
