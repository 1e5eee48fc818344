/* SPDX-License-Identifier: Apache-2.0 */
/* Cancellation. libgomp tells its caller whether the construct is cancelled. */

#include "gomp/gomp.h"

/* The constructs of GOMP_cancel are the bits of ompt_cancel_flag_t but for the order. */
static int flags_of(int which)
{
	return (which & 1 ? ompt_cancel_parallel : 0) | (which & 2 ? ompt_cancel_loop : 0) |
	       (which & 4 ? ompt_cancel_sections : 0) | (which & 8 ? ompt_cancel_taskgroup : 0);
}

_Bool GOMP_cancel(int which, _Bool is_wanted)
{
	_Bool is_cancelled;
	GOMP_PASS_WITHOUT_TOOL(GOMP_cancel, (which, is_wanted));

	is_cancelled = next->GOMP_cancel(which, is_wanted);
	if (is_cancelled)
		GOMP_TELL(cancel, &task->data,
			flags_of(which) |
				(is_wanted ? ompt_cancel_activated : ompt_cancel_detected),
			GOMP_CALLER);
	return is_cancelled;
}

_Bool GOMP_cancellation_point(int which)
{
	_Bool is_cancelled;
	GOMP_PASS_WITHOUT_TOOL(GOMP_cancellation_point, (which));

	is_cancelled = next->GOMP_cancellation_point(which);
	if (is_cancelled)
		GOMP_TELL(cancel, &task->data, flags_of(which) | ompt_cancel_detected, GOMP_CALLER);
	return is_cancelled;
}
