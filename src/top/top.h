/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompprof top`: what a running program does now, from two readings of its profile.
 *
 *   file ── report_load ──► report ── top_picture_make ──► picture ─┐
 *                                     (sums so far)                 ├─ top_change ──► rows ── top_screen ──► lines
 *                                     picture of the time before ───┘   (differences)
 *
 * A picture has what the run came to up to a moment: rows of names and sums, in order of their names. The later one
 * never has less than the earlier: top_picture_raise sees to that, as estimates can shrink between readings, and what
 * is shown of them all is then the difference of what was shown before. Nothing here writes to a profile.
 */
#ifndef OMPPROF_SRC_TOP_TOP_H
#define OMPPROF_SRC_TOP_TOP_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/diag.h"
#include "src/report/report.h"
#include "src/text/terminal.h"

enum top_view { TOP_FUNCTIONS, TOP_WAITS, TOP_REGIONS, TOP_THREADS, TOP_PROCESSES, TOP_N_VIEWS };

/* What the sums of a row are, by view; all but executions are thread ns. */
enum top_sum {
	TOP_FIRST, /* functions: work, or events; waits: waited; regions: lost; threads, processes: useful */
	TOP_SECOND, /* functions: waiting there; regions: wall; threads, processes: waiting */
	TOP_THIRD, /* functions: overhead; waits: how often; regions: executions; threads, processes: other */
	TOP_LIFE, /* threads: life; processes: wall, in a change capacity */
	TOP_N_SUMS,
};

struct top_row {
	char *name;
	char *place;       /* or "" */
	const char *state; /* threads: what it does at the moment; else "" */
	uint64_t identity; /* tells rows apart that read the same: of threads and processes */
	uint32_t n_slots;  /* of processes */
	uint64_t sums[TOP_N_SUMS];
};

struct top_rows {
	struct top_row *rows;
	size_t n, capacity;
};

/* What OpenMP's threads did with their time. */
enum top_cause {
	TOP_USEFUL,
	TOP_BARRIER,
	TOP_TASK,
	TOP_LOCK,
	TOP_OVERHEAD,
	TOP_IDLE,
	TOP_OFF_CPU, /* ready or blocked in the user's code */
	TOP_MPI,
	TOP_DEVICE,
	TOP_N_CAUSES,
};

struct top_picture {
	uint64_t wall_ns;     /* since the begin, of the process that is there longest */
	uint64_t capacity_ns; /* of the slots of all processes */
	uint64_t causes[TOP_N_CAUSES];
	size_t n_processes, n_counted_running; /* that count in the figures */
	size_t n_running;                      /* also such as the shell of a script */
	size_t n_threads;                      /* that have not ended */
	uint64_t n_events;
	char event[32]; /* what these are; "" where the profile's clock tells time */
	char command[256];
	struct top_rows views[TOP_N_VIEWS];
};

/* Which process or folder is asked for. */
struct top_target {
	char path[4096];
	struct report_selection selection;
};

/*
 * Finds the profile that `what` names: the number of a process, which maps its profile, a folder or a file; NULL: the
 * default folder if a program writes there, else that of the only program of this user that is being profiled, else
 * the default folder. Returns 0, or -1 with *diag set.
 */
int top_find(struct top_target *target, const char *what, struct diag *diag);

/* Makes the picture of what the report has. Returns 0, or -1 when out of memory. Release in either case. */
int top_picture_make(struct top_picture *picture, const struct report *report);
void top_picture_release(struct top_picture *picture);

/* Raises the sums of `picture` to those of an earlier one. Returns 0, or -1 when out of memory. */
int top_picture_raise(struct top_picture *picture, const struct top_picture *before);

/* `change` becomes what came from `before` to `now`, rows by their first sum. Returns as top_picture_make. */
int top_change(struct top_picture *change, const struct top_picture *before,
	const struct top_picture *now);

/* How a picture is shown. */
struct top_show {
	enum top_view view;
	int width, height; /* height 0: as many lines as `n_rows` needs */
	int is_paused, has_help;
	int has_keys; /* a line tells of them */
	int has_colour;
};

/*
 * The screen as text, lines that end in '\n', no more than fit; free() it. NULL when out of memory. `change` is of the
 * last interval, `now` of the whole run so far.
 */
char *top_screen(const struct top_show *show, const struct top_picture *change,
	const struct top_picture *now);

/* What is asked of a running view. */
struct top_options {
	struct report_options report;
	uint32_t interval_ms;
	uint32_t n_times; /* without a terminal: so many pictures; 0: until the end */
	int is_batch;
	enum top_view view;
	enum terminal_colour colour;
};

/* One reading after the other. */
struct top {
	const struct top_options *options;
	struct top_target target;
	struct symbols *symbols;
	struct top_picture now, change;
	int has_change;
};

/* Returns 0; or -1 with *diag set: the profile cannot be read. Release in either case. */
int top_begin(struct top *top, const struct top_options *options, const struct top_target *target,
	struct diag *diag);
int top_read(struct top *top, struct diag *diag);
void top_release(struct top *top);

/* Who shows the view as a part of something else, and says when it ends: not the program's end. */
struct top_host {
	/* A signal came. Returns whether to go on. */
	int (*heed)(void *data, int signal_number);
	void *data;
};

/*
 * Shows `top` on the terminal that standard input and standard output are, until the program has ended, or somebody
 * says 'q'; with a host, or NULL, also before there is a profile. Returns 0 if the program has ended, 1 after 'q', or
 * the number of a signal to end by, plus 1, or -1 with *diag set.
 */
int top_watch(struct top *top, const struct top_host *host, struct diag *diag);

/* --- the terminal (top_terminal.c) --- */

/* Prepares the terminal: keys one by one, without echo, the other screen. Returns 0 or an errno. */
int top_terminal_begin(int in, int out);
/* Puts it back; harmless when it is as it was. */
void top_terminal_end(void);
/* The same in between, for those that stop and are continued. Enter returns 0 or an errno. */
int top_terminal_enter(void);
void top_terminal_leave(void);
/* Stops this process as SIGTSTP does, with the terminal as it was before. */
void top_terminal_stop(void);
/* Waits for so many ms at most. Returns a key, 0 for none, or TOP_KEY_*. */
enum { TOP_KEY_REDRAW = 256, TOP_KEY_LEFT, TOP_KEY_RIGHT, TOP_KEY_GONE };
int top_terminal_key(int timeout_ms);
/* The next of the signals that came, or 0. */
int top_terminal_signal(void);
void top_terminal_size(int *width, int *height);
void top_terminal_put(const char *screen);

/* The key at the begin of `n` bytes, one at least: 0 for one that means nothing. Returns how many bytes it has. */
size_t top_key_parse(const unsigned char *bytes, size_t n, int *key);

#endif
