/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every callback of OMPT: its form in a script, and how it is sent. Each has a row:
 *
 *   X(NAME, "ARGUMENT...", the arguments of ompt_callback_NAME); XI if it returns an int
 *
 * ARGUMENT is `name:kind`, by place, or `name:kind=default`, by name; they are the values v[0],
 * v[1], ... of a step. Kinds: object, number, text, wait_id (of a mutex, by name or number), data
 * (an address: a function of the user's, a number, or - for NULL), a list of words.c. At the end
 * `deps` and `maps` can follow, which are items of the step.
 *
 * The arguments of the callback are made of parts of struct sending: V(i) is a value, DATA(i) the
 * ompt_data_t of an object, PLACE(i) its address as an ompt_id_t. TASK, PARALLEL, FRAME and RA can
 * be set for all events.
 */
#ifndef OMPPROF_TESTS_RUNTIME_EVENTS_H
#define OMPPROF_TESTS_RUNTIME_EVENTS_H

#include <omp-tools.h>

/* clang-format off */
#define EVENTS(X, XI) \
	X(thread_begin, "type:thread", (ompt_thread_t)V(0), s->thread) \
	X(thread_end, "", s->thread) \
	X(parallel_begin, "region:object n:number=1 flags:parallel_flag=program,team", \
		TASK, FRAME, DATA(0), (unsigned)V(1), (int)V(2), RA) \
	X(parallel_end, "region:object flags:parallel_flag=program,team", DATA(0), TASK, (int)V(1), RA) \
	X(implicit_task, "endpoint:endpoint region:object own:object n:number=1 index:number=0 flags:task_flag=implicit", \
		(ompt_scope_endpoint_t)V(0), DATA(1), DATA(2), (unsigned)V(3), (unsigned)V(4), (int)V(5)) \
	X(work, "kind:work endpoint:endpoint count:number=0", \
		(ompt_work_t)V(0), (ompt_scope_endpoint_t)V(1), PARALLEL, TASK, V(2), RA) \
	X(dispatch, "kind:dispatch what:data begin:number=0 count:number=0", \
		PARALLEL, TASK, (ompt_dispatch_t)V(0), s->instance) \
	X(task_create, "new:object flags:task_flag=explicit deps:number=0", \
		TASK, FRAME, DATA(0), (int)V(1), (int)V(2), RA) \
	X(dependences, "of:object deps", DATA(0), s->deps, (int)s->step->n_items) \
	X(task_dependence, "first:object second:object", DATA(0), DATA(1)) \
	X(task_schedule, "prior:object status:task_status next:object", \
		DATA(0), (ompt_task_status_t)V(1), DATA(2)) \
	X(masked, "endpoint:endpoint", (ompt_scope_endpoint_t)V(0), PARALLEL, TASK, RA) \
	X(sync_region, "kind:sync_region endpoint:endpoint", \
		(ompt_sync_region_t)V(0), (ompt_scope_endpoint_t)V(1), PARALLEL, TASK, RA) \
	X(sync_region_wait, "kind:sync_region endpoint:endpoint", \
		(ompt_sync_region_t)V(0), (ompt_scope_endpoint_t)V(1), PARALLEL, TASK, RA) \
	X(reduction, "kind:sync_region endpoint:endpoint", \
		(ompt_sync_region_t)V(0), (ompt_scope_endpoint_t)V(1), PARALLEL, TASK, RA) \
	X(lock_init, "kind:mutex mutex:wait_id hint:number=0 impl:number=0", \
		(ompt_mutex_t)V(0), (unsigned)V(2), (unsigned)V(3), V(1), RA) \
	X(lock_destroy, "kind:mutex mutex:wait_id", (ompt_mutex_t)V(0), V(1), RA) \
	X(mutex_acquire, "kind:mutex mutex:wait_id hint:number=0 impl:number=0", \
		(ompt_mutex_t)V(0), (unsigned)V(2), (unsigned)V(3), V(1), RA) \
	X(mutex_acquired, "kind:mutex mutex:wait_id", (ompt_mutex_t)V(0), V(1), RA) \
	X(mutex_released, "kind:mutex mutex:wait_id", (ompt_mutex_t)V(0), V(1), RA) \
	X(nest_lock, "endpoint:endpoint mutex:wait_id", (ompt_scope_endpoint_t)V(0), V(1), RA) \
	X(flush, "", s->thread, RA) \
	X(cancel, "flags:cancel", TASK, (int)V(0), RA) \
	X(error, "severity:severity text:text", \
		(ompt_severity_t)V(0), s->step->text, s->step->text ? strlen(s->step->text) : 0, RA) \
	XI(control_tool, "command:number modifier:number arg:data=- returns:number=0 name:text=-", \
		V(0), V(1), s->step->text ? (void *)s->step->text : (void *)V(2), RA) \
	X(target, "kind:target endpoint:endpoint device:number=0 id:number=1", \
		(ompt_target_t)V(0), (ompt_scope_endpoint_t)V(1), (int)V(2), TASK, V(3), RA) \
	X(target_emi, "kind:target endpoint:endpoint target:object device:number=0 target_task:object=-", \
		(ompt_target_t)V(0), (ompt_scope_endpoint_t)V(1), (int)V(3), TASK, DATA(4), DATA(2), RA) \
	X(target_data_op, "kind:data_op id:number=1 op:number=1 src:data=0 src_device:number=0 dest:data=0 " \
		"dest_device:number=0 bytes:number=0", \
		V(1), V(2), (ompt_target_data_op_t)V(0), (void *)V(3), (int)V(4), (void *)V(5), (int)V(6), V(7), RA) \
	X(target_data_op_emi, "endpoint:endpoint kind:data_op target:object op:object src:data=0 src_device:number=0 " \
		"dest:data=0 dest_device:number=0 bytes:number=0 target_task:object=-", \
		(ompt_scope_endpoint_t)V(0), DATA(9), DATA(2), PLACE(3), (ompt_target_data_op_t)V(1), (void *)V(4), \
		(int)V(5), (void *)V(6), (int)V(7), V(8), RA) \
	X(target_submit, "id:number=1 op:number=1 teams:number=1", V(0), V(1), (unsigned)V(2)) \
	X(target_submit_emi, "endpoint:endpoint target:object op:object teams:number=1", \
		(ompt_scope_endpoint_t)V(0), DATA(1), PLACE(2), (unsigned)V(3)) \
	X(target_map, "id:number=1 maps", \
		V(0), s->step->n_items, s->host, s->device, s->bytes, s->flags, RA) \
	X(target_map_emi, "target:object maps", \
		DATA(0), s->step->n_items, s->host, s->device, s->bytes, s->flags, RA) \
	X(device_initialize, "device:number type:text=gpu lookup:number=1", \
		(int)V(0), s->step->text, device_of((int)V(0)), V(2) ? device_lookup : NULL, NULL) \
	X(device_finalize, "device:number", (int)V(0)) \
	X(device_load, "device:number file:text=- offset:number=0 vma:data=- bytes:number=0 host:data=0 address:data=0 " \
		"module:number=0", \
		(int)V(0), s->step->text, (int64_t)V(2), (void *)V(3), V(4), (void *)V(5), (void *)V(6), V(7)) \
	X(device_unload, "device:number module:number=0", (int)V(0), V(1))
/* clang-format on */

#endif
