/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handshake with an OpenMP runtime (OpenMP 5.1, 4.2 and 4.5.1), and the start without a
 * runtime.
 */
#include <errno.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/core/writer.h"
#include "sampler/tool/control.h"
#include "sampler/tool/events.h"
#include "sampler/threads/wrap_sigmask.h"
#include "sampler/tool/tool_message.h"
#include "sampler/core/thread_self.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"
#include "sampler/devices/device_trace.h"
#include "sampler/threads/doacross.h"
#include "sampler/tool/runtime_names.h"
#include "unwinder/core/loaded.h"

/* Finds the runtime's code. If the runtime does not tell, it is the module of `lookup`. */
static void find_runtime(ompt_function_lookup_t lookup)
{
	static struct ompprof_runtime_code own;
	ompt_interface_fn_t code = lookup("ompprof_runtime_code");
	struct loaded found;

	if (code) {
		tool.runtime_code = ((const struct ompprof_runtime_code *(*)(void))code)();
	} else if (loaded_find((uintptr_t)lookup, &found) == 0) {
		own.at[0].lo = found.lo;
		own.at[0].hi = found.hi;
		own.n = 1;
		tool.runtime_code = &own;
	}
}

static void follow_doacross(ompt_function_lookup_t lookup)
{
	ompt_interface_fn_t set = lookup("ompprof_set_doacross");

	if (set)
		((void (*)(ompprof_doacross_t *))set)(doacross_on_wait);
}

/*
 * Runs at exit, before libraries end. From here on the runtime may free its tables, and other
 * threads that are sampled must not ask it.
 */
static void before_runtime_ends(void)
{
	device_trace_flush_all();
	__atomic_store_n(&tool.has_ompt, 0, __ATOMIC_RELEASE);
}

static int initialize(ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t *tool_data)
{
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	static int is_again;
	char missing[400];

	/* One runtime at a time: the inquiry functions are one runtime's. */
	if (!set_callback || __atomic_load_n(&tool.has_ompt, __ATOMIC_ACQUIRE) || tool_start() != 0)
		return 0;
	tool.get_state = (ompt_get_state_t)lookup("ompt_get_state");
	tool.get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	runtime_names_learn(lookup);
	find_runtime(lookup);
	follow_doacross(lookup);
	tool_describe_runtime();
	callbacks_register(set_callback, missing, sizeof(missing));
	/* Its manual says what libompprof-gomp.so cannot tell. */
	if (missing[0] && !lookup("ompprof_runtime_code"))
		say("the OpenMP runtime never reports: %s; the profile is coarser for it", missing);
	if (!is_again++)
		atexit(before_runtime_ends);
	if (tool.get_state && tool.get_task_info)
		__atomic_store_n(&tool.has_ompt, 1, __ATOMIC_RELEASE);
	return 1;
}

/*
 * The runtime's inquiry functions must not be called any more. The process need not end now
 * (omp_pause_resource_all), so sampling continues, as in a process without OpenMP.
 */
static void finalize(ompt_data_t *tool_data)
{
	device_trace_end_all();
	__atomic_store_n(&tool.has_ompt, 0, __ATOMIC_RELEASE);
}

/* Not every omp-tools.h declares this function: LLVM 19's does, LLVM 14's does not. */
ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(
	unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {
		.initialize = initialize,
		.finalize = finalize,
	};

	if (!tool_is_allowed())
		return NULL;
	if (!tool.has_ompt)
		strncpy(tool.runtime, runtime_version ? runtime_version : "",
			sizeof(tool.runtime) - 1);
	return &result;
}

/* In a child made by fork: closes the descriptors of perf events, which are the parent's. */
static void after_fork_in_child(void)
{
	if (tool_is_inherited())
		thread_close_clocks();
}

/*
 * Under `ompprof run` the program is sampled from its start. In a process that the command did not
 * start itself, a program is sampled only from when it begins to use OpenMP.
 */
__attribute__((constructor)) static void on_load(void)
{
	int saved = errno;

	sigmask_prepare();
	lockdown_prepare();
	if (!tool_is_allowed())
		return;
	tool_prepare();
	pthread_atfork(NULL, NULL, after_fork_in_child);
	if (tool_is_of_command())
		tool_start();
	/* A program begins with errno 0. */
	errno = saved;
}

__attribute__((destructor)) static void on_exit_process(void)
{
	tool_stop();
}
