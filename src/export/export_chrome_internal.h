/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the format chrome. */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_CHROME_INTERNAL_H
#define OMPPROF_SRC_EXPORT_EXPORT_CHROME_INTERNAL_H

#include "src/export/export_frames.h"
#include "src/text/json.h"

struct chrome {
	const struct export *export;
	const struct profile *profile;
	struct json json;
	uint8_t *is_used; /* by node of the export: a sample is in the node or below it */
	size_t n_samples;
};

/* Whether the filters keep the thread. */
int chrome_shows(const struct chrome *chrome, size_t thread);

uint64_t chrome_pid(const struct chrome *chrome, size_t thread);

/* Writes a time in microseconds, exactly. */
void chrome_us(struct json *json, const char *key, uint64_t ns);

/* Writes the members that all events have. The caller adds the rest and ends the event. */
void chrome_begin(
	struct chrome *chrome, const char *phase, const char *name, uint64_t pid, uint64_t tid);

/* Sets is_used, which the caller frees, and n_samples. Returns 0, or -1 when out of memory. */
int chrome_find_samples(struct chrome *chrome);

/* Writes "stackFrames"; nothing if there are no samples. */
void chrome_stacks(struct chrome *chrome);

void chrome_samples(struct chrome *chrome);

#endif
