/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the reader: checked access to records, and the steps of reading. */
#ifndef OMPPROF_PROFILE_READER_READER_INTERNAL_H
#define OMPPROF_PROFILE_READER_READER_INTERNAL_H

#include <string.h>

#include "profile/reader/reader.h"

#define READER_NONE UINT32_MAX

/* The bytes of a file. Segments 1 .. n_segments - 1 begin in them; the last can be incomplete. */
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
 * Fills *records with the complete records of segment `number` if it is of `kind`, and returns 1.
 * Returns 0 if it is of another kind, or if its header is missing or has another size of records.
 * Adds 1 to *n_dropped for that size, and if the segment claims more records than it can hold.
 */
int reader_records(const struct reader_input *input, uint32_t number,
	enum profile_segment_kind kind, struct reader_records *records, size_t *n_dropped);

/* Returns zeroed items, one for each record of `kind`, and `more` others; NULL: out of memory. */
void *reader_alloc(const struct reader_input *input, enum profile_segment_kind kind,
	size_t item_bytes, size_t more);

/* Whether the process that writes the file runs on this host and has not completed the file. */
int reader_is_running(const struct profile_header *header, int fd);

/* Now, on the clock of header.last_ns, which stands still while the tool is paused or has ended. */
uint64_t reader_moment(const struct profile_header *header);

/*
 * Reads again what a running program may have changed between the readings of parts that belong
 * together. Returns 0, or -1 with errno.
 */
int reader_settle(int fd, unsigned char *bytes, size_t size);

/* The times of a region's record that only reader_count_open needs; in ticks. */
struct reader_open {
	uint64_t open_since; /* 0: no execution is open */
	uint64_t last_end;
};

/* The file, and the results of earlier steps of reading that later steps need. */
struct reader_work {
	const struct reader_input *input;
	uint32_t *index_of_id; /* by node id: index into profile.nodes, or READER_NONE */
	size_t n_ids;
	uint32_t *root; /* by index into profile.threads: its first root, or READER_NONE */
	/* nodes before this index are in order of their parents; later nodes are not */
	uint32_t n_sorted;
	struct reader_open *open; /* by index into profile.regions */
	uint64_t last_ticks;      /* ticks: the end of the profile; 0: not known */
};

/* Reads a record, which can have any alignment. Returns 0 if it makes no sense. */
typedef int reader_take(
	struct profile *profile, struct reader_work *work, const unsigned char *bytes);

/* Calls `take` for each record of `kind`; where it returns 0, profile.n_dropped grows by 1. */
void reader_each(struct profile *profile, struct reader_work *work, enum profile_segment_kind kind,
	reader_take *take);

/* Index into profile.nodes of the node that has this id and this kind, or READER_NONE. */
uint32_t reader_node_of(const struct profile *profile, const struct reader_work *work, uint32_t id,
	enum profile_node_kind kind);

/* Compares items by the uint32_t that they begin with; for qsort and bsearch. */
int reader_compare_u32(const void *left, const void *right);

/* The kind that a raw node gets to be left out without being counted; no file has it. */
#define READER_NO_NODE 255

/*
 * The fields of a node that decide its place; `parent` is an id at first. The rest is in `bytes`.
 */
struct reader_raw_node {
	const unsigned char *bytes; /* struct profile_node, at any address */
	uint32_t parent;
	uint32_t owner; /* index into profile.threads */
	uint8_t kind;
	uint8_t is_known; /* its kind, and its wait or event, are known */
};

/* Nodes in the order of the file. */
struct reader_raw {
	struct reader_raw_node *nodes;
	uint32_t n;
	const uint32_t *index_of_id; /* index + 1; 0: there is no such node */
	size_t n_ids;
};

/*
 * Gives the nodes of devices' trees, whose owner is READER_NONE, an owner: the thread of their
 * target construct, from whose root their CONTEXT then hangs. Roots of devices become
 * READER_NO_NODE. All others get the first thread; a CONTEXT or EVENT among them gets no known
 * kind.
 */
void reader_adopt(const struct profile *profile, const struct reader_raw *raw);

static inline uint64_t reader_node_addr(const struct reader_raw_node *node)
{
	uint64_t addr;

	memcpy(&addr, node->bytes + offsetof(struct profile_node, addr), sizeof(addr));
	return addr;
}

/* A node with its figures. Its parent is still the raw node's, and its context is READER_NONE. */
struct profile_tree_node reader_node(
	const struct profile *profile, const struct reader_raw_node *raw);

/* When the thread ended, or the profile if that was earlier, in ticks; 0: not known. */
uint64_t reader_end_of(
	const struct profile *profile, const struct reader_work *work, uint32_t thread);

/* Sets profile.has_ticks, profile.waits and work->last_ticks from the header. */
void reader_read_clock(struct profile *profile, struct reader_work *work);

/* The most nodes, and the most waits, that reader_count_open adds for a thread. */
#define READER_OPEN_NODES 6

/* Nanoseconds, no more than PROFILE_MOST_NS; 0 without profile.has_ticks. */
uint64_t reader_ns(const struct profile *profile, uint64_t ticks);

/* Bounds a figure by PROFILE_MOST_NS. */
void reader_limit(uint64_t *figure);

/*
 * The steps of reading, in this order. Each fills its part of *profile. Each but the last returns
 * 0, or -1 when out of memory (profile_release frees what is there).
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
int reader_read_collectives(struct profile *profile, struct reader_work *work);
void reader_count_open(struct profile *profile, const struct reader_work *work);

/*
 * Adds an unfinished wait of the WAIT node, which began and ended at these ticks, to its thread's
 * timeline and to the trace, if they exist.
 */
void reader_add_to_timeline(struct profile *profile, uint32_t node, uint64_t begin, uint64_t end);

/*
 * Moves time without a CPU from code to waits where a thread's times are longer than its life.
 * Returns 0, or -1 without memory.
 */
int reader_move_delays(struct profile *profile);

/* Sorts the trace by the ends of its moments. */
void reader_sort_moments(struct profile *profile);

/* Index into profile.phases of the phase that the file calls `number`, or n_phases. */
size_t reader_find_phase(const struct profile *profile, uint64_t number);

/* Index into profile.threads of the thread that the file calls `index`, or n_threads. */
size_t reader_find_thread(const struct profile *profile, uint32_t index);

/*
 * Adds an empty record for each index, in order, that is missing. Returns 0, or -1 without memory.
 */
int reader_add_threads(struct profile *profile, const uint32_t *indices, size_t n);

/* Sets *diag: `path` cannot be read for this errno. Returns -1. */
int reader_cannot_read(struct diag *diag, const char *path, int error);

/* Reads up to n bytes; beyond the file's end `bytes` stay. Returns 0, or -1 with errno. */
int reader_read_at(int fd, void *bytes, size_t n, uint64_t offset);

/*
 * The size of the file up to its last claimed segment, at most PROFILE_MAX_BYTES and file_bytes; at
 * least a header if the file has that much. (A sparse file can claim any size, and be that large.)
 */
size_t reader_claimed_bytes(const struct profile_header *header, uint64_t file_bytes);

#endif
