/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for a runtime; see play_runtime.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>
#include <omp-tools.h>

#include "tests/unit/profile/find_profile.h"
#include "tests/unit/sampler/play_runtime.h"
#include "tests/runtime/machine.h"

ompt_callback_t play_callbacks[64];
__thread uint32_t play_state = ompt_state_work_parallel;
static char play_folder[] = "/tmp/ompprof-events.XXXXXX";
uint32_t play_turn;
ompt_data_t nothing;
const ompt_frame_t no_frame;

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	if (event < 64)
		play_callbacks[event] = callback;
	return ompt_set_always;
}

static int get_state(ompt_wait_id_t *wait_id)
{
	*wait_id = 0;
	return (int)play_state;
}

static int get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
	ompt_data_t **parallel, int *thread_num)
{
	return 0;
}

static ompt_interface_fn_t lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)set_callback;
	if (strcmp(name, "ompt_get_state") == 0)
		return (ompt_interface_fn_t)get_state;
	if (strcmp(name, "ompt_get_task_info") == 0)
		return (ompt_interface_fn_t)get_task_info;
	return NULL;
}

void play_compute(int ms)
{
	struct timespec now, begin;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

/* lookup, in a page that belongs to no object: the stand-in's code is not to be taken for the
   runtime's, as it is the user's, too. NULL on failure. */
static ompt_function_lookup_t foreign_lookup(void)
{
	void *page = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	machine_write_jump(page, (const void *)lookup);
	return (ompt_function_lookup_t)page;
}

/* Loads and starts the tool; the calling thread is the initial one. Returns 0, or -1. */
static int start(void)
{
	typedef ompt_start_tool_result_t *start_tool(unsigned, const char *);
	const char *build = getenv("builddir");
	ompt_function_lookup_t looker = foreign_lookup();
	ompt_start_tool_result_t *tool;
	char path[4096];
	void *library;

	snprintf(path, sizeof(path), "%s/.libs/libompprof.so", build ? build : ".");
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library || !looker)
		return -1;
	tool = ((start_tool *)dlsym(library, "ompt_start_tool"))(202011, "stand-in 1.0");
	if (!tool || tool->initialize(looker, 0, &tool->tool_data) == 0)
		return -1;
	EVENT(thread_begin, ompt_thread_initial, &nothing);
	return 0;
}

void play_profile_of(int (*child)(void), struct profile *profile)
{
	char file[4096];
	size_t n_others;
	struct diag diag;
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		exit(start() != 0 ? 99 : child());
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	assert_int_equal(find_profile(play_folder, file, sizeof(file), &n_others, &diag), 0);
	assert_int_equal(profile_open(profile, file, &diag), 0);
	unlink(file);
}

void play_wait_for_turn(int turn)
{
	while (__atomic_load_n(&play_turn, __ATOMIC_ACQUIRE) != (uint32_t)turn)
		usleep(100);
}

void play_set_turn(int turn)
{
	__atomic_store_n(&play_turn, (uint32_t)turn, __ATOMIC_RELEASE);
}

uint64_t play_sum_of_waits(const struct profile *profile, enum profile_wait wait, int is_blame)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		if (node->kind == PROFILE_NODE_WAIT && node->wait == wait && !is_blame)
			sum += node->time_ns;
		if (node->kind == PROFILE_NODE_BLAME && node->wait == wait && is_blame &&
			!(node->flags & PROFILE_BLAME_SAMPLED))
			sum += node->blame_ns;
	}
	return sum;
}

int play_set_up(void **state)
{
	if (!mkdtemp(play_folder))
		return -1;
	setenv("OMPPROF_OUTPUT", play_folder, 1);
	return 0;
}

int play_tear_down(void **state)
{
	return rmdir(play_folder);
}
