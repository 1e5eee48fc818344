/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompprof run --live`: the view of `ompprof top` while the program runs. Used by cmd_run.c only.
 *
 *   terminal ── keys, Ctrl-C ──► view (live_view.c), a process and a group of its own, in the foreground
 *      ▲                           │ reads the profile; Ctrl-C and the like go on to the group of ompprof run
 *      │ when the view has ended   ▼
 *      └── kept output ◄──── ompprof run (live.c) ◄── pseudo-terminal (live_output.c) ◄── program
 *
 * The program stays in the process group that it would be in, and its input is what it would be. But for the view the
 * group is in the background, so the kernel tells (SIGTTIN, SIGTTOU) when the program wants the terminal itself: then
 * the view ends, and the program goes on as without it. Its standard output and standard error, where they are the
 * terminal, are a pseudo-terminal that this process empties all the time; what comes is kept, and is given to the
 * terminal in full and in order when the view ends.
 */
#ifndef OMPPROF_SRC_RUN_LIVE_H
#define OMPPROF_SRC_RUN_LIVE_H

#include <sys/types.h>
#include <termios.h>

#include "profile/shared/diag.h"

/* What is read of the program's output at once. */
enum { LIVE_BLOCK = 4096 };

/* What the program writes to the terminal. */
struct live_output {
	int master;    /* of the pseudo-terminal, or -1: the program writes elsewhere */
	int slave;     /* -1 once the program has it */
	int kept;      /* a file without a name */
	size_t n_rest; /* of a block that could not be kept, as on a full disk; it follows what was */
	char rest[LIVE_BLOCK];
	int is_passed;   /* to the terminal at once: there is no view any more */
	int is_taken[3]; /* by descriptor: the program has the pseudo-terminal there */
};

struct live {
	const char *path;     /* of the profile */
	int terminal;         /* the controlling terminal, or -1: there is no view */
	pid_t group;          /* of this process and the program */
	pid_t view;           /* the process, or 0 */
	struct termios modes; /* the terminal's, at the begin */
	int signals;          /* where those come that live_watch heeds */
	int is_away;          /* the view waits for this group to be in the foreground */
	struct live_output output;
};

/*
 * Prepares the view of the run whose profile will be at `path`. Returns 0, or -1 with *diag set: there is no terminal
 * for it, and nothing else is to be called but live_end.
 */
int live_begin(struct live *live, const char *path, struct diag *diag);

/* In the child: gives it its output, and lets the kernel stop it when it wants the terminal. */
void live_prepare(const struct live *live);

/* Shows the view until the child has ended, which is then still to be waited for. */
void live_watch(struct live *live, pid_t child);

/* After that: what is left. Gives the rest of the output back. */
void live_end(struct live *live);

/* --- the program's output (live_output.c) --- */

/* Makes the pseudo-terminal if a standard stream of this process is `terminal`. Returns 0 or an errno. */
int live_output_begin(struct live_output *output, int terminal);
void live_output_redirect(const struct live_output *output);
/* Takes over the terminal's size. */
void live_output_resize(const struct live_output *output, int terminal);
/*
 * Takes some of what is there, without waiting. Returns whether that was less than all, LIVE_ENDED if nobody can write
 * any more, or LIVE_FULL: it could not be kept, and nothing more is taken before all is given to the terminal.
 */
enum { LIVE_EMPTY, LIVE_MORE, LIVE_ENDED, LIVE_FULL };
int live_output_take(struct live_output *output, int terminal);
/* Gives what was kept to the terminal, and passes on what comes from now on. */
void live_output_give(struct live_output *output, int terminal);
/* Ends it; a process of its own goes on passing on where a daemon of the program may still write. */
void live_output_end(struct live_output *output, int terminal);

/* --- the view (live_view.c) --- */

/*
 * Runs it, in a process of its own, from SIGCONT to SIGTERM or SIGUSR1, of which the latter also continues the group, or
 * to 'q'. SIGCONT also brings it back after Ctrl-Z. Does not return.
 */
void live_view_run(const struct live *live) __attribute__((noreturn));

/* Puts back the terminal that such a process could not. */
void live_view_clean(const struct live *live);

#endif
