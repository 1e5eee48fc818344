/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tool's data on one thread of the program. The thread's own callbacks fill it, and the
 * thread's own signal handler reads it and adds samples. While `gate.in_tool` is set, the handler
 * takes no sample and notes that a signal has come. So neither needs locks, nor atomics beyond a
 * compiler barrier. Functions for the owning thread only can also be called by whoever closes the
 * record of a thread that is neither in an event nor in its handler. The struct is found through
 * one initial-exec TLS pointer. Its memory is never given back to the system, but used again for
 * later threads.
 *
 * Units are in the names. "cb" = written by the thread's own callbacks, "handler" = by its handler.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_H
#define OMPPROF_SAMPLER_CORE_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "profile/core/cct.h"
#include "profile/shared/layout.h"
#include "sampler/core/clock.h"
#include "profile/core/counters.h"
#include "sampler/core/execution.h"
#include "sampler/core/handler.h"
#include "sampler/core/path_cache.h"
#include "sampler/core/modules.h"
#include "sampler/core/event_timing.h"
#include "sampler/core/python.h"
#include "sampler/core/thread_mutex.h"
#include "sampler/core/thread_path.h"
#include "sampler/core/thread_wait.h"
#include "sampler/core/target.h"
#include "sampler/core/timeline.h"
#include "sampler/core/unseen.h"
#include "unwinder/core/walk.h"

enum {
	/*
	 * A page. Processors prefetch lines up to a page's end that a walk may write next. Without
	 * this alignment they would take these lines from the next thread's struct.
	 */
	THREAD_ALIGNMENT = 4096,
	THREAD_STACK_BYTES = 32768,
};

/* The tasks with dependences that a thread has created; see depend.h. */
struct depend_table {
	struct depend_place *places; /* from 1 on; NULL: none yet */
	uint32_t n;                  /* places 1 to n may be taken; n grows when few are free */
	uint32_t next;               /* number of the place that was looked at last */
	/* tasks without a place since the latest task that got a place */
	uint32_t n_skipped;
};

/* How the program created the thread; all zero if the tool did not see it. */
struct thread_start {
	uint64_t routine; /* its start function; 0: an OpenMP thread, or not seen */
	void *argument;
	uint64_t cfa;         /* of the start function's frame; 0: not known */
	uint64_t stack_bytes; /* the size that its creator asked for */
};

/* Who may use the struct at the moment: the thread's events, or its handler. */
struct thread_gate {
	volatile uint32_t in_tool;    /* > 0: in the tool's own code, no sample is taken. cb */
	volatile uint32_t is_pending; /* a signal came while in_tool was set. handler and cb */
	uint32_t has_news;            /* the phase has changed. Set by any thread; cleared: cb */
	uint32_t in_handler;          /* handler; read by the thread that ends the profile */
	uint32_t epoch;               /* tool.epoch at its registration */
	uint32_t unseen; /* whether its tasks are unseen (unseen.h). cb; read by the handler */
};

/* The thread's time ready to run without a CPU; see run_delay.h. handler and cb */
struct thread_delay {
	uint64_t before_ns; /* of the earlier threads of its record */
	uint64_t asked_ns;  /* its own, as the kernel said last */
	uint64_t wall_ns;   /* measured time and CPU time from which on it has not asked */
	uint64_t cpu_ns;
	uint64_t ticks;     /* when it looked last */
	uint64_t asleep_ns; /* the sleep that the latest look at an event found; see wait_delay.h */
};

/* The tool's set-up for the thread, and how its record continues that of earlier threads. */
struct thread_life {
	uint8_t is_openmp; /* thread_begin has come: inquiry functions may be called. cb */
	uint8_t is_listed; /* other threads see its state (thread_board.h), if there is room */
	uint8_t has_clock;
	uint8_t began_blocked;    /* the tool's signal was blocked at its begin, and still is. cb */
	uint8_t is_ending;        /* its thread-specific data is being destroyed */
	struct record_past *past; /* where its record is kept for later threads; NULL: nowhere */
	uint64_t cpu_before_ns;   /* CPU time of the earlier threads of its record */
	struct thread_delay delay;
};

/* The phase of the program as the thread knows it; see phase.h. */
struct thread_phase {
	uint32_t met;      /* how many changes its samples have followed. handler, cb */
	uint32_t followed; /* how many changes its events have followed. cb */
	uint64_t since;    /* ticks: the latest change that its events have followed. cb */
};

struct thread {
	/*
	 * The first line tells whether an event is in turn (region_fast.h): the processor waits for
	 * each line that has left the caches.
	 */
	struct thread_gate gate;
	struct thread_fast fast;
	struct profile_thread *record; /* in the mapped file. cb and handler */
	struct mutex_fast quick;       /* begins with `phase`. cb and handler */

	struct thread_start start; /* written by the thread that creates it, then by itself */
	struct thread_life life;
	struct thread_phase phase;
	struct thread_timeline timeline;
	struct cct cct;
	struct walk_bounds stack;
	struct thread_clock clock;

	struct thread_sample sample;

/* The parts that events fill. `counts` is NULL until an event is counted (count.h). */
#define PART(type, name, clear, nodes) type name;
#include "sampler/core/thread_parts.def"
#undef PART

	struct thread *next; /* list of used or of free structs; under the list's lock */

	struct thread_counters counters;

	/* The large parts, of which a thread touches little. Handler, or cb while in_tool. */
	struct path_note note;
	struct walk_path path;
	struct python_stack python;

	/* cb. It outlives the thread, as tasks may that the thread created */
	struct depend_table depend;

	/*
	 * The handler takes its samples on this stack, because the interrupted stack may have no
	 * room for them. All signals are blocked meanwhile, so only one sample uses it at a time.
	 */
	char signal_stack[THREAD_STACK_BYTES] __attribute__((aligned(16)));
} __attribute__((aligned(THREAD_ALIGNMENT)));

_Static_assert(offsetof(struct thread, quick.phase) < 64, "on the first line");

/*
 * A load from a task can have the same place in its page as a region that was just stored. A
 * processor then takes the two for the same address, and repeats the load. Regions begin on a page.
 */
_Static_assert(offsetof(struct thread, tasks.at) % 4096 >= sizeof(struct region) &&
		       offsetof(struct thread, tasks.at) % 4096 <= 4096 - 8 * sizeof(struct task),
	"the first region and the first tasks are at different places of their pages");

/*
 * Registers the calling thread and starts its clock. `type` is an ompt_thread_t or 0. Returns the
 * struct, or NULL (counted in the profile). If the thread is registered already and `type` is not
 * 0, it gets this type and is listed. Owning thread only.
 */
struct thread *thread_register(uint32_t type);

/*
 * Returns the calling thread's struct. A thread that is not known as OpenMP's is first registered
 * with this type: in a child made by fork, the thread that forked never reports thread_begin.
 * Returns NULL if that fails; it is then not tried again. Owning thread only.
 */
struct thread *thread_adopt(uint32_t type);

/*
 * Returns a struct for a thread that the program is about to create, or NULL if there is none
 * (counted in the profile). The caller gives the struct to thread_begin in the new thread, or gives
 * it back. Any thread.
 */
struct thread *thread_reserve(const struct thread_start *start);
void thread_give_back(struct thread *thread); /* Any thread. */

/*
 * Registers the calling thread, which is not an OpenMP thread, with the struct that thread_reserve
 * returned. The struct does not belong to the caller any more. The thread's clock is paused while
 * the tool's signal is blocked, as the program may take the signal by sigwait. It is not started if
 * the thread's stack has no room for the handler. Its record counts both. Returns the struct, or
 * NULL (counted in the profile). Owning thread only.
 */
struct thread *thread_begin(struct thread *reserved);

/*
 * Ends the calling thread's registration: stops its clock and closes its record.
 * Owning thread only.
 */
void thread_unregister(void);

/* Tells all threads that the program's phase has changed. Any thread. */
void thread_tell_all(void);

/* Stops the clocks of all threads and closes their records. Any thread. */
void thread_stop_all(void);

/*
 * In a child made by fork: closes the copies of the descriptors that the parent's clocks hold.
 * Owning thread only.
 */
void thread_close_clocks(void);

/*
 * In a child made by fork: forgets every thread, and touches nothing that belongs to the parent.
 * Owning thread only.
 */
void thread_forget_all(void);

/* How many of the thread's tasks have an entry: the lowest. Signal-safe. */
static inline uint32_t thread_n_entries(const struct thread *thread)
{
	return thread->tasks.n < THREAD_MAX_TASKS ? thread->tasks.n : THREAD_MAX_TASKS;
}

/*
 * The current task of a thread, or NULL if it has none. If the current task is too deep to have an
 * entry, returns the deepest task that has an entry. Signal-safe.
 */
static inline struct task *thread_task(struct thread *thread)
{
	uint32_t n = thread_n_entries(thread);

	return n ? &thread->tasks.at[n - 1] : NULL;
}

/*
 * As thread_task(), but NULL if the current task is too deep to have an entry: it is not known then
 * what the task waits for. Signal-safe.
 */
static inline struct task *thread_waiter(struct thread *thread)
{
	return thread->tasks.n <= THREAD_MAX_TASKS ? thread_task(thread) : NULL;
}

/*
 * The bit of tasks.has_created for the innermost of the regions that the thread has encountered:
 * the tasks of an inner region are over at its end. Owning thread only.
 */
static inline uint8_t tasks_created_bit(const struct thread *thread)
{
	return (uint8_t)(1u << (thread->regions.n < 7 ? thread->regions.n : 7));
}

/*
 * Whether the runtime created the thread for its teams: a worker, or a helper (hidden_helper.h).
 * Signal-safe.
 */
static inline int thread_is_runtimes(const struct thread *thread)
{
	return thread->record->type == 2 /* ompt_thread_worker */ ||
	       thread->record->flags & PROFILE_THREAD_HELPER;
}

/* The thread's handler begins. It asks then whether the tool is on; see tool.h. Signal-safe. */
static inline void thread_enter_handler(struct thread *thread)
{
	__atomic_store_n(&thread->gate.in_handler, 1, __ATOMIC_SEQ_CST);
}

/* Signal-safe. */
static inline void thread_leave_handler(struct thread *thread)
{
	__atomic_store_n(&thread->gate.in_handler, 0, __ATOMIC_RELEASE);
}

/* Whether the thread is in its handler. If not, all that its handler did is seen. Any thread. */
static inline int thread_is_in_handler(const struct thread *thread)
{
	return __atomic_load_n(&thread->gate.in_handler, __ATOMIC_SEQ_CST) != 0;
}

/* Tells the thread that the phase has changed, after the change was stored. Any thread. */
static inline void thread_tell(struct thread *thread)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&thread->gate.has_news, 1, __ATOMIC_RELAXED);
}

/*
 * To be called before the thread looks at the phases: either it sees the latest change there, or it
 * is told again. Owning thread only.
 */
static inline void thread_take_news(struct thread *thread)
{
	__atomic_store_n(&thread->gate.has_news, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Whether the thread was told that the phase has changed (phase_follow). Any thread. */
static inline uint32_t thread_has_news(const struct thread *thread)
{
	return __atomic_load_n(&thread->gate.has_news, __ATOMIC_RELAXED);
}

#endif
