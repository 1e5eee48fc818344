/* SPDX-License-Identifier: Apache-2.0 */
/* The table of where the time (or the events) went by class. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_CLASSES_H
#define OMPPROF_SRC_VIEWS_VIEW_CLASSES_H

#include "src/views/view_causes.h"

/*
 * A row for each class that occurred (work always), and what no sample stands for: 10 at most unless all
 * waits are wanted.
 */
void view_list_classes(struct cause_rows *classes, const struct report *report, int wants_all);

#endif
