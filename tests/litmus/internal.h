/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the recorder and the explorer. */
#ifndef OMPPROF_TESTS_LITMUS_INTERNAL_H
#define OMPPROF_TESTS_LITMUS_INTERNAL_H

#include "tests/litmus/explore.h"
#include "tests/litmus/record.h"

enum { LITMUS_MOST_OPS = 24, LITMUS_MOST_PLACES = 32 };

struct litmus_op {
	enum litmus_kind kind;
	int place, order; /* the place of a fence is -1 */
	uint64_t value, expected;
};

struct litmus_thread {
	struct litmus_op op[LITMUS_MOST_OPS];
	int n, has_loads;
};

/* The case that is checked. */
struct litmus {
	const struct litmus_case *one;
	struct litmus_thread thread[LITMUS_MOST_THREADS];
	int n_threads;
	struct {
		volatile void *at;
		size_t bytes;
	} place[LITMUS_MOST_PLACES];
	int n_places;
	/* the thread that is recorded, or called again with the values of `replayed` */
	struct litmus_thread *now;
	const uint64_t *replayed;
	int next, is_other_way;
};

extern struct litmus litmus;

/* Records the threads of a case. */
void litmus_record(const struct litmus_case *one);

/* Calls the threads that read once more, with these values. Returns whether they did the same. */
int litmus_replay(const uint64_t (*read)[LITMUS_MOST_OPS]);

/* The program's memory at a place. */
uint64_t litmus_load(int place);
void litmus_store(int place, uint64_t value);

/* The memory of a place after an operation that read `old`. */
uint64_t litmus_result(const struct litmus_op *op, uint64_t old);

#endif
