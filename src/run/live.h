/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompprof run --live`: the view of `ompprof top` while the program runs.
 *
 *   terminal -- keys, Ctrl-C --> view (live_view.c), a process and a group of its own,
 *      ^                           | in the foreground: reads the profile; passes Ctrl-C on to
 *      |                           | the group of ompprof run
 *      | when the view has ended   v
 *      +-- kept output <---- ompprof run (live.c) <-- pseudo-terminal <-- program
 *                                                     (live_output.c)
 *
 * The program keeps its process group and its standard input. While the view is in the foreground,
 * this group is in the background. So the kernel signals (SIGTTIN, SIGTTOU) when the program wants
 * the terminal itself: then the view ends, and the program continues without it. If its standard
 * output or standard error is the terminal, the program gets a pseudo-terminal instead. This
 * process empties the pseudo-terminal all the time, keeps the output, and gives it to the terminal,
 * complete and in order, when the view ends.
 */
#ifndef OMPPROF_SRC_RUN_LIVE_H
#define OMPPROF_SRC_RUN_LIVE_H

#include <sys/types.h>
#include <termios.h>

#include "profile/shared/diag.h"

/* Bytes of output that are read at once. */
enum { LIVE_BLOCK = 4096 };

/* The output of the program to the terminal. */
struct live_output {
	/* our end of the pseudo-terminal, or -1: the program does not write to the terminal */
	int master;
	int slave; /* the program's end; -1 once the program has it */
	int kept;  /* a file without a name that keeps the output */
	/* bytes that could not be kept (the disk is full), to follow the kept output */
	size_t n_rest;
	char rest[LIVE_BLOCK];
	int is_passed;   /* the view has ended: output goes to the terminal at once */
	int is_taken[3]; /* by descriptor: the program has the pseudo-terminal there */
};

struct live {
	const char *path;     /* of the profile */
	int terminal;         /* the controlling terminal, or -1: there is no view */
	pid_t group;          /* the group of this process and of the program */
	pid_t view;           /* the view's process, or 0 */
	struct termios modes; /* the terminal's settings before the view */
	int signals;          /* a signalfd of the signals that live_watch handles */
	int is_away;          /* the view waits until this group is in the foreground */
	struct live_output output;
};

/*
 * Prepares the view of the run whose profile will be at `path`. Returns 0, or -1 with *diag set if
 * there is no terminal for it: then the functions below do nothing.
 */
int live_begin(struct live *live, const char *path, struct diag *diag);

/* In the child: sets its output up, and lets the kernel stop it when it wants the terminal. */
void live_prepare(const struct live *live);

/* Shows the view until the child has ended, but does not reap the child. */
void live_watch(struct live *live, pid_t child);

/* After live_watch or a failure: gives the rest of the output to the terminal. */
void live_end(struct live *live);

/* Makes the pseudo-terminal if the program writes to a terminal. Returns 0 or an errno. */
int live_output_begin(struct live_output *output, int terminal);
void live_output_redirect(const struct live_output *output);
/* Copies the terminal's size to the pseudo-terminal. */
void live_output_resize(const struct live_output *output, int terminal);
/*
 * Reads waiting output, without blocking, and keeps it or passes it on. LIVE_EMPTY: nothing waits
 * any more. LIVE_MORE: more may wait. LIVE_ENDED: nobody can write any more. LIVE_FULL: it could
 * not be kept, and nothing is read until live_output_give().
 */
enum { LIVE_EMPTY, LIVE_MORE, LIVE_ENDED, LIVE_FULL };
int live_output_take(struct live_output *output, int terminal);
/* Gives the kept output to the terminal. From then on output is passed on at once. */
void live_output_give(struct live_output *output, int terminal);
/* Ends the pseudo-terminal. If a daemon may still write, another process passes output on. */
void live_output_end(struct live_output *output, int terminal);

/*
 * Runs the view, in its own process, from SIGCONT until SIGTERM, SIGUSR1, SIGHUP or the key 'q',
 * and exits.
 * SIGUSR1 also continues the group; SIGCONT brings the view back after Ctrl-Z.
 */
void live_view_run(const struct live *live) __attribute__((noreturn));

/* Restores the terminal if the view's process was killed. */
void live_view_clean(const struct live *live);

#endif
