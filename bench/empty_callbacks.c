/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tool whose callbacks return at once: what the runtime itself spends on announcing the events that
 * ompprof takes. See captures.sh.
 */
#include <omp-tools.h>
#include <stddef.h>

#include "bench/events.h"

static int initialize(ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t *tool_data)
{
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");

	if (set_callback)
		events_ignore(set_callback);
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
