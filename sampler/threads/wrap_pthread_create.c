/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that are not OpenMP's. The library defines pthread_create and thrd_create. A program that
 * the library is preloaded into calls these instead of the C library's functions. The new thread
 * registers itself, calls its start function, and is unregistered when its thread-specific data is
 * destroyed. Where another library or the program itself defines the functions too, each calls the
 * next function, and all see the thread. Where the OpenMP runtime loads the library, after the
 * program, nobody calls them.
 *
 * Not seen are the C library's own threads, threads created by a function that the program looked
 * up in the C library itself, and threads created by clone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>

#include "sampler/core/thread_self.h"
#include "sampler/threads/hidden_helper.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

typedef int create_posix(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int create_c11(thrd_t *, thrd_start_t, void *);

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int has_key;

/*
 * Destructors of the program's own data belong to the thread's work, and can run after this
 * destructor. So the thread is unregistered in the second round of destructors.
 */
static void end(void *value)
{
	struct thread *thread = value;
	int cancel;

	/* A child made by fork inherits the value without the thread. */
	if (!tool_is_on() || thread_self() != thread)
		return;
	if (!thread->life.is_ending) {
		thread->life.is_ending = 1;
		thread->start.cfa = 0;
		if (pthread_setspecific(key, thread) == 0)
			return;
	}
	/* A thread that is cancelled here would keep a lock. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	thread_unregister();
	pthread_setcancelstate(cancel, NULL);
}

static void make_key(void)
{
	has_key = pthread_key_create(&key, end) == 0;
}

/* Runs in the new thread. The start function is called whether the thread was registered or not. */
static void begin(struct thread *thread, uint64_t cfa)
{
	int cancel, saved = errno;

	/* A thread that has been cancelled already ends where its own code allows it. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	thread->start.cfa = cfa;
	if (!tool_is_on())
		thread_give_back(thread);
	else if (thread_begin(thread) && pthread_setspecific(key, thread) != 0)
		thread_unregister();
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
}

/* The stack pointer here is also the CFA of the start function, called from the same frame. */
static inline __attribute__((always_inline)) uint64_t callee_cfa(void)
{
	struct walk_registers here;

	walk_registers_here(&here);
	return here.reg[WALK_SP];
}

/*
 * The start function has returned, so its frame did not replace the frame of run_* by a tail call.
 * From here on the thread executes in frames further out.
 */
static void leave_start(struct thread *thread)
{
	if (thread_self() == thread)
		thread->start.cfa = 0;
}

static void *run_posix(void *reserved)
{
	struct thread_start start = ((struct thread *)reserved)->start;
	void *result;

	begin(reserved, callee_cfa());
	result = ((void *(*)(void *))start.routine)(start.argument);
	leave_start(reserved);
	return result;
}

static int run_c11(void *reserved)
{
	struct thread_start start = ((struct thread *)reserved)->start;
	int result;

	begin(reserved, callee_cfa());
	result = ((thrd_start_t)start.routine)(start.argument);
	leave_start(reserved);
	return result;
}

/* The size of the stack that the thread gets, or 0. */
static uint64_t stack_bytes(const pthread_attr_t *attributes)
{
	pthread_attr_t defaults;
	size_t bytes = 0;

	if (attributes && pthread_attr_getstacksize(attributes, &bytes) == 0)
		return bytes;
	if (pthread_getattr_default_np(&defaults) != 0)
		return 0;
	pthread_attr_getstacksize(&defaults, &bytes);
	pthread_attr_destroy(&defaults);
	return bytes;
}

/*
 * The struct of a thread that is to be sampled from its start. NULL without space, while the tool
 * is off, for threads that are created during an event, for the tool's own threads, and for the
 * runtime's, which events report. Where the runtime is a part of the executable, its threads get
 * structs, too.
 */
static struct thread *reserve(
	uint64_t routine, void *argument, const pthread_attr_t *attributes, const void *caller)
{
	struct thread_start start = { .routine = routine, .argument = argument };
	struct thread *creator;

	if (!tool_is_on() || hidden_helper_is_runtime_code(caller) ||
		((uint64_t)caller >= tool.tool_lo && (uint64_t)caller < tool.tool_hi))
		return NULL;
	creator = thread_self();
	if (creator && creator->gate.in_tool)
		return NULL;
	pthread_once(&key_once, make_key);
	start.stack_bytes = stack_bytes(attributes);
	return has_key ? thread_reserve(&start) : NULL;
}

/* The next definition of the function, kept in *known. */
static void *next_function(void **known, const char *name)
{
	void *function = __atomic_load_n(known, __ATOMIC_RELAXED);

	if (!function) {
		function = dlsym(RTLD_NEXT, name);
		__atomic_store_n(known, function, __ATOMIC_RELAXED);
	}
	return function;
}

/* A file that includes <pthread.h> declares these functions. */
__attribute__((visibility("default"))) int pthread_create(
	pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	static void *known;
	create_posix *create = (create_posix *)next_function(&known, "pthread_create");
	struct thread *thread;
	int error;

	if (!create)
		return EAGAIN;
	thread = reserve((uint64_t)routine, argument, attributes, __builtin_return_address(0));
	if (!thread)
		return create(id, attributes, routine, argument);
	error = create(id, attributes, run_posix, thread);
	if (error)
		thread_give_back(thread);
	return error;
}

__attribute__((visibility("default"))) int thrd_create(
	thrd_t *id, thrd_start_t routine, void *argument)
{
	static void *known;
	create_c11 *create = (create_c11 *)next_function(&known, "thrd_create");
	struct thread *thread;
	int result;

	if (!create)
		return thrd_error;
	thread = reserve((uint64_t)routine, argument, NULL, __builtin_return_address(0));
	if (!thread)
		return create(id, routine, argument);
	result = create(id, run_c11, thread);
	if (result != thrd_success)
		thread_give_back(thread);
	return result;
}
