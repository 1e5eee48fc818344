/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections, single, scope and masked, and what GCC 17 calls with -fopenmp-ompt. Only in
 * libompprof-gomp-events.so. Without that option nothing is called at the end of single and scope:
 * the task's next barrier or construct ends them.
 */

#include "gomp/work.h"

/* Reports a section. Its code is not known: the event has the place that asked for the section. */
static unsigned tell_section(struct gomp_task *task, unsigned section, const void *caller)
{
	if (section)
		GOMP_TELL(dispatch, gomp_parallel_data(task), &task->data, ompt_dispatch_section,
			(ompt_data_t){ .ptr = (void *)caller });
	return section;
}

static void begin_sections(struct gomp_task *task, unsigned n, const void *caller)
{
	gomp_end_work(task, caller);
	gomp_begin_work(task, ompt_work_sections, n, caller);
}

unsigned GOMP_sections_start(unsigned n)
{
	GOMP_PASS_WITHOUT_TOOL(GOMP_sections_start, (n));

	begin_sections(task, n, GOMP_CALLER);
	return tell_section(task, next->GOMP_sections_start(n), GOMP_CALLER);
}

unsigned GOMP_sections2_start(unsigned n, uintptr_t *reductions, void **memory)
{
	GOMP_PASS_WITHOUT_TOOL(GOMP_sections2_start, (n, reductions, memory));

	begin_sections(task, n, GOMP_CALLER);
	return tell_section(task, next->GOMP_sections2_start(n, reductions, memory), GOMP_CALLER);
}

/* The first call in the body of a parallel sections construct begins the construct. */
unsigned GOMP_sections_next(void)
{
	GOMP_PASS_WITHOUT_TOOL(GOMP_sections_next, ());

	if (!task->work && task->team)
		begin_sections(task, task->team->n_sections, GOMP_CALLER);
	return tell_section(task, next->GOMP_sections_next(), GOMP_CALLER);
}

/* Defines a function that ends the construct, and returns at once. */
#define END(name)                                                                                  \
	void name(void)                                                                            \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name, ());                                                  \
                                                                                                   \
		gomp_end_work(task, GOMP_CALLER);                                                  \
		return next->name();                                                               \
	}

#define SINGLE(name)                                                                               \
	_Bool name(void)                                                                           \
	{                                                                                          \
		_Bool is_executor;                                                                 \
		GOMP_PASS_WITHOUT_TOOL(name, ());                                                  \
                                                                                                   \
		gomp_end_work(task, GOMP_CALLER);                                                  \
		is_executor = next->name();                                                        \
		gomp_begin_single(task, is_executor, GOMP_CALLER);                                 \
		return is_executor;                                                                \
	}

#define SCOPE(name)                                                                                \
	void name(uintptr_t *reductions)                                                           \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name, (reductions));                                        \
                                                                                                   \
		gomp_end_work(task, GOMP_CALLER);                                                  \
		gomp_begin_work(task, ompt_work_scope, 1, GOMP_CALLER);                            \
		return next->name(reductions);                                                     \
	}

/* A static loop or distribute: the iterations of the thread are told by `dispatch`. */
#define STATIC(name, kind)                                                                         \
	_Complex int name##_start(unsigned long long n)                                            \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name##_start, (n));                                         \
                                                                                                   \
		gomp_end_work(task, GOMP_CALLER);                                                  \
		task->loop = gomp_loop(0, n, 1, 0);                                                \
		gomp_begin_work(task, kind, n, GOMP_CALLER);                                       \
		return next->name##_start(n);                                                      \
	}                                                                                          \
	void name##_dispatch(unsigned long long start, unsigned long long n)                       \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name##_dispatch, (start, n));                               \
                                                                                                   \
		gomp_tell_chunk(task, start, start + n);                                           \
		return next->name##_dispatch(start, n);                                            \
	}                                                                                          \
	END(name##_end)

END(GOMP_sections_end_nowait)
SINGLE(GOMP_single_start)
SINGLE(GOMP_single_start_with_end)
END(GOMP_single_end)
SCOPE(GOMP_scope_start)
SCOPE(GOMP_scope_start_with_end)
END(GOMP_scope_end)
STATIC(GOMP_loop_static_worksharing, ompt_work_loop)
STATIC(GOMP_distribute_static_worksharing, ompt_work_distribute)

/* Whether the thread executes the construct. */
_Bool GOMP_has_masked_thread_num_with_end(int filter)
{
	_Bool is_masked;
	GOMP_PASS_WITHOUT_TOOL(GOMP_has_masked_thread_num_with_end, (filter));

	is_masked = next->GOMP_has_masked_thread_num_with_end(filter);
	if (is_masked)
		GOMP_TELL(masked, ompt_scope_begin, gomp_parallel_data(task), &task->data,
			GOMP_CALLER);
	return is_masked;
}

void GOMP_masked_end(void)
{
	GOMP_PASS_WITHOUT_TOOL(GOMP_masked_end, ());

	GOMP_TELL(masked, ompt_scope_end, gomp_parallel_data(task), &task->data, GOMP_CALLER);
	return next->GOMP_masked_end();
}
