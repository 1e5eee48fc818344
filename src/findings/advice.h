/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice on what to fix first: the places and causes that cost most wall time, and a sentence for
 * each by rule. A pure function of the figures; its thresholds are in ompprof-report(1). A gain is
 * a bound: the wall time that is won at best, if nothing else waits instead. Each part of the
 * capacity is in one entry at most, so the gains can be added up.
 */
#ifndef OMPPROF_SRC_FINDINGS_ADVICE_H
#define OMPPROF_SRC_FINDINGS_ADVICE_H

#include "src/findings/findings.h"

enum advice_limits {
	ADVICE_MOST = 5,
	ADVICE_WALL_PERCENT = 2,        /* a smaller gain is not listed */
	ADVICE_PERSISTENT_PERCENT = 60, /* of the imbalance: the same threads always wait */
	ADVICE_BARRIERS_LEAST = 5,      /* with fewer barriers nothing counts as "always" */
	ADVICE_MOST_PERCENT = 50,       /* of the time asleep: it belongs to one place */
	ADVICE_HELD_PERCENT = 80,       /* of the time: the mutex itself is the bottleneck */
	ADVICE_TINY_REGION_NS = 100000,
	ADVICE_TINY_TASK_NS = 20000,
	ADVICE_NAME_BYTES = 512,
};

struct advice {
	enum metrics_cause cause;
	uint64_t gain_ns; /* wall time, at best */
	uint32_t node;    /* of the named tree, or NAMES_NONE without a single place */
	const char *file; /* "" if not known */
	uint32_t line;
	char place[ADVICE_NAME_BYTES]; /* "solve.c:142", or "" */
	char name[ADVICE_NAME_BYTES];  /* "parallel in solve_cg", "critical(sum)", "read_matrix" */
	char text[256];                /* a sentence without a full stop */
};

struct advice_list {
	struct advice entries[ADVICE_MOST]; /* largest gain first */
	size_t n;
	uint64_t gain_ns; /* of all entries */
};

void advice_make(struct advice_list *list, const struct findings *figures);

/* A cause in one word: "imbalance". */
const char *advice_word(enum metrics_cause cause);

/* The parts of a construct's label "[omp parallel @solve.c:142]": "solve.c:142" and "parallel". */
void advice_place(char *text, size_t text_bytes, const struct name_label *label);
void advice_construct(char *text, size_t text_bytes, const struct name_label *label);

/* Whether a region's executions are so short that the runtime's own cost matters. */
int advice_is_tiny(const struct metrics_region *region);

#endif
