/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process' profile in a merged file: the file's used bytes, column by column, without what its segments leave empty
 * and with each call path of the process once, whichever threads have it; compressed. Nothing that a reader of the
 * profile looks at is lost. Used by profile/merged*.c, which say where parts are, and by src/merge*.c.
 *
 * Before it is compressed a part is these numbers, each in groups of seven bits, the lowest first (put_number):
 *
 *   the size of the file; the header's bytes
 *   of each segment: kind, record_bytes, used, owner
 *   RUN, MODULES, DEVICES, PHASES: their records, as they are
 *   THREADS, REGIONS, LOCKS: by 32-bit word of the record, differences from record to record
 *   TIMELINE: all words; MOMENTS: by 64-bit word, differences
 *   NODES: a table of the process' call paths, then of the nodes, thread by thread, which path each is, by difference
 *   to the one after its predecessor's, and their figures one after the other
 *
 * What came first is what predicts: a part depends on its profile alone.
 */
#ifndef OMPPROF_PROFILE_ARCHIVE_ARCHIVE_MEMBER_H
#define OMPPROF_PROFILE_ARCHIVE_ARCHIVE_MEMBER_H

#include <stddef.h>
#include <stdint.h>

/* The size of the file that a part stands for is no more than so many times its own. */
#define PART_MOST_TIMES 4096

/*
 * Makes a part of the `size` bytes of a profile file; *n bytes, to be freed. The same bytes give the same part. NULL
 * when out of memory. Any thread.
 */
uint8_t *part_make(const uint8_t *file, size_t size, size_t *n);

/* The file that a part stands for. */
struct part_file {
	uint8_t *bytes; /* to be freed; unused ones are 0 */
	size_t size;
	/* The part has no bytes but those that stand for the file, and is no larger than one may be made of it. */
	int is_tight;
};

/*
 * Fills *file from the `n` bytes of a part. Returns 0, or -1 if the part is damaged, the file is larger than `most`, or
 * memory is out. Whatever the bytes are, time and memory are linear in them, and memory in the file's size. Any thread.
 */
int part_expand(struct part_file *file, const uint8_t *part, size_t n, uint64_t most);

#endif
