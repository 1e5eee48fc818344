/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice on what to fix first: the places and causes that cost most wall time, each with a sentence
 * that a rule chooses. It depends on the figures alone; ompprof-report(1) has its thresholds. A
 * gain is an upper bound: the wall time that is won if nothing else waits instead. Each
 * part of the capacity is in one entry at most, so the gains can be added up.
 */
#ifndef OMPPROF_SRC_FINDINGS_ADVICE_H
#define OMPPROF_SRC_FINDINGS_ADVICE_H

#include "src/findings/findings.h"

enum advice_limits {
	ADVICE_MOST = 5,
	ADVICE_WALL_PERCENT = 2, /* of the wall time; a smaller gain is not listed */
	ADVICE_PERSISTENT_PERCENT =
		60, /* of the imbalance; from there on one thread counts as always last */
	ADVICE_BARRIERS_LEAST = 5, /* with fewer barriers no thread counts as always last */
	ADVICE_MOST_PERCENT =
		50, /* of a cause; from there on one place or reason is named for it */
	/* of metrics_lock.within_ns; a mutex that is held so long is the bottleneck */
	ADVICE_HELD_PERCENT = 80,
	ADVICE_TINY_REGION_NS = 100000,
	ADVICE_TINY_TASK_NS = 20000,
	/* the runtime needs about as long for a task: if there are many, that can be the loss */
	ADVICE_HANDLED_TASK_NS = 2000,
	ADVICE_MANY_TASKS = 1000,
	ADVICE_NAME_BYTES = 512,
};

struct advice {
	enum metrics_cause cause;
	uint64_t gain_ns;
	const char *by; /* the word of `report --by` whose table has more about it */
	uint32_t node;  /* in the named tree; NAMES_NONE if the advice is about no single place */
	const char *file;
	uint32_t line;
	char place[ADVICE_NAME_BYTES]; /* "solve.c:142"; "" if not known */
	char name[ADVICE_NAME_BYTES];  /* "parallel in solve_cg", "critical(sum)", "read_matrix" */
	char text[256];                /* a sentence without a full stop */
};

struct advice_list {
	struct advice entries[ADVICE_MOST]; /* largest gain first */
	size_t n;
	uint64_t gain_ns; /* the sum over the entries */
};

void advice_make(struct advice_list *list, const struct findings *figures);

/* The cause as screens show it: "imbalance", "short team". */
const char *advice_word(enum metrics_cause cause);

/*
 * Write the place and the name of a label. A construct "[omp parallel @solve.c:142]" gives
 * "solve.c:142" and "parallel in FUNCTION". Other labels give "solve.c:142" and their name. Without
 * a line the place is the name, or "OBJECT+0xADDRESS" if the name is only an address.
 */
void advice_place(char *text, size_t text_bytes, const struct name_label *label);
void advice_construct(char *text, size_t text_bytes, const struct name_label *label);

/*
 * Whether a region's executions take less than ADVICE_TINY_REGION_NS on average. 0 if that is
 * unknown.
 */
int advice_is_tiny(const struct metrics_region *region);

#endif
