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

#define HEAD(event)                                                                                \
	.type = ompt_callback_##event, .time = 1001, .thread_id = 1002, .target_id = 1003

struct expected {
	ompt_record_ompt_t given;
	struct device_trace_record want;
};

/* Operations; a record of any other type gives only the common part. */
static const struct expected operations[] = {
	{ { HEAD(target_data_op), .record.target_data_op = { 5, ompt_target_data_transfer_to_device,
					  NULL, 1, NULL, 2, 4096, 1009, NULL } },
		{ .op = DEVICE_TRACE_TO_DEVICE, .host_op_id = 5, .bytes = 4096, .end = 1009 } },
	{ { HEAD(target_data_op_emi),
		  .record.target_data_op = { 6, ompt_target_data_transfer_from_device_async, NULL,
			  -1, NULL, 0, 1, 2, NULL } },
		{ .op = DEVICE_TRACE_FROM_DEVICE, .host_op_id = 6, .bytes = 1, .end = 2 } },
	{ { HEAD(target_submit), .record.target_kernel = { 5, 64, 32, 1009 } },
		{ .op = DEVICE_TRACE_KERNEL, .host_op_id = 5, .end = 1009 } },
	{ { HEAD(target_submit_emi), .record.target_kernel = { 7, 64, 32, 1010 } },
		{ .op = DEVICE_TRACE_KERNEL, .host_op_id = 7, .end = 1010 } },
};

static void check_equal(
	const struct device_trace_record *got, const struct device_trace_record *want)
{
	assert_int_equal(got->op, want->op);
	assert_int_equal(got->host_op_id, want->host_op_id);
	assert_int_equal(got->end, want->end);
	assert_int_equal(got->bytes, want->bytes);
}

/* The types from the first to the last of the specification have records, but devices' own events do not. */
static int has_record(uint32_t type)
{
	return type >= ompt_callback_thread_begin && type <= ompt_callback_error &&
	       (type < ompt_callback_device_initialize || type > ompt_callback_device_unload);
}

static int is_operation(uint32_t type)
{
	return type == ompt_callback_target_data_op || type == ompt_callback_target_data_op_emi ||
	       type == ompt_callback_target_submit || type == ompt_callback_target_submit_emi;
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

static void test_operations(void **state)
{
	struct device_trace_record record;

	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		const struct expected *one = &operations[i];

		assert_int_equal(
			read_of(&record, &one->given, device_trace_record_bytes(one->given.type)),
			DEVICE_TRACE_OK);
		assert_int_equal(record.type, one->given.type);
		assert_int_equal(record.time, 1001);
		assert_int_equal(record.target_id, 1003);
		check_equal(&record, &one->want);
	}
}

static void test_every_type(void **state)
{
	static const struct device_trace_record none;
	ompt_record_ompt_t given;
	struct device_trace_record record;

	for (uint32_t type = 0; type < 5000; type++) {
		memset(&given, 0xff, sizeof(given));
		given.type = type;
		given.time = 1001;
		given.target_id = 1003;
		assert_int_equal(read_of(&record, &given, sizeof(given)),
			has_record(type) ? DEVICE_TRACE_OK : DEVICE_TRACE_UNKNOWN);
		assert_int_equal(device_trace_record_bytes(type) != 0, has_record(type));
		assert_int_equal(record.type, type);
		assert_int_equal(record.time, has_record(type) ? 1001 : 0);
		assert_int_equal(record.target_id, has_record(type) ? 1003 : 0);
		if (!is_operation(type))
			check_equal(&record, &none);
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

/* A copy of an ompt_record_ompt_t has room for each record, also where its union has no error. */
static void test_every_length(void **state)
{
	ompt_record_ompt_t given = { .time = 1 };
	struct device_trace_record record;

	for (uint32_t type = 1; type <= ompt_callback_error; type++) {
		size_t whole = device_trace_record_bytes(type);

		assert_true(whole <= sizeof(given));
		given.type = type;
		for (size_t n = 0; has_record(type) && n <= sizeof(given); n++) {
			assert_int_equal(read_of(&record, &given, n),
				n < whole ? DEVICE_TRACE_SHORT : DEVICE_TRACE_OK);
			assert_int_equal(record.type, n < sizeof(type) ? 0 : type);
		}
	}
}

static void test_abstract(void **state)
{
	ompt_record_abstract_t given = { ompt_record_native_event, "kernel", 5, 9, 3 };
	struct device_trace_record record;

	assert_int_equal(
		device_trace_record_read_abstract(&record, &given, sizeof(given)), DEVICE_TRACE_OK);
	check_equal(&record, &(struct device_trace_record){ .op = DEVICE_TRACE_NATIVE, .end = 9 });
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
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_every_type),
		cmocka_unit_test(test_operations_on_data),
		cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_abstract),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests_name("trace_record", tests, NULL, NULL);
}
