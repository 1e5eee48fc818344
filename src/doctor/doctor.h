/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The findings of `ompprof doctor`: one finding for each thing that profiling or a report needs,
 * with advice. A check tries the thing itself if that harms nobody: it starts a timer, opens a perf
 * event, loads a runtime in a child process. The program is inspected and never executed.
 *
 *   doctor_machine.c  clocks, perf events, signals, copies of memory, ompprof's own files
 *   doctor_limits.c   resource limits, and whether a run can write to the current folder
 *   doctor_runtime.c  the OpenMP runtimes of the machine: doctor_ompt.c asks each what it supports
 *   doctor_program.c  a command: can it be profiled, on which runtime
 *   doctor_objects.c  its files: lines, call frame information
 *   doctor_report.c   the libraries and programs that reports and help use
 *         -> struct doctor -> doctor_print.c  text or JSON
 */
#ifndef OMPPROF_SRC_DOCTOR_DOCTOR_H
#define OMPPROF_SRC_DOCTOR_DOCTOR_H

#include <stddef.h>

#include "src/run/loader.h"

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_LIMITED, /* profiling works, with a limitation */
	DOCTOR_MISSING, /* profiling is not possible at all, or not with the usual options */
};

struct doctor_finding {
	enum doctor_state state;
	const char *group; /* "machine", "program", "report"; not copied */
	const char *topic; /* a word or two; not copied */
	char *text;        /* owned */
	char *remedy;      /* what to do, or NULL; owned */
};

struct doctor {
	const char *group; /* the group of the findings that follow */
	struct doctor_finding *findings;
	size_t n, n_allocated;
	int is_out_of_memory;
	char library[4096]; /* libompprof.so, or "" */
};

/* Adds a finding; `remedy` is copied and may be NULL. */
void doctor_add(struct doctor *doctor, enum doctor_state state, const char *topic,
	const char *remedy, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The worst state of all findings; DOCTOR_OK without findings. */
enum doctor_state doctor_worst(const struct doctor *doctor);

void doctor_release(struct doctor *doctor);

/* The checks; each adds its findings. doctor_check_machine() includes doctor_check_limits(). */
void doctor_check_machine(struct doctor *doctor);
void doctor_check_limits(struct doctor *doctor);
void doctor_check_runtimes(struct doctor *doctor);
void doctor_check_report(struct doctor *doctor);

/*
 * Inspects the command `argv`. Returns 0; if `ompprof run` would fail before the program starts,
 * prints a message and returns that exit status, such as 126 or 127.
 */
int doctor_check_program(struct doctor *doctor, char **argv);

/* Checks the files of a loaded program. */
void doctor_check_objects(struct doctor *doctor, const struct loader *loader);

/* The answers of a runtime to a tool's questions. */
struct doctor_ompt {
	int is_loaded;        /* it could be loaded and started */
	int is_started;       /* it called the tool */
	char version[128];    /* the name that it reports, or why it could not be started */
	unsigned n_callbacks; /* callbacks that it supports, of the n_wanted that ompprof wants */
	unsigned n_wanted;
	char missing[256]; /* names of other callbacks and of missing functions, with commas */
};

/*
 * Loads and starts the runtime `path` in a child process, and asks it for the callbacks and entry
 * points that a profile needs. Takes at most ten seconds. Returns 0, or -1 if no child can be made.
 */
int doctor_ask_runtime(struct doctor_ompt *ompt, const char *path);

/* Prints all findings on stdout. */
void doctor_print_text(const struct doctor *doctor);
void doctor_print_json(const struct doctor *doctor);

#endif
