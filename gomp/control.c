/* SPDX-License-Identifier: Apache-2.0 */
/* omp_control_tool (OpenMP 5.1, 3.14), which libgomp does not have. */
#include "gomp/gomp.h"

/* The routine's results if no tool gets the command. */
enum {
	NO_TOOL = -2,
	NO_CALLBACK = -1,
};

int omp_control_tool(int command, int modifier, void *arg)
{
	const struct gomp_functions *next = gomp_try_next(GOMP_CALLER);
	ompt_callback_control_tool_t callback;

	if (next && next->omp_control_tool)
		return next->omp_control_tool(command, modifier, arg);
	if (!next || !gomp_task(&gomp_self, next))
		return NO_TOOL;
	callback = (ompt_callback_control_tool_t)provider.callback[ompt_callback_control_tool];
	if (!callback)
		return NO_CALLBACK;
	return callback((uint64_t)command, (uint64_t)modifier, arg, GOMP_CALLER);
}
