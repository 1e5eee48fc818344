/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OMPT callbacks. They keep each thread's context current for the thread's handler (its tasks,
 * its regions, its wait), and capture creation paths. Each callback runs on the thread that it is
 * about, keeps the handler out while it works, and returns at once in a process that did not start
 * the tool (a child made by fork). on_control_tool is in control.h.
 */
#ifndef OMPPROF_SAMPLER_TOOL_EVENTS_H
#define OMPPROF_SAMPLER_TOOL_EVENTS_H

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Registers the callbacks that the runtime has. A missing callback makes the profile coarser:
 * `missing` (of `bytes`) gets the names, "" if none is missing. Owning thread only.
 */
void callbacks_register(ompt_set_callback_t set_callback, char *missing, size_t bytes);

/*
 * The callback that counts this event (count.h). Where the event has another callback, it calls
 * that, too. NULL if the user did not ask for the event (tool.settings.events), or if it cannot be
 * counted. Owning thread only.
 */
ompt_callback_t events_counted_callback(ompt_callbacks_t event);

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
void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
	ompt_data_t *task_data, ompt_data_t *target_task_data, ompt_data_t *target_data,
	const void *codeptr_ra);
void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
	ompt_data_t *task_data, ompt_id_t target_id, const void *codeptr_ra);
void on_target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task_data,
	ompt_data_t *target_data, ompt_id_t *host_op_id, ompt_target_data_op_t optype,
	void *src_addr, int src_device_num, void *dest_addr, int dest_device_num, size_t bytes,
	const void *codeptr_ra);
void on_target_data_op(ompt_id_t target_id, ompt_id_t host_op_id, ompt_target_data_op_t optype,
	void *src_addr, int src_device_num, void *dest_addr, int dest_device_num, size_t bytes,
	const void *codeptr_ra);
void on_target_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_data,
	ompt_id_t *host_op_id, unsigned int requested_num_teams);
void on_target_submit(ompt_id_t target_id, ompt_id_t host_op_id, unsigned int requested_num_teams);
void on_target_map_emi(ompt_data_t *target_data, unsigned int nitems, void **host_addr,
	void **device_addr, size_t *bytes, unsigned int *mapping_flags, const void *codeptr_ra);
void on_target_map(ompt_id_t target_id, unsigned int nitems, void **host_addr, void **device_addr,
	size_t *bytes, unsigned int *mapping_flags, const void *codeptr_ra);
void on_device_initialize(int device_num, const char *type, ompt_device_t *device,
	ompt_function_lookup_t lookup, const char *documentation);
void on_device_finalize(int device_num);
void on_device_load(int device_num, const char *filename, int64_t offset_in_file, void *vma_in_file,
	size_t bytes, void *host_addr, void *device_addr, uint64_t module_id);
void on_device_unload(int device_num, uint64_t module_id);

/* Events of the region fast path (region_fast.h) when it is not their turn. Owning thread only. */
void event_parallel_begin(
	const ompt_frame_t *frame, ompt_data_t *parallel_data, int flags, const void *codeptr_ra);
void event_parallel_end(int flags);
void event_implicit_task(ompt_scope_endpoint_t endpoint, const ompt_data_t *parallel_data,
	ompt_data_t *task_data, unsigned int n_threads, unsigned int index, int flags);
void event_sync_region_wait(uint32_t kind, ompt_scope_endpoint_t endpoint, const void *codeptr_ra);

#endif
