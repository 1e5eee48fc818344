/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread remembers of mutexes (struct thread): those that it asked for or holds, and where its records of them are.
 * mutex.h, mutex_fast.h and mutex_table.h say what is done with it. "cb" and "handler" as in thread.h.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_MUTEX_H
#define OMPPROF_SAMPLER_CORE_THREAD_MUTEX_H

#include <stdint.h>
#include <string.h>

#include "profile/shared/layout.h"
#include "sampler/core/event_timing.h"

enum { THREAD_MAX_HELD = 16 /* mutexes that one thread holds at once */ };

/* Where a thread finds its record of a mutex. */
struct mutex_slot {
	uint64_t
		key; /* PROFILE_WAIT_KEY; 0 free. Another kind of mutex can come to lie where one was */
	struct profile_lock *record;
	struct event_timing event_timing;
	uint32_t
		n_owed; /* acquisitions that the next one that is timed stands for, beside its own */
	uint32_t n_calm; /* that were timed, in a row, and no wait */
};

/* A mutex that the thread asked for, or holds. */
struct held_mutex {
	uint64_t wait_id;
	uint64_t since;          /* ticks: the begin of the wait, or the hold; 0 it is not timed */
	uint64_t callbacks;      /* held: n_callbacks then, */
	uint32_t signals;        /* and n_signals */
	uint8_t kind;            /* enum profile_wait; 0 none */
	uint16_t weight;         /* of the timing, */
	uint16_t n_owed;         /* and of it those that its slot owed */
	struct mutex_slot *slot; /* NULL for ordered, or without a record */
};

/* The mutex that the thread gets the quick way; see mutex_fast.h. */
struct mutex_fast {
	uint8_t phase;    /* MUTEX_FAST_NONE, MUTEX_FAST_ASKED, MUTEX_FAST_HELD. cb; handler */
	uint64_t wait_id; /* 0 none */
	struct mutex_slot *slot; /* NULL none */
	uint32_t ompt_kind;      /* ompt_mutex_t */
	uint32_t left;           /* acquisitions before the next one that goes the full way, */
	uint32_t n;              /* and at first */
	uint32_t n_intervals;    /* chosen so far */
};

/* Any thread. */
static inline void quick_mutex_clear(struct mutex_fast *quick)
{
	memset(quick, 0, sizeof(*quick));
}

/* A thread's mutexes: open addressing, slots stay where they are; a table that is full is followed by a
   larger one. */
struct mutex_table {
	struct mutex_slot *slots[11]; /* of so many slots: MUTEX_FIRST_SLOTS << index */
	uint32_t n_tables;
	uint32_t n_used;          /* of the last one */
	struct mutex_slot others; /* for those that got no record */
};

/* The mutexes that a thread asked for and holds the full way: a part of struct thread. Its callbacks write it. */
struct thread_mutexes {
	uint32_t n_looks; /* holds that stand for others */
	uint32_t n_held;  /* may exceed THREAD_MAX_HELD */
	struct held_mutex asked;
	struct held_mutex held[THREAD_MAX_HELD];
	struct mutex_slot *recent; /* the slot of the mutex that was asked for last */
	struct mutex_table table;
};

/* Any thread. */
static inline void thread_mutexes_clear(struct thread_mutexes *mutexes)
{
	memset(mutexes, 0, sizeof(*mutexes));
}

#endif
