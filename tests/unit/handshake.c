/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handshake, by a stand-in for a runtime: libompprof.so is loaded as a runtime loads a tool,
 * with a lookup that offers what a test wants it to. Each test runs in a child of its own, which
 * ends with 0 when all was right, and reads the profile afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <omp-tools.h>

#include "profile/reader.h"

/* What the stand-in offers. */
static int has_set_callback, has_inquiry, n_callbacks_set;
static ompt_set_result_t answer;
static ompt_callbacks_t never;
static volatile uint32_t state_now;
static ompt_callback_t callbacks[64];

static char folder[] = "/tmp/ompprof-handshake.XXXXXX";

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	n_callbacks_set++;
	if (event < 64)
		callbacks[event] = callback;
	return event == never ? ompt_set_never : answer;
}

static int get_state(ompt_wait_id_t *wait_id)
{
	*wait_id = 0;
	return (int)state_now;
}

static int get_task_info(int level, int *flags, ompt_data_t **task, ompt_frame_t **frame,
	ompt_data_t **parallel, int *thread_num)
{
	return 0;
}

static int enumerate_states(int current, int *next, const char **name)
{
	if (current == 0x201)
		return 0;
	*next = current == 0x200 ? 0x201 : 0x200;
	*name = current == 0x200 ? "example_state_polishing" : "example_state_wait_barrier_fancy";
	return 1;
}

static ompt_interface_fn_t lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return has_set_callback ? (ompt_interface_fn_t)set_callback : NULL;
	if (strcmp(name, "ompt_get_state") == 0)
		return has_inquiry ? (ompt_interface_fn_t)get_state : NULL;
	if (strcmp(name, "ompt_get_task_info") == 0)
		return has_inquiry ? (ompt_interface_fn_t)get_task_info : NULL;
	if (strcmp(name, "ompt_enumerate_states") == 0)
		return has_inquiry ? (ompt_interface_fn_t)enumerate_states : NULL;
	return NULL;
}

/* Computes for `ms` of this thread's CPU time. */
static void compute(int ms)
{
	struct timespec now, begin;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static ompt_start_tool_result_t *start_tool(void)
{
	typedef ompt_start_tool_result_t *start(unsigned, const char *);
	const char *build = getenv("builddir");
	char path[4096];
	void *library;

	snprintf(path, sizeof(path), "%s/.libs/libompprof.so", build ? build : ".");
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return NULL;
	return ((start *)dlsym(library, "ompt_start_tool"))(202011, "stand-in 1.0");
}

/* Runs `child` in a process of its own, with its stderr in a file. Returns its exit status. */
static int in_child(int (*child)(void), char *said, size_t bytes)
{
	char log[128];
	int status = -1;
	FILE *file;
	pid_t pid;

	snprintf(log, sizeof(log), "%s/stderr", folder);
	pid = fork();
	if (pid == 0) {
		if (!freopen(log, "w", stderr))
			_exit(99);
		exit(child());
	}
	waitpid(pid, &status, 0);
	memset(said, 0, bytes);
	file = fopen(log, "r");
	if (file && fread(said, 1, bytes - 1, file) == 0)
		said[0] = '\0';
	if (file)
		fclose(file);
	unlink(log);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void open_profile(struct profile *profile)
{
	char file[4096];
	size_t n_others;
	struct diag diag;

	assert_int_equal(profile_find(folder, file, sizeof(file), &n_others, &diag), 0);
	assert_int_equal(profile_open(profile, file, &diag), 0);
	unlink(file);
}

static int run_whole(void)
{
	ompt_start_tool_result_t *tool = start_tool();
	ompt_data_t thread_data = { 0 };

	if (!tool || !tool->initialize || !tool->finalize)
		return 1;
	if (tool->initialize(lookup, 0, &tool->tool_data) == 0)
		return 2;
	((ompt_callback_thread_begin_t)callbacks[ompt_callback_thread_begin])(
		ompt_thread_initial, &thread_data);
	state_now = 0x200;
	compute(100);
	state_now = 0x201;
	compute(100);
	tool->finalize(&tool->tool_data);
	compute(50);
	return 0;
}

static void test_whole(void **state)
{
	struct profile profile;
	char said[1024];
	uint64_t *time;

	has_set_callback = has_inquiry = 1;
	answer = ompt_set_always;
	never = 0;
	assert_int_equal(in_child(run_whole, said, sizeof(said)), 0);
	assert_string_equal(said, "");
	open_profile(&profile);
	assert_string_equal(profile.header.runtime, "stand-in 1.0");
	assert_true(profile.header.flags & PROFILE_OMPT_STARTED);
	assert_true(profile.header.flags & PROFILE_COMPLETE);
	assert_int_equal(profile.n_threads, 1);
	time = profile.threads[0].time_ns;
	/* The runtime's own states are known by their names. */
	assert_in_range(time[PROFILE_WAIT_BARRIER], 60000000, 130000000);
	assert_in_range(time[PROFILE_WORK], 90000000, 200000000);
	profile_release(&profile);
}

static void test_missing_callback(void **state)
{
	struct profile profile;
	char said[1024];

	has_set_callback = has_inquiry = 1;
	answer = ompt_set_sometimes;
	never = ompt_callback_mutex_acquired;
	assert_int_equal(in_child(run_whole, said, sizeof(said)), 0);
	assert_string_equal(said, "ompprof: the OpenMP runtime never reports: mutex_acquired; the "
				  "profile is coarser for it\n");
	open_profile(&profile);
	assert_true(profile.threads[0].n_samples > 10);
	profile_release(&profile);
}

static void test_no_inquiry(void **state)
{
	struct profile profile;
	char said[1024];

	has_set_callback = 1;
	has_inquiry = 0;
	never = 0;
	answer = ompt_set_always;
	assert_int_equal(in_child(run_whole, said, sizeof(said)), 0);
	open_profile(&profile);
	assert_true(profile.threads[0].time_ns[PROFILE_WORK] > 100000000);
	profile_release(&profile);
}

static int run_refused(void)
{
	ompt_start_tool_result_t *tool = start_tool();

	return !tool || tool->initialize(lookup, 0, &tool->tool_data) != 0;
}

/* Without ompt_set_callback there is nothing to be done: initialize says 0. */
static void test_no_set_callback(void **state)
{
	char said[1024];

	has_set_callback = has_inquiry = 0;
	assert_int_equal(in_child(run_refused, said, sizeof(said)), 0);
}

static int run_twice(void)
{
	ompt_start_tool_result_t *tool;
	int status = run_whole();

	tool = start_tool();
	if (status || !tool || tool->initialize(lookup, 0, &tool->tool_data) == 0)
		return 3;
	((ompt_callback_thread_begin_t)callbacks[ompt_callback_thread_begin])(
		ompt_thread_initial, &tool->tool_data);
	state_now = 0x201;
	compute(100);
	tool->finalize(&tool->tool_data);
	return 0;
}

/* A runtime that was paused hard comes again: one profile goes on. */
static void test_again(void **state)
{
	struct profile profile;
	char said[1024];

	has_set_callback = has_inquiry = 1;
	never = 0;
	answer = ompt_set_always;
	assert_int_equal(in_child(run_twice, said, sizeof(said)), 0);
	assert_string_equal(said, "");
	open_profile(&profile);
	assert_int_equal(profile.n_threads, 1);
	assert_in_range(profile.threads[0].time_ns[PROFILE_WORK], 200000000, 400000000);
	profile_release(&profile);
}

static int set_up(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	setenv("OMPPROF_OUTPUT", folder, 1);
	return 0;
}

static int tear_down(void **state)
{
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_missing_callback),
		cmocka_unit_test(test_no_inquiry),
		cmocka_unit_test(test_no_set_callback),
		cmocka_unit_test(test_again),
	};

	return cmocka_run_group_tests_name("handshake", tests, set_up, tear_down);
}
