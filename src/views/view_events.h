/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of counted events have in common. Included by view_event.c and view_loop.c. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_EVENTS_H
#define OMPPROF_SRC_VIEWS_VIEW_EVENTS_H

#include "profile/shared/event_names.h"
#include "src/report/report.h"
#include "src/text/terminal.h"

/* The function that the event happened in, "" not known. */
const char *view_events_function(const struct figures_event *event);

/* Says below a table which events were thinned out, which the runtime never reports, and that none was asked for. */
void view_events_put_notes(struct terminal *terminal, const struct report *report);

#endif
