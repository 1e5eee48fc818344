/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks that callbacks.c registers; see there. Owning thread only. */
#ifndef OMPPROF_SAMPLER_EVENTS_H
#define OMPPROF_SAMPLER_EVENTS_H

#include <omp-tools.h>

/* Owning thread only. */
void on_parallel_begin(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *parallel_data,
	unsigned int requested_parallelism, int flags, const void *codeptr_ra);
void on_parallel_end(ompt_data_t *parallel_data, ompt_data_t *encountering_task_data, int flags,
	const void *codeptr_ra);
void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
	ompt_data_t *task_data, unsigned int actual_parallelism, unsigned int index, int flags);
void on_task_create(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *new_task_data, int flags,
	int has_dependences, const void *codeptr_ra);
void on_task_schedule(ompt_data_t *prior_task_data, ompt_task_status_t prior_task_status,
	ompt_data_t *next_task_data);
void on_task_dependence(ompt_data_t *src_task_data, ompt_data_t *sink_task_data);
void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr_ra);
void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr_ra);
void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
	ompt_wait_id_t wait_id, const void *codeptr_ra);
void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra);
void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *codeptr_ra);
void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra);

#endif
