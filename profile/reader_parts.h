/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the reader share: access to the records of a segment with every size checked.
 * Included by profile/reader*.c only; everybody else uses reader.h.
 */
#ifndef OMPPROF_PROFILE_READER_PARTS_H
#define OMPPROF_PROFILE_READER_PARTS_H

#include "profile/reader.h"

#define READER_NONE UINT32_MAX

/* The bytes of a file; segments 1 .. n_segments - 1 begin within them. */
struct reader_input {
	const unsigned char *bytes;
	size_t size;
	uint32_t n_segments;
};

/* The records of one segment that are there in full. */
struct reader_records {
	const unsigned char *first; /* record i is at first + i * bytes */
	size_t n;                   /* for text: bytes */
	size_t bytes;
	uint32_t owner;
	size_t offset; /* of the first record in the file */
};

/*
 * Fills *records with what segment `number` holds if it is of `kind`, whose records have `bytes`
 * bytes. Returns 1, or 0 if it is of another kind or makes no sense; adds 1 to *n_dropped if it
 * claims what cannot be.
 */
int reader_records(const struct reader_input *input, uint32_t number, uint32_t kind, size_t bytes,
	struct reader_records *records, size_t *n_dropped);

/*
 * Each fills its part of *profile and returns 0, or -1 when out of memory (profile_release frees
 * what is there). Nodes come after threads and may add threads that the file lacks.
 */
int reader_read_text(struct profile *profile, const struct reader_input *input);
int reader_read_modules(struct profile *profile, const struct reader_input *input);
int reader_read_threads(struct profile *profile, const struct reader_input *input);
int reader_read_nodes(struct profile *profile, const struct reader_input *input);

/* Index into profile.threads of the thread that the file calls `index`, or n_threads. */
size_t reader_find_thread(const struct profile *profile, uint32_t index);

/*
 * Adds an empty record for each of the n thread indices (in order) that profile.threads lacks.
 * Returns 0, or -1 when out of memory.
 */
int reader_add_threads(struct profile *profile, const uint32_t *indices, size_t n);

#endif
