/* SPDX-License-Identifier: Apache-2.0 */
/* Who waited for whom in collective calls of MPI. Nothing is written if no calls were compared. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_LATE_H
#define OMPPROF_SRC_VIEWS_VIEW_LATE_H

#include "src/views/view.h"

/* Writes the member "rank_waits" of the report's object. */
void view_put_late_json(struct json *json, const struct report *report);

#endif
