/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unseen tasks: the events of explicit tasks that would take more than the budget. While a thread
 * has them, task_create, task_schedule, and taskwaits and taskgroups return at once. Only samples
 * show then what the thread does. docs/internals/unseen.md has the whole rule.
 *
 *   by                                 what it does
 *   unseen_events.h, in an event       begins the time in which tasks are unseen; handles the
 *                                      events meanwhile
 *   unseen_turn.c, in another event    ends it, and finds the current task again
 *   path.c, in a sample                asks the runtime for the current task
 *   sample_follow.c, after it          gives the time since the previous such sample to what this
 *                                      sample shows
 */
#ifndef OMPPROF_SAMPLER_CORE_UNSEEN_H
#define OMPPROF_SAMPLER_CORE_UNSEEN_H

#include <omp-tools.h>
#include <stdint.h>

#include "profile/shared/layout.h"

struct clock_weight;
struct sample_gap;
struct task;
struct thread;

enum {
	UNSEEN_PACE = 256, /* events of tasks between two looks at the clock */
	UNSEEN_BELOW = 64, /* a power of two */
	UNSEEN_WAIT = 7,   /* the bits of a wait beside an address */
};

_Static_assert((PROFILE_TASKWAIT | PROFILE_TASKGROUP | PROFILE_BARRIER_OTHER) < 8, "UNSEEN_WAIT");

/* gate.unseen */
enum {
	UNSEEN_NO,
	UNSEEN_YES,
	UNSEEN_ASKED, /* the same; the thread asks for a mutex, and the next event may end that */
	UNSEEN_MET,   /* the same, in an event of a mutex: the current task is on top */
};

/*
 * Numbers in task_data where other tasks have the number of a place (depend.h). Such a task has no
 * place. A counted task was created unseen; its execution was counted when it was created. The
 * thread that creates an inline task executes it at once, on top of the frame that encountered it.
 * Instead of the thread, its task_data has how far this frame is from the stack's end.
 */
enum { UNSEEN_INLINE_COUNTED = 1021, UNSEEN_INLINE = 1022, UNSEEN_COUNTED = 1023 };

/* The current task's place on top of the thread's tasks during a sample. */
struct unseen_top {
	uint32_t n;   /* the thread's tasks without it */
	uint8_t sync; /* of the task below it, or of the implicit task itself */
	uint8_t is_met;
	uint64_t callbacks; /* n_callbacks when it was put there */
};

/* How often a thread has events of tasks. Its callbacks write it. */
struct unseen_pace {
	uint32_t n;       /* events since `since` */
	uint64_t since;   /* ticks */
	uint64_t not_yet; /* ticks: tasks are seen until then */
	/* n_callbacks when tasks went unseen, plus the callbacks of mutexes since then */
	uint64_t callbacks;
};

/* A thread's unseen tasks: a part of struct thread. */
struct thread_unseen {
	/*
	 * The tasks below the current task: the task_data's address, and in its lowest bits the
	 * task's wait (enum profile_wait). The first is the innermost implicit task. Entry k has
	 * place k % UNSEEN_BELOW, so only the latest are kept. cb
	 */
	uint64_t below[UNSEEN_BELOW];
	uint32_t n_below;     /* cb */
	const void *implicit; /* task_data of the innermost implicit task. cb */
	uint64_t n_waits;     /* waits that began. cb */
	uint64_t n_done;      /* ended tasks that were not counted when they were created. cb */
	uint64_t n_stolen;    /* ended tasks that another thread had created. cb */

	uint64_t
		since; /* ticks: time before it has been given away, or is in `left`. cb; handler */
	uint64_t left; /* ticks that passed unseen and have not been given away. cb; handler */
	uint64_t n_waits_met;        /* n_waits at the latest sample in a wait. handler */
	struct profile_node *latest; /* has the time of the latest sample; NULL none. handler; cb */
	uint32_t context;            /* of the latest task that a sample met. handler */
	uint8_t has_met;             /* a sample has come since tasks are unseen. handler; cb */
	uint8_t is_above; /* at that sample a task was on top of the implicit task. handler */

	struct unseen_top top; /* in an event of a mutex. cb */
	struct unseen_pace pace;
};

/*
 * The task_data of the current task if that is an explicit task; NULL: it is not, or that is not
 * known. Signal-safe.
 */
const ompt_data_t *unseen_current(const struct thread *thread);

/* Makes an entry of the task, in the wait that the thread has published. Signal-safe. */
void unseen_fill(const struct thread *thread, struct task *task, const ompt_data_t *data);

/*
 * A sample begins, or an event of a mutex: puts the task that the runtime says is current on top of
 * the thread's tasks, in the wait that its events announced. unseen_part undoes this at the end.
 * Signal-safe.
 */
void unseen_meet(struct thread *thread, struct unseen_top *top);
void unseen_part(struct thread *thread, const struct unseen_top *top);

/*
 * Gives the time that has passed unseen to what the sample in this leaf shows: the current task's
 * wait, or its execution. Signal-safe.
 */
void unseen_count(struct thread *thread, uint32_t leaf, enum profile_class class,
	const struct clock_weight *weight, const struct sample_gap *gap);

/*
 * An event comes that has to be seen: so are tasks from now on. Puts the current task on top of the
 * thread's tasks. The tasks below it come there when they continue (unseen_continue).
 * Owning thread only.
 */
void unseen_end(struct thread *thread);

/* The same at the end of the thread or of the profile, without the current task. Any thread. */
void unseen_finish(struct thread *thread, uint64_t now);

/*
 * An event of a mutex begins, while tasks are unseen, or ends: meanwhile the current task is on
 * top. Owning thread only.
 */
void unseen_meet_in_event(struct thread *thread);
void unseen_part_in_event(struct thread *thread);

/*
 * The stack of tasks is full. All explicit tasks leave it, as if tasks were unseen, and come back
 * when they continue. Returns whether there is room now. Owning thread only.
 */
int unseen_make_room(struct thread *thread);

/*
 * A task has ended, and this task, which had left the stack or had begun unseen, continues on top
 * of the thread's tasks. Puts it in its wait, if it waits. Owning thread only.
 */
void unseen_continue(struct thread *thread, struct task *task);

#endif
