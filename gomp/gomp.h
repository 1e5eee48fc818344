/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OMPT provider for GCC's libgomp, which has no OMPT. The library is loaded before libgomp and
 * defines the functions that gcc's code calls. Each of them tells the tool what happens, and calls
 * the next definition: libgomp's own.
 *
 *   program -- GOMP_barrier --> this library -- next->GOMP_barrier --> libgomp
 *                                    |
 *                                    +-- callbacks (OpenMP 5.1, 4.5.2) --> tool
 *   program's code <-- body -- this library <-- body -- libgomp
 *
 * A body (of a region, a task, a team of a league) is called through a function of this library, so
 * that its begin and end are known exactly on each thread.
 *
 * Invariants:
 * - A call of libgomp returns libgomp's own result. A call takes no lock but that of malloc, except
 *   where a module of the program calls for the first time (also after a dlclose), where the tool
 *   is looked for, and for tasks with an event (detach.h).
 * - libgomp reads and writes the same through pointers that pass here as if nothing lay between
 *   (see task.c).
 * - The inquiry functions for state, data, tasks and regions may be called in a signal handler at
 *   any instruction. They only read the thread's own struct thread and the tasks that it leads to.
 *   A task is complete before a thread's `task` points to it, and the pointer moves on before the
 *   task's memory is freed or used again. So the chain by `outer` leads only to tasks that are
 *   there.
 * - If no tool was found, a call is a few tests and a jump to libgomp.
 */
#ifndef OMPPROF_GOMP_GOMP_H
#define OMPPROF_GOMP_GOMP_H

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

#include "gomp/functions.h"

#define GOMP_EXPORT __attribute__((visibility("default")))

/* The functions that the library exports. */
#define FUNCTION(returns, name, parameters) GOMP_EXPORT returns name parameters;
#include "gomp/functions.def"

/* The place of the program's call: the arguments of the functions below. */
#define GOMP_FRAME  __builtin_frame_address(0)
#define GOMP_CALLER __builtin_return_address(0)

/* A loop: the values of its variable, as the program has them. */
struct gomp_loop {
	uint64_t first;
	uint64_t step;
	uint64_t n; /* iterations */
	int is_down;
};

/* A team; on the stack of the thread that encountered it, except in old.c and league.c. */
struct gomp_team {
	/*
	 * For GOMP_parallel_reductions the first word of the program's data: libgomp takes the
	 * address of the reductions from the first word of what it is passed.
	 */
	void *first_word;
	void (*body)(void *);
	void *data;
	const struct gomp_functions *next; /* of the libgomp that runs the region */
	struct gomp_task *encountering;
	const struct thread *primary;
	ompt_data_t parallel_data;
	struct gomp_loop loop; /* of a region that is a loop, too */
	unsigned n_sections;   /* of a region that consists of sections */
};

/* A task, as the tool sees it. */
struct gomp_task {
	ompt_data_t data;
	ompt_frame_t frame;
	int flags;
	uint32_t thread_num;
	uint32_t n_threads;
	uint32_t n_dimensions; /* of its latest doacross loop */
	uint16_t work;         /* the worksharing construct that it is in, ompt_work_t; or 0 */
	uint16_t outer_state;  /* of an explicit task: the thread's state before it */
	struct gomp_team *team;
	/*
	 * The task in whose place it is executed on this thread; for an implicit task, and an
	 * initial task of a league, the encountering task. NULL for a thread's own initial task,
	 * and for a worker's implicit task whose body is over.
	 */
	struct gomp_task *outer;
	struct gomp_loop loop; /* the loop that it is in; not set before */
};

/* A thread. Only its own thread writes it. */
struct thread {
	struct gomp_task *task; /* the current task; NULL: the tool does not know the thread */
	uint32_t state;         /* ompt_state_t */
	ompt_wait_id_t wait_id;
	ompt_data_t data;
	ompt_data_t initial_region;     /* the implicit parallel region of its initial task */
	ompt_thread_t type;             /* 0: the tool has not been told that the thread begins */
	uint32_t is_in_closing_barrier; /* of a worker: since its latest body has ended */
	const struct gomp_functions *next; /* where its latest call went */
	/* Whether the calls of all modules go there, while gomp_n_closed is n_closed. */
	uint32_t is_for_all;
	uint32_t n_closed;
	const struct module *module; /* the calling module that was found last; or NULL */
	/*
	 * Its initial task is the first. A worker's implicit tasks take turns: the next is made
	 * while `task` points to the previous one.
	 */
	struct gomp_task own[2];
	struct undeferred *spare;   /* memory for tasks that are executed at once */
	struct gomp_region *old;    /* the innermost open region of the old functions; or NULL */
	struct gomp_region *league; /* the innermost in a target region on the host, or NULL */
};

extern __thread struct thread gomp_self;

/* The values of provider.phase. */
enum gomp_phase {
	GOMP_NEW = 0,  /* no thread has looked for the tool */
	GOMP_STARTING, /* a thread looks for the tool */
	GOMP_OFF,      /* nothing is told: no tool, it does not want to know, or it has ended */
	GOMP_ON,
};

/* The provider as a whole. Written by start.c; the tool sets callbacks by inquiry.c. */
struct provider {
	uint32_t phase;      /* enum gomp_phase */
	uint32_t can_cancel; /* omp_get_cancellation() */
	ompt_callback_t callback[64];
};

extern struct provider provider;

/* 1 in libompprof-gomp-events.so, else 0. */
extern const uint32_t gomp_tells_all;

/* Looks for a tool, once. Any thread. */
void gomp_start(const struct gomp_functions *next);

/* The specification names these types after another event. */
typedef ompt_callback_mutex_acquire_t ompt_callback_lock_init_t;
typedef ompt_callback_mutex_t ompt_callback_lock_destroy_t;
typedef ompt_callback_mutex_t ompt_callback_mutex_acquired_t;
typedef ompt_callback_mutex_t ompt_callback_mutex_released_t;
typedef ompt_callback_sync_region_t ompt_callback_sync_region_wait_t;

/* Calls the tool's callback of this event, if it has registered one. */
#define GOMP_TELL(event, ...)                                                                      \
	do {                                                                                       \
		ompt_callback_##event##_t callback_ =                                              \
			(ompt_callback_##event##_t)provider.callback[ompt_callback_##event];       \
                                                                                                   \
		if (callback_)                                                                     \
			callback_(__VA_ARGS__);                                                    \
	} while (0)

extern uint32_t gomp_n_closed; /* 1 more than the calls of dlclose that may have unloaded objects */

/*
 * The functions of the libgomp that the calling module is bound to; if that is not known, most
 * likely of the same; gomp_serial() if there is no libgomp. `caller`: the call's return address;
 * `body`: the program's function that the call passes, which is the module's, or NULL.
 */
const struct gomp_functions *gomp_find_next(
	struct thread *thread, const void *caller, const void *body);

/* As gomp_find_next() without a body, but NULL if there is no libgomp. */
const struct gomp_functions *gomp_try_next(const void *caller);

static inline const struct gomp_functions *gomp_next(const void *caller, const void *body)
{
	struct thread *thread = &gomp_self;

	if (thread->is_for_all &&
		thread->n_closed == __atomic_load_n(&gomp_n_closed, __ATOMIC_RELAXED))
		return thread->next;
	return gomp_find_next(thread, caller, body);
}

/* Frees what the thread has for tasks that are executed at once. */
void gomp_free_spare(struct thread *thread);

/* Tells the tool of a thread that it does not know. Returns its initial task. */
struct gomp_task *gomp_begin_thread(struct thread *thread);

/* The thread's current task; NULL if nothing is told of the call, as without a tool. */
static inline struct gomp_task *gomp_task(struct thread *thread, const struct gomp_functions *next)
{
	if (next->is_foreign)
		return NULL;
	if (__atomic_load_n(&provider.phase, __ATOMIC_ACQUIRE) != GOMP_ON) {
		if (provider.phase == GOMP_OFF)
			return NULL;
		gomp_start(next);
		if (provider.phase != GOMP_ON)
			return NULL;
	}
	return thread->task ? thread->task : gomp_begin_thread(thread);
}

/*
 * The first lines of an exported function: `next`, and `task`, the thread's current task. Without a
 * tool the call is a jump to the next definition, which then sees the program as its caller. So the
 * function must have no local variable whose address is taken.
 */
#define GOMP_PASS_WITHOUT_TOOL(name, arguments) GOMP_PASS(NULL, name, arguments)

/* In a function that the program passes a body `fn`. */
#define GOMP_PASS_BODY_WITHOUT_TOOL(name, arguments)                                               \
	GOMP_PASS((const void *)(uintptr_t)fn, name, arguments)

#define GOMP_PASS(body, name, arguments)                                                           \
	const struct gomp_functions *next = gomp_next(GOMP_CALLER, body);                          \
	struct gomp_task *task = gomp_task(&gomp_self, next);                                      \
                                                                                                   \
	if (!task)                                                                                 \
	return next->name arguments

/* A function with such variables, which an exported function calls with its parameters. */
#define GOMP_TELLING     static __attribute__((noinline))
#define GOMP_UNPACK(...) __VA_ARGS__

/* After the call of such a function: the call is no jump, for the frame has to stay. */
#define GOMP_STAY() __asm__ volatile("")

static inline void gomp_set_frame(ompt_data_t *pointer, int *flags, void *frame)
{
	pointer->ptr = frame;
	*flags = ompt_frame_runtime | ompt_frame_framepointer;
}

/* The program's code calls: the task enters the runtime. */
static inline void gomp_enter(struct gomp_task *task, void *frame)
{
	gomp_set_frame(&task->frame.enter_frame, &task->frame.enter_frame_flags, frame);
}

static inline void gomp_leave(struct gomp_task *task)
{
	task->frame.enter_frame.ptr = NULL;
}

/* The region of the task; NULL for a worker's implicit task whose body is over. */
static inline ompt_data_t *gomp_parallel_data(const struct gomp_task *task)
{
	if (task->team)
		return &task->team->parallel_data;
	return task->flags & ompt_task_implicit ? NULL : &gomp_self.initial_region;
}

/* The state of a thread that executes this task. */
static inline uint32_t gomp_work_state(const struct gomp_task *task)
{
	return task->team ? ompt_state_work_parallel : ompt_state_work_serial;
}

#endif
