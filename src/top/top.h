/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompprof top`: shows what a running program does now, from two readings of its profile.
 *
 *   file -- report_load --> report -- top_picture_make --> picture --+
 *                                     (sums so far)                  +-- top_change --> rows
 *                                     picture of the last reading ---+   (differences)    |
 *                                                                                    top_screen
 *                                                                                         v
 *                                                                                       lines
 *
 * A picture has the sums of the run up to a moment: rows of names and sums, sorted as
 * top_row_compare() says. Estimates can shrink between readings, so top_picture_raise makes sure
 * that no sum of a row or a cause is below that of the earlier picture. The differences that are
 * shown then add up to the sums of the latest picture.
 * Nothing here writes to a profile.
 */
#ifndef OMPPROF_SRC_TOP_TOP_H
#define OMPPROF_SRC_TOP_TOP_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/diag.h"
#include "src/report/report.h"
#include "src/text/terminal.h"

enum top_view { TOP_FUNCTIONS, TOP_WAITS, TOP_REGIONS, TOP_THREADS, TOP_PROCESSES, TOP_N_VIEWS };

/* A row's sums in each view: counts, or ns of threads or, where it says so, of wall time. */
enum top_sum {
	/* functions: work, or events; waits: waiting; regions: lost; threads, processes: useful */
	TOP_FIRST,
	TOP_SECOND, /* functions: waiting there; regions: wall; threads, processes: waiting */
	/* functions: overhead; waits, regions: how many; threads, processes: other */
	TOP_THIRD,
	TOP_LIFE, /* threads: life; processes: wall time, in a change their capacity */
	TOP_N_SUMS,
};

struct top_row {
	char *name;
	char *place;       /* or "" */
	const char *state; /* threads, processes: the present state; else "" */
	uint64_t identity; /* for threads and processes: tells apart rows with the same text */
	uint32_t n_slots;  /* for processes */
	uint64_t sums[TOP_N_SUMS];
};

struct top_rows {
	struct top_row *rows;
	size_t n, capacity;
};

/* How OpenMP's threads spent their time. */
enum top_cause {
	TOP_USEFUL,
	TOP_BARRIER,
	TOP_TASK,
	TOP_LOCK,
	TOP_OVERHEAD,
	TOP_IDLE,
	TOP_OFF_CPU, /* ready without a CPU, or asleep in the user's code */
	TOP_MPI,
	TOP_DEVICE,
	TOP_N_CAUSES,
};

struct top_picture {
	uint64_t wall_ns;     /* of the process that has existed longest */
	uint64_t capacity_ns; /* sum of wall time times slots over the processes in the figures */
	uint64_t causes[TOP_N_CAUSES];
	size_t n_processes, n_counted_running; /* processes in the figures; of them running */
	/* running processes, also those not in the figures, such as the shell of a script */
	size_t n_running;
	size_t n_threads; /* threads that have not ended */
	uint64_t n_events;
	char event[32]; /* what n_events counts; "" if the profile's clock measures time */
	char command[256];
	struct top_rows views[TOP_N_VIEWS];
};

/* The profile that is shown. */
struct top_target {
	char path[4096];
	struct report_selection selection;
};

/*
 * Finds the profile that `what` names: the number of a process, which maps its profile, or a folder
 * or a file; a number that is also the name of a file means the file. With NULL it takes the
 * default folder if a program on this host writes to it. Else it takes the profile of the only
 * process that is being profiled and whose maps can be read; several are an error. If there is
 * none, it takes the default folder if that exists. Returns 0, or -1 with *diag set.
 */
int top_find(struct top_target *target, const char *what, struct diag *diag);

/* Makes a picture of the report. Returns 0, or -1 when out of memory. Release in either case. */
int top_picture_make(struct top_picture *picture, const struct report *report);
void top_picture_release(struct top_picture *picture);

/*
 * Where a sum of an earlier picture is larger, takes that sum; adds the rows that only the earlier
 * picture has. Returns 0, or -1 when out of memory.
 */
int top_picture_raise(struct top_picture *picture, const struct top_picture *before);

/*
 * Sets `change` to `now` minus `before`. Threads and processes keep their order; the other views
 * lose rows without a change and are sorted by TOP_FIRST, then TOP_SECOND, largest first. Returns
 * 0, or -1 when out of memory. Release in either case.
 */
int top_change(struct top_picture *change, const struct top_picture *before,
	const struct top_picture *now);

/* How a picture is shown. */
struct top_show {
	enum top_view view;
	int width, height; /* height 0: the head and at most ten rows, and the help whole */
	int is_paused, has_help;
	int has_keys; /* a line names the keys */
	int has_colour;
};

/*
 * The screen as text, whose lines end in '\n'. With has_keys they are at most show->height. The
 * caller frees it. NULL when out of memory. `change` is the picture of the last interval, `now` of
 * the whole run so far.
 */
char *top_screen(const struct top_show *show, const struct top_picture *change,
	const struct top_picture *now);

/* The options of a running view. */
struct top_options {
	struct report_options report;
	uint32_t interval_ms;
	uint32_t n_times; /* without a terminal: the number of pictures; 0: until the end */
	int is_batch;
	enum top_view view;
	enum terminal_colour colour;
};

/* The state between readings. */
struct top {
	const struct top_options *options;
	struct top_target target;
	struct symbols *symbols;
	struct top_picture now, change;
	int has_change;
};

/* top_read() makes a new picture. Both return 0, or -1 with *diag. Release in either case. */
int top_begin(struct top *top, const struct top_options *options, const struct top_target *target,
	struct diag *diag);
int top_read(struct top *top, struct diag *diag);
void top_release(struct top *top);

/* Another program that shows the view and decides when it ends. */
struct top_host {
	/* Called for a signal. Returns whether to continue. */
	int (*heed)(void *data, int signal_number);
	void *data;
};

/*
 * Shows `top` on the terminal of standard input and output. Returns 0 when the profiled program has
 * ended; with a host it does not look for that. Returns 1 after the key 'q' or when the terminal is
 * gone, 1 plus the number of a signal that ends the view, or -1 with *diag set. `host` may be
 * NULL; with a host the view waits for a profile that does not exist yet.
 */
int top_watch(struct top *top, const struct top_host *host, struct diag *diag);

/* Prepares the terminal (keys at once, no echo, alternate screen) and signals. 0 or an errno. */
int top_terminal_begin(int in, int out);
/* Restores the terminal; harmless if nothing was changed. */
void top_terminal_end(void);
/*
 * For a host that stops and continues, between begin and end: leave gives the terminal back as it
 * was before begin, enter takes it again. Enter returns 0 or an errno.
 */
int top_terminal_enter(void);
void top_terminal_leave(void);
/* Stops this process as SIGTSTP does, with the terminal in its former state. */
void top_terminal_stop(void);
/* Waits timeout_ms, and a moment for the rest of a key. Returns a key, TOP_KEY_*, or 0: none. */
enum { TOP_KEY_REDRAW = 256, TOP_KEY_LEFT, TOP_KEY_RIGHT, TOP_KEY_GONE };
int top_terminal_key(int timeout_ms);
/* The next signal that has arrived, or 0. */
int top_terminal_signal(void);
void top_terminal_size(int *width, int *height);
void top_terminal_put(const char *screen);

/* Reads a key from n > 0 bytes. *key: 0 without a meaning. Returns the key's length. */
size_t top_key_parse(const unsigned char *bytes, size_t n, int *key);

#endif
