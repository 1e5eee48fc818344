/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tool whose callbacks return at once: what the runtime itself spends on announcing the events that
 * ompprof takes. See captures.sh.
 */
#include <omp-tools.h>
#include <stddef.h>

static void nothing(void)
{
}

static int initialize(ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t *tool_data)
{
	static const ompt_callbacks_t events[] = { ompt_callback_thread_begin,
		ompt_callback_thread_end, ompt_callback_parallel_begin, ompt_callback_parallel_end,
		ompt_callback_implicit_task, ompt_callback_task_create, ompt_callback_task_schedule,
		ompt_callback_sync_region_wait, ompt_callback_mutex_acquire,
		ompt_callback_mutex_acquired };
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");

	for (size_t i = 0; set_callback && i < sizeof(events) / sizeof(events[0]); i++)
		set_callback(events[i], nothing);
	return 1;
}

static void finalize(ompt_data_t *tool_data)
{
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = {
		.initialize = initialize,
		.finalize = finalize,
	};

	return &result;
}
