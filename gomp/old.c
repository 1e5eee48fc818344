/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of code that GCC before 4.9 compiled: the program calls GOMP_parallel_start, then the
 * primary thread's body, then GOMP_parallel_end.
 */
#include <stddef.h>
#include <stdlib.h>

#include "gomp/region.h"

/* Begins a region, or returns NULL without memory. */
static struct gomp_region *begin(
	void (*fn)(void *), void *data, unsigned n_threads, void *frame, const void *caller)
{
	struct thread *thread = &gomp_self;
	struct gomp_region *region = malloc(sizeof(*region));

	if (!region)
		return NULL;
	gomp_begin_region(region, fn, data, n_threads, frame, caller);
	region->outer = thread->old;
	thread->old = region;
	return region;
}

/* The team is there; the primary thread returns to the program, which calls the body. */
static void run(struct gomp_region *region)
{
	gomp_leave(region->team.encountering);
	gomp_begin_primary(&gomp_self, region, NULL);
}

#define START(name, parameters, call, plain)                                                       \
	void name parameters                                                                       \
	{                                                                                          \
		struct gomp_region *region;                                                        \
		GOMP_PASS_BODY_WITHOUT_TOOL(name, plain);                                          \
                                                                                                   \
		region = begin(fn, data, n_threads, GOMP_FRAME, GOMP_CALLER);                      \
		if (!region)                                                                       \
			return next->name plain;                                                   \
		next->name call;                                                                   \
		run(region);                                                                       \
	}

#define START_LOOP(name)                                                                           \
	START(name,                                                                                \
		(void (*fn)(void *), void *data, unsigned n_threads, long first, long last,        \
			long step, long chunk),                                                    \
		(gomp_run_body, &region->team, n_threads, first, last, step, chunk),               \
		(fn, data, n_threads, first, last, step, chunk))

START(GOMP_parallel_start, (void (*fn)(void *), void *data, unsigned n_threads),
	(gomp_run_body, &region->team, n_threads), (fn, data, n_threads))
START(GOMP_parallel_sections_start,
	(void (*fn)(void *), void *data, unsigned n_threads, unsigned count),
	(gomp_run_body, &region->team, n_threads, count), (fn, data, n_threads, count))
START(GOMP_parallel_loop_runtime_start,
	(void (*fn)(void *), void *data, unsigned n_threads, long first, long last, long step),
	(gomp_run_body, &region->team, n_threads, first, last, step),
	(fn, data, n_threads, first, last, step))
START_LOOP(GOMP_parallel_loop_static_start)
START_LOOP(GOMP_parallel_loop_dynamic_start)
START_LOOP(GOMP_parallel_loop_guided_start)

void GOMP_parallel_end(void)
{
	struct thread *thread = &gomp_self;
	struct gomp_region *region = thread->old;

	if (!region)
		return gomp_next(GOMP_CALLER, NULL)->GOMP_parallel_end();
	gomp_begin_closing_barrier(thread, &region->implicit);
	region->team.next->GOMP_parallel_end();
	thread->old = region->outer;
	gomp_end_region(region);
	free(region);
}
