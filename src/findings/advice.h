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

/* The array of struct findings that has the figures of an entry. */
enum advice_about {
	ADVICE_OF_RUN, /* none */
	ADVICE_OF_REGION,
	ADVICE_OF_WAIT,
	ADVICE_OF_TASK,
	ADVICE_OF_SERIAL,
	ADVICE_OF_SLEEP,
	ADVICE_OF_TARGET,
	ADVICE_OF_UNEVEN,
};

/* Remedies that can be tried: see advice_remedies.def. */
enum advice_remedy {
#define REMEDY(NAME, ...) ADVICE_TRY_##NAME,
#include "src/findings/advice_remedies.def"
};

struct advice {
	enum metrics_cause cause;
	enum advice_remedy remedy;
	enum advice_about about;
	uint32_t index; /* into that array */
	uint64_t gain_ns;
	int is_repeated;   /* there are several runs */
	uint64_t error_ns; /* then: how far the gains of other runs are from the mean */
	const char *by;    /* the word of `report --by` whose table has more about it */
	uint32_t node; /* in the named tree; NAMES_NONE if the advice is about no single place */
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

/*
 * Writes sentence i of the evidence into the buffer: a figure that led to the advice, with a full
 * stop. Returns the buffer, or NULL past the last sentence.
 */
const char *advice_evidence(const struct findings *figures, const struct advice *advice, size_t i,
	char *text, size_t text_bytes);

/* The region that the advice is about: index into findings.regions, or UINT32_MAX. */
uint32_t advice_region(const struct findings *figures, const struct advice *advice);

/*
 * The directive to write, in the language of the entry's file, or the variable to set, or "". And a
 * sentence about it, without a full stop, or "".
 */
const char *advice_directive(const struct advice *advice);
const char *advice_remedy_text(const struct advice *advice);

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
