/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops whose iterations libgomp hands out: each start and each `next` is a call. Only in
 * libompprof-gomp-events.so.
 */

#include "gomp/work.h"

/* The first call in the body of a parallel loop: the loop begins here. */
static void begin_combined(struct gomp_task *task, const void *caller)
{
	if (!task->work && task->team)
		gomp_begin_loop(task, task->team->loop, caller);
}

#define NEXT(name, type)                                                                           \
	_Bool name(type *first, type *end)                                                         \
	{                                                                                          \
		_Bool is_chunk;                                                                    \
		GOMP_PASS_WITHOUT_TOOL(name, (first, end));                                        \
                                                                                                   \
		begin_combined(task, GOMP_CALLER);                                                 \
		is_chunk = next->name(first, end);                                                 \
		if (is_chunk)                                                                      \
			gomp_tell_chunk(task, (uint64_t)*first, (uint64_t)*end);                   \
		return is_chunk;                                                                   \
	}

/* A loop with a static schedule may ask for no chunk: `first` is NULL. */
#define START(name, loop, parameters, arguments)                                                   \
	_Bool name parameters                                                                      \
	{                                                                                          \
		_Bool is_chunk;                                                                    \
		GOMP_PASS_WITHOUT_TOOL(name, arguments);                                           \
                                                                                                   \
		gomp_begin_loop(task, loop, GOMP_CALLER);                                          \
		is_chunk = next->name arguments;                                                   \
		if (is_chunk && first)                                                             \
			gomp_tell_chunk(task, (uint64_t)*first, (uint64_t)*end);                   \
		return is_chunk;                                                                   \
	}

#define LONG_LOOP gomp_loop((uint64_t)from, (uint64_t)to, (uint64_t)step, step < 0)
#define ULL_LOOP  gomp_loop(from, to, step, !is_up)
typedef unsigned long long ull;

/* The forms: with the size of a chunk, for schedule(runtime), and for all schedules. */
#define LONG_CHUNK(name)                                                                           \
	START(name##_start, LONG_LOOP,                                                             \
		(long from, long to, long step, long chunk, long *first, long *end),               \
		(from, to, step, chunk, first, end))
#define LONG_RUNTIME(name)                                                                         \
	START(name##_start, LONG_LOOP, (long from, long to, long step, long *first, long *end),    \
		(from, to, step, first, end))
#define LONG_GENERAL(name)                                                                         \
	START(name##_start, LONG_LOOP,                                                             \
		(long from, long to, long step, long schedule, long chunk, long *first, long *end, \
			uintptr_t *reductions, void **memory),                                     \
		(from, to, step, schedule, chunk, first, end, reductions, memory))
#define ULL_CHUNK(name)                                                                            \
	START(name##_start, ULL_LOOP,                                                              \
		(_Bool is_up, ull from, ull to, ull step, ull chunk, ull * first, ull * end),      \
		(is_up, from, to, step, chunk, first, end))
#define ULL_RUNTIME(name)                                                                          \
	START(name##_start, ULL_LOOP,                                                              \
		(_Bool is_up, ull from, ull to, ull step, ull * first, ull * end),                 \
		(is_up, from, to, step, first, end))
#define ULL_GENERAL(name)                                                                          \
	START(name##_start, ULL_LOOP,                                                              \
		(_Bool is_up, ull from, ull to, ull step, long schedule, ull chunk, ull *first,    \
			ull *end, uintptr_t *reductions, void **memory),                           \
		(is_up, from, to, step, schedule, chunk, first, end, reductions, memory))

#define LONG_NEXT(name) NEXT(name##_next, long)
#define ULL_NEXT(name)  NEXT(name##_next, ull)
GOMP_LOOPS(GOMP_loop, LONG)
GOMP_LOOPS(GOMP_loop_ull, ULL)

void GOMP_loop_end_nowait(void)
{
	GOMP_PASS_WITHOUT_TOOL(GOMP_loop_end_nowait, ());

	gomp_end_work(task, GOMP_CALLER);
	return next->GOMP_loop_end_nowait();
}
