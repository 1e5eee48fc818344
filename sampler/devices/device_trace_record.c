/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace records; see device_trace_record.h. A table has the offset of each field, so that reading
 * is one loop.
 */
#include "sampler/devices/device_trace_record.h"

#include <string.h>

/*
 * A field of 4 or 8 bytes and its offset in the part of its type. 0 bytes: the type has no such
 * field.
 */
struct field {
	uint8_t at;
	uint8_t bytes;
};

struct shape {
	uint8_t type;  /* ompt_callbacks_t */
	uint8_t bytes; /* bytes of the part of its type */
	struct field kind, endpoint, flags, id, other_id, count, given, host_op_id, end, source,
		sink, codeptr;
};

#define AT(record, member)                                                                         \
	{                                                                                          \
		offsetof(ompt_record_##record##_t, member),                                        \
			sizeof(((ompt_record_##record##_t *)NULL)->member)                         \
	}
/* The first member: its name differs between versions of the header. */
#define FIRST                                                                                      \
	{                                                                                          \
		0, sizeof(uint32_t)                                                                \
	}
#define BYTES(record) sizeof(ompt_record_##record##_t)

#define MUTEX(event)                                                                               \
	{                                                                                          \
		.type = ompt_callback_##event, .bytes = BYTES(mutex), .kind = AT(mutex, kind),     \
		.id = AT(mutex, wait_id), .codeptr = AT(mutex, codeptr_ra)                         \
	}
#define MUTEX_ACQUIRE(event)                                                                       \
	{                                                                                          \
		.type = ompt_callback_##event, .bytes = BYTES(mutex_acquire),                      \
		.kind = AT(mutex_acquire, kind), .id = AT(mutex_acquire, wait_id),                 \
		.count = AT(mutex_acquire, hint), .given = AT(mutex_acquire, impl),                \
		.codeptr = AT(mutex_acquire, codeptr_ra)                                           \
	}
#define SYNC_REGION(event)                                                                         \
	{                                                                                          \
		.type = ompt_callback_##event, .bytes = BYTES(sync_region),                        \
		.kind = AT(sync_region, kind), .endpoint = AT(sync_region, endpoint),              \
		.id = AT(sync_region, parallel_id), .other_id = AT(sync_region, task_id),          \
		.codeptr = AT(sync_region, codeptr_ra)                                             \
	}
#define TARGET(event)                                                                              \
	{                                                                                          \
		.type = ompt_callback_##event, .bytes = BYTES(target), .kind = AT(target, kind),   \
		.endpoint = AT(target, endpoint), .source = AT(target, device_num),                \
		.id = AT(target, target_id), .other_id = AT(target, task_id),                      \
		.codeptr = AT(target, codeptr_ra)                                                  \
	}
#define TARGET_DATA_OP(event)                                                                      \
	{                                                                                          \
		.type = ompt_callback_##event, .bytes = BYTES(target_data_op),                     \
		.kind = AT(target_data_op, optype), .count = AT(target_data_op, bytes),            \
		.host_op_id = AT(target_data_op, host_op_id), .end = AT(target_data_op, end_time), \
		.source = AT(target_data_op, src_device_num),                                      \
		.sink = AT(target_data_op, dest_device_num),                                       \
		.codeptr = AT(target_data_op, codeptr_ra)                                          \
	}
#define TARGET_KERNEL(event)                                                                       \
	{                                                                                          \
		.type = ompt_callback_##event, .bytes = BYTES(target_kernel),                      \
		.count = AT(target_kernel, requested_num_teams),                                   \
		.given = AT(target_kernel, granted_num_teams),                                     \
		.host_op_id = AT(target_kernel, host_op_id), .end = AT(target_kernel, end_time)    \
	}
#define TARGET_MAP(event)                                                                          \
	{                                                                                          \
		.type = ompt_callback_##event, .bytes = BYTES(target_map),                         \
		.id = AT(target_map, target_id), .count = AT(target_map, nitems),                  \
		.codeptr = AT(target_map, codeptr_ra)                                              \
	}

static const struct shape shapes[] = {
	{ .type = ompt_callback_thread_begin, .bytes = BYTES(thread_begin), .kind = FIRST },
	{ .type = ompt_callback_thread_end },
	{ .type = ompt_callback_parallel_begin,
		.bytes = BYTES(parallel_begin),
		.id = AT(parallel_begin, parallel_id),
		.other_id = AT(parallel_begin, encountering_task_id),
		.count = AT(parallel_begin, requested_parallelism),
		.flags = AT(parallel_begin, flags),
		.codeptr = AT(parallel_begin, codeptr_ra) },
	{ .type = ompt_callback_parallel_end,
		.bytes = BYTES(parallel_end),
		.id = AT(parallel_end, parallel_id),
		.other_id = AT(parallel_end, encountering_task_id),
		.flags = AT(parallel_end, flags),
		.codeptr = AT(parallel_end, codeptr_ra) },
	{ .type = ompt_callback_work,
		.bytes = BYTES(work),
		.kind = FIRST,
		.endpoint = AT(work, endpoint),
		.id = AT(work, parallel_id),
		.other_id = AT(work, task_id),
		.count = AT(work, count),
		.codeptr = AT(work, codeptr_ra) },
	{ .type = ompt_callback_dispatch,
		.bytes = BYTES(dispatch),
		.kind = AT(dispatch, kind),
		.id = AT(dispatch, parallel_id),
		.other_id = AT(dispatch, task_id),
		.given = AT(dispatch, instance) },
	{ .type = ompt_callback_task_create,
		.bytes = BYTES(task_create),
		.id = AT(task_create, encountering_task_id),
		.other_id = AT(task_create, new_task_id),
		.flags = AT(task_create, flags),
		.count = AT(task_create, has_dependences),
		.codeptr = AT(task_create, codeptr_ra) },
	{ .type = ompt_callback_dependences,
		.bytes = BYTES(dependences),
		.id = AT(dependences, task_id),
		.given = AT(dependences, dep.variable),
		.kind = AT(dependences, dep.dependence_type),
		.count = AT(dependences, ndeps) },
	{ .type = ompt_callback_task_dependence,
		.bytes = BYTES(task_dependence),
		.id = AT(task_dependence, src_task_id),
		.other_id = AT(task_dependence, sink_task_id) },
	{ .type = ompt_callback_task_schedule,
		.bytes = BYTES(task_schedule),
		.id = AT(task_schedule, prior_task_id),
		.other_id = AT(task_schedule, next_task_id),
		.kind = AT(task_schedule, prior_task_status) },
	{ .type = ompt_callback_implicit_task,
		.bytes = BYTES(implicit_task),
		.endpoint = AT(implicit_task, endpoint),
		.id = AT(implicit_task, parallel_id),
		.other_id = AT(implicit_task, task_id),
		.count = AT(implicit_task, actual_parallelism),
		.given = AT(implicit_task, index),
		.flags = AT(implicit_task, flags) },
	{ .type = ompt_callback_masked,
		.bytes = BYTES(masked),
		.endpoint = AT(masked, endpoint),
		.id = AT(masked, parallel_id),
		.other_id = AT(masked, task_id),
		.codeptr = AT(masked, codeptr_ra) },
	SYNC_REGION(sync_region),
	SYNC_REGION(sync_region_wait),
	SYNC_REGION(reduction),
	MUTEX_ACQUIRE(mutex_acquire),
	MUTEX_ACQUIRE(lock_init),
	MUTEX(mutex_acquired),
	MUTEX(mutex_released),
	MUTEX(lock_destroy),
	{ .type = ompt_callback_nest_lock,
		.bytes = BYTES(nest_lock),
		.endpoint = AT(nest_lock, endpoint),
		.id = AT(nest_lock, wait_id),
		.codeptr = AT(nest_lock, codeptr_ra) },
	{ .type = ompt_callback_flush, .bytes = BYTES(flush), .codeptr = AT(flush, codeptr_ra) },
	{ .type = ompt_callback_cancel,
		.bytes = BYTES(cancel),
		.id = AT(cancel, task_id),
		.flags = AT(cancel, flags),
		.codeptr = AT(cancel, codeptr_ra) },
	TARGET(target),
	TARGET(target_emi),
	TARGET_DATA_OP(target_data_op),
	TARGET_DATA_OP(target_data_op_emi),
	TARGET_KERNEL(target_submit),
	TARGET_KERNEL(target_submit_emi),
	TARGET_MAP(target_map),
	TARGET_MAP(target_map_emi),
	{ .type = ompt_callback_control_tool,
		.bytes = BYTES(control_tool),
		.given = AT(control_tool, command),
		.count = AT(control_tool, modifier),
		.codeptr = AT(control_tool, codeptr_ra) },
	{ .type = ompt_callback_error,
		.bytes = BYTES(error),
		.kind = AT(error, severity),
		.count = AT(error, length),
		.codeptr = AT(error, codeptr_ra) },
};

static const struct shape *shape_of(uint32_t type)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		if (shapes[i].type == type)
			return &shapes[i];
	}
	return NULL;
}

static uint64_t take(const unsigned char *bytes, struct field field)
{
	uint64_t wide = 0;
	uint32_t narrow = 0;

	if (field.bytes == sizeof(narrow)) {
		memcpy(&narrow, bytes + field.at, sizeof(narrow));
		return narrow;
	}
	if (field.bytes == sizeof(wide))
		memcpy(&wide, bytes + field.at, sizeof(wide));
	return wide;
}

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

static enum device_trace_op op_of(const struct device_trace_record *record)
{
	switch (record->type) {
	case ompt_callback_target_submit:
	case ompt_callback_target_submit_emi:
		return DEVICE_TRACE_KERNEL;
	case ompt_callback_target_data_op:
	case ompt_callback_target_data_op_emi:
		return op_of_data(record->kind);
	default:
		return DEVICE_TRACE_NO_OP;
	}
}

static void read_common(struct device_trace_record *record, const unsigned char *bytes)
{
	record->time = take(bytes, (struct field)AT(ompt, time));
	record->thread_id = take(bytes, (struct field)AT(ompt, thread_id));
	record->target_id = take(bytes, (struct field)AT(ompt, target_id));
}

static void read_shape(
	struct device_trace_record *record, const unsigned char *bytes, const struct shape *shape)
{
	record->kind = (uint32_t)take(bytes, shape->kind);
	record->endpoint = (uint32_t)take(bytes, shape->endpoint);
	record->flags = (uint32_t)take(bytes, shape->flags);
	record->id = take(bytes, shape->id);
	record->other_id = take(bytes, shape->other_id);
	record->count = take(bytes, shape->count);
	record->given = take(bytes, shape->given);
	record->host_op_id = take(bytes, shape->host_op_id);
	record->end = take(bytes, shape->end);
	record->source = (int32_t)take(bytes, shape->source);
	record->sink = (int32_t)take(bytes, shape->sink);
	record->codeptr = take(bytes, shape->codeptr);
}

enum device_trace_verdict device_trace_record_read(
	struct device_trace_record *record, const void *bytes, size_t available)
{
	const struct shape *shape;

	*record = (struct device_trace_record){ 0 };
	if (available < sizeof(uint32_t))
		return DEVICE_TRACE_SHORT;
	record->type = (uint32_t)take(bytes, (struct field)AT(ompt, type));
	shape = shape_of(record->type);
	if (!shape)
		return DEVICE_TRACE_UNKNOWN;
	if (available < device_trace_record_bytes(record->type))
		return DEVICE_TRACE_SHORT;
	read_common(record, bytes);
	read_shape(
		record, (const unsigned char *)bytes + offsetof(ompt_record_ompt_t, record), shape);
	record->op = op_of(record);
	return DEVICE_TRACE_OK;
}

enum device_trace_verdict device_trace_record_read_abstract(
	struct device_trace_record *record, const void *bytes, size_t available)
{
	*record = (struct device_trace_record){ 0 };
	if (available < BYTES(abstract))
		return DEVICE_TRACE_SHORT;
	record->kind = (uint32_t)take(bytes, (struct field)AT(abstract, rclass));
	record->time = take(bytes, (struct field)AT(abstract, start_time));
	record->end = take(bytes, (struct field)AT(abstract, end_time));
	record->given = take(bytes, (struct field)AT(abstract, hwid));
	if (record->kind != ompt_record_native_info && record->kind != ompt_record_native_event)
		return DEVICE_TRACE_UNKNOWN;
	record->op =
		record->kind == ompt_record_native_event ? DEVICE_TRACE_NATIVE : DEVICE_TRACE_NO_OP;
	return DEVICE_TRACE_OK;
}

size_t device_trace_record_bytes(uint32_t type)
{
	const struct shape *shape = shape_of(type);

	return shape ? offsetof(ompt_record_ompt_t, record) + shape->bytes : 0;
}
