/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's data on mutexes (struct thread): the mutexes that it asked for or holds, and the
 * places of its records of mutexes. mutex.h, mutex_fast.h and mutex_table.h say how the data are
 * used. "cb" and "handler" as in thread.h.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_MUTEX_H
#define OMPPROF_SAMPLER_CORE_THREAD_MUTEX_H

#include <stdint.h>

#include "profile/shared/layout.h"
#include "sampler/core/event_timing.h"

enum { THREAD_MAX_HELD = 16 /* mutexes that a thread holds at once and that have entries */ };

/* Where a thread finds its record of a mutex. */
struct mutex_slot {
	/* PROFILE_WAIT_KEY; 0: free. A mutex of another kind can be created at the same address */
	uint64_t key;
	struct profile_lock *record;
	struct event_timing event_timing;
	uint64_t kept;   /* ticks of holds that later holds will add: see timing_took */
	uint32_t n_owed; /* acquisitions that the next timed one represents, besides its weight */
	uint32_t n_calm; /* timed acquisitions in a row without a wait */
};

/* A mutex that the thread asked for, or holds. */
struct held_mutex {
	uint64_t wait_id;
	/* ticks: the begin of the wait, or of the hold; 0: it is not timed */
	uint64_t since;
	uint64_t callbacks;      /* held: n_callbacks at the acquisition */
	uint32_t signals;        /* held: n_signals at the acquisition */
	uint8_t kind;            /* enum profile_wait; 0: none */
	uint8_t is_any;          /* it represents acquisitions of other mutexes, too */
	uint16_t weight;         /* of the timing */
	uint16_t n_owed;         /* the part of `weight` that its slot had deferred */
	struct mutex_slot *slot; /* NULL for ordered, or without a record */
};

/* The mutex that the thread has asked for last, again and again if it tests a lock in a loop. */
struct mutex_spin {
	uint64_t key;       /* PROFILE_WAIT_KEY. cb */
	uint64_t callbacks; /* n_callbacks at the latest try. cb */
	uint64_t codeptr;
	uint64_t since; /* ticks: the begin, without gaps between tries; 0: one try. cb */
	uint64_t tried; /* ticks: the latest try that read the clock. cb */
	uint32_t signals;
	uint32_t n_quick; /* tries without a gap so far. cb */
};

/* The mutex, or the mutexes of one kind, for which the thread is armed; see mutex_fast.h. */
struct mutex_fast {
	uint8_t phase;    /* MUTEX_FAST_NONE, MUTEX_FAST_ASKED, MUTEX_FAST_HELD. cb; handler */
	uint8_t is_any;   /* for all mutexes of this kind; the fields below are of the latest */
	uint8_t is_warm;  /* the acquisition before the next timed one took the slow path. cb */
	uint8_t kind;     /* enum profile_wait */
	uint64_t wait_id; /* 0: none */
	struct mutex_slot *slot; /* NULL: none, or any */
	uint32_t ompt_kind;      /* ompt_mutex_t */
	uint32_t left;           /* acquisitions before the next one on the slow path */
	uint32_t n;              /* the value at which `left` began */
	uint32_t n_intervals;    /* intervals chosen so far */
};

/* How often the thread acquires mutexes for which it is not armed; see mutex_fast.h. */
struct mutex_pace {
	uint64_t since;  /* ticks; 0: it is not known */
	uint32_t n;      /* acquisitions since then */
	uint32_t n_calm; /* timed acquisitions in a row without a wait */
	uint8_t is_on;   /* they cost more than the budget */
};

/*
 * A thread's mutexes, with open addressing. Slots never move: a full table is followed by a larger
 * table.
 */
struct mutex_table {
	struct mutex_slot *slots[11]; /* see mutex_table.c for their sizes */
	uint32_t n_tables;
	uint32_t n_used;          /* slots used in the last table */
	struct mutex_slot others; /* for the mutexes that got no record */
};

/*
 * The mutexes that a thread asked for and holds on the slow path: a part of struct thread. The
 * thread's callbacks write it, and its handler in a sample.
 */
struct thread_mutexes {
	uint32_t n_looks; /* timed holds of a weight from 2 to TIMING_OF */
	uint32_t n_held;  /* may exceed THREAD_MAX_HELD */
	uint32_t free;    /* ticks: the least that a timed acquisition took; 0: none yet */
	struct held_mutex requested;
	struct mutex_spin spin;
	struct mutex_pace pace;
	struct held_mutex held[THREAD_MAX_HELD];
	struct mutex_slot *recent; /* the slot of the mutex that was asked for last */
	struct mutex_table table;
};

#endif
