/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel regions: what region.c, old.c, league.c and start.c share. */
#ifndef OMPPROF_GOMP_REGION_H
#define OMPPROF_GOMP_REGION_H

#include "gomp/gomp.h"

/* A region or a league, as the thread that encounters it keeps it. */
struct gomp_region {
	struct gomp_team team;
	struct gomp_task implicit; /* the primary thread's task; n_threads 0 before it has begun */
	const void *caller;
	struct gomp_region *outer; /* in old.c and league.c: the open one around it, or NULL */
};

/*
 * The thread's current task encounters a region whose body is fn(data). Fills *region and tells the
 * tool. n_threads: what the program asks for; 0: no number.
 */
void gomp_begin_region(struct gomp_region *region, void (*fn)(void *), void *data,
	unsigned n_threads, void *frame, const void *caller);

/*
 * libgomp calls this in place of the body, with the team: on each thread of the team, but in old.c
 * not on the primary thread.
 */
void gomp_run_body(void *team);

/* The primary thread's task begins; exit_frame: of the function that calls the body, or NULL. */
void gomp_begin_primary(struct thread *thread, struct gomp_region *region, void *exit_frame);

/* The thread's part of the region is over: it waits for the team. */
void gomp_begin_closing_barrier(struct thread *thread, struct gomp_task *task);

/* The region is over. */
void gomp_end_region(struct gomp_region *region);

/* A thread begins as a worker. */
void gomp_begin_worker(struct thread *thread);

/*
 * A worker's implicit task ends. libgomp does not tell when the region was over: this is called
 * when the worker's next region begins, or the thread ends.
 */
void gomp_end_worker_task(struct thread *thread);

#endif
