/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of events by the place that caused them (--events): EVENT leaves under the call path of
 * the thread.
 *
 * The thread finds a note for each event by kind, return address and task or region (a site). It
 * adds 1 to the count of the note's leaf, and the event's amount to the leaf's sum, in the file. So
 * a killed program loses no event, and the sum over a site's leaves is exact, but for events that
 * had no leaf (PROFILE_LOST_EVENTS).
 *
 * To find the leaf, the thread walks its call path. This is a look; it mostly takes 100 ns to 1 us.
 * Where a site's looks would take more than 1 / COUNT_BUDGET of the thread's time, the thread looks
 * only once in `every` events on average. The events up to the next look are counted on the path
 * that the look found. The distances between looks are random, from 1 to 2 * every - 1, and do not
 * depend on the events. So the sum of each path is right on average, whatever the program's own
 * rhythm is. After COUNT_WINDOW looks the clock is read, and `every` follows from the rate of
 * events since the previous reading.
 *
 * A leaf has the number of its events that were looked at (struct profile_node, n) and the number
 * of its other events (spare). A thread has COUNT_SETS * COUNT_WAYS notes, from its first counted
 * event on. A site that finds no free note takes the note of another site, whose next event is then
 * looked at again.
 */
#ifndef OMPPROF_SAMPLER_THREADS_COUNT_H
#define OMPPROF_SAMPLER_THREADS_COUNT_H

#include <stdint.h>

#include "profile/shared/layout.h"
#include "profile/core/writer.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

enum {
	COUNT_SETS = 128, /* a power of two */
	COUNT_WAYS = 4,
	COUNT_WINDOW = 64,     /* looks from one reading of the clock to the next */
	COUNT_BUDGET = 20,     /* looks may take 1 / COUNT_BUDGET of the thread's time */
	COUNT_LEAST_LOOK = 50, /* ticks: the least cost that a look is taken to have */
	/* the most that `every` becomes */
	COUNT_RAREST = 4096,
};

/* One site's events of one kind. Takes one cache line; all zero is no note. */
struct count_note {
	uint64_t key;              /* PROFILE_EVENT_KEY */
	uint64_t codeptr;          /* 0 not known */
	uint64_t since;            /* ticks: when the window began */
	struct profile_node *leaf; /* under `path`; NULL not made yet */
	uint32_t path;             /* node that the latest look found; 0: no space for it */
	uint32_t context;          /* of the task: node id of its region or task */
	uint32_t left;             /* events before the next look */
	uint32_t every;            /* mean distance between looks */
	uint32_t n_looks;          /* looks in the window */
	uint32_t n_window;         /* events in the window, with the events up to the next look */
} __attribute__((aligned(64)));

/*
 * A loop or another construct whose parts are handed out by events of their own. All zero is no
 * construct.
 */
struct count_work {
	const void *data;          /* of the task that encountered it */
	struct profile_node *leaf; /* of the latest part; NULL not made yet */
	uint64_t key;              /* of the latest part */
	uint32_t path;             /* node of the frame that encountered it; 0 not known */
	uint32_t is_looked;        /* the path was looked at for this encounter */
};

struct counts {
	uint64_t random;             /* xorshift state */
	uint32_t oldest[COUNT_SETS]; /* by set: notes made in it; the remainder is the next to go */
	struct count_work works[THREAD_MAX_TASKS + 1]; /* by the number of the thread's tasks */
	struct count_note notes[COUNT_SETS][COUNT_WAYS];
};

/* Makes the counts of a thread that has none; NULL without memory. Owning thread only. */
struct counts *count_make(struct thread *thread);

/* Makes a new note in the place of the oldest note of its set. Owning thread only. */
struct count_note *count_make_note(
	struct counts *counts, uint64_t key, uint64_t codeptr, uint32_t context);

/* Looks at the path of the present event, and decides when to look again. Owning thread only. */
void count_look(struct thread *thread, struct count_note *note);

/* The EVENT leaf under a node; NULL without space, and for node 0. Owning thread only. */
struct profile_node *count_leaf(struct thread *thread, uint32_t path, uint64_t key);

/* Counts an event that has no leaf as lost. Owning thread only. */
void count_lose(struct thread *thread);

/* The set of notes for one site. Owning thread only. */
static inline uint32_t count_set_of(uint64_t key, uint64_t codeptr, uint32_t context)
{
	uint64_t hash = (key ^ key >> 56 ^ codeptr << 7 ^ context) * 0x9e3779b97f4a7c15ULL;

	return (uint32_t)(hash >> 32) & (COUNT_SETS - 1);
}

/* The note of the site, made if there is none. Owning thread only. */
static inline struct count_note *count_find(
	struct counts *counts, uint64_t key, uint64_t codeptr, uint32_t context)
{
	struct count_note *note = counts->notes[count_set_of(key, codeptr, context)];

	for (int i = 0; i < COUNT_WAYS; i++, note++) {
		if (note->key == key && note->codeptr == codeptr && note->context == context)
			return note;
	}
	return count_make_note(counts, key, codeptr, context);
}

/*
 * The note of an event of the current task, at the return address `codeptr`; *is_looked: the path
 * was looked at for this event. NULL without memory. Owning thread only.
 */
static inline struct count_note *count_site(
	struct thread *thread, uint64_t key, uint64_t codeptr, uint32_t *is_looked)
{
	const struct task *task = thread_task(thread);
	struct counts *counts = thread->counts ? thread->counts : count_make(thread);
	struct count_note *note;

	if (!counts)
		return NULL;
	note = count_find(counts, key, codeptr, task ? task->context : 0);
	*is_looked = note->left == 0;
	if (*is_looked)
		count_look(thread, note);
	else
		note->left--;
	return note;
}

/* Adds an event to its leaf, unless in a pause. Owning thread only. */
static inline void count_add(struct profile_node *leaf, uint32_t is_looked, uint64_t amount)
{
	if (tool_is_paused())
		return;
	/* n has 32 bits, and is full after minutes of nothing but such events. */
	if (is_looked && leaf->n != UINT32_MAX)
		__atomic_store_n(&leaf->n, leaf->n + 1, __ATOMIC_RELAXED);
	else
		__atomic_store_n(&leaf->spare, leaf->spare + 1, __ATOMIC_RELAXED);
	if (amount)
		__atomic_store_n(&leaf->events, leaf->events + amount, __ATOMIC_RELAXED);
}

/* Counts an event of the note's site. Without a note or a leaf it is lost. Owning thread only. */
static inline void count_note(
	struct thread *thread, struct count_note *note, uint32_t is_looked, uint64_t amount)
{
	if (note && !note->leaf)
		note->leaf = count_leaf(thread, note->path, note->key);
	if (note && note->leaf)
		count_add(note->leaf, is_looked, amount);
	else
		count_lose(thread);
}

/*
 * Counts an event of the current task at the return address `codeptr`; 0: not known.
 * Owning thread only.
 */
static inline void count_here(
	struct thread *thread, uint64_t key, const void *codeptr, uint64_t amount)
{
	uint32_t is_looked = 0;
	struct count_note *note = count_site(thread, key, (uint64_t)codeptr, &is_looked);

	count_note(thread, note, is_looked, amount);
}

/* Counts an event that needs no look, as it belongs to this node. Owning thread only. */
void count_under(struct thread *thread, uint64_t key, uint32_t path);

/*
 * The current task encounters a loop or a similar construct at the node; is_looked: the path was
 * looked at for this encounter. Owning thread only.
 */
void count_begin_work(struct thread *thread, uint32_t path, uint32_t is_looked);
/* The current task leaves the construct. Owning thread only. */
void count_end_work(struct thread *thread);

/* Counts a part where count_part does not know its leaf. Owning thread only. */
void count_first_part(struct thread *thread, uint64_t key, uint64_t amount);

/*
 * The key of the current task; a task without an entry has the key of the deepest task with an
 * entry. The thread itself if it has no task. Owning thread only.
 */
static inline const void *count_task_data(struct thread *thread)
{
	const struct task *task = thread_task(thread);

	return task ? task->data : thread;
}

/*
 * The note of the current task's loop; NULL where tasks are nested too deep, and before the
 * thread's first counted event. Owning thread only.
 */
static inline struct count_work *count_work_of(struct thread *thread)
{
	return thread->counts && thread->tasks.n <= THREAD_MAX_TASKS
		       ? &thread->counts->works[thread->tasks.n]
		       : NULL;
}

/* Counts a part of the current task's loop or similar construct. Owning thread only. */
static inline void count_part(struct thread *thread, uint64_t key, uint64_t amount)
{
	struct count_work *work = count_work_of(thread);

	if (work && work->leaf && work->data == count_task_data(thread) && work->key == key)
		count_add(work->leaf, work->is_looked, amount);
	else
		count_first_part(thread, key, amount);
}

/*
 * Forgets all sites: from here on their events are counted under the root of another phase. The
 * thread must not be in an event, unless it is the calling thread. Any thread.
 */
void counts_forget(struct thread *thread);

/* Gives back the notes of a thread that ends; its counts stay in the file. Owning thread only. */
void count_release(struct thread *thread);

#endif
