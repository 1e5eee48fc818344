/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types and functions that the files of the reader share: access to the records of a segment
 * with every size checked, and the parts of reading.
 */
#ifndef OMPPROF_PROFILE_READER_READER_INTERNAL_H
#define OMPPROF_PROFILE_READER_READER_INTERNAL_H

#include <string.h>

#include "profile/reader/reader.h"

#define READER_NONE UINT32_MAX

/* The bytes of a file; segments 1 .. n_segments - 1 begin within them. */
struct reader_input {
	const unsigned char *bytes;
	size_t size;
	uint32_t n_segments;
};

/* The complete records of one segment. */
struct reader_records {
	const unsigned char *first; /* record i begins at first + i * bytes */
	size_t n;                   /* for text: bytes */
	size_t bytes;
	uint32_t owner;
	size_t offset; /* of the first record in the file */
};

/*
 * Fills *records with the records of segment `number` if it is of `kind`. Returns 1, or 0 if it is
 * of another kind or makes no sense. Adds 1 to *n_dropped if the segment claims something
 * impossible.
 */
int reader_records(const struct reader_input *input, uint32_t number,
	enum profile_segment_kind kind, struct reader_records *records, size_t *n_dropped);

/*
 * Returns zeroed room for all records of `kind` and `more`, or NULL when out of memory. An item has
 * item_bytes.
 */
void *reader_alloc(const struct reader_input *input, enum profile_segment_kind kind,
	size_t item_bytes, size_t more);

/* Whether the process that writes the open file runs on this host, and still writes the file. */
int reader_is_running(const struct profile_header *header, int fd);

/*
 * The present moment on the clock of header.last_ns. It is header.last_ns while the program pauses
 * the tool, or has ended it.
 */
uint64_t reader_moment(const struct profile_header *header);

/*
 * Reads again the parts of `bytes` that a running program changed while they were read. Returns 0,
 * or -1 with errno.
 */
int reader_settle(int fd, unsigned char *bytes, size_t size);

/* The times of a region's record that are needed only while the file is read; in ticks. */
struct reader_open {
	uint64_t open_since; /* 0: no execution is open */
	uint64_t last_end;
};

/* The file, and the results of earlier steps of reading that later steps need. */
struct reader_work {
	const struct reader_input *input;
	uint32_t *index_of_id; /* by node id: index into profile.nodes, or READER_NONE */
	size_t n_ids;
	uint32_t *root;    /* by index into profile.threads: its first root, or READER_NONE */
	uint32_t n_sorted; /* nodes before this index are in order of their parents */
	struct reader_open *open; /* by index into profile.regions */
	uint64_t last_ticks;      /* the tick counter at the profile's end; 0: not known */
};

/* Reads a record of any alignment. Returns 0 if the record makes no sense. */
typedef int reader_take(
	struct profile *profile, struct reader_work *work, const unsigned char *bytes);

/* Calls `take` for each record of `kind`. profile.n_dropped counts the records without sense. */
void reader_each(struct profile *profile, struct reader_work *work, enum profile_segment_kind kind,
	reader_take *take);

/* Index into profile.nodes of the node that has this id and this kind, or READER_NONE. */
uint32_t reader_node_of(const struct profile *profile, const struct reader_work *work, uint32_t id,
	enum profile_node_kind kind);

/* Compares items by the uint32_t that they begin with; for qsort and bsearch. */
int reader_compare_u32(const void *left, const void *right);

/* The kind of raw nodes that are no longer needed; no node in the file has it. */
#define READER_NO_NODE 255

/*
 * The fields of a node that decide its place; parents are still ids. The other fields stay in the
 * file.
 */
struct reader_raw_node {
	const unsigned char *bytes; /* struct profile_node, at any address */
	uint32_t parent;
	uint32_t owner; /* index into profile.threads */
	uint8_t kind;
	uint8_t is_known; /* its figures are meaningful */
};

/* Nodes in the order of the file. */
struct reader_raw {
	struct reader_raw_node *nodes;
	uint32_t n;
	const uint32_t *index_of_id; /* index + 1; 0: there is no such node */
	size_t n_ids;
};

/*
 * Gives owners to the nodes of devices' trees, whose owner is READER_NONE. A node gets the owner of
 * its target construct, and hangs from that thread's root. The roots of devices become
 * READER_NO_NODE. Nodes of no target construct become nodes of no known kind. All others get some
 * owner: the first thread.
 */
void reader_adopt(const struct profile *profile, const struct reader_raw *raw);

/* The addr of the node, whose meaning depends on the node's kind. */
static inline uint64_t reader_node_addr(const struct reader_raw_node *node)
{
	uint64_t addr;

	memcpy(&addr, node->bytes + offsetof(struct profile_node, addr), sizeof(addr));
	return addr;
}

/*
 * The node with all that the file tells. Its parent is the raw node's, and its context is not known
 * yet.
 */
struct profile_tree_node reader_node(
	const struct profile *profile, const struct reader_raw_node *raw);

/*
 * The tick counter at the end of the thread, or of the profile; 0: not known. Unfinished waits and
 * executions of the thread count up to then.
 */
uint64_t reader_end_of(
	const struct profile *profile, const struct reader_work *work, uint32_t thread);

/*
 * Finds out whether the rate of the tick counter is known, which waits are measured, and the end in
 * ticks.
 */
void reader_read_clock(struct profile *profile, struct reader_work *work);

/* Nodes that reader_count_open may add for a thread. */
#define READER_OPEN_NODES 6

/* Nanoseconds, no more than PROFILE_MOST_NS; 0 without profile.has_ticks. */
uint64_t reader_ns(const struct profile *profile, uint64_t ticks);

/* Bounds a figure by PROFILE_MOST_NS. */
void reader_limit(uint64_t *figure);

/*
 * Each function fills its part of *profile and returns 0, or -1 when out of memory (profile_release
 * frees what is there). Nodes come after threads and may add threads that the file lacks; regions
 * come after nodes. reader_count_open, which cannot fail, comes last.
 */
int reader_read_text(struct profile *profile, struct reader_work *work);
int reader_read_modules(struct profile *profile, struct reader_work *work);
int reader_read_threads(struct profile *profile, struct reader_work *work);
int reader_read_phases(struct profile *profile, struct reader_work *work);
int reader_read_nodes(struct profile *profile, struct reader_work *work);
int reader_read_regions(struct profile *profile, struct reader_work *work);
int reader_read_locks(struct profile *profile, struct reader_work *work);
int reader_read_devices(struct profile *profile, struct reader_work *work);
int reader_read_timelines(struct profile *profile, struct reader_work *work);
int reader_read_moments(struct profile *profile, struct reader_work *work);
void reader_count_open(struct profile *profile, const struct reader_work *work);

/*
 * Adds a wait of the WAIT node, from one moment in ticks to another, to its thread's timeline and
 * to the trace, if they exist. At most READER_OPEN_NODES waits of a thread are added.
 */
void reader_add_to_timeline(struct profile *profile, uint32_t node, uint64_t begin, uint64_t end);

/* Sorts the trace by the ends of its moments, when all moments are there. */
void reader_sort_moments(struct profile *profile);

/* Index into profile.phases of the phase that the file calls `number`, or n_phases. */
size_t reader_find_phase(const struct profile *profile, uint64_t number);

/* Index into profile.threads of the thread that the file calls `index`, or n_threads. */
size_t reader_find_thread(const struct profile *profile, uint32_t index);

/*
 * Adds an empty record for each of the n thread indices (in order) that profile.threads lacks.
 * Returns 0, or -1 when out of memory.
 */
int reader_add_threads(struct profile *profile, const uint32_t *indices, size_t n);

/* Sets *diag: `path` cannot be read for this errno. Returns -1. */
int reader_cannot_read(struct diag *diag, const char *path, int error);

/*
 * Reads up to n bytes at `offset`; bytes beyond the end of the file are left as they are. Returns 0
 * or -1.
 */
int reader_read_at(int fd, void *bytes, size_t n, uint64_t offset);

/* The size of the claimed part of the file, without the room behind it. */
size_t reader_claimed_bytes(const struct profile_header *header, uint64_t file_bytes);

#endif
