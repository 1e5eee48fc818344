/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OMPT tool that tells gperftools' profiler of each OpenMP thread. The profiler needs that to
 * give each a timer (CPUPROFILE_PER_THREAD_TIMERS). Without that library it does nothing.
 */
#include <dlfcn.h>
#include <omp-tools.h>
#include <stddef.h>

static void (*register_thread)(void);

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
	(void)data;
	/* The initial thread is registered when the profiler starts. */
	if (type != ompt_thread_initial && register_thread)
		register_thread();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	(void)data;
	*(void **)&register_thread = dlsym(RTLD_DEFAULT, "ProfilerRegisterThread");
	set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	(void)version;
	(void)runtime;
	return &result;
}
