/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tool knows of one thread of the program. Filled by the thread's own callbacks, read by
 * the thread's own signal handler, which does nothing while `gate.in_tool` is set: so neither needs
 * locks nor atomics beyond a compiler barrier. Found through one initial-exec TLS pointer. The
 * memory is never given back to the system, but used again for later threads.
 *
 * Units are in the names. "cb" = written by the thread's own callbacks, "handler" = by its handler.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_H
#define OMPPROF_SAMPLER_CORE_THREAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "profile/core/cct.h"
#include "profile/shared/layout.h"
#include "sampler/core/clock.h"
#include "sampler/core/execution.h"
#include "sampler/core/handler.h"
#include "sampler/core/path_cache.h"
#include "sampler/core/modules.h"
#include "sampler/core/event_timing.h"
#include "sampler/core/thread_mutex.h"
#include "sampler/core/thread_path.h"
#include "sampler/core/thread_wait.h"
#include "sampler/core/target.h"
#include "sampler/core/timeline.h"
#include "unwinder/core/walk.h"

enum {
	/* A page: processors fetch lines ahead that a walk may write next, up to a page's end, and would take
	   them from the thread whose struct is the next. */
	THREAD_ALIGNMENT = 4096,
	THREAD_STACK_BYTES = 32768,
};

/* The tasks with dependences that a thread has created; see depend.h. */
struct depend_table {
	struct depend_place *places; /* from 1 on; NULL none yet */
	uint32_t n;                  /* that are used */
	uint32_t next;               /* where the latest free one was */
	uint32_t n_skipped;          /* tasks that got no place, since one did */
};

/* What a thread was created for, where the program's creation of it was seen. */
struct thread_start {
	uint64_t routine; /* its start function; 0: OpenMP's, or not seen */
	void *argument;
	uint64_t cfa;         /* of the start function's frame; 0 not known */
	uint64_t stack_bytes; /* as its creator asked for */
};

/* Who may use the struct just now: the thread's events, or its handler. */
struct thread_gate {
	volatile uint32_t in_tool;    /* > 0: in the tool's own code, a sample is not taken. cb */
	volatile uint32_t is_pending; /* a signal came while in_tool was set. handler and cb */
	uint32_t
		has_news; /* the program has changed its phase. Any thread; the thread's own events */
	uint32_t in_handler; /* handler; read by who ends the profile */
	uint32_t epoch;      /* tool.epoch at its registration */
};

/* Any thread. */
static inline void thread_gate_clear(struct thread_gate *gate)
{
	*gate = (struct thread_gate){ 0 };
}

/* What the tool has done for the thread, and how its record goes on from that of earlier threads. */
struct thread_life {
	uint8_t is_openmp; /* thread_begin has come: inquiry functions may be called. cb */
	uint8_t is_listed; /* others see its state (thread_board.h) */
	uint8_t has_clock;
	uint8_t began_blocked;    /* with the tool's signal, which it has not unblocked since. cb */
	uint8_t is_ending;        /* its thread-specific data is being destroyed */
	struct record_past *past; /* where its record is kept for later threads; NULL nowhere */
	uint64_t cpu_before_ns;   /* CPU time of the earlier threads that its record is of, too, */
	uint64_t delay_before_ns; /* and how long they waited for a CPU; see run_delay.h */
	uint64_t delay_next_ns;   /* when that is read next. handler */
};

/* Any thread. */
static inline void thread_life_clear(struct thread_life *life)
{
	memset(life, 0, sizeof(*life));
}

/* The phase of the program as the thread knows it; see phase.h. */
struct thread_phase {
	uint32_t met;      /* changes that its samples know, handler, cb */
	uint32_t followed; /* and its events. cb */
	uint64_t since;    /* ticks: the latest of these. cb */
};

/* Any thread. */
static inline void thread_phase_clear(struct thread_phase *phase)
{
	memset(phase, 0, sizeof(*phase));
}

/* Events alone write the parts from `regions` to `counts`, and only they are cleared for the next thread after events. */
struct thread {
	/* The first line is all that events in turn need (region_fast.h): each line that has left the caches
	   is waited for. */
	struct thread_gate gate;
	struct thread_fast fast;
	struct profile_thread *record; /* in the mapped file. cb and handler */
	struct mutex_fast quick;       /* `phase` first. cb */

	struct thread_start start; /* the thread that creates it, then its own */
	struct thread_life life;
	struct thread_phase phase;
	struct thread_timeline timeline;
	struct cct cct;
	struct walk_bounds stack;
	struct thread_clock clock;

	struct thread_sample sample;

	struct thread_regions regions;
	struct thread_waits waits;
	struct thread_idle idle;
	struct thread_tasks tasks;
	struct thread_paths paths;
	struct thread_mutexes mutexes;
	struct thread_targets targets;
	struct counts *counts; /* see count.h; NULL: none yet. cb */

	struct thread *next; /* list of threads in use or of free ones; under the list's lock */

	/* The large ones, of which a thread touches little. Handler, or cb while in_tool. */
	struct path_note note;
	struct walk_path path;

	struct depend_table depend; /* cb. Outlives the thread: tasks that it created may, too */

	/* Where the handler takes its samples: what it interrupts may have no room for that. All signals are
	   blocked meanwhile, so it is used once at a time. */
	char signal_stack[THREAD_STACK_BYTES] __attribute__((aligned(16)));
} __attribute__((aligned(THREAD_ALIGNMENT)));

_Static_assert(offsetof(struct thread, quick.phase) < 64, "on the first line");

/* A processor takes a load from a task for one from a region that was just stored at the same place of another page, and
   does it again. */
enum {
	THREAD_TASKS_APART =
		(offsetof(struct thread, tasks.at) - offsetof(struct thread, regions.at)) % 4096
};
_Static_assert(THREAD_TASKS_APART >= sizeof(struct region) &&
		       THREAD_TASKS_APART <= 4096 - 8 * sizeof(struct task),
	"the first region and the first tasks are at different places of their pages");

/*
 * Registers the calling thread and starts its clock. `type` is an ompt_thread_t or 0. Returns the
 * struct, or NULL (counted in the profile). If it is registered already, only its type changes.
 * Owning thread only.
 */
struct thread *thread_register(uint32_t type);

/*
 * The calling thread's struct; a thread that is not registered is now, with this type: in a child
 * made by fork the thread that forked never says thread_begin. NULL if that fails; it is then not
 * tried again.
 * Owning thread only.
 */
struct thread *thread_adopt(uint32_t type);

/*
 * A struct for a thread that the program is about to create; NULL if it cannot be had (counted in the
 * profile). To be given to thread_begin in that thread, or back.
 * Any thread.
 */
struct thread *thread_reserve(const struct thread_start *start);
void thread_give_back(struct thread *thread); /* Any thread. */

/*
 * Registers the calling thread, which is not OpenMP's, with what thread_reserve returned; the struct is
 * not the caller's any more. Its clock is not started if the tool's signal is blocked, as the program
 * may take it by sigwait, or if its stack has no room for the handler: counted in its record. Returns
 * the struct, or NULL (counted in the profile).
 * Owning thread only.
 */
struct thread *thread_begin(struct thread *reserved);

/*
 * Ends the calling thread's registration: clock stopped, record closed.
 * Owning thread only.
 */
void thread_unregister(void);

/*
 * Gives all threads a sign that the program's phase is another.
 * Any thread.
 */
void thread_tell_all(void);

/*
 * Stops the clocks of all threads and closes their records.
 * Any thread.
 */
void thread_stop_all(void);

/*
 * In a child made by fork: closes the copies of the descriptors that the parent's clocks hold.
 * Owning thread only.
 */
void thread_close_clocks(void);

/*
 * In a child made by fork: forgets every thread, touching nothing of the parent's.
 * Owning thread only.
 */
void thread_forget_all(void);

/* The current task of a thread that has one, else NULL; where tasks lie too deep to have entries, the
   deepest that has one. Signal-safe. */
static inline struct task *thread_task(struct thread *thread)
{
	uint32_t n = thread->tasks.n < THREAD_MAX_TASKS ? thread->tasks.n : THREAD_MAX_TASKS;

	return n ? &thread->tasks.at[n - 1] : NULL;
}

/* Likewise, but NULL where the current task lies too deep to have an entry: what it waits for is not
   known. Signal-safe. */
static inline struct task *thread_waiter(struct thread *thread)
{
	return thread->tasks.n <= THREAD_MAX_TASKS ? thread_task(thread) : NULL;
}

/* Whether the runtime has created it for its teams: a worker, or one of its helpers (hidden_helper.h). Signal-safe. */
static inline int thread_is_runtimes(const struct thread *thread)
{
	return thread->record->type == 2 /* ompt_thread_worker */ ||
	       thread->record->flags & PROFILE_THREAD_HELPER;
}

/* Whether the thread has been told of a change of the phase (phase_follow). Any thread. */
static inline uint32_t thread_has_news(const struct thread *thread)
{
	return __atomic_load_n(&thread->gate.has_news, __ATOMIC_RELAXED);
}

#endif
