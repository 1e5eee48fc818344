/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worksharing constructs of the current task (OpenMP 5.1, 4.5.2.5 and 4.5.2.6). Only in
 * libompprof-gomp-events.so a tool can register callbacks for them. Without one nothing is told.
 */
#ifndef OMPPROF_GOMP_WORK_H
#define OMPPROF_GOMP_WORK_H

#include "gomp/gomp.h"

/* A loop of long or unsigned long long. is_down: the step is negative, or is subtracted. */
struct gomp_loop gomp_loop(uint64_t first, uint64_t end, uint64_t step, int is_down);

/* The task encounters a construct of `n` iterations or sections. */
void gomp_begin_work(struct gomp_task *task, ompt_work_t kind, uint64_t n, const void *caller);
void gomp_begin_loop(struct gomp_task *task, struct gomp_loop loop, const void *caller);

/* A single construct: the other threads are done with it at once. */
void gomp_begin_single(struct gomp_task *task, int is_executor, const void *caller);

/* The task's loop got the iterations from `first` to before `end`. */
void gomp_tell_chunk(struct gomp_task *task, uint64_t first, uint64_t end);

/* Ends the construct that the task is in. */
void gomp_tell_end_of_work(struct gomp_task *task, const void *caller);

static inline void gomp_end_work(struct gomp_task *task, const void *caller)
{
	if (__builtin_expect(task->work != 0, 0))
		gomp_tell_end_of_work(task, caller);
}

#endif
