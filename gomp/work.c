/* SPDX-License-Identifier: Apache-2.0 */
#include "gomp/work.h"

/* A kind of OpenMP 5.2: `instance` is the address of a chunk. libomp since 15 tells it, too. */
enum { DISPATCH_WS_LOOP_CHUNK = 3 };

struct chunk {
	uint64_t start; /* counted from the loop's first iteration */
	uint64_t iterations;
};

/* The number of steps from one value of the variable to another; 0 for none or backwards. */
static uint64_t steps(const struct gomp_loop *loop, uint64_t from, uint64_t to)
{
	uint64_t distance = loop->is_down ? from - to : to - from;
	uint64_t step = loop->is_down ? 0 - loop->step : loop->step;

	if ((int64_t)distance <= 0 || step == 0)
		return 0;
	return (distance + step - 1) / step;
}

struct gomp_loop gomp_loop(uint64_t first, uint64_t end, uint64_t step, int is_down)
{
	struct gomp_loop loop = { .first = first, .step = step, .is_down = is_down };

	loop.n = steps(&loop, first, end);
	return loop;
}

void gomp_begin_work(struct gomp_task *task, ompt_work_t kind, uint64_t n, const void *caller)
{
	if (!provider.callback[ompt_callback_work])
		return;
	task->work = (uint16_t)kind;
	GOMP_TELL(work, kind, ompt_scope_begin, gomp_parallel_data(task), &task->data, n, caller);
}

void gomp_begin_loop(struct gomp_task *task, struct gomp_loop loop, const void *caller)
{
	gomp_end_work(task, caller);
	task->loop = loop;
	gomp_begin_work(task, ompt_work_loop, loop.n, caller);
}

void gomp_begin_single(struct gomp_task *task, int is_executor, const void *caller)
{
	gomp_begin_work(
		task, is_executor ? ompt_work_single_executor : ompt_work_single_other, 1, caller);
	if (!is_executor)
		gomp_end_work(task, caller);
}

void gomp_tell_chunk(struct gomp_task *task, uint64_t first, uint64_t end)
{
	struct chunk chunk = {
		.start = steps(&task->loop, task->loop.first, first),
		.iterations = steps(&task->loop, first, end),
	};

	GOMP_TELL(dispatch, gomp_parallel_data(task), &task->data,
		(ompt_dispatch_t)DISPATCH_WS_LOOP_CHUNK, (ompt_data_t){ .ptr = &chunk });
}

void gomp_tell_end_of_work(struct gomp_task *task, const void *caller)
{
	GOMP_TELL(work, (ompt_work_t)task->work, ompt_scope_end, gomp_parallel_data(task),
		&task->data, 0, caller);
	task->work = 0;
}
