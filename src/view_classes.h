/* SPDX-License-Identifier: Apache-2.0 */
/* The table of where the time (or the events) went by class. Used by the summary only. */
#ifndef OMPPROF_VIEW_CLASSES_H
#define OMPPROF_VIEW_CLASSES_H

#include "src/report.h"
#include "src/terminal.h"

/*
 * Prints a heading, a line for each class that occurred (work always), what no sample stands for,
 * and the sum: 12 lines at most. Returns how many.
 */
size_t view_put_classes(struct terminal *terminal, const struct report *report);

#endif
