/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the format firefox. */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_FIREFOX_INTERNAL_H
#define OMPPROF_SRC_EXPORT_EXPORT_FIREFOX_INTERNAL_H

#include "src/export/export_frames.h"
#include "src/export/export_when.h"
#include "src/text/json.h"

struct firefox {
	const struct export *export;
	struct json json;
	struct export_frames frames;
	struct export_threads threads;
	uint32_t *stack_of; /* by node; EXPORT_NONE for threads, which are no frames */
	uint32_t n_stacks;
	uint32_t n_sources;
	/* sums of the values written so far, by how their times are known */
	uint64_t known[EXPORT_N_KNOWN];
};

/* The category (its index) of time of a class. */
unsigned firefox_category(unsigned class);

/* Writes "categories" of "meta". */
void firefox_categories(struct firefox *firefox);

/* Writes a column of a table: n times the value `text`. */
void firefox_same(struct json *json, const char *key, uint32_t n, const char *text);

/* Writes milliseconds, exactly. */
void firefox_ms(struct json *json, const char *key, uint64_t ns);

/*
 * Writes "shared": the tables of stacks, frames, functions and sources. The strings are, in order:
 * the names of functions by frame number; the files; then, from firefox_state_name on, the names of
 * waits by enum profile_class.
 */
void firefox_shared(struct firefox *firefox);
uint32_t firefox_state_name(const struct firefox *firefox, unsigned class);

/* Writes "markerSchema" of "meta". */
void firefox_marker_schema(struct firefox *firefox);

/* Writes "markers" of a thread: the waits of the trace. */
void firefox_markers(struct firefox *firefox, uint32_t thread);

/* Writes "threads". Returns 0, or -1 when out of memory. */
int firefox_threads(struct firefox *firefox);

#endif
