/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stand-in for a runtime: a library of its own, so that its frames are the runtime's. It loads
 * the tool, answers its questions, and does the steps of the script's threads.
 */
#ifndef OMPPROF_TESTS_RUNTIME_RUNTIME_H
#define OMPPROF_TESTS_RUNTIME_RUNTIME_H

#include <omp-tools.h>
#include <pthread.h>
#include <stdint.h>

#include "tests/runtime/stage.h"

enum { RUNTIME_MAX_NAMED = 64 };

/* The settings of a case: made before its first step, and not changed. */
struct runtime_settings {
	const char *library; /* the tool */
	unsigned version;
	const char *name;
	const char *missing[RUNTIME_MAX_NAMED]; /* entry points */
	unsigned n_missing;
	ompt_set_result_t result[STAGE_N_EVENTS];
	struct runtime_named {
		int number;
		const char *name;
	} states[RUNTIME_MAX_NAMED], impls[RUNTIME_MAX_NAMED];
	unsigned n_states, n_impls;
};

extern struct runtime_settings runtime_settings;

/* Prepares memory for the case's objects in its process. Returns 0, or -1. */
int runtime_prepare(void);

/* The calling thread is this actor's. */
void runtime_begin(struct actor *actor);

/*
 * The tool's pthread_create, which the user's code calls in place of the C library's, and where
 * such a thread's number is noted.
 */
typedef int runtime_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
runtime_create *runtime_native_create(void);
pthread_t *runtime_thread_of(struct actor *actor);

/* The user's code calls the runtime here: does a step, or with STEP_ENTER all up to STEP_LEAVE. */
void runtime_call(const struct step *step);

/* The functions of the user's code, by number; the program sets it. */
extern void (*runtime_user_function)(unsigned number);
extern const void *(*runtime_user_address)(unsigned number);

/* The wait id of a mutex. */
static inline uint64_t runtime_wait_id(int64_t object)
{
	return object < 0 ? 0 : 0x10000 + 64 * (uint64_t)object;
}

/* A mutex that is a number is one beyond all objects: that number itself. */
enum { RUNTIME_RAW_MUTEX = 1 << 20 };

#endif
