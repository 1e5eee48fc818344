/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `ompprof run`: where the profile goes, what the program's environment gets, the
 * program itself, and what is said when it has ended.
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

/* Exit statuses of the command's own, as env(1) and timeout(1) have them. */
enum { RUN_FAILED = 125, RUN_NOT_EXECUTABLE = 126, RUN_NOT_FOUND = 127 };

struct run_options {
	const char *output;       /* -o, as given */
	const char *event;        /* -e, or NULL */
	const char *events;       /* --events, or NULL */
	const char *frequency;    /* -F, or NULL */
	const char *unwind;       /* --unwind, or NULL */
	const char *signal;       /* --signal, or NULL */
	const char *task_context; /* --task-context, or NULL */
	const char *runtime;      /* --runtime, "auto" by default */
	int is_paused;            /* --start-paused */
	int is_traced;            /* --trace */
	int is_live;              /* --live */
	int is_anyway;            /* --anyway */
	int is_quiet;
	int is_verbose;
	int has_summary; /* `ompprof CMD`: print the summary at the end */
};

/* What run_output_prepare did, to be undone if the program cannot be started. */
struct run_output {
	char path[4096];  /* absolute */
	char old[4200];   /* where the previous profile is kept, or "" */
	char older[4300]; /* where the one before that waits to be removed, or "" */
	uint64_t run_id;  /* what the files of the run have in common */
	int is_shared;    /* by the processes of a job that a launcher started */
	uint32_t n_ranks; /* of that job; 0 not known */
	int is_joined;    /* another of them made the folder */
	int is_made, is_moved;
};

/*
 * Makes the folder `path`; a profile that is there is kept beside it with the suffix ".old". Of a launcher's
 * job one process does so and the others join it (run_output.c says how). Returns 0, or -1 with the reason in
 * *diag (it exists and is no profile, a program still writes to it, or it cannot be made).
 */
int run_output_prepare(struct run_output *output, const char *path, const struct launcher *launcher,
	struct diag *diag);

/* Removes what run_output_prepare kept for the case that the program cannot be started. */
void run_output_commit(const struct run_output *output);

/* Takes run_output_prepare back, as the program could not be started; a job's folder stays. */
void run_output_undo(const struct run_output *output);

/* As opendir, but does not follow a link at `path`: another user may have put it there. */
DIR *run_output_open(const char *path);

/* Removes the profiles in a folder, and it if it holds nothing else; follows no link. */
void run_output_remove(const char *path);

/* Refuses a folder that a program on this host still writes to: -1 with the reason in *diag, else 0. */
int run_output_check_unused(const char *path, struct diag *diag);

/*
 * How many processes of a run are still there on this host: daemons, children in the background, other ranks.
 * They are known by the environment that run_set_environment gave the first of them.
 */
size_t run_count_processes(uint64_t run_id);

/*
 * Finds libompprof.so: beside an uninstalled command in .libs/, else where it was installed.
 * Returns 0, or -1 with the reason in *diag.
 */
int run_find_library(char *path, size_t bytes, struct diag *diag);

/*
 * Sets in this process (the child, before it executes the program) what the tool needs.
 * `library` is the path of libompprof.so.
 */
void run_set_environment(
	const struct run_options *options, const struct run_output *output, const char *library);

/*
 * Why the loader will not let the program (as execvp finds it, or the interpreter of a script) be profiled: it
 * gains rights when it is executed. NULL if it does not, or cannot be found.
 */
const char *run_find_gain(const char *name);

/* Bytes that a reason has room in. */
enum { RUN_WHY_BYTES = 4200 };

enum run_kind {
	RUN_KIND_USUAL,   /* glibc's loader for this machine starts it, or it cannot be told */
	RUN_KIND_STATIC,  /* no loader starts it */
	RUN_KIND_FOREIGN, /* of 32 bits, of another machine or of another C library */
};

/*
 * What kind of program the command `name` executes; of a script its interpreter, which is usual if it is static. Of
 * another kind than usual, `why` gets the reason, as words that begin with "it" or "its". A foreign program must not be
 * given ompprof's libraries: its loader can fail or complain.
 */
enum run_kind run_find_kind(const char *name, char *why, size_t bytes);

/* How the program ended. */
struct run_end {
	int error;          /* errno of fork or exec; 0 if the program was started */
	int status;         /* as waitpid gives it */
	int is_interrupted; /* SIGINT or SIGQUIT came meanwhile, which the program may have survived, or
			       another signal as it ended */
};

/* What is done about the program, each with `data`. */
struct run_care {
	void (*begin)(
		void *data); /* before the start; no signal ends this process from here on; or NULL */
	void (*prepare)(void *data);            /* in the child, before it becomes the program */
	void (*watch)(void *data, pid_t child); /* until the child has ended; or NULL */
	void (*end)(void *data);                /* after what began, however it ended; or NULL */
	void *data;
};

/* Runs argv. Meanwhile signals are passed on to it as run_signals.h says. */
void run_child(char **argv, const struct run_care *care, struct run_end *end);

/* The exit status for a program that could not be started with this errno. */
int run_status_of_error(int error);

/* Ends this process as the program ended: by the same signal or with the same exit status. */
int run_end_like(const struct run_end *end);

/*
 * Says on stderr what was recorded, or why nothing was; `runtime` is what was decided at the start. Returns whether
 * there is a profile; with is_quiet it does not look.
 */
int run_print_result(const struct run_options *options, const struct run_output *output,
	const struct run_runtime *runtime, char **argv, const struct run_end *end);

#endif
