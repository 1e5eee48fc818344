/* SPDX-License-Identifier: Apache-2.0 */
/* The executions of parallel regions, as the thread that encounters them keeps them for the members of their teams; see
   region.h and worker_run.h. */
#ifndef OMPPROF_SAMPLER_CORE_EXECUTION_H
#define OMPPROF_SAMPLER_CORE_EXECUTION_H

#include <stdint.h>

#include "profile/shared/layout.h"
#include "sampler/core/path_cache.h"

enum {
	REGION_N_ENDS = 16, /* latest executions of a region whose ends are known */
	REGION_N_LEFT = 16, /* sizes of teams that smaller ones followed, likewise */
	REGION_GENERATIONS = (1 << 20) - 1, /* the greatest; after it comes 0 */
};

/* An execution that was followed by one of a smaller team: to some of its members nothing happens any
   more until there is a larger one again. */
struct region_left {
	uint32_t generation;
	uint64_t end; /* ticks; 0 none */
};

/* When an execution ended, and how long all up to it took. */
struct region_end {
	uint64_t end;  /* ticks */
	uint64_t wall; /* ticks */
};

/*
 * One execution of a parallel region, kept by the thread that encountered it. parallel_data says which it is and
 * which execution (region_pack). `generation` grows when the execution ends, so a worker that still
 * holds the old value knows that its region is over (its own end events come only with the next region), and finds
 * in `ends` when.
 *
 * Only the owner writes it, and on cache lines that hold nothing else. To the line that each member reads it writes
 * only what has changed since the execution before.
 */
struct region {
	uint32_t context;   /* node id of the region; 0 if it could not be made */
	uint32_t epoch;     /* tool.epoch when it began: a fork's child finds its parent's */
	uint64_t base_cfa;  /* CFA of the user frame that encountered the construct, 0 unknown */
	uint64_t codeptr;   /* of the construct */
	uint32_t n_threads; /* of its team; of the one before until that is known */
	uint8_t is_users;   /* a user frame encountered it, not the runtime for a league */
	uint8_t is_within;  /* the runtime's own: `context` is that of what it was begun in */
	uint8_t is_quick;   /* its barriers follow each other quickly: not all are timed */
	struct profile_node *node; /* that counts the executions: of `context`; NULL none */

	/* Members read it in an execution that is timed, handlers whenever they like. */
	uint32_t generation __attribute__((aligned(64))); /* up to REGION_GENERATIONS; release */
	uint32_t outer_generation;
	const struct region *outer; /* the one around it, whose generation was outer_generation */
	uint64_t begun;             /* ticks; 0 not known yet */
	uint64_t last_end;          /* ticks: of the latest execution that ended */
	uint64_t wall;              /* ticks of all that ended */
	uint64_t
		timed_before; /* ticks: when the latest one ended that was timed, where weight > 1 */
	uint16_t weight; /* of the timing of the waits in this execution, see region_timing.h */

	/* The owner's. */
	struct profile_region *record __attribute__((aligned(64))); /* NULL: none, or no space */
	const struct memo *memo; /* that knew the way to the construct; NULL none */
	uint32_t creation;       /* node of the frame that encountered it */
	int flags;               /* of OMPT */
	uint32_t n_kept;         /* memos.n_kept at the latest begin, */
	uint64_t enter_frame;    /* and the encountering task's frames */
	uint64_t exit_frame;
	uint64_t
		ended; /* n_callbacks at the latest end; 0: nothing is known to be as it was then */

	uint64_t
		fork_ticks; /* from the begin to that of thread 0's implicit task, where it was read last */
	uint64_t looked;  /* ticks: end of the latest barrier that was timed */
	uint32_t barrier; /* its number */
	uint32_t n_quick; /* barriers in a row that followed quickly */

	uint64_t n_compared;
	uint32_t last_n_threads; /* of the latest execution that ended */
	struct region_end ends[REGION_N_ENDS]
		__attribute__((aligned(64)));   /* by generation; before that changes */
	struct region_left left[REGION_N_LEFT]; /* by size of its team */
} __attribute__((aligned(64)));

/* The events of quick executions of a thread: a part of struct thread; see region_fast.h. */
struct thread_fast {
	uint8_t turn;      /* which of them came last. cb; handler */
	uint8_t is_in_run; /* the task whose turn it is: `is_in_run`. cb */
	uint32_t closing;  /* likewise: WAIT leaf of its closing barrier, */
	uint64_t codeptr;  /* its region's construct, */
	const void *data;  /* and the runtime's task_data. cb */
};

/* A worker's executions of a region that it did not time, one after the other; see worker_run.h. */
struct member_run {
	const struct region *region;
	struct profile_node *own; /* what stands for it under the thread's root, NULL none */
	uint32_t generation;      /* of the first */
	uint32_t n;               /* that have begun; 0: there is no run */
	uint32_t n_threads;       /* of the latest one's team */
	uint64_t begun;           /* ticks: the first */
	uint64_t wall;            /* region->wall then */
	uint64_t next;            /* parallel_data of the execution that goes on with it */
};

#endif
