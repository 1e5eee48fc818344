/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the profiles of a job to one merged file (profile/reader/merged.h), by one process or by the ranks of an MPI job:
 *
 *   rank 0                          the others
 *   lists the profiles, by name
 *   ─────────── which they are ───────────►
 *   makes parts of the first of     each makes parts of those after them, and keeps these
 *   them, and writes them
 *   ◄──────────── parts, rank by rank ─────
 *   writes these, and the index
 *
 * A part is a compressed profile. It depends on its profile alone, and the parts are in the order of their names: the
 * file does not show who made them, or in which order they were found.
 */
#ifndef OMPPROF_SRC_MERGE_MERGE_FILES_H
#define OMPPROF_SRC_MERGE_MERGE_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "src/text/atomic_write.h"

#define MERGE_DEFAULT_OUTPUT "merged.ompprof"

/* How the ranks of a job reach each other; of one process alone `size` is 1, and nothing else is set. */
struct merge_ranks {
	int rank, size;
	/* Rank 0's *n bytes become everybody's; the others' are to be freed, NULL when memory is out. Each rank calls it. */
	uint8_t *(*share)(uint8_t *bytes, size_t *n);
	/* To rank 0. */
	void (*send)(const uint8_t *bytes, size_t n);
	/* What this rank sends next; *n bytes, to be freed. NULL: no memory. */
	uint8_t *(*receive)(int from, size_t *n);
	/* Ends all ranks with STATUS_FAILURE; does not return. */
	void (*give_up)(void);
};

struct merge_request {
	char *const *inputs; /* files and folders */
	size_t n_inputs;
	struct save_place output;
	uint32_t n_threads; /* that read the files; 0: one for each CPU */
	int is_quiet;
};

/* Returns an exit status; failures are said on stderr, by rank 0. */
int merge_files(const struct merge_request *request, const struct merge_ranks *ranks);

/* `ompprof merge` in one of these ranks; argv[0] is the verb. Returns an exit status. */
int merge_main(int argc, char **argv, const struct merge_ranks *ranks);

#endif
