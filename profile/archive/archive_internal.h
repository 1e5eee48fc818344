/* SPDX-License-Identifier: Apache-2.0 */
/* What making a part and expanding one have in common. Included by profile/part*.c only. */
#ifndef OMPPROF_PROFILE_ARCHIVE_ARCHIVE_INTERNAL_H
#define OMPPROF_PROFILE_ARCHIVE_ARCHIVE_INTERNAL_H

#include "profile/shared/layout.h"
#include "profile/archive/archive_member.h"

/* Bytes that grow. Once memory is out nothing more is added. */
struct part_output {
	uint8_t *bytes;
	size_t n, room;
	int has_failed;
};

void part_put_bytes(struct part_output *out, const void *bytes, size_t n);
void part_put_number(struct part_output *out, uint64_t number);
/* A difference: small numbers of both signs are short. */
void part_put_difference(struct part_output *out, uint64_t number, uint64_t from);

/* Bytes that are read. Beyond their end, or at what makes no sense, all is 0 and has_failed set. */
struct part_input {
	const uint8_t *bytes;
	size_t n, at;
	int has_failed;
};

void part_take_bytes(struct part_input *in, void *bytes, size_t n);
uint64_t part_take_number(struct part_input *in);
uint64_t part_take_difference(struct part_input *in, uint64_t from);
/* A number that is at most `most`. */
uint64_t part_take_limited(struct part_input *in, uint64_t most);

/* How records of a kind are kept. */
enum part_form { PART_NOTHING, PART_BYTES, PART_WORDS, PART_LONG_WORDS, PART_TIMELINE, PART_NODES };

struct part_kind {
	uint32_t record_bytes;
	enum part_form form;
};
extern const struct part_kind part_kinds[PROFILE_SEGMENT_N_KINDS];

/* The kinds in the order in which they are in a part: nodes need modules. */
extern const uint8_t part_order[PROFILE_SEGMENT_N_KINDS - 1];

/* The records of a segment that are there in full, in a file of `size` bytes. */
struct part_records {
	size_t offset; /* of the first */
	size_t n;
	uint32_t bytes; /* of each */
};
struct part_records part_records_of(
	const struct profile_segment *segment, uint32_t number, size_t size);

/* How many nodes the segments with these numbers hold, in a file of `size` bytes. */
size_t part_count_nodes(const struct profile_segment *segments, const uint32_t *numbers,
	uint32_t n_numbers, size_t size);

/* Segments that begin in a file of `size` bytes, the first included. */
static inline uint32_t part_count_segments(size_t size)
{
	return (uint32_t)((size + PROFILE_SEGMENT_BYTES - 1) / PROFILE_SEGMENT_BYTES);
}

/* How large a part of a file of `size` bytes is at least. */
static inline size_t part_least(size_t size)
{
	return size / PART_MOST_TIMES + 1;
}

/* Nodes of a segment: ids are number * this + 1 and so on. */
enum { PART_NODE_SLOTS = PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES };

/* A call path of the process: one node of each thread that has it. */
struct part_path {
	uint64_t value;  /* the node's addr, less part_base */
	uint32_t parent; /* index of the path that it continues + 1; 0 none */
	uint16_t module;
	uint8_t kind, flags;
};

/* How the nodes are kept: the latter if they are such as no writer makes. */
enum { PART_NODES_BY_PATH = 0, PART_NODES_AS_IS = 1 };

/* What a node has beside its path. */
struct part_figure {
	size_t offset, bytes;
};
enum { part_n_figures = 5 };
extern const struct part_figure part_figures[part_n_figures];

/* Where the modules of each generation begin, of which there are 65,536. */
uint64_t *part_find_starts(
	const uint8_t *file, size_t size, const struct profile_segment *segments);

/* What a node's addr is relative to: its module, or its thread. */
static inline uint64_t part_base(
	const uint64_t *starts, const struct part_path *path, uint32_t owner)
{
	switch (path->kind) {
	case PROFILE_NODE_FRAME:
	case PROFILE_NODE_REGION:
	case PROFILE_NODE_TASK:
	case PROFILE_NODE_TARGET:
		return starts[path->module];
	case PROFILE_NODE_THREAD:
		return owner;
	default:
		return 0;
	}
}

/* The numbers of the segments of nodes, thread by thread; *n of them, to be freed. NULL: no memory. */
uint32_t *part_sort_nodes(
	const struct profile_segment *segments, uint32_t n_segments, size_t size, uint32_t *n);

void part_put_nodes(struct part_output *out, const uint8_t *file, size_t size,
	const struct profile_segment *segments, uint32_t n_segments);
void part_take_nodes(struct part_input *in, uint8_t *file, size_t size,
	const struct profile_segment *segments, uint32_t n_segments);

#endif
