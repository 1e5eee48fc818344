/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompprof info`: the contents of a profile, section by section as text of 80 columns on stdout, or
 * as JSON; for a run of several processes a table. All text from the file is made harmless before
 * it is printed. Nothing outside the profile is read: the report is made without names. Used by
 * cmd_info.c only.
 */
#ifndef OMPPROF_SRC_INFO_INFO_H
#define OMPPROF_SRC_INFO_INFO_H

#include <stddef.h>
#include <stdint.h>

#include "src/text/json.h"
#include "src/findings/own_cost.h"
#include "src/report/report.h"

/* Sums over all threads. */
struct info_cost {
	uint64_t lost[PROFILE_N_LOSSES];
	uint64_t ends[PROFILE_WALK_N_ENDS];
	uint64_t n_samples;
	uint64_t n_same, n_captures, n_frames, n_walks, n_overruns;
	uint64_t n_guessed, n_cut_captures, n_guessed_captures;
	struct own_cost own;
};

struct info {
	struct report report; /* has its profile, totals and warnings, but no names */
	const struct profile *profile;
	struct info_cost cost;
	size_t n_paths;   /* nodes directly above samples */
	const char *path; /* of the profile's file */
};

/* Reads the file at `path`. Returns 0, or -1 with *diag set. Release in either case. */
int info_open(struct info *info, const char *path, struct diag *diag);

void info_release(struct info *info);

void info_cost_make(struct info_cost *cost, const struct profile *profile);

/* The type of a thread: "initial", "worker", "native", "helper", "other" or "-". */
const char *info_thread_type(const struct profile_thread *thread);

uint64_t info_sum(const uint64_t *numbers, size_t n);

/* Prints all sections as text. */
void info_print(const struct info *info);

void info_print_run(const struct info *info);
void info_print_warnings(const struct info *info);
void info_print_threads(const struct info *info);
void info_print_losses(const struct info *info);
void info_print_cost(const struct info *info);
void info_print_file(const struct info *info);
void info_print_modules(const struct info *info);
void info_print_environment(const struct info *info);
void info_print_states(const struct info *info);

/* Writes all sections as an object in an array. */
void info_put_json(struct json *json, const struct info *info);

/* Writes a part of this object: states beside the classes, and implementations of mutexes. */
void info_put_states(struct json *json, const struct profile *profile);

/* Writes the object for a file that cannot be read. */
void info_put_problem(struct json *json, const char *path, const char *problem);

/* Prints a run's processes, and which files cannot be read. Returns 0, or -1: out of memory. */
int info_print_job(const struct profile_list *list, const char *path);

#endif
