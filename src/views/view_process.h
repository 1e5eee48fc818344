/* SPDX-License-Identifier: Apache-2.0 */
/* The table of processes, which the summary of a job has, too. */
#ifndef OMPPROF_SRC_VIEWS_VIEW_PROCESS_H
#define OMPPROF_SRC_VIEWS_VIEW_PROCESS_H

#include "src/views/view.h"

/* "rank 3", or "pid 4711" of a process without a rank. */
void view_process_name(char *text, size_t text_bytes, const struct report_process *process);

/* Prints heading, at most n_most processes and the total. Returns how many lines it took. */
size_t view_put_processes(struct terminal *terminal, const struct report *report, size_t n_most);

#endif
