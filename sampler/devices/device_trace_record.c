/* SPDX-License-Identifier: Apache-2.0 */
/* Trace records; see device_trace_record.h. */
#include "sampler/devices/device_trace_record.h"

#include <string.h>

enum { COMMON_BYTES = offsetof(ompt_record_ompt_t, record) };

/* The bytes of a record by its type, including the common part; 0: the type has no record. */
static const uint16_t lengths[] = {
#define LENGTH(event, part) [ompt_callback_##event] = COMMON_BYTES + sizeof(ompt_record_##part##_t)
	[ompt_callback_thread_end] = COMMON_BYTES,
	LENGTH(thread_begin, thread_begin),
	LENGTH(parallel_begin, parallel_begin),
	LENGTH(parallel_end, parallel_end),
	LENGTH(work, work),
	LENGTH(dispatch, dispatch),
	LENGTH(task_create, task_create),
	LENGTH(dependences, dependences),
	LENGTH(task_dependence, task_dependence),
	LENGTH(task_schedule, task_schedule),
	LENGTH(implicit_task, implicit_task),
	LENGTH(masked, masked),
	LENGTH(sync_region, sync_region),
	LENGTH(sync_region_wait, sync_region),
	LENGTH(reduction, sync_region),
	LENGTH(mutex_acquire, mutex_acquire),
	LENGTH(lock_init, mutex_acquire),
	LENGTH(mutex_acquired, mutex),
	LENGTH(mutex_released, mutex),
	LENGTH(lock_destroy, mutex),
	LENGTH(nest_lock, nest_lock),
	LENGTH(flush, flush),
	LENGTH(cancel, cancel),
	LENGTH(target, target),
	LENGTH(target_emi, target),
	LENGTH(target_data_op, target_data_op),
	LENGTH(target_data_op_emi, target_data_op),
	LENGTH(target_submit, target_kernel),
	LENGTH(target_submit_emi, target_kernel),
	LENGTH(target_map, target_map),
	LENGTH(target_map_emi, target_map),
	LENGTH(control_tool, control_tool),
	LENGTH(error, error),
#undef LENGTH
};

static enum device_trace_op op_of_data(uint32_t kind)
{
	switch (kind) {
	case ompt_target_data_transfer_to_device:
	case ompt_target_data_transfer_to_device_async:
		return DEVICE_TRACE_TO_DEVICE;
	case ompt_target_data_transfer_from_device:
	case ompt_target_data_transfer_from_device_async:
		return DEVICE_TRACE_FROM_DEVICE;
	default:
		return DEVICE_TRACE_OTHER_DATA;
	}
}

static void read_operation(struct device_trace_record *record, const ompt_record_ompt_t *from)
{
	const ompt_record_target_data_op_t *data = &from->record.target_data_op;
	const ompt_record_target_kernel_t *kernel = &from->record.target_kernel;

	switch (record->type) {
	case ompt_callback_target_submit:
	case ompt_callback_target_submit_emi:
		record->op = DEVICE_TRACE_KERNEL;
		record->host_op_id = kernel->host_op_id;
		record->end = kernel->end_time;
		break;
	case ompt_callback_target_data_op:
	case ompt_callback_target_data_op_emi:
		record->op = op_of_data(data->optype);
		record->host_op_id = data->host_op_id;
		record->end = data->end_time;
		record->bytes = data->bytes;
		break;
	}
}

enum device_trace_verdict device_trace_record_read(
	struct device_trace_record *record, const void *bytes, size_t available)
{
	ompt_record_ompt_t from = { 0 };

	*record = (struct device_trace_record){ 0 };
	if (available < sizeof(record->type))
		return DEVICE_TRACE_SHORT;
	memcpy(&from, bytes, available < sizeof(from) ? available : sizeof(from));
	record->type = from.type;
	if (!device_trace_record_bytes(record->type))
		return DEVICE_TRACE_UNKNOWN;
	if (available < device_trace_record_bytes(record->type))
		return DEVICE_TRACE_SHORT;
	record->time = from.time;
	record->target_id = from.target_id;
	read_operation(record, &from);
	return DEVICE_TRACE_OK;
}

enum device_trace_verdict device_trace_record_read_abstract(
	struct device_trace_record *record, const void *bytes, size_t available)
{
	ompt_record_abstract_t from;

	*record = (struct device_trace_record){ 0 };
	if (available < sizeof(from))
		return DEVICE_TRACE_SHORT;
	memcpy(&from, bytes, sizeof(from));
	if (from.rclass != ompt_record_native_info && from.rclass != ompt_record_native_event)
		return DEVICE_TRACE_UNKNOWN;
	record->time = from.start_time;
	record->end = from.end_time;
	record->op =
		from.rclass == ompt_record_native_event ? DEVICE_TRACE_NATIVE : DEVICE_TRACE_NO_OP;
	return DEVICE_TRACE_OK;
}

size_t device_trace_record_bytes(uint32_t type)
{
	return type < sizeof(lengths) / sizeof(lengths[0]) ? lengths[type] : 0;
}
