/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that come to `ompprof run` while the program runs: those whose default action ends a process are passed on to
 * the program, whatever their number. Job control is the kernel's affair, as the program is in the same process group.
 * Used by run_child.c, and by the live view, which is a process of the same run.
 *
 * Not passed on, as the program has them already or they are not meant for it:
 * - SIGINT and SIGQUIT from the terminal, which sends them to the whole group, and SIGHUP where it ends,
 * - what the program itself sends, or the view, which both send to the group,
 * - what this process does to itself: a fault, abort(3), a pipe that nobody reads, a file that gets too large.
 */
#ifndef OMPPROF_SRC_RUN_RUN_SIGNALS_H
#define OMPPROF_SRC_RUN_RUN_SIGNALS_H

#include <sys/types.h>

/* Blocks all signals, and takes over those that are passed on. SIGCHLD is not ignored from here on. */
void run_signals_take(void);

/* In the child: everything is as it was before run_signals_take. */
void run_signals_give_back(void);

/* The child is known, or -1: there is none. What came since run_signals_take is passed on to it now. */
void run_signals_begin(pid_t child);

/* The child has ended, and its number may be another process' soon. Nothing is passed on any more. */
void run_signals_end(void);

/* The process that shows the live view, or 0: it sends what the terminal sends to it to the group. */
void run_signals_set_view(pid_t view);

/* Whether SIGINT or SIGQUIT came since run_signals_take, or another one that could not be passed on. */
int run_signals_were_interrupting(void);

#endif
