/* SPDX-License-Identifier: Apache-2.0 */
/* Trace records of every type, cut at every length, and of any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sampler/devices/device_trace_record.h"

#define RA ((const void *)0x401234)

/* One of each type; what its fields have is told apart by the numbers. */
#define HEAD(event)                                                                                \
	.type = ompt_callback_##event, .time = 1001, .thread_id = 1002, .target_id = 1003

/* What its type gives, beside the common part. */
struct expected {
	ompt_record_ompt_t given;
	struct device_trace_record want;
};

static const struct expected all[] = {
	{ { HEAD(thread_begin), .record.thread_begin = { ompt_thread_worker } }, { .kind = 2 } },
	{ { HEAD(thread_end) }, { .kind = 0 } },
	{ { HEAD(parallel_begin), .record.parallel_begin = { 1, 2, 3, 4, RA } },
		{ .id = 2, .other_id = 1, .count = 3, .flags = 4, .codeptr = 0x401234 } },
	{ { HEAD(parallel_end), .record.parallel_end = { 1, 2, 3, RA } },
		{ .id = 1, .other_id = 2, .flags = 3, .codeptr = 0x401234 } },
	{ { HEAD(work),
		  .record.work = { ompt_work_sections, ompt_scope_end, 1, 2, UINT64_MAX, RA } },
		{ .kind = 2,
			.endpoint = 2,
			.id = 1,
			.other_id = 2,
			.count = UINT64_MAX,
			.codeptr = 0x401234 } },
	{ { HEAD(dispatch), .record.dispatch = { 1, 2, ompt_dispatch_section, { 77 } } },
		{ .kind = 2, .id = 1, .other_id = 2, .given = 77 } },
	{ { HEAD(task_create), .record.task_create = { 1, 2, ompt_task_explicit, 1, RA } },
		{ .id = 1, .other_id = 2, .flags = 4, .count = 1, .codeptr = 0x401234 } },
	{ { HEAD(dependences),
		  .record.dependences = { 1, { { 0x5000 }, ompt_dependence_type_inout }, 9 } },
		{ .id = 1, .given = 0x5000, .kind = 3, .count = 9 } },
	{ { HEAD(task_dependence), .record.task_dependence = { 1, 2 } },
		{ .id = 1, .other_id = 2 } },
	{ { HEAD(task_schedule), .record.task_schedule = { 1, ompt_task_switch, 2 } },
		{ .id = 1, .other_id = 2, .kind = 7 } },
	{ { HEAD(implicit_task), .record.implicit_task = { ompt_scope_begin, 1, 2, 3, 4, 5 } },
		{ .endpoint = 1, .id = 1, .other_id = 2, .count = 3, .given = 4, .flags = 5 } },
	{ { HEAD(masked), .record.masked = { ompt_scope_begin, 1, 2, RA } },
		{ .endpoint = 1, .id = 1, .other_id = 2, .codeptr = 0x401234 } },
	{ { HEAD(sync_region),
		  .record.sync_region = { ompt_sync_region_taskwait, ompt_scope_end, 1, 2, RA } },
		{ .kind = 5, .endpoint = 2, .id = 1, .other_id = 2, .codeptr = 0x401234 } },
	{ { HEAD(sync_region_wait),
		  .record.sync_region = { ompt_sync_region_taskgroup, ompt_scope_end, 1, 2, RA } },
		{ .kind = 6, .endpoint = 2, .id = 1, .other_id = 2, .codeptr = 0x401234 } },
	{ { HEAD(reduction), .record.sync_region = { ompt_sync_region_reduction, ompt_scope_begin,
				     1, 2, RA } },
		{ .kind = 7, .endpoint = 1, .id = 1, .other_id = 2, .codeptr = 0x401234 } },
	{ { HEAD(mutex_acquire), .record.mutex_acquire = { ompt_mutex_critical, 1, 2, 3, RA } },
		{ .kind = 5, .count = 1, .given = 2, .id = 3, .codeptr = 0x401234 } },
	{ { HEAD(lock_init), .record.mutex_acquire = { ompt_mutex_nest_lock, 1, 2, 3, RA } },
		{ .kind = 3, .count = 1, .given = 2, .id = 3, .codeptr = 0x401234 } },
	{ { HEAD(mutex_acquired), .record.mutex = { ompt_mutex_lock, 3, RA } },
		{ .kind = 1, .id = 3, .codeptr = 0x401234 } },
	{ { HEAD(mutex_released), .record.mutex = { ompt_mutex_ordered, 3, RA } },
		{ .kind = 7, .id = 3, .codeptr = 0x401234 } },
	{ { HEAD(lock_destroy), .record.mutex = { ompt_mutex_lock, 4, RA } },
		{ .kind = 1, .id = 4, .codeptr = 0x401234 } },
	{ { HEAD(nest_lock), .record.nest_lock = { ompt_scope_begin, 3, RA } },
		{ .endpoint = 1, .id = 3, .codeptr = 0x401234 } },
	{ { HEAD(flush), .record.flush = { RA } }, { .codeptr = 0x401234 } },
	{ { HEAD(cancel), .record.cancel = { 1, ompt_cancel_activated, RA } },
		{ .id = 1, .flags = 16, .codeptr = 0x401234 } },
	{ { HEAD(target), .record.target = { ompt_target_update, ompt_scope_end, -2, 1, 2, RA } },
		{ .kind = 4,
			.endpoint = 2,
			.source = -2,
			.id = 2,
			.other_id = 1,
			.codeptr = 0x401234 } },
	{ { HEAD(target_emi), .record.target = { ompt_target, ompt_scope_begin, 7, 1, 2, RA } },
		{ .kind = 1,
			.endpoint = 1,
			.source = 7,
			.id = 2,
			.other_id = 1,
			.codeptr = 0x401234 } },
	{ { HEAD(target_data_op), .record.target_data_op = { 5, ompt_target_data_transfer_to_device,
					  NULL, 1, NULL, 2, 4096, 1009, RA } },
		{ .op = DEVICE_TRACE_TO_DEVICE,
			.host_op_id = 5,
			.kind = 2,
			.source = 1,
			.sink = 2,
			.count = 4096,
			.end = 1009,
			.codeptr = 0x401234 } },
	{ { HEAD(target_data_op_emi),
		  .record.target_data_op = { 6, ompt_target_data_transfer_from_device_async, NULL,
			  -1, NULL, 0, 1, 2, RA } },
		{ .op = DEVICE_TRACE_FROM_DEVICE,
			.host_op_id = 6,
			.kind = 19,
			.source = -1,
			.count = 1,
			.end = 2,
			.codeptr = 0x401234 } },
	{ { HEAD(target_submit), .record.target_kernel = { 5, 64, 32, 1009 } },
		{ .op = DEVICE_TRACE_KERNEL,
			.host_op_id = 5,
			.count = 64,
			.given = 32,
			.end = 1009 } },
	{ { HEAD(target_submit_emi), .record.target_kernel = { 5, 64, 32, 1009 } },
		{ .op = DEVICE_TRACE_KERNEL,
			.host_op_id = 5,
			.count = 64,
			.given = 32,
			.end = 1009 } },
	{ { HEAD(target_map), .record.target_map = { 2, 3, NULL, NULL, NULL, NULL, RA } },
		{ .id = 2, .count = 3, .codeptr = 0x401234 } },
	{ { HEAD(target_map_emi), .record.target_map = { 2, 3, NULL, NULL, NULL, NULL, RA } },
		{ .id = 2, .count = 3, .codeptr = 0x401234 } },
	{ { HEAD(control_tool), .record.control_tool = { 64, 2, RA } },
		{ .given = 64, .count = 2, .codeptr = 0x401234 } },
};

#define N_ALL (sizeof(all) / sizeof(all[0]))

static void check_equal(
	const struct device_trace_record *got, const struct device_trace_record *want)
{
	assert_int_equal(got->op, want->op);
	assert_int_equal(got->host_op_id, want->host_op_id);
	assert_int_equal(got->end, want->end);
	assert_int_equal(got->kind, want->kind);
	assert_int_equal(got->endpoint, want->endpoint);
	assert_int_equal(got->flags, want->flags);
	assert_int_equal(got->id, want->id);
	assert_int_equal(got->other_id, want->other_id);
	assert_int_equal(got->count, want->count);
	assert_int_equal(got->given, want->given);
	assert_int_equal(got->source, want->source);
	assert_int_equal(got->sink, want->sink);
	assert_int_equal(got->codeptr, want->codeptr);
}

/* The bytes alone in memory of their own, one off what is aligned: what lies beyond is not to be touched. */
static enum device_trace_verdict read_of(
	struct device_trace_record *record, const void *bytes, size_t n)
{
	unsigned char *copy = malloc(n + 1);
	enum device_trace_verdict verdict;

	assert_non_null(copy);
	memcpy(copy + 1, bytes, n);
	verdict = device_trace_record_read(record, copy + 1, n);
	free(copy);
	return verdict;
}

static void test_every_type(void **state)
{
	struct device_trace_record record;

	for (size_t i = 0; i < N_ALL; i++) {
		const struct expected *one = &all[i];

		assert_int_equal(
			read_of(&record, &one->given, device_trace_record_bytes(one->given.type)),
			DEVICE_TRACE_OK);
		assert_int_equal(record.type, one->given.type);
		assert_int_equal(record.time, 1001);
		assert_int_equal(record.thread_id, 1002);
		assert_int_equal(record.target_id, 1003);
		check_equal(&record, &one->want);
	}
}

/* The union of older headers has no error, which is no longer than its others. */
static void test_error(void **state)
{
	ompt_record_ompt_t given = { HEAD(error) };
	ompt_record_error_t error = { ompt_fatal, "a message that is not followed", 30, RA };
	struct device_trace_record record;

	memcpy(&given.record, &error, sizeof(error));
	assert_int_equal(read_of(&record, &given, device_trace_record_bytes(ompt_callback_error)),
		DEVICE_TRACE_OK);
	check_equal(&record,
		&(struct device_trace_record){ .kind = 2, .count = 30, .codeptr = 0x401234 });
}

static int has_record(uint32_t type)
{
	if (type == ompt_callback_error)
		return 1;
	for (size_t i = 0; i < N_ALL; i++) {
		if (all[i].given.type == type)
			return 1;
	}
	return 0;
}

/* Devices' own events have no records, and neither have numbers that the specification does not give. */
static void test_no_type_is_forgotten(void **state)
{
	ompt_record_ompt_t given = { .time = 1 };
	struct device_trace_record record;

	for (uint32_t type = 0; type < 5000; type++) {
		int is_known = has_record(type);

		given.type = type;
		assert_int_equal(read_of(&record, &given, sizeof(given)),
			is_known ? DEVICE_TRACE_OK : DEVICE_TRACE_UNKNOWN);
		assert_int_equal(device_trace_record_bytes(type) != 0, is_known);
		assert_int_equal(record.type, type);
		/* All but these, from the first to the last of the specification. */
		assert_int_equal(is_known, type >= ompt_callback_thread_begin &&
						   type <= ompt_callback_error &&
						   (type < ompt_callback_device_initialize ||
							   type > ompt_callback_device_unload));
	}
}

static void test_operations_on_data(void **state)
{
	static const uint8_t ops[] = { [1] = DEVICE_TRACE_OTHER_DATA,
		[2] = DEVICE_TRACE_TO_DEVICE,
		[3] = DEVICE_TRACE_FROM_DEVICE,
		[4] = DEVICE_TRACE_OTHER_DATA,
		[5] = DEVICE_TRACE_OTHER_DATA,
		[6] = DEVICE_TRACE_OTHER_DATA,
		[17] = DEVICE_TRACE_OTHER_DATA,
		[18] = DEVICE_TRACE_TO_DEVICE,
		[19] = DEVICE_TRACE_FROM_DEVICE,
		[20] = DEVICE_TRACE_OTHER_DATA };
	ompt_record_ompt_t given = { HEAD(target_data_op) };
	struct device_trace_record record;

	for (uint32_t i = 0; i < 40; i++) {
		uint8_t op = i < sizeof(ops) && ops[i] ? ops[i] : DEVICE_TRACE_OTHER_DATA;

		memcpy(&given.record.target_data_op.optype, &i, sizeof(i));
		assert_int_equal(read_of(&record, &given, sizeof(given)), DEVICE_TRACE_OK);
		assert_int_equal(record.op, op);
	}
}

static void test_every_length(void **state)
{
	struct device_trace_record record;

	for (size_t i = 0; i < N_ALL; i++) {
		size_t whole = device_trace_record_bytes(all[i].given.type);

		for (size_t n = 0; n <= sizeof(all[i].given); n++) {
			enum device_trace_verdict verdict = read_of(&record, &all[i].given, n);

			assert_int_equal(verdict, n < whole ? DEVICE_TRACE_SHORT : DEVICE_TRACE_OK);
			if (n >= 4)
				assert_int_equal(record.type, all[i].given.type);
		}
	}
}

static void test_abstract(void **state)
{
	ompt_record_abstract_t given = { ompt_record_native_event, "kernel", 5, 9, 3 };
	struct device_trace_record record;

	assert_int_equal(
		device_trace_record_read_abstract(&record, &given, sizeof(given)), DEVICE_TRACE_OK);
	check_equal(&record, &(struct device_trace_record){
				     .op = DEVICE_TRACE_NATIVE, .kind = 2, .end = 9, .given = 3 });
	assert_int_equal(record.time, 5);
	assert_int_equal(record.type, 0);
	given.rclass = ompt_record_native_info;
	assert_int_equal(
		device_trace_record_read_abstract(&record, &given, sizeof(given)), DEVICE_TRACE_OK);
	assert_int_equal(record.op, DEVICE_TRACE_NO_OP);
	given.rclass = (ompt_record_native_t)3;
	assert_int_equal(device_trace_record_read_abstract(&record, &given, sizeof(given)),
		DEVICE_TRACE_UNKNOWN);
	for (size_t n = 0; n < sizeof(given); n++)
		assert_int_equal(
			device_trace_record_read_abstract(&record, &given, n), DEVICE_TRACE_SHORT);
}

/* Any bytes: no more than they are is read (AddressSanitizer), and the verdict is what type and length say. */
static void test_any_bytes(void **state)
{
	unsigned char bytes[128];
	struct device_trace_record record;
	uint64_t random = 88172645463325252ULL;

	for (int turn = 0; turn < 200000; turn++) {
		size_t n = (random >> 20) % sizeof(bytes), whole;
		uint32_t type = (uint32_t)(random >> 40) % 64;

		for (size_t i = 0; i < sizeof(bytes); i++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			bytes[i] = (unsigned char)(random >> 32);
		}
		if (turn % 8)
			memcpy(bytes, &type, sizeof(type));
		memcpy(&type, bytes, sizeof(type));
		whole = device_trace_record_bytes(type);
		assert_int_equal(read_of(&record, bytes, n), n < 4        ? DEVICE_TRACE_SHORT
							     : whole == 0 ? DEVICE_TRACE_UNKNOWN
							     : n < whole  ? DEVICE_TRACE_SHORT
									  : DEVICE_TRACE_OK);
		device_trace_record_read_abstract(&record, bytes, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_type),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_no_type_is_forgotten),
		cmocka_unit_test(test_operations_on_data),
		cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_abstract),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests_name("trace_record", tests, NULL, NULL);
}
