/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part that the files of `bench/walks` share: the walkers that compete, the clock, the table.
 * Each part of the table is a function in a file walks_NAME.c; main() is in walks.c.
 */
#ifndef OMPPROF_BENCH_WALKS_H
#define OMPPROF_BENCH_WALKS_H

#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/walk.h"

/* In the order of the table's columns. */
enum contender {
	TABLES,    /* walker_cfi, a path without memory */
	MEMORY,    /* walker_cfi, the path passed on from walk to walk */
	IN_PLACE,  /* call frame information without tables */
	POINTERS,  /* walker_fp */
	LIBUNWIND, /* the plug-in */
	UNW_BACKTRACE,
	BACKTRACE, /* the C library's */
	N_CONTENDERS,
};

typedef int (*address_lister)(void **addresses, int size);

/* Has one of two functions, or cannot take part. */
struct contest {
	const struct walker *walker;
	address_lister list; /* of the caller's own frames */
	struct walk_path path;
};

struct walks {
	struct contest contest[N_CONTENDERS];
	struct walk_bounds stack;      /* of the initial thread */
	double ns_per_tick;            /* of walks_ticks */
	uint64_t reading_ticks;        /* two readings of walks_ticks differ by at least that */
	double factor;                 /* of the number of measurements */
	int is_only[N_CONTENDERS + 1]; /* all of them: [N_CONTENDERS] */
};

extern struct walks walks;

/* Some times of each contender. */
struct times {
	double *ns[N_CONTENDERS];
	size_t n[N_CONTENDERS];
	size_t capacity;
};

static inline uint64_t walks_ticks(void)
{
	uint64_t ticks;

	__builtin_ia32_lfence();
	ticks = __builtin_ia32_rdtsc();
	__builtin_ia32_lfence();
	return ticks;
}

/* From two readings of walks_ticks. */
static inline double walks_ns(uint64_t begin, uint64_t end)
{
	uint64_t ticks = end - begin;

	return ticks > walks.reading_ticks
		       ? (double)(ticks - walks.reading_ticks) * walks.ns_per_tick
		       : 0;
}

/* Whether c takes part where the code has frame pointers, or has none. */
int walks_takes_part(enum contender c, int has_frame_pointers);

/* Makes a walk with the memory in `path`. Returns the number of frames. */
static inline uint32_t walks_walk(enum contender c, const struct walk_registers *start,
	const struct walk_bounds *bounds, struct walk_path *path)
{
	void *addresses[WALK_MAX_FRAMES];
	const struct contest *contest = &walks.contest[c];

	if (!contest->walker)
		return (uint32_t)contest->list(addresses, WALK_MAX_FRAMES);
	if (c != MEMORY)
		path->n = 0;
	return contest->walker->walk(start, bounds, UINT64_MAX, path);
}

/* `capacity` times of each contender at most; ends the program without memory. */
void times_init(struct times *times, size_t capacity);
void times_release(struct times *times);

static inline void times_add(struct times *times, enum contender c, double ns)
{
	if (times->n[c] < times->capacity)
		times->ns[c][times->n[c]++] = ns;
}

/* Returns the median of contender c, whose times become sorted; NaN if there are none. */
double times_median(struct times *times, enum contender c);

/* Begins a part of the table: what its numbers are. */
void table_part(const char *title);

/*
 * Print a row each; contenders without times show "-". Medians and lowest times leave the times
 * sorted.
 */
void table_medians(const char *label, struct times *times);
void table_means(const char *label, struct times *times);
void table_lowest(const char *label, struct times *times);

/* The parts. */
void walks_calls(void);
void walks_cold(void);
void walks_sampled(void);
void walks_threads(void);
void walks_objects(void);

#endif
