/* SPDX-License-Identifier: Apache-2.0 */
/* Critical and ordered sections, and atomic operations that the hardware does not have. */
#include "gomp/mutex.h"

/* Defines a pair of functions of libgomp. ID is the wait id. */
#define MUTEX(start, end, parameters, arguments, kind, ID)                                         \
	void start parameters                                                                      \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(start, arguments);                                          \
                                                                                                   \
		gomp_ask_mutex(task, ompt_mutex_##kind, ompt_state_wait_##kind, ID, GOMP_FRAME,    \
			GOMP_CALLER);                                                              \
		next->start arguments;                                                             \
		gomp_get_mutex(task, ompt_mutex_##kind, ID, GOMP_CALLER);                          \
	}                                                                                          \
	void end parameters                                                                        \
	{                                                                                          \
		GOMP_PASS_WITHOUT_TOOL(end, arguments);                                            \
                                                                                                   \
		next->end arguments;                                                               \
		GOMP_TELL(mutex_released, ompt_mutex_##kind, ID, GOMP_CALLER);                     \
	}

MUTEX(GOMP_critical_start, GOMP_critical_end, (void), (), critical,
	(ompt_wait_id_t)(uintptr_t)&next->critical)
MUTEX(GOMP_critical_name_start, GOMP_critical_name_end, (void **name), (name), critical,
	(ompt_wait_id_t)(uintptr_t)name)
MUTEX(GOMP_atomic_start, GOMP_atomic_end, (void), (), atomic,
	(ompt_wait_id_t)(uintptr_t)&next->atomic)
MUTEX(GOMP_ordered_start, GOMP_ordered_end, (void), (), ordered,
	(ompt_wait_id_t)(uintptr_t)&next->ordered)
/* GCC 17 calls these for a reduction of several variables; older GCCs call GOMP_atomic_*. */
MUTEX(GOMP_reduction_start, GOMP_reduction_end, (void), (), atomic,
	(ompt_wait_id_t)(uintptr_t)&next->atomic)
