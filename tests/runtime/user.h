/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user's code of scripts: functions that call each other, and the runtime, as their thread's
 * steps say. Each has STAGE_N_SITES places from which it calls the runtime.
 */
#ifndef OMPPROF_TESTS_RUNTIME_USER_H
#define OMPPROF_TESTS_RUNTIME_USER_H

#include "tests/runtime/stage.h"

/* In the order of their numbers; the first two are where the process and native threads begin. */
#define USER_FUNCTIONS(X)                                                                          \
	X(user_main)                                                                               \
	X(user_thread)                                                                             \
	X(alpha)                                                                                   \
	X(beta)                                                                                    \
	X(lambda)                                                                                  \
	X(delta)                                                                                   \
	X(epsilon)                                                                                 \
	X(zeta)                                                                                    \
	X(eta)                                                                                     \
	X(theta)                                                                                   \
	X(iota)                                                                                    \
	X(kappa)                                                                                   \
	X(body_a)                                                                                  \
	X(body_b)                                                                                  \
	X(body_c)                                                                                  \
	X(body_d)                                                                                  \
	X(work_a)                                                                                  \
	X(work_b)                                                                                  \
	X(work_c)                                                                                  \
	X(work_d)                                                                                  \
	X(task_a)                                                                                  \
	X(task_b)                                                                                  \
	X(task_c)                                                                                  \
	X(task_d)                                                                                  \
	X(solve)                                                                                   \
	X(kernel)                                                                                  \
	X(reduce)                                                                                  \
	X(update)

enum { USER_MAIN, USER_THREAD };

#define USER_DECLARE(name) void name(void);
USER_FUNCTIONS(USER_DECLARE)

typedef void user_function(void);

struct user {
	const char *name;
	user_function *function;
};

extern const struct user user_functions[];
extern const unsigned n_user_functions;

/* The number of the function that the address lies in, or -1. */
int user_function_at(uint64_t address);

#endif
