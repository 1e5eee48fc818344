/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sections of `ompprof info`: what is in a profile, as text of 80 columns on stdout. Whatever
 * a file says is made harmless before it is printed. Used by cmd_info.c only.
 */
#ifndef OMPPROF_INFO_H
#define OMPPROF_INFO_H

#include <stddef.h>

#include "profile/reader.h"

struct info {
	struct profile profile;
	const char *path; /* of the file */
	size_t n_others;  /* profiles beside it in its folder */
};

/* What was run, where, when, how it was sampled and whether it ended. */
void info_print_run(const struct info *info);

/* A table with a line per thread. */
void info_print_threads(const struct info *info);

/* Loaded objects with their addresses and build-ids. */
void info_print_modules(const struct info *info);

/* The environment variables that were recorded. */
void info_print_environment(const struct info *info);

/* How many samples and other things were lost, by reason, and how the walks ended. */
void info_print_losses(const struct info *info);

/* What the profile cost the program: time per sample, share of the CPU time, memory. */
void info_print_cost(const struct info *info);

#endif
