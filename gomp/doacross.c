/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops with dependences between iterations (doacross). A wait has as many arguments as the loop
 * has dimensions. The start of the loop tells the number, and each task remembers it. With more
 * arguments than registers for them nothing is reported: the call is then a jump, which leaves the
 * arguments on the stack as they are.
 */
#include <stddef.h>

#include "gomp/start.h"
#include "gomp/work.h"

#if defined(__x86_64__)
#define REGISTERS(type) type a0, type a1, type a2, type a3, type a4, type a5
#define VALUES          a0, a1, a2, a3, a4, a5
enum { N_REGISTERS = 6 };
#elif defined(__aarch64__)
#define REGISTERS(type) type a0, type a1, type a2, type a3, type a4, type a5, type a6, type a7
#define VALUES          a0, a1, a2, a3, a4, a5, a6, a7
enum { N_REGISTERS = 8 };
#else
#error "which arguments are passed in registers?"
#endif

/* Whether the task's latest doacross loop has few enough dimensions to be reported. */
static int is_told(const struct gomp_task *task)
{
	return task->n_dimensions - 1 < N_REGISTERS;
}

/* Tells of an iteration: one dependence for each dimension. */
static void tell(struct gomp_task *task, ompt_dependence_type_t type, const uint64_t *values)
{
	ompt_dependence_t dependences[N_REGISTERS];

	for (uint32_t i = 0; i < task->n_dimensions; i++) {
		dependences[i].variable.value = values[i];
		dependences[i].dependence_type = type;
	}
	GOMP_TELL(dependences, &task->data, dependences, (int)task->n_dimensions);
}

/* Set by the tool; see include/ompprof-gomp.h. */
static ompprof_doacross_t *on_wait;

void gomp_set_doacross(ompprof_doacross_t *function)
{
	on_wait = function;
}

static void begin_wait(
	struct gomp_task *task, const struct gomp_functions *next, void *frame, const void *caller)
{
	struct thread *thread = &gomp_self;

	thread->wait_id = (ompt_wait_id_t)(uintptr_t)&next->ordered;
	thread->state = ompt_state_wait_ordered;
	gomp_enter(task, frame);
	if (on_wait)
		on_wait(ompt_scope_begin, caller);
}

static void end_wait(struct gomp_task *task, const void *caller)
{
	struct thread *thread = &gomp_self;

	if (on_wait)
		on_wait(ompt_scope_end, caller);
	gomp_leave(task);
	thread->state = gomp_work_state(task);
	thread->wait_id = 0;
}

/* The iterations that it depends on are over: the dependence is fulfilled. */
GOMP_TELLING void tell_sink(struct gomp_task *task, REGISTERS(uint64_t))
{
	const uint64_t values[] = { VALUES };

	tell(task, ompt_dependence_type_sink, values);
}

/* `name` is declared with any number of arguments, and defined here with as many as registers. */
#define WAIT(name, type)                                                                           \
	GOMP_EXPORT void name##_in_registers(REGISTERS(type)) __asm__(#name);                      \
	void name##_in_registers(REGISTERS(type))                                                  \
	{                                                                                          \
		const struct gomp_functions *next = gomp_next(GOMP_CALLER, NULL);                  \
		struct gomp_task *task = gomp_task(&gomp_self, next);                              \
                                                                                                   \
		if (!task || !is_told(task))                                                       \
			return next->name(VALUES);                                                 \
		begin_wait(task, next, GOMP_FRAME, GOMP_CALLER);                                   \
		next->name(VALUES);                                                                \
		end_wait(task, GOMP_CALLER);                                                       \
		tell_sink(task, GOMP_UNPACK(VALUES));                                              \
	}

/* The thread is done with an iteration that others may wait for. */
#define POST(name, type)                                                                           \
	void name(type *values)                                                                    \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(name, (values));                                            \
                                                                                                   \
		if (is_told(task))                                                                 \
			tell(task, ompt_dependence_type_source, (const uint64_t *)values);         \
		return next->name(values);                                                         \
	}

WAIT(GOMP_doacross_wait, long)
WAIT(GOMP_doacross_ull_wait, unsigned long long)
POST(GOMP_doacross_post, long)
POST(GOMP_doacross_ull_post, unsigned long long)

/* Defines a start of a loop. libgomp hands out the iterations of the outermost dimension. */
#define START(name, parameters, arguments)                                                         \
	_Bool name parameters                                                                      \
	{                                                                                          \
		_Bool is_chunk;                                                                    \
		GOMP_PASS_WITHOUT_TOOL(name, arguments);                                           \
                                                                                                   \
		task->n_dimensions = n_dimensions;                                                 \
		gomp_begin_loop(task, gomp_loop(0, (uint64_t)counts[0], 1, 0), GOMP_CALLER);       \
		is_chunk = next->name arguments;                                                   \
		if (is_chunk && first)                                                             \
			gomp_tell_chunk(task, (uint64_t)*first, (uint64_t)*last);                  \
		return is_chunk;                                                                   \
	}

#define STARTS(prefix, type)                                                                       \
	START(prefix##_static_start,                                                               \
		(unsigned n_dimensions, type *counts, type chunk, type *first, type *last),        \
		(n_dimensions, counts, chunk, first, last))                                        \
	START(prefix##_dynamic_start,                                                              \
		(unsigned n_dimensions, type *counts, type chunk, type *first, type *last),        \
		(n_dimensions, counts, chunk, first, last))                                        \
	START(prefix##_guided_start,                                                               \
		(unsigned n_dimensions, type *counts, type chunk, type *first, type *last),        \
		(n_dimensions, counts, chunk, first, last))                                        \
	START(prefix##_runtime_start,                                                              \
		(unsigned n_dimensions, type *counts, type *first, type *last),                    \
		(n_dimensions, counts, first, last))                                               \
	START(prefix##_start,                                                                      \
		(unsigned n_dimensions, type *counts, long schedule, type chunk, type *first,      \
			type *last, uintptr_t *reductions, void **memory),                         \
		(n_dimensions, counts, schedule, chunk, first, last, reductions, memory))

STARTS(GOMP_loop_doacross, long)
STARTS(GOMP_loop_ull_doacross, unsigned long long)
