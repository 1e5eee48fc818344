/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The callbacks of events on the region fast path (region_fast.h), each with the call of the slow
 * path.
 */
#include <omp-tools.h>

#include "sampler/tool/events.h"
#include "sampler/core/region_fast.h"
#include "sampler/threads/region_fast_begin.h"

REGION_FAST_CODE void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr_ra)
{
	if (LIKELY(endpoint == ompt_scope_begin)) {
		if (LIKELY(region_fast_wait(kind, codeptr_ra)))
			return;
	} else if (LIKELY(region_fast_end_wait())) {
		return;
	}
	if (!events_unseen_sync(kind, endpoint, codeptr_ra))
		event_sync_region_wait(kind, endpoint, codeptr_ra);
}

/* Separate, so that its registers are not saved at the end of a task. */
static REGION_FAST_CODE __attribute__((noinline)) void implicit_task_begin(
	ompt_data_t *parallel_data, ompt_data_t *task_data, unsigned int n_threads,
	unsigned int index, int flags)
{
	if (LIKELY(parallel_data && (index ? region_fast_begin_task(parallel_data->value, task_data,
						     n_threads, index)
					   : region_fast_begin_task_own(
						     parallel_data->value, task_data, n_threads))))
		return;
	event_implicit_task(ompt_scope_begin, parallel_data, task_data, n_threads, index, flags);
}

REGION_FAST_CODE void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
	ompt_data_t *task_data, unsigned int actual_parallelism, unsigned int index, int flags)
{
	if (endpoint == ompt_scope_begin)
		implicit_task_begin(parallel_data, task_data, actual_parallelism, index, flags);
	else if (!LIKELY(region_fast_end_task(task_data)))
		event_implicit_task(
			endpoint, parallel_data, task_data, actual_parallelism, index, flags);
}

REGION_FAST_CODE void on_parallel_end(ompt_data_t *parallel_data,
	ompt_data_t *encountering_task_data, int flags, const void *codeptr_ra)
{
	if (!LIKELY(region_fast_end_region()))
		event_parallel_end(flags);
}

REGION_FAST_CODE void on_parallel_begin(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *parallel_data,
	unsigned int requested_parallelism, int flags, const void *codeptr_ra)
{
	if (!LIKELY(region_fast_begin_region(
		    encountering_task_frame, parallel_data, flags, codeptr_ra)))
		event_parallel_begin(encountering_task_frame, parallel_data, flags, codeptr_ra);
}
