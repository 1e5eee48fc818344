/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of claims that threads make in claims.c. Each is a row of its table. */
#ifndef OMPPROF_BENCH_CLAIMS_H
#define OMPPROF_BENCH_CLAIMS_H

#include <pthread.h>
#include <stdint.h>

#include "sampler/core/thread.h"

enum { CLAIMS_STACK_BYTES = 1 << 18 /* of each thread */ };

struct worker {
	pthread_t id;
	struct thread *thread; /* NULL: not registered */
	uint32_t number;       /* from 0 on */
	uint32_t n;            /* claims to make */
	uint32_t *ticks;       /* how long each claim took */
	uint64_t *keys;        /* what each claim got; 0: nothing */
	uint64_t cpu_ns;
};

/* A kind of claim. */
struct kind {
	const char *name;
	uint32_t n; /* claims of all threads together, at least one each */
	int is_registered;
	/* Returns what no other claim gets, or 0 if it failed. */
	uint64_t (*claim)(struct worker *worker, uint32_t i);
};

extern const struct kind claims_kinds[];
extern const int claims_n_kinds;

#endif
