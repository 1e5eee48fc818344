/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handshake with the tool (OpenMP 5.1, 4.2.1 and 4.2.2), at the first call of the program, and
 * the begin and end of threads.
 */
#include "gomp/start.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "gomp/extent.h"
#include "gomp/gomp.h"
#include "gomp/region.h"
#include "include/ompprof-gomp.h"

typedef ompt_start_tool_result_t *start_tool(unsigned int omp_version, const char *version);

struct provider provider;
__thread struct thread gomp_self __attribute__((tls_model("initial-exec")));

static struct ompprof_runtime_code code;
static ompt_start_tool_result_t *tool;
static void *own_start_tool;         /* the process's ompt_start_tool; NULL before it is found */
static const struct thread *starter; /* the thread that looks for the tool */
static pthread_key_t key;            /* a thread that has it set calls on_thread_end as it ends */

/* omp_initial_device of OpenMP 5.2. libgomp's own number is known once it has loaded plugins. */
enum { INITIAL_DEVICE = -1 };

void gomp_add_code(const struct extent *extent)
{
	if (code.n == OMPPROF_RUNTIME_CODES || !extent->hi)
		return;
	code.at[code.n].lo = extent->lo;
	code.at[code.n].hi = extent->hi;
	__atomic_store_n(&code.n, code.n + 1, __ATOMIC_RELEASE);
}

const struct ompprof_runtime_code *gomp_code(void)
{
	return &code;
}

/* Asks a function ompt_start_tool; 0 if the tool wants to be told. */
static int ask(void *function, const struct gomp_functions *next)
{
	if (function)
		tool = ((start_tool *)function)(next->openmp, next->name);
	return tool ? 0 : -1;
}

/* The tools that the user names: the first that can be loaded and wants to be told. */
static void ask_libraries(const struct gomp_functions *next)
{
	const char *libraries = getenv("OMP_TOOL_LIBRARIES");
	char *copy = libraries ? strdup(libraries) : NULL, *rest = copy, *path;

	while ((path = strsep(&rest, ":"))) {
		void *handle = path[0] ? dlopen(path, RTLD_LAZY) : NULL;

		if (handle && ask(dlsym(handle, "ompt_start_tool"), next) == 0)
			break;
	}
	free(copy);
}

static int is_disabled(void)
{
	const char *value = getenv("OMP_TOOL");

	return value && strcmp(value, "disabled") == 0;
}

static void on_thread_end(void *thread)
{
	gomp_end_thread(thread);
}

void gomp_find_own_tool(void)
{
	if (!__atomic_load_n(&own_start_tool, __ATOMIC_RELAXED))
		__atomic_store_n(
			&own_start_tool, dlsym(RTLD_DEFAULT, "ompt_start_tool"), __ATOMIC_RELAXED);
}

static uint32_t start(const struct gomp_functions *next)
{
	if (is_disabled() || pthread_key_create(&key, on_thread_end) != 0)
		return GOMP_OFF;
	provider.can_cancel = (uint32_t)next->omp_get_cancellation();
	if (ask(own_start_tool, next) != 0)
		ask_libraries(next);
	if (!tool || !tool->initialize(gomp_lookup, INITIAL_DEVICE, &tool->tool_data))
		return GOMP_OFF;
	return GOMP_ON;
}

/*
 * Another thread looks for the tool. It may wait for the loader's lock, which this thread holds if
 * a constructor of a module has called. So the wait has a bound: then the calls only pass, until
 * the tool is there.
 */
static void wait_for_start(void)
{
	enum { MOST_MS = 1000, NS_PER_MS = 1000000 };
	static uint32_t has_waited;
	const struct timespec ms = { 0, NS_PER_MS };

	for (int i = 0; i < MOST_MS; i++) {
		if (__atomic_load_n(&has_waited, __ATOMIC_RELAXED) ||
			__atomic_load_n(&provider.phase, __ATOMIC_ACQUIRE) != GOMP_STARTING)
			return;
		syscall(SYS_nanosleep, &ms, NULL); /* no point where threads are cancelled */
	}
	__atomic_store_n(&has_waited, 1, __ATOMIC_RELAXED);
}

void gomp_start(const struct gomp_functions *next)
{
	int error = errno;
	uint32_t phase = GOMP_NEW;

	/* Before the phase changes, as it may wait for the loader. */
	if (__atomic_load_n(&provider.phase, __ATOMIC_ACQUIRE) == GOMP_NEW)
		gomp_find_own_tool();
	if (__atomic_compare_exchange_n(&provider.phase, &phase, GOMP_STARTING, 0, __ATOMIC_ACQ_REL,
		    __ATOMIC_ACQUIRE)) {
		__atomic_store_n(&starter, &gomp_self, __ATOMIC_RELAXED);
		__atomic_store_n(&provider.phase, start(next), __ATOMIC_RELEASE);
	} else if (phase == GOMP_STARTING &&
		   __atomic_load_n(&starter, __ATOMIC_RELAXED) != &gomp_self) {
		wait_for_start();
	}
	dlerror(); /* no message of ours is left to the program */
	errno = error;
}

struct gomp_task *gomp_begin_thread(struct thread *thread)
{
	struct gomp_task *task = &thread->own[0];

	thread->type = ompt_thread_initial;
	thread->state = ompt_state_work_serial;
	*task = (struct gomp_task){ .flags = ompt_task_initial, .n_threads = 1 };
	pthread_setspecific(key, thread);
	GOMP_TELL(thread_begin, ompt_thread_initial, &thread->data);
	thread->task = task;
	GOMP_TELL(implicit_task, ompt_scope_begin, &thread->initial_region, &task->data, 1, 1,
		ompt_task_initial);
	return task;
}

void gomp_begin_worker(struct thread *thread)
{
	thread->type = ompt_thread_worker;
	pthread_setspecific(key, thread);
	GOMP_TELL(thread_begin, ompt_thread_worker, &thread->data);
}

void gomp_end_thread(struct thread *thread)
{
	struct gomp_task *task = &thread->own[0];

	gomp_free_spare(thread);
	if (provider.phase != GOMP_ON || !thread->task)
		return;
	if (thread->is_in_closing_barrier)
		gomp_end_worker_task(thread);
	else if (thread->type == ompt_thread_initial)
		GOMP_TELL(
			implicit_task, ompt_scope_end, NULL, &task->data, 0, 1, ompt_task_initial);
	thread->task = NULL;
	GOMP_TELL(thread_end, &thread->data);
	thread->type = 0;
	thread->data = (ompt_data_t){ 0 };
	thread->initial_region = (ompt_data_t){ 0 };
}

/* Calls that have begun tell no more, either. */
void gomp_finalize(void)
{
	const size_t n = sizeof(provider.callback) / sizeof(provider.callback[0]);
	uint32_t phase = GOMP_ON;

	if (!__atomic_compare_exchange_n(
		    &provider.phase, &phase, GOMP_OFF, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	for (size_t i = 0; i < n; i++)
		__atomic_store_n(&provider.callback[i], NULL, __ATOMIC_RELEASE);
	tool->finalize(&tool->tool_data);
}

/* The program ends: the calling thread does not end by itself. */
__attribute__((destructor)) static void on_exit_process(void)
{
	gomp_end_thread(&gomp_self);
	gomp_finalize();
}
