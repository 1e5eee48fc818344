/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The in-process half of the profile: creates the file, maps it, hands out segments and records
 * (layout.h). Written data is in the file at once: readers see it without a flush. No descriptor
 * stays open: the file is opened only to be created, to grow, at its end, and when the program's
 * command to flush writes it to its disk (control.c). So a program that closes or counts its
 * descriptors sees none of ours. If another file has its name when it has to grow, that other file
 * is left alone, and the profile does not grow.
 *
 * Space is reserved (fallocate) before it is mapped, a chunk at a time. So a full disk, a file size
 * limit or a quota is an error code here and never a SIGBUS or SIGXFSZ in the program.
 */
#ifndef OMPPROF_PROFILE_CORE_WRITER_H
#define OMPPROF_PROFILE_CORE_WRITER_H

#include <stdint.h>

#include "profile/shared/layout.h"

enum { WRITER_FOREIGN = -1 };

/*
 * Creates the file `name` (must not exist; mode 0600) in the open folder, whose absolute path is
 * `path`, and maps its first chunk. Returns 0, an errno, or WRITER_FOREIGN if the folder is another
 * user's, who could put something else in the place of the file. After success writer_header() is
 * valid, with magic, version and sizes filled in. Owning thread only.
 */
int writer_open(int folder, const char *path, const char *name);

/*
 * Gives back space that was reserved and never claimed, if the file can be opened, and closes the
 * profile for further claims; neither if another thread grows the file at this moment. Claimed
 * segments stay mapped and writable: a handler that is still running in another thread does no
 * harm. Any thread.
 */
void writer_finish(void);

/*
 * Unmaps everything: in a child made by fork, before it begins a profile of its own.
 * Owning thread only.
 */
void writer_forget(void);

/* The mapped file header, or NULL before writer_open. Signal-safe. */
struct profile_header *writer_header(void);

/*
 * Claims a segment for records of `record_bytes` and returns it, its number in *segment; NULL if
 * there is no space (the caller counts the loss). The segment's used is 0. Signal-safe.
 */
struct profile_segment *writer_segment(
	enum profile_segment_kind kind, uint32_t record_bytes, uint32_t owner, uint32_t *segment);

/*
 * The node with this id, which must be a node's: from cct_insert, cct_child or cct_find, or a
 * tree's root. Signal-safe.
 */
struct profile_node *writer_node(uint32_t id);

/*
 * A new record, all zero, in a segment shared by all threads; NULL without space. A reader skips
 * the record until its owner stores the field that makes it valid, with release order after the
 * fields that readers need: for example profile_thread.index or profile_module.end. Signal-safe.
 */
void *writer_record(enum profile_segment_kind kind, uint32_t record_bytes);

/* As writer_record(), but returns the record's offset in the file; 0: no space. Signal-safe. */
uint64_t writer_record_offset(enum profile_segment_kind kind, uint32_t record_bytes);

/* Where an offset in the file is in memory. It must be in a claimed segment. Signal-safe. */
void *writer_at(uint64_t offset);

/*
 * Appends the text "KEY=VALUE" to the RUN segments, cutting it to what one segment holds. Without
 * space it is dropped. Owning thread only.
 */
void writer_text(const char *key, const char *value);

/*
 * Adds to a counter of the file that only the calling thread writes, and readers may read.
 * Signal-safe.
 */
static inline void writer_count(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

#endif
