/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of struct thread that hold its waiting: the waits that it times, the time of a worker
 * without a team, and calls that block. wait.h, wait_across_phases.h and blocking.h say how they
 * are used. The thread's callbacks write them.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_WAIT_H
#define OMPPROF_SAMPLER_CORE_THREAD_WAIT_H

#include <stdint.h>
#include <string.h>

#include "profile/shared/layout.h"
#include "sampler/core/event_timing.h"

enum {
	THREAD_N_WAITS = 64,     /* places of waits that are remembered; a power of two */
	THREAD_N_CONTEXTS = 256, /* contexts whose own nodes are remembered; a power of two */
	OWED_TICKS = 64,         /* the unit of context_note.owed */
};

/* The sum of a thread's short waits at one place before it is put into the tree. */
struct wait_note {
	uint64_t key; /* of the wait; 0: none */
	uint64_t codeptr;
	uint32_t context;
	uint32_t leaf; /* the leaf that took the latest of these waits; 0: none yet */
	uint32_t n;    /* waits not put into the tree yet */
	uint64_t ticks;
	uint64_t longest;
	struct weight_carry due;
};

/* The node that represents a context under the thread's own root. */
struct context_note {
	uint32_t context;
	uint32_t node;
	struct profile_node *own; /* the same node */
	uint32_t closing;         /* the WAIT leaf of the closing barrier under it; 0: not known */
	/* time to be taken off a task's later executions, in units of OWED_TICKS */
	uint32_t owed;
	/* of waits in a region's closing barrier, or of a task's executions */
	struct weight_carry due;
};

/* The waits of a thread, and the weights by which they are timed. */
struct thread_waits {
	/* ticks: time of the latest event that read the clock for the events right after it */
	uint64_t stamp;
	uint64_t stamp_callbacks; /* n_callbacks up to which `stamp` holds */
	uint64_t timed_before;    /* ticks: timed_before of its region, if team_weight > 1 */
	uint64_t reduction_since; /* ticks; 0: not in a reduction, or it is not timed */
	uint8_t reduction_weight; /* the weight of the reduction's timing */
	uint16_t team_weight;     /* of the innermost implicit task */
	struct event_timing timings[PROFILE_N_WAITS];    /* of waits by kind; the first of tasks */
	struct context_note contexts[THREAD_N_CONTEXTS]; /* by a hash of the context */
	struct wait_note at[THREAD_N_WAITS];             /* by a hash of the place */
};

/* The time of a thread without a team. */
struct thread_idle {
	uint8_t is_idle; /* a worker without a team */
	uint8_t has_had_team;
	uint32_t leaf;         /* WAIT leaf of the idle time after its last team */
	uint32_t between_leaf; /* WAIT leaf of the idle time between two teams */
	uint64_t since;        /* ticks: begin of its idle time; 0: not known */
	/* time ready without a CPU since then, not in the tree yet; see wait_delay.h */
	uint64_t delay_ns;
	uint64_t lacked_ns; /* as delay_ns, in the tree already, but not in the timeline */
};

/* A moment of the thread's life, by four clocks. */
struct blocking_moment {
	uint64_t ticks;
	uint32_t tid; /* of the thread: its struct may have been another thread's; 0: no moment */
	uint64_t ns;
	uint64_t cpu_ns;
	uint64_t delay_ns; /* its waiting for a CPU so far, as the kernel counts */
};

/* The latest call of the C library that may have blocked. Written between two events. */
struct thread_blocking {
	struct blocking_moment latest;
	/* ticks: the call that is to end next began at or after this moment; 0: not known */
	uint64_t since;
};

/* The call of MPI that the current task is in; see mpi_wait.h. */
struct thread_mpi {
	uint64_t function; /* the called function */
	uint64_t frame;    /* where its caller's frame is on the stack */
};

#endif
