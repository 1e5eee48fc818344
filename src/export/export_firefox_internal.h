/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the format firefox have in common. */
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
	uint32_t *stack_of; /* by node; EXPORT_NONE of threads, which are no frames */
	uint32_t n_stacks;
	uint32_t n_sources;
	uint64_t
		known[EXPORT_N_KNOWN]; /* of what was written so far: how it is known when it was */
};

/* The number of the category that time of a class is of. */
unsigned firefox_category(unsigned class);

/* "categories", of "meta". */
void firefox_categories(struct firefox *firefox);

/* A column of a table in which all rows are the same. */
void firefox_same(struct json *json, const char *key, uint32_t n, const char *text);

/* Milliseconds, exactly. */
void firefox_ms(struct json *json, const char *key, uint64_t ns);

/*
 * "shared": the tables of stacks, frames, functions and sources. Strings: those of functions are the names of frames
 * by their numbers; then the files; then by enum profile_class what a wait is called, from firefox_state_name on.
 */
void firefox_shared(struct firefox *firefox);
uint32_t firefox_state_name(const struct firefox *firefox, unsigned class);

/* "markerSchema", of "meta". */
void firefox_marker_schema(struct firefox *firefox);

/* "markers" of a thread: the waits of the trace. */
void firefox_markers(struct firefox *firefox, uint32_t thread);

/* "threads". Returns 0, or -1 when out of memory. */
int firefox_threads(struct firefox *firefox);

#endif
