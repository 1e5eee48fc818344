/* SPDX-License-Identifier: Apache-2.0 */
/* Devices whose buffers several threads ask for and complete at once, while the host submits: nothing is lost or counted
   twice. Also played with ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/sampler/play_runtime.h"

enum {
	N_THREADS = 4,
	N_BUFFERS = 60,  /* that each of them completes, */
	N_RECORDS = 200, /* with so many records */
	N_DEVICES = 2,
	N_KERNELS = 16, /* that the records are of, in turn */
	N_ASKING = 8,
	N_MOST = 32, /* buffers that there are */
};

static ompt_callback_buffer_request_t request;
static ompt_callback_buffer_complete_t complete;
static ompt_data_t region;
static ompt_id_t kernels[N_KERNELS];
static uint32_t is_over;
static int devices[N_DEVICES];

static ompt_device_time_t get_device_time(ompt_device_t *device)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (ompt_device_time_t)now.tv_sec * 1000000000 + (ompt_device_time_t)now.tv_nsec;
}

static ompt_set_result_t set_trace_ompt(ompt_device_t *device, unsigned enable, unsigned type)
{
	return ompt_set_always;
}

static int start_trace(ompt_device_t *device, ompt_callback_buffer_request_t on_request,
	ompt_callback_buffer_complete_t on_complete)
{
	request = on_request;
	complete = on_complete;
	return 1;
}

/* Records lie one behind the other; a cursor is the next one's number. */
static int advance_buffer_cursor(ompt_device_t *device, ompt_buffer_t *buffer, size_t bytes,
	ompt_buffer_cursor_t current, ompt_buffer_cursor_t *next)
{
	*next = current + 1;
	return (current + 1) * sizeof(ompt_record_ompt_t) < bytes;
}

static ompt_record_t get_record_type(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
	return ompt_record_ompt;
}

static ompt_record_ompt_t *get_record_ompt(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
	return (ompt_record_ompt_t *)buffer + current;
}

static ompt_interface_fn_t device_lookup(const char *name)
{
#define OFFER(function)                                                                            \
	if (strcmp(name, "ompt_" #function) == 0)                                                  \
	return (ompt_interface_fn_t)function
	OFFER(get_device_time);
	OFFER(set_trace_ompt);
	OFFER(start_trace);
	OFFER(advance_buffer_cursor);
	OFFER(get_record_type);
	OFFER(get_record_ompt);
	return NULL;
}

static void initialize(void)
{
	for (int i = 0; i < N_DEVICES; i++)
		EVENT(device_initialize, i, "test", &devices[i], device_lookup, NULL);
}

/* Completes buffers of all devices in turn; the runtime has not said that it begins. */
static void *record(void *data)
{
	uint64_t begin = get_device_time(NULL);

	for (int i = 0; i < N_BUFFERS; i++) {
		ompt_record_ompt_t *records;
		ompt_buffer_t *buffer;
		size_t bytes;

		request(i % N_DEVICES, &buffer, &bytes);
		if (!buffer)
			continue;
		records = buffer;
		memset(records, 0, N_RECORDS * sizeof(*records));
		for (int k = 0; k < N_RECORDS; k++) {
			records[k].type = ompt_callback_target_submit;
			records[k].time = begin;
			records[k].record.target_kernel.end_time = begin + 1000;
			records[k].record.target_kernel.host_op_id = kernels[k % N_KERNELS];
		}
		complete(i % N_DEVICES, buffer, N_RECORDS * sizeof(*records), 0, 1);
	}
	return NULL;
}

static void submit(ompt_id_t *id)
{
	EVENT(target_submit_emi, ompt_scope_begin, &region, id, 1);
	EVENT(target_submit_emi, ompt_scope_end, &region, id, 1);
}

/* Submits as long as the devices record. */
static void *submit_on(void *data)
{
	static ompt_data_t own;
	ompt_id_t id = 0;

	EVENT(thread_begin, ompt_thread_worker, &nothing);
	EVENT(target_emi, ompt_target, ompt_scope_begin, 0, &nothing, NULL, &own, submit_on);
	while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE))
		submit(&id);
	EVENT(target_emi, ompt_target, ompt_scope_end, 0, &nothing, NULL, &own, submit_on);
	EVENT(thread_end, &nothing);
	return NULL;
}

static int record_at_once(void)
{
	pthread_t threads[N_THREADS], submitting;

	initialize();
	EVENT(target_emi, ompt_target, ompt_scope_begin, 0, &nothing, NULL, &region,
		record_at_once);
	for (int i = 0; i < N_KERNELS; i++)
		submit(&kernels[i]);
	pthread_create(&submitting, NULL, submit_on, NULL);
	for (int i = 0; i < N_THREADS; i++)
		pthread_create(&threads[i], NULL, record, NULL);
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
	__atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
	pthread_join(submitting, NULL);
	EVENT(target_emi, ompt_target, ompt_scope_end, 0, &nothing, NULL, &region, record_at_once);
	for (int i = 0; i < N_DEVICES; i++)
		EVENT(device_finalize, i);
	return 0;
}

static void test_at_once(void **state)
{
	const uint64_t each = N_THREADS * N_BUFFERS / N_DEVICES;
	uint64_t n_kernels = 0, n_busy = 0;
	struct profile profile;

	play_profile_of(record_at_once, &profile);
	assert_int_equal(profile.n_devices, N_DEVICES);
	for (int i = 0; i < N_DEVICES; i++) {
		const struct profile_device *device = &profile.devices[i];

		assert_int_equal(device->n_lent, each);
		assert_int_equal(device->n_complete, each);
		assert_int_equal(device->n_records, each * N_RECORDS);
		assert_int_equal(device->ops[0].n, each * N_RECORDS);
		assert_int_equal(device->n_of_type[ompt_callback_target_submit], each * N_RECORDS);
		for (int k = 0; k < PROFILE_TRACE_N_LOSSES; k++)
			assert_int_equal(device->lost[k], 0);
		n_busy += device->busy;
	}
	for (size_t i = 0; i < profile.n_nodes; i++) {
		const struct profile_tree_node *node = &profile.nodes[i];

		if (node->kind == PROFILE_NODE_EVENT && node->event == PROFILE_DEVICE_KERNEL)
			n_kernels += node->n_events;
	}
	assert_int_equal(n_kernels, each * N_RECORDS * N_DEVICES);
	/* Each thread's records are all of the same microsecond. */
	assert_in_range(n_busy, 1, 2 * N_DEVICES * N_THREADS * 1000);
	assert_int_equal(profile.n_dropped, 0);
	profile_release(&profile);
}

static void *ask(void *data)
{
	ompt_buffer_t **buffers = data;
	size_t bytes;

	for (int i = 0; i < N_MOST / 4; i++)
		request(0, &buffers[i], &bytes);
	return NULL;
}

/* Twice as many as there are: each goes to one, and no more than there are. */
static int ask_at_once(void)
{
	static ompt_buffer_t *buffers[N_ASKING][N_MOST / 4];
	ompt_buffer_t **all = &buffers[0][0];
	pthread_t threads[N_ASKING];
	int n = 0;

	initialize();
	for (int i = 0; i < N_ASKING; i++)
		pthread_create(&threads[i], NULL, ask, buffers[i]);
	for (int i = 0; i < N_ASKING; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < N_ASKING * N_MOST / 4; i++) {
		n += all[i] != NULL;
		for (int k = 0; k < i; k++) {
			if (all[i] && all[i] == all[k])
				return 1;
		}
	}
	return n == N_MOST ? 0 : 2;
}

static void test_buffers(void **state)
{
	struct profile profile;

	play_profile_of(ask_at_once, &profile);
	assert_int_equal(profile.devices[0].n_lent, N_MOST);
	assert_int_equal(profile.devices[0].lost[PROFILE_TRACE_DECLINED], N_MOST);
	assert_int_equal(profile.header.lost[PROFILE_LOST_TRACE_BUFFERS], N_MOST);
	profile_release(&profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_buffers),
	};

	return cmocka_run_group_tests_name("trace", tests, play_set_up, play_tear_down);
}
