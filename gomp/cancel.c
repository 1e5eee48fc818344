/* SPDX-License-Identifier: Apache-2.0 */
/* Cancellation. libgomp tells its caller whether the region, loop or taskgroup is cancelled. */
#include <stddef.h>

#include "gomp/gomp.h"

/* The constructs of GOMP_cancel are the bits of ompt_cancel_flag_t but for the order. */
static int flags_of(int which)
{
	return (which & 1 ? ompt_cancel_parallel : 0) | (which & 2 ? ompt_cancel_loop : 0) |
	       (which & 4 ? ompt_cancel_sections : 0) | (which & 8 ? ompt_cancel_taskgroup : 0);
}

static void tell(const struct gomp_functions *next, int which, int how, const void *caller)
{
	struct gomp_task *task = gomp_task(&gomp_self, next);

	if (task)
		GOMP_TELL(cancel, &task->data, flags_of(which) | how, caller);
}

_Bool GOMP_cancel(int which, _Bool is_wanted)
{
	const struct gomp_functions *next = gomp_next(GOMP_CALLER);
	_Bool is_cancelled = next->GOMP_cancel(which, is_wanted);

	if (is_cancelled)
		tell(next, which, is_wanted ? ompt_cancel_activated : ompt_cancel_detected,
			GOMP_CALLER);
	return is_cancelled;
}

_Bool GOMP_cancellation_point(int which)
{
	const struct gomp_functions *next = gomp_next(GOMP_CALLER);
	_Bool is_cancelled = next->GOMP_cancellation_point(which);

	if (is_cancelled)
		tell(next, which, ompt_cancel_detected, GOMP_CALLER);
	return is_cancelled;
}
