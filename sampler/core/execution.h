/* SPDX-License-Identifier: Apache-2.0 */
/* The executions of parallel regions, as the thread that encounters them keeps them for the members of their teams; see
   region.h and worker_run.h. */
#ifndef OMPPROF_SAMPLER_CORE_EXECUTION_H
#define OMPPROF_SAMPLER_CORE_EXECUTION_H

#include <stdint.h>
#include <string.h>

#include "profile/shared/layout.h"
#include "sampler/core/path_cache.h"

enum {
	REGION_N_ENDS = 16,      /* latest executions of a region whose ends are known */
	REGION_N_LEFT = 16,      /* sizes of teams that smaller ones followed, likewise */
	THREAD_MAX_REGIONS = 64, /* regions that one thread has open at once, nested */
	THREAD_MAX_TASKS = 64,   /* tasks suspended on top of each other on one thread */
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

/* What the members of its team read of an execution. */
struct region_team {
	uint32_t context;   /* node id of the region; 0 if it could not be made */
	uint32_t epoch;     /* tool.epoch when it began: a fork's child finds its parent's */
	uint64_t base_cfa;  /* CFA of the user frame that encountered the construct, 0 unknown */
	uint64_t codeptr;   /* of the construct */
	uint32_t n_threads; /* of its team; of the one before until that is known */
	uint8_t is_users;   /* a user frame encountered it, not the runtime for a league */
	uint8_t is_within;  /* the runtime's own: `context` is that of what it was begun in */
	uint8_t is_quick;   /* its barriers follow each other quickly: not all are timed */
	struct profile_node *node; /* that counts the executions: of `context`; NULL none */
};

/* What only the thread that encountered it uses of an execution. */
struct region_own {
	struct profile_region *record; /* NULL: none, or no space */
	const struct memo *memo;       /* that knew the way to the construct; NULL none */
	uint32_t creation;             /* node of the frame that encountered it */
	int flags;                     /* of OMPT */
	uint32_t n_kept;               /* memos.n_kept at the latest begin, */
	uint64_t enter_frame;          /* and the encountering task's frames */
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
	struct region_team team;

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

	struct region_own own __attribute__((aligned(64)));
	struct region_end ends[REGION_N_ENDS]
		__attribute__((aligned(64)));   /* by generation; before that changes */
	struct region_left left[REGION_N_LEFT]; /* by size of its team */
} __attribute__((aligned(64)));

/* A task that this thread executes, or has suspended to execute those above it. */
struct task {
	const void *data;            /* the runtime's task_data: its identity. cb */
	const struct region *region; /* implicit task: its region. cb */
	uint32_t generation;         /* of `region` when the task began. cb */
	uint32_t context;            /* node id of region or task; 0: the thread's own root. cb */
	uint64_t base_cfa; /* frames from this CFA on belong to the encountering task; 0: none do */
	uint8_t is_implicit; /* cb */
	uint8_t is_inline;   /* its body is called by user code: a team of one, undeferred. cb */
	uint8_t has_team;    /* belongs to a parallel region, not to the serial part. cb */
	uint8_t sync;        /* enum own_wait that its sync region announced, or OWN_NONE. cb */
	uint8_t mutex;       /* enum own_wait that its mutex event announced, or OWN_NONE. cb; the
				handler takes it back when it sees that the task has gone on */
	uint8_t wait;        /* enum profile_wait that its sync region announced. cb */
	uint8_t is_stolen;   /* explicit: another thread created it. cb */
	uint8_t wait_weight; /* of its wait's. cb */
	uint8_t n_above;     /* tasks begun on top of its wait, up to WAIT_TASKS_TIMED. cb */
	uint8_t is_exact;    /* explicit: timed for the wait that it is on top of. cb */
	uint8_t is_in_run;   /* implicit: one of regions.run. cb */
	uint16_t
		weight; /* explicit: of its timing, event_timing.h; implicit: of its waits', region_timing.h. cb */
	uint16_t thread_num; /* implicit. cb */
	uint32_t barrier;    /* implicit: barriers entered. cb */
	uint32_t n_threads;  /* implicit: size of the team. cb */
	struct profile_node
		*own;     /* what stands for its context under the thread's root, NULL none. cb */
	uint32_t signals; /* n_signals when it began. cb */
	uint64_t begun;   /* ticks; 0 not timed: explicit ones of weight 0. cb */
	uint64_t gone;  /* of the ticks since then, those in waits and in tasks on top of it. cb */
	uint64_t since; /* ticks: when it began to wait; 0 not timed. cb; handler */
	uint64_t away;  /* of the ticks since then, those in tasks on top of it. cb */
	const void *codeptr;         /* of the taskwait with dependences that it waits in. cb */
	struct depend_place *depend; /* explicit, with dependences: see depend.h; NULL none. cb */
} __attribute__((aligned(64)));

/* The tasks of a thread: a part of struct thread. Its callbacks write it. */
struct thread_tasks {
	uint32_t n;               /* how many lie on each other; may exceed THREAD_MAX_TASKS */
	uint8_t has_created;      /* explicit tasks since its last barrier */
	uint64_t data;            /* what the task_data of its tasks begin with; see task_stack.h */
	const void *created_data; /* task_data of the latest task_create, */
	uint64_t created_cfa;     /* and CFA of the user frame that created it */
	/* at[n - 1] is the current one; one to spare */
	struct task at[THREAD_MAX_TASKS + 1];
};

/* Any thread. */
static inline void thread_tasks_clear(struct thread_tasks *tasks)
{
	memset(tasks, 0, sizeof(*tasks));
}

/* The events of quick executions of a thread: a part of struct thread; see region_fast.h. */
struct thread_fast {
	uint8_t turn;      /* which of them came last. cb; handler */
	uint8_t is_in_run; /* the task whose turn it is: `is_in_run`. cb */
	uint32_t closing;  /* likewise: WAIT leaf of its closing barrier, */
	uint64_t codeptr;  /* its region's construct, */
	const void *data;  /* and the runtime's task_data. cb */
};

/* Any thread. */
static inline void thread_fast_clear(struct thread_fast *fast)
{
	memset(fast, 0, sizeof(*fast));
}

/* A worker's executions of a region that it did not time, one after the other; see worker_run.h. */
struct worker_run {
	const struct region *region;
	struct profile_node *own; /* what stands for it under the thread's root, NULL none */
	uint32_t generation;      /* of the first */
	uint32_t n;               /* that have begun; 0: there is no run */
	uint32_t n_threads;       /* of the latest one's team */
	uint64_t begun;           /* ticks: the first */
	uint64_t wall;            /* region->wall then */
	uint64_t next;            /* parallel_data of the execution that goes on with it */
};

/* The execution that has ended last in the quick way, and is not counted yet; see region_fast.h. */
struct owed {
	struct region *region;    /* which the thread encountered, */
	struct profile_node *own; /* what stands for it under the thread's root, */
	uint64_t ticks;           /* and how long it took */
	uint64_t packed;          /* parallel_data of the one that has begun since */
};

/* The regions that a thread encounters or works in: a part of struct thread. Its callbacks write it. */
struct thread_regions {
	uint32_t n;            /* open ones that it encountered */
	struct owed owed;      /* the handler writes it, too */
	struct worker_run run; /* that it works in */
	struct region at[THREAD_MAX_REGIONS];
};

/*
 * Clears them. A worker of an old team may still compare with a region's generation, which goes on, and ask for the
 * ends of executions, which stay; the generation that is left out has no end.
 * Any thread.
 */
void thread_regions_clear(struct thread_regions *regions);

#endif
