/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that `ompprof run` receives while the program runs. Signals whose default action ends a
 * process are passed on to the program, whatever their number. The kernel does job control, because
 * the program is in the same process group.
 *
 * Not passed on, because the program has them already or they are not meant for it:
 * - SIGINT and SIGQUIT from the terminal, which sends them to the whole group, and SIGHUP where the
 *   terminal ends,
 * - signals that the program itself or the view sends to the group,
 * - signals that this process causes itself: a fault, abort(3), a pipe without a reader, a file
 *   that gets too large.
 */
#ifndef OMPPROF_SRC_RUN_RUN_SIGNALS_H
#define OMPPROF_SRC_RUN_RUN_SIGNALS_H

#include <sys/types.h>

/* Blocks all signals; handles signals that are passed on. SIGCHLD is no longer ignored. */
void run_signals_take(void);

/* In the child: restores the state before run_signals_take. */
void run_signals_give_back(void);

/* Unblocks the signals. `child` gets all that came since run_signals_take; -1: nobody does. */
void run_signals_begin(pid_t child);

/* The child has ended: nothing is passed on any more. */
void run_signals_end(void);

/* Names the process of the live view, or 0. It passes the terminal's signals on to the group. */
void run_signals_set_view(pid_t view);

/* Whether SIGINT, SIGQUIT or a signal that nobody could get came since run_signals_take. */
int run_signals_were_interrupting(void);

#endif
