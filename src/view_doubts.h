/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be said below a view of text: what makes its figures doubtful. */
#ifndef OMPPROF_VIEW_DOUBTS_H
#define OMPPROF_VIEW_DOUBTS_H

#include "src/report.h"
#include "src/terminal.h"

/* That only a part of the run is shown, if that is so. */
void view_put_incomplete(struct terminal *terminal, const struct report *report);

/* That waits were not measured, if so, before that. */
void view_put_doubts(struct terminal *terminal, const struct report *report);

#endif
