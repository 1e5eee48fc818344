/* SPDX-License-Identifier: Apache-2.0 */
/* The user's code; see user.h. */
#include "tests/runtime/user.h"

#include <dlfcn.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "tests/runtime/runtime.h"

/* Computes for this much CPU time. */
static inline __attribute__((always_inline)) void compute(uint64_t ns)
{
	struct timespec now, begin;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((uint64_t)((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec -
			    begin.tv_nsec) < ns);
}

static void *run_native(void *actor)
{
	runtime_begin(actor);
	user_thread();
	return NULL;
}

/* Creates a thread as a program does under the tool. */
static void create(const struct step *step)
{
	struct actor *actor = &stage->actors[step->v[0]];
	runtime_create *function = runtime_native_create();
	int error = -1;

	stage->created = actor;
	if (function)
		error = function(runtime_thread_of(actor), NULL, run_native, actor);
	if (error)
		stage_fail(stage_self, "no thread: %d", error);
}

/* The function to call on another stack than its thread's, and the context to return to. */
static void (*elsewhere)(void);
static ucontext_t elsewhere_from;

static void begin_elsewhere(void)
{
	elsewhere();
}

static void call_elsewhere(void (*function)(void))
{
	static char stack[256 * 1024];
	ucontext_t there;

	elsewhere = function;
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &elsewhere_from;
	makecontext(&there, begin_elsewhere, 0);
	swapcontext(&elsewhere_from, &there);
}

/* A call that is no jump, and is like no other. */
#define CALL_RUNTIME(n)                                                                            \
	do {                                                                                       \
		runtime_call(step);                                                                \
		__asm__ volatile("# " #n);                                                         \
	} while (0)

#define USER(name)                                                                                 \
	__attribute__((noinline, noclone)) void name(void)                                         \
	{                                                                                          \
		const struct step *step = stage_next(stage_self);                                  \
		uint32_t site = stage_self->site;                                                  \
                                                                                                   \
		stage_self->site = 0;                                                              \
		for (; step->kind != STEP_RETURN && step->kind != STEP_QUIT;                       \
			step = stage_next(stage_self)) {                                           \
			if (step->kind == STEP_CALL && step->v[1])                                 \
				call_elsewhere(user_functions[step->v[0]].function);               \
			else if (step->kind == STEP_CALL)                                          \
				user_functions[step->v[0]].function();                             \
			else if (step->kind == STEP_SAMPLE)                                        \
				stage_raise(stage_self);                                           \
			else if (step->kind == STEP_COMPUTE)                                       \
				compute(step->v[0]);                                               \
			else if (step->kind == STEP_NATIVE)                                        \
				create(step);                                                      \
			else if (stage_self->site == 0)                                            \
				CALL_RUNTIME(0);                                                   \
			else if (stage_self->site == 1)                                            \
				CALL_RUNTIME(1);                                                   \
			else                                                                       \
				CALL_RUNTIME(2);                                                   \
		}                                                                                  \
		stage_self->site = site;                                                           \
	}

/* clang-format off */
USER(user_main)
USER(user_thread)
USER(alpha)
USER(beta)
USER(lambda)
USER(delta)
USER(epsilon)
USER(zeta)
USER(eta)
USER(theta)
USER(iota)
USER(kappa)
USER(body_a)
USER(body_b)
USER(body_c)
USER(body_d)
USER(work_a)
USER(work_b)
USER(work_c)
USER(work_d)
USER(task_a)
USER(task_b)
USER(task_c)
USER(task_d)
USER(solve)
USER(kernel)
USER(reduce)
USER(update)
/* clang-format on */

#define ROW(name) { #name, name },
const struct user user_functions[] = { USER_FUNCTIONS(ROW) };
const unsigned n_user_functions = sizeof(user_functions) / sizeof(user_functions[0]);

int user_function_at(uint64_t address)
{
	Dl_info info;

	if (!dladdr((void *)address, &info) || !info.dli_saddr)
		return -1;
	for (unsigned i = 0; i < n_user_functions; i++) {
		if ((void *)user_functions[i].function == info.dli_saddr)
			return (int)i;
	}
	return -1;
}
