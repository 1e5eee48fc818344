/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runtime keeps of the script's objects: the ompt_data_t of each, on a page of its own, and of tasks and
 * regions what the tool can ask for. Private to a process: a child made by fork has copies.
 */
#ifndef OMPPROF_TESTS_RUNTIME_OBJECTS_H
#define OMPPROF_TESTS_RUNTIME_OBJECTS_H

#include <omp-tools.h>
#include <stdint.h>

#include "tests/runtime/stage.h"

/* Behind those that the script names, each thread has some of its own. */
enum {
	OBJECTS_OWN_TASK = STAGE_MAX_OBJECTS,                     /* its initial task */
	OBJECTS_OWN_REGION = OBJECTS_OWN_TASK + STAGE_MAX_ACTORS, /* and that task's region */
	OBJECTS_THREAD = OBJECTS_OWN_REGION + STAGE_MAX_ACTORS,   /* thread_data */
	OBJECTS_N = OBJECTS_THREAD + STAGE_MAX_ACTORS,
	OBJECTS_MAX_STACK = 512,
};

/* Of an object that is a task or a region. */
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

/* What the runtime knows of a thread. */
struct performer {
	int64_t tasks[OBJECTS_MAX_STACK]; /* the uppermost is the one that it executes */
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

/* Gives its page back: nobody may look at it any more. */
void objects_unmap(int64_t object);

/* The calling thread's. */
struct performer *objects_self(void);
int64_t objects_task(void);
int64_t objects_region(void);

/* The frame of a task as the tool is to see it. */
ompt_frame_t *objects_frame(int64_t task);

/* A thread begins, without tasks. */
void objects_begin_thread(int actor);

/* A task begins, or goes on, on the calling thread; it ends there, or waits. */
void objects_push(int64_t task);
void objects_remove(int64_t task);
void objects_switch(int64_t prior, int is_done, int64_t next);

/* The entry points that tell of tasks, regions and threads. */
int objects_get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
	ompt_data_t **region, int *thread_num);
int objects_get_parallel_info(int level, ompt_data_t **region, int *team);
int objects_get_state(ompt_wait_id_t *wait_id);

#endif
