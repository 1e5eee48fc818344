/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime's data of the script's objects: the ompt_data_t of each, on a page of its own, and
 * for tasks and regions the answers to the tool's questions. Private to a process: a child made by
 * fork has copies.
 */
#ifndef OMPPROF_TESTS_RUNTIME_OBJECTS_H
#define OMPPROF_TESTS_RUNTIME_OBJECTS_H

#include <omp-tools.h>
#include <stdint.h>

#include "tests/runtime/stage.h"

/* Behind the objects that the script names, each thread has some of its own. */
enum {
	OBJECTS_OWN_TASK = STAGE_MAX_OBJECTS,                     /* its initial task */
	OBJECTS_OWN_REGION = OBJECTS_OWN_TASK + STAGE_MAX_ACTORS, /* and that task's region */
	OBJECTS_THREAD = OBJECTS_OWN_REGION + STAGE_MAX_ACTORS,   /* thread_data */
	OBJECTS_N = OBJECTS_THREAD + STAGE_MAX_ACTORS,
	OBJECTS_MAX_STACK = 512,
};

/* More data of a task or a region. */
struct object {
	ompt_frame_t frame;
	ompt_frame_t given; /* what the script says instead, where is_given */
	int is_given;
	int flags;
	int64_t region;       /* of a task */
	int64_t encountering; /* of a region: the task */
	int thread_num;
	int team;
};

/* The runtime's data of a thread. */
struct performer {
	int64_t tasks[OBJECTS_MAX_STACK]; /* it executes the uppermost */
	int n_tasks;
	int is_state_given;
	uint32_t state;
	uint64_t wait_id;
	int levels; /* that get_task_info has; -1: as it is */
};

extern struct object objects[OBJECTS_N];
extern struct performer performers[STAGE_MAX_ACTORS];

/* Makes the memory. Returns 0, or -1. */
int objects_prepare(void);

/* The data of an object; NULL of STEP_NULL. */
ompt_data_t *objects_data(int64_t object);

/* Unmaps its page: an access is a fault from now on. */
void objects_unmap(int64_t object);

/* The calling thread, its current task, and that task's region. */
struct performer *objects_self(void);
int64_t objects_task(void);
int64_t objects_region(void);

/* The frame of a task as the tool is to see it. */
ompt_frame_t *objects_frame(int64_t task);

/* A thread begins, with its initial task only. */
void objects_begin_thread(int actor);

/*
 * On the calling thread a task begins; a task ends; `next` begins or continues after `prior`, which
 * is done or waits.
 */
void objects_push(int64_t task);
void objects_remove(int64_t task);
void objects_switch(int64_t prior, int is_done, int64_t next);

/* The entry points that tell of tasks, regions and threads. */
int objects_get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
	ompt_data_t **region, int *thread_num);
int objects_get_parallel_info(int level, ompt_data_t **region, int *team);
int objects_get_state(ompt_wait_id_t *wait_id);

#endif
