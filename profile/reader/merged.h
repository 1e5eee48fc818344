/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A merged file: the profiles of a job's processes in one file. It is read wherever a folder of
 * them could be. Its bytes depend only on the set of profiles and on the versions of ompprof and
 * liblzma:
 *
 *   struct merged_header
 *   the members: the bytes of each profile file as an xz stream, in the order of their names
 *   a struct merged_index for each member, in the same order
 *   the heads: the facts of each process that lists show, in the same order, as one xz stream
 *
 * A member is read without the others. It has the name of the process' file. Its path is
 * "FILE/NAME", as if the merged file were a folder. Described in ompprof-profile(5).
 */
#ifndef OMPPROF_PROFILE_READER_MERGED_H
#define OMPPROF_PROFILE_READER_MERGED_H

#include <stdint.h>
#include <stdio.h>

#include "profile/reader/reader.h"

#define MERGED_MAGIC      "OMPPJOB\n"
#define MERGED_VERSION    2 /* 1 had members of another form, and is no longer read */
#define MERGED_NAME_BYTES 256
/* The bound of the executable's path in a head; a longer path is truncated. */
#define MERGED_PATH_BYTES PROFILE_SEGMENT_BYTES

struct merged_header {
	char magic[8];
	uint32_t version;
	uint32_t header_bytes; /* sizeof(struct merged_header) */
	uint32_t index_bytes;  /* sizeof(struct merged_index) */
	uint32_t n_members;
	uint64_t file_bytes;  /* of the merged file */
	uint64_t index;       /* offset of the first struct merged_index */
	uint64_t heads;       /* offset of the heads */
	uint64_t heads_bytes; /* size of their xz stream */
	uint64_t heads_plain; /* size of the heads before compression */
	uint32_t check;       /* CRC-32 of the indices; xz streams have checks of their own */
	uint32_t reserved;
};

struct merged_index {
	uint64_t offset;     /* of the member */
	uint64_t bytes;      /* size of its xz stream */
	uint64_t plain;      /* size before compression: the used bytes of the profile file */
	uint64_t file_bytes; /* of the profile file, at least `plain` */
	uint64_t n_samples;
	uint32_t n_threads;
	uint32_t reserved;
	char name[MERGED_NAME_BYTES];
};

/* A head: the struct profile_header, the executable's path, a zero byte. */

/* --- reading --- */

/*
 * Adds the members of the merged file at `path`. Returns how many; 0 if it is no merged file or
 * cannot be opened; -1 with *diag set if it cannot be read.
 */
long merged_list(struct profile_list *list, const char *path, struct diag *diag);

/* Fills *entry, whose path is the "FILE/NAME" of a member. Returns 0, or -1. */
int merged_look_at(struct profile_entry *entry);

/* The bytes of a profile file, as far as its segments are claimed. */
struct profile_bytes {
	uint8_t *bytes; /* the caller frees them */
	size_t size;
	uint64_t file_bytes;
	int is_running;
};

/* Reads the member whose path is "FILE/NAME". Returns 0, or -1 with *diag set. */
int merged_load(struct profile_bytes *file, const char *path, struct diag *diag);

/* Reads the profile file or member at `path`. Returns 0, or -1 with *diag set. */
int profile_load(struct profile_bytes *file, const char *path, struct diag *diag);

/* --- writing --- */

/* A compressed profile. */
struct merged_member {
	uint8_t *bytes; /* the caller frees them; NULL: no profile */
	size_t n;
	uint64_t plain; /* size before compression */
};

/*
 * Compresses `plain` bytes; equal bytes give equal members. Returns 0, or -1 when out of memory.
 * Any thread.
 */
int merged_pack(struct merged_member *member, const uint8_t *bytes, size_t plain);

/* A merged file under way. */
struct merged_writer {
	FILE *out; /* must be seekable */
	struct merged_header header;
	struct merged_index *indices; /* n_members of them */
	uint8_t *heads;
	size_t n_heads;
	uint64_t at; /* the file's end */
};

/* Begins a file. The functions do not report failed writes: check `out` with ferror. */
void merged_begin(struct merged_writer *writer, FILE *out);

/* Adds a member; names must come in ascending order. Returns 0, or -1 when out of memory. */
int merged_add(struct merged_writer *writer, const struct profile_entry *entry, const char *name,
	const struct merged_member *member);

/* Ends the file. Returns 0, ENOMEM, or the errno of why it cannot go back to the header. */
int merged_end(struct merged_writer *writer);

/* Frees the writer's memory; `out` stays open. */
void merged_release(struct merged_writer *writer);

#endif
