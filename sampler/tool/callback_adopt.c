/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads whose first event comes without thread_begin; see callback_adopt.h. Not for the signal
 * handler.
 */
#include "sampler/tool/callback_adopt.h"

struct thread *callback_adopt(uint32_t type)
{
	if (tool_is_inherited())
		tool_start();
	return tool_is_on() ? thread_adopt(type) : NULL;
}
