/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the profiles of a job into one file (profile/reader/merged.h), in one process or in the
 * ranks of an MPI job:
 *
 *   rank 0                          the others
 *   lists the profiles, by name
 *   ──────── the list of files ───────────►
 *   makes parts of the first        each makes the parts of its share of the other
 *   files, and writes them          files, and keeps them
 *   ◄──────────── parts, rank by rank ─────
 *   writes them, and the index
 *
 * A part is a compressed profile. It only depends on its profile and on liblzma. The parts are in
 * the order of their names. So the file does not show which rank made a part, or in which order the
 * profiles were found.
 */
#ifndef OMPPROF_SRC_MERGE_MERGE_FILES_H
#define OMPPROF_SRC_MERGE_MERGE_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "src/text/atomic_write.h"

#define MERGE_DEFAULT_OUTPUT "merged.ompprof"

/* How the ranks of a job communicate. For a single process `size` is 1, and the rest is 0. */
struct merge_ranks {
	int rank, size;
	/*
	 * Sends the *n bytes of rank 0 to all ranks, and sets their *n; each rank calls it, the
	 * others with NULL. Returns the bytes, which the others free; NULL when out of memory.
	 */
	uint8_t *(*share)(uint8_t *bytes, size_t *n);
	/* Sends bytes to rank 0. */
	void (*send)(const uint8_t *bytes, size_t n);
	/* Receives *n bytes of a rank, which the caller frees; NULL when out of memory. */
	uint8_t *(*receive)(int from, size_t *n);
	/* Ends all ranks with STATUS_FAILURE. Does not return. */
	void (*give_up)(void);
};

struct merge_request {
	char *const *inputs; /* files and folders */
	size_t n_inputs;
	struct save_place output;
	uint32_t n_threads; /* threads that read the files; 0: one for each CPU, within a limit */
	int is_quiet;
};

/* Merges, and says so unless is_quiet. Returns an exit status. Only rank 0 prints, on stderr. */
int merge_files(const struct merge_request *request, const struct merge_ranks *ranks);

/* Runs `ompprof merge` in one of these ranks; argv[0] is the verb. Returns an exit status. */
int merge_main(int argc, char **argv, const struct merge_ranks *ranks);

#endif
