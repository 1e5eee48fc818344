/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `ompprof run`: the place of the profile, the program's environment, the program
 * itself, and the messages after it has ended.
 */
#ifndef OMPPROF_SRC_RUN_RUN_H
#define OMPPROF_SRC_RUN_RUN_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profile/shared/diag.h"
#include "profile/shared/launcher.h"
#include "src/run/run_runtime.h"

/* Exit statuses of ompprof itself, as env(1) and timeout(1) use them. */
enum { RUN_FAILED = 125, RUN_NOT_EXECUTABLE = 126, RUN_NOT_FOUND = 127 };

struct run_options {
	const char *output;    /* -o, as given */
	const char *event;     /* -e, or NULL */
	const char *events;    /* --events, or NULL */
	const char *counters;  /* --counters, or NULL */
	const char *frequency; /* -F, or NULL */
	const char *unwind;    /* --unwind, or NULL */
	const char *signal;    /* --signal, or NULL */
	const char *budget;    /* --budget, or NULL */
	const char *label;     /* --label, or NULL */
	const char *runtime;   /* --runtime, "auto" by default */
	int is_paused;         /* --start-paused */
	int is_traced;         /* --trace */
	int is_live;           /* --live */
	int is_anyway;         /* --anyway */
	uint32_t n_repeats;    /* --repeat, 1 by default */
	int is_quiet;
	int is_verbose;
	int has_summary; /* `ompprof CMD`: print the summary at the end */
};

/* The result of run_output_prepare. */
struct run_output {
	char path[4096];  /* absolute path */
	char old[4200];   /* where the previous profile is kept, or "" */
	char older[4300]; /* where the profile before that waits to be removed, or "" */
	uint64_t run_id;  /* a number that is the same in all profiles of the run */
	uint64_t series;  /* of `run --repeat`: the run_id of the first run; else 0 */
	int is_shared;    /* the ranks of a job share the folder */
	uint32_t n_ranks; /* of that job; 0: not known */
	int is_joined;    /* another process of the job made the folder */
	int is_made, is_moved;
	size_t parent_bytes; /* of path: the outermost folder above it that was made; 0: none */
};

/*
 * Makes the folder `path`. A profile that is there is kept beside it, with the suffix ".old". In a
 * launcher's job one process makes the folder and the others join it (run_output.c says how).
 * Returns 0, or -1 with the reason in *diag, such as: the folder exists and is no profile, it is
 * another user's, a program still writes to it, or it cannot be made.
 */
int run_output_prepare(struct run_output *output, const char *path, const struct launcher *launcher,
	struct diag *diag);

/* Removes the profile `older`, once the program has started. */
void run_output_commit(const struct run_output *output);

/* Undoes run_output_prepare after the program could not be started. The folder of a job stays. */
void run_output_undo(const struct run_output *output);

/* Gives the profiles of this run, which failed after others, the suffix ".failed". */
void run_output_set_aside(const struct run_output *output);

/* Like opendir(), but refuses a link at `path`, which another user may have made. */
DIR *run_output_open(const char *path);

/* Removes ompprof's files in a folder, and the folder if nothing else is in it. Follows no link. */
void run_output_remove(const char *path);

/* Refuses a folder that a run on this host still uses. Returns 0, or -1 with *diag. */
int run_output_check_unused(const char *path, struct diag *diag);

/* How many processes of a run exist on this host, by the run's id in their environment. */
size_t run_count_processes(uint64_t run_id);

/*
 * Finds libompprof.so: in .libs/ beside an uninstalled command, else where it was installed.
 * Returns 0, or -1 with the reason in *diag.
 */
int run_find_library(char *path, size_t bytes, struct diag *diag);

/* In the child: sets the tool's environment variables. `library` is the path of libompprof.so. */
void run_set_environment(
	const struct run_options *options, const struct run_output *output, const char *library);

/*
 * Why the program that execvp finds, or a script's interpreter, cannot be profiled: it gains rights
 * when it is executed, so the loader ignores preloaded libraries. NULL if it gains none or is not
 * found.
 */
const char *run_find_gain(const char *name);

enum { RUN_WHY_BYTES = 4200 };

enum run_kind {
	RUN_KIND_USUAL,   /* glibc's loader for this machine starts it, or nothing is known */
	RUN_KIND_STATIC,  /* a static program: no loader starts it */
	RUN_KIND_FOREIGN, /* for 32 bits, another machine or another C library */
};

/*
 * The kind of program that execvp executes for `name`. For a script it is the kind of its
 * interpreter, but a static interpreter counts as usual. For an unusual kind `why` gets the reason,
 * in words that begin with "it" or "its". Do not preload libraries into a foreign program: its
 * loader can fail or complain.
 */
enum run_kind run_find_kind(const char *name, char *why, size_t bytes);

/* How the program ended. */
struct run_end {
	int error;  /* errno of fork or exec; 0 if the program was started */
	int status; /* as waitpid returns it */
	/* SIGINT or SIGQUIT came, or another signal came as the program ended */
	int is_interrupted;
};

/* Functions that run_child calls; each gets `data`. */
struct run_care {
	void (*prepare)(void *data);            /* in the child, before it executes the program */
	void (*watch)(void *data, pid_t child); /* returns when the child has ended; or NULL */
	void *data;
};

/* Runs argv. Passes signals on to the program, as run_signals.h says. */
void run_child(char **argv, const struct run_care *care, struct run_end *end);

/*
 * In the child: standard input from the offset `at`, so that each run of a program reads the same.
 * -1: the input can be read only once; the run then gets /dev/null.
 */
void run_rewind_input(off_t at);

/* Whether the program was run, ended with status 0 and was not interrupted. */
int run_end_is_good(const struct run_end *end);

enum { RUN_END_BYTES = 64 };

/* Writes how a run ended that is not good, or that left no profile: "ended with status 3". */
const char *run_end_describe(char text[RUN_END_BYTES], const struct run_end *end);

/* The exit status for a program that could not be started with this errno. */
int run_status_of_error(int error);

/* Dies of the signal that ended the program, or returns the exit status to end with. */
int run_end_like(const struct run_end *end);

/*
 * Says on stderr what was recorded, or why nothing was. Returns whether there is a profile; with
 * is_quiet it says nothing and returns 0. `runtime` is the decision made at the start.
 */
int run_print_result(const struct run_options *options, const struct run_output *output,
	const struct run_runtime *runtime, char **argv, const struct run_end *end);

#endif
