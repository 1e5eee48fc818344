/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A merged file: the profiles of a job's processes in one file, which is read wherever their folder could be. It is a
 * function of the set of profiles alone, and of the zlib that made the part of each:
 *
 *   struct merged_header
 *   the parts (archive_member.h), one after the other, in the order of their names
 *   a struct merged_index for each, in the same order
 *   the heads: what lists show of each, in the same order, compressed together
 *
 * The name of a part is that of the process' file. "FILE/NAME" stands for it, as if the merged file were a folder.
 * Read by profile/reader_f*.c, written by src/merge*.c. Described in ompprof-profile(5).
 */
#ifndef OMPPROF_PROFILE_READER_MERGED_H
#define OMPPROF_PROFILE_READER_MERGED_H

#include <stdint.h>
#include <stdio.h>

#include "profile/reader/reader.h"

#define MERGED_MAGIC      "OMPPJOB\n"
#define MERGED_VERSION    1
#define MERGED_NAME_BYTES 256
#define MERGED_PATH_BYTES                                                                          \
	PROFILE_SEGMENT_BYTES /* of the executable's path in a head; more is cut */

struct merged_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes; /* sizeof(struct merged_header) */
	uint32_t index_bytes;  /* sizeof(struct merged_index) */
	uint32_t n_parts;
	uint64_t file_bytes;  /* of the merged file */
	uint64_t index;       /* where the first struct merged_index is, */
	uint64_t heads;       /* and the heads */
	uint64_t heads_bytes; /* of them, */
	uint64_t heads_plain; /* and before they were compressed */
	uint32_t check;       /* CRC-32 of the indices and the heads */
	uint32_t reserved;
};

struct merged_index {
	uint64_t offset; /* of the part */
	uint64_t bytes;
	uint64_t file_bytes; /* of the file that it was made of */
	uint64_t n_samples;
	uint32_t n_threads;
	uint32_t check; /* CRC-32 of the part */
	char name[MERGED_NAME_BYTES];
};

/* A head: of the profile's header its first struct profile_header, then the executable's path and a zero byte. */

/* --- reading --- */

/*
 * Adds the parts of the merged file at `path`. Returns the number of them, 0 if the file is no merged file (or cannot
 * be opened), or -1 with *diag set if it is damaged or memory is out.
 */
long merged_list(struct profile_list *list, const char *path, struct diag *diag);

/* Fills *entry but for its path, which is "FILE/NAME" of a part. Returns 0, or -1. */
int merged_look_at(struct profile_entry *entry);

/* What a profile file holds, as far as segments were claimed of it. */
struct profile_bytes {
	uint8_t *bytes; /* to be freed */
	size_t size;
	uint64_t file_bytes;
	int is_running;
};

/* A part as it is in a merged file. */
struct merged_part {
	uint8_t *bytes; /* to be freed */
	size_t n;
};

/*
 * Those of the part that "FILE/NAME" stands for. *part becomes the part, or has no bytes if it is not to be copied into
 * another file: it is of another version, or larger than it has to be. `part` may be NULL. Returns 0, or -1 with *diag
 * set, and no part.
 */
int merged_load(
	struct profile_bytes *file, struct merged_part *part, const char *path, struct diag *diag);

/* Those of the file at `path`, which may be a part. Returns 0, or -1 with *diag set. */
int profile_load(struct profile_bytes *file, const char *path, struct diag *diag);

/* Likewise; of a part *part is as of merged_load, and of a file it has no bytes. */
int profile_load_part(
	struct profile_bytes *file, struct merged_part *part, const char *path, struct diag *diag);

/* --- writing --- */

/* A merged file under way. */
struct merged_writer {
	FILE *out; /* its position can be set */
	struct merged_header header;
	struct merged_index *indices; /* n_parts of them */
	uint8_t *heads;
	size_t n_heads;
	uint64_t at; /* the file's end */
};

/* Begins a file; what is written to `out` can be looked at by ferror. */
void merged_begin(struct merged_writer *writer, FILE *out);

/*
 * Adds a part of what `entry` is about, by name after all that were added. Returns 0, or -1 when out of memory.
 */
int merged_add(struct merged_writer *writer, const struct profile_entry *entry, const char *name,
	const uint8_t *part, size_t n);

/* Ends the file. Returns 0, or -1 when out of memory. */
int merged_end(struct merged_writer *writer);
void merged_release(struct merged_writer *writer);

#endif
