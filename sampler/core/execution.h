/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The executions of parallel regions. The thread that encounters a region keeps them for the
 * members of its team; see region.h and worker_run.h.
 */
#ifndef OMPPROF_SAMPLER_CORE_EXECUTION_H
#define OMPPROF_SAMPLER_CORE_EXECUTION_H

#include <stdint.h>
#include <string.h>

#include "profile/shared/layout.h"
#include "sampler/core/path_cache.h"

enum {
	REGION_N_ENDS = 16,      /* latest executions of a region whose ends are known */
	REGION_N_LEFT = 16,      /* kept ends of executions that a smaller team followed */
	THREAD_MAX_REGIONS = 64, /* open regions of a thread, nested, that have entries */
	THREAD_MAX_TASKS = 64,   /* tasks of a thread, on top of each other, that have entries */
	REGION_GENERATIONS = (1 << 20) - 1, /* the greatest generation; 0 follows */
};

/*
 * An execution that was followed by an execution with a smaller team. Some of its members have no
 * events any more until there is a larger team again.
 */
struct region_left {
	uint32_t generation;
	uint64_t end; /* ticks: the end of that execution; 0 none */
};

/* When an execution ended, and how long all executions up to it took. */
struct region_end {
	uint64_t end;  /* ticks */
	uint64_t wall; /* ticks */
};

/* The part of an execution that the members of its team read. */
struct region_team {
	uint32_t context;   /* node id of the region; 0 if it could not be made */
	uint32_t epoch;     /* tool.epoch when it began; a fork's child has another */
	uint64_t base_cfa;  /* CFA of the user frame that encountered the construct, 0 unknown */
	uint64_t codeptr;   /* return address of the construct */
	uint32_t n_threads; /* team size; until it is known, of the previous execution */
	uint8_t is_users;   /* its codeptr is in user code, not in the runtime */
	uint8_t is_within;  /* the runtime's own: `context` is the enclosing construct's */
	uint8_t is_quick;   /* its barriers follow each other quickly: not all are timed */
	struct profile_node *node; /* node of `context`, which counts the executions; NULL none */
};

/* The part of an execution that only the encountering thread uses. */
struct region_own {
	struct profile_region *record; /* NULL: none, or no space */
	int flags;                     /* OMPT's */
	uint8_t next; /* the struct of the construct that the thread encountered next, last time */
	uint32_t closing; /* the thread's WAIT leaf of its closing barrier; 0: not known yet */
	struct profile_node *node; /* represents the region under the thread's root; NULL none */
	/* ticks from its begin to the begin of thread 0's implicit task, as measured last */
	uint64_t fork_ticks;
	uint64_t looked;  /* ticks: end of the latest timed barrier */
	uint32_t barrier; /* number of the latest timed barrier */
	uint32_t n_quick; /* quick barriers in a row */

	/* counts timed barriers after short intervals; only some of these are compared */
	uint64_t n_compared;
	uint32_t last_n_threads; /* team size of the latest execution that ended */
};

/*
 * One execution of a parallel region, kept by the thread that encountered it. parallel_data says
 * which region and which execution it is (region_pack). `generation` grows when the execution ends.
 * From this a worker that still holds the old value knows that its region is over; `ends` says when
 * it ended. (The worker's own end events come only with the next region.)
 *
 * Only the owner writes it, on cache lines that hold nothing else. When a construct that it
 * remembers begins again, it writes only values that have changed to the line that each member
 * reads.
 */
struct region {
	struct region_team team;

	/*
	 * Members of the team read it, mostly in a timed execution, and handlers at any time.
	 * `generation` is stored with release order.
	 */
	uint32_t generation __attribute__((aligned(64)));
	uint32_t outer_generation;
	const struct region *outer; /* the enclosing region, of generation outer_generation */
	uint64_t begun;             /* ticks; 0 not known yet */
	uint64_t last_end;          /* ticks: end of the latest execution that ended */
	uint64_t wall;              /* ticks of all executions that ended */
	uint64_t timed_before;      /* ticks: end of the previous timed execution, if weight > 1 */
	uint16_t weight;            /* weight of the waits in this execution; see region_timing.h */

	struct region_own own __attribute__((aligned(64)));
	/* by generation; written before `generation` changes */
	struct region_end ends[REGION_N_ENDS] __attribute__((aligned(64)));
	struct region_left left[REGION_N_LEFT]; /* by team size */
	/* how the construct was encountered, and its creation path; see encounter.h */
	struct cached_path path;
} __attribute__((aligned(64)));

/* A task that this thread executes, or has suspended to execute the tasks above it. */
struct task {
	const void *data;            /* task_data or target_execution: its identity. cb */
	const struct region *region; /* implicit task: its region. cb */
	uint32_t generation;         /* of `region` when the task began. cb */
	uint32_t context;            /* node id of region or task; 0: the thread's own root. cb */
	uint64_t base_cfa; /* frames from this CFA on belong to the encountering task; 0: none do */
	uint8_t is_implicit; /* cb */
	uint8_t is_inline;   /* user code has its body: team of one, undeferred, target. cb */
	uint8_t has_team;    /* belongs to a parallel region, not to the serial part. cb */
	uint8_t sync;        /* enum own_wait that its sync region announced, or OWN_NONE.
				OWN_TARGET, OWN_MPI: it waits for a device or MPI. cb; handler */
	uint8_t mutex;       /* enum own_wait that its mutex event announced, or OWN_NONE. cb; the
				handler resets it when it sees that the task has continued */
	uint8_t wait;        /* enum profile_wait: its wait in a sync region or for a device; 0: it
				does not wait there. cb; handler */
	uint8_t is_stolen;   /* explicit: another thread created it. cb */
	uint8_t wait_weight; /* of its wait. cb; handler */
	uint8_t n_above;   /* tasks begun on top of its wait, up to WAIT_TASKS_TIMED. cb; handler */
	uint8_t is_exact;  /* explicit: timed because of the wait below it. cb */
	uint8_t is_in_run; /* implicit: belongs to one of regions.runs. cb */
	uint8_t is_rough;  /* tasks on top of it are not all timed: its own time is rough. cb */
	uint16_t weight;   /* explicit: its own. cb; handler. implicit: of its waits. cb */
	uint16_t thread_num;      /* implicit. cb */
	uint32_t barrier;         /* implicit: barriers entered. cb */
	uint32_t n_threads;       /* implicit: size of the team. cb */
	struct profile_node *own; /* its context's node in the thread's own tree; NULL none. cb */
	uint32_t signals;         /* n_signals when it began. cb */
	uint8_t is_met;           /* explicit: tasks below it are in unseen.below only. cb */
	uint8_t is_counted;       /* explicit: it was counted when it was created. cb */
	uint64_t begun;           /* ticks; 0: not timed. cb; handler */
	/* ticks since `begun` in waits and in tasks on top of it. cb; handler */
	uint64_t ticks_excluded;
	uint64_t since;        /* ticks: when it began to wait; 0 not timed. cb; handler */
	uint64_t ticks_on_top; /* ticks since `since` in tasks on top of it. cb; handler */
	uint64_t unmet;        /* ticks of waiting until a sample met it; 0 none did. handler */
	const void *codeptr;   /* of its latest wait that is no closing barrier. cb */
	struct depend_place *depend; /* explicit, with dependences: see depend.h; NULL none. cb */
} __attribute__((aligned(64)));

/*
 * The tasks of a thread: a part of struct thread. Its callbacks write it; struct task says what its
 * handler writes.
 */
struct thread_tasks {
	uint32_t n; /* depth of the stack of tasks; may exceed THREAD_MAX_TASKS */
	/*
	 * whether deferred tasks were created since its last timed barrier: a bit for each number
	 * of open regions that the thread has encountered (tasks_created_bit)
	 */
	uint8_t has_created;
	uint64_t data;            /* the upper half of its tasks' task_data; see task_data.h */
	const void *created_data; /* task_data of the latest task_create */
	uint64_t created_cfa;     /* CFA of the frame that created it; 0: deferred */
	/* at[n - 1] is the current task; the last entry is spare */
	struct task at[THREAD_MAX_TASKS + 1];
};

/*
 * The events of a thread on the fast path of regions: a part of struct thread; see region_fast.h.
 */
struct thread_fast {
	uint8_t turn;      /* the latest of these events. cb; handler */
	uint8_t is_in_run; /* `is_in_run` of the task that has these events. cb */
	uint32_t closing;  /* its WAIT leaf of the closing barrier. cb */
	const void *data;  /* its task_data. cb */
};

/* A worker's untimed executions of one region, one after the other; see worker_run.h. */
struct worker_run {
	struct profile_node *own; /* node that represents it under the thread's root; NULL none */
	uint32_t context;         /* of its tasks */
	uint32_t generation;      /* of the first execution */
	uint32_t n;               /* executions that have begun; 0: there is no run */
	uint32_t n_threads;       /* team size of the latest execution */
	uint16_t thread_num;      /* of the thread in all executions */
	uint64_t begun;           /* ticks: begin of the first execution */
	uint64_t wall;            /* region->wall at that moment */
	uint64_t next;            /* parallel_data of the execution that would continue the run */
	uint32_t closing;         /* WAIT leaf of its closing barrier; 0: no `own` */
} __attribute__((aligned(64)));

/* A worker's runs, and the time since the first of them began; see worker_run.h. */
struct worker_runs {
	uint32_t n;     /* executions since `begun`, timed executions included; 0: no run */
	uint64_t begun; /* ticks: begin of the first of these executions */
	uint64_t ticks; /* in these executions, as far as they have been added */
	const struct worker_run *latest; /* the run of the latest execution; NULL: it is timed */
	uint64_t end; /* ticks: end of the timed execution; its begin while it lasts */
	struct worker_run at[THREAD_MAX_REGIONS]; /* by a hash of the region */
};

/* The latest execution that ended on the fast path, if it is not counted yet; see region_fast.h. */
struct deferred_count {
	struct region *region;    /* the thread encountered it */
	struct profile_node *own; /* node that represents it under the thread's root */
	uint64_t ticks;           /* how long the execution took */
	uint64_t packed;          /* parallel_data of the execution that has begun since */
};

/*
 * The regions that a thread encounters, or works in: a part of struct thread. Its callbacks write
 * it.
 */
struct thread_regions {
	uint32_t n;                           /* open regions that it encountered */
	uint8_t latest;                       /* place of the region that began last */
	uint32_t oldest;                      /* place whose construct is replaced next, mod size */
	struct deferred_count deferred;       /* the handler reads it, too */
	uint8_t open[THREAD_MAX_REGIONS];     /* places in `at` of open regions, outermost first */
	struct worker_runs runs;              /* of regions in which it works */
	uint64_t codeptr[THREAD_MAX_REGIONS]; /* of the constructs in `at`; 0: none yet */
	/* the latest constructs that it encountered; NULL: none yet, or no memory */
	struct region *at;
};

/*
 * Makes them ready for another thread. A worker of an old team may still compare with a region's
 * generation, so each region's generation grows by 1. The worker may ask for the ends of
 * executions, so these stay. The generation that is skipped has no end. Any thread.
 */
void thread_regions_clear(struct thread_regions *regions);

#endif
