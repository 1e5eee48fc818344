/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of devices; see device_trace.h. Not for the signal handler. */
#include "sampler/devices/device_trace.h"

#include <stddef.h>
#include <string.h>

#include "profile/core/writer.h"
#include "sampler/threads/callback_enter.h"
#include "sampler/core/tool.h"
#include "sampler/devices/device_trace_buffer.h"
#include "sampler/devices/device_trace_collector.h"

/* A device is traced only if it records one of these types. */
#define RECORDS (PROFILE_DEVICE_KERNELS | PROFILE_DEVICE_TRANSFERS | PROFILE_DEVICE_OWN_KIND)

uint32_t trace_n_active;

static struct {
	/* Protects the assignment of structs to devices. Taken before a device's lock. */
	pthread_mutex_t lock;
	struct device_trace_device device[DEVICE_TRACE_N_DEVICES];
	uint32_t n_records;
} traces = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* `thread`: from callback_enter_with_mutex; NULL for a thread that the tool does not know. */
static void let_go(struct thread *thread)
{
	if (thread)
		leave(thread);
}

static int state_of(const struct device_trace_device *device)
{
	return __atomic_load_n(&device->state, __ATOMIC_ACQUIRE);
}

/* The device with this number; NULL if there was none. */
static struct device_trace_device *find(int number)
{
	for (int i = 0; i < DEVICE_TRACE_N_DEVICES; i++) {
		struct device_trace_device *device = &traces.device[i];

		if (state_of(device) != DEVICE_TRACE_NONE &&
			__atomic_load_n(&device->number, __ATOMIC_RELAXED) == number)
			return device;
	}
	return NULL;
}

static int is_active(const struct device_trace_device *device)
{
	return __atomic_load_n(&device->is_active, __ATOMIC_ACQUIRE);
}

/* Sets whether the device is traced. Returns whether it was. */
static int set_active(struct device_trace_device *device, int is_now)
{
	int was = __atomic_exchange_n(&device->is_active, (uint8_t)is_now, __ATOMIC_ACQ_REL);

	if (is_now && !was)
		__atomic_fetch_add(&trace_n_active, 1, __ATOMIC_RELAXED);
	if (was && !is_now)
		__atomic_fetch_sub(&trace_n_active, 1, __ATOMIC_RELAXED);
	return was;
}

static void on_request(int number, ompt_buffer_t **buffer, size_t *bytes)
{
	struct device_trace_device *device = tool_is_on() ? find(number) : NULL;

	*buffer = NULL;
	*bytes = 0;
	if (!device || !is_active(device))
		return;
	*buffer = device_trace_buffer_lend();
	if (*buffer) {
		*bytes = DEVICE_TRACE_BUFFER_BYTES;
		__atomic_fetch_add(&device->record->n_lent, 1, __ATOMIC_RELAXED);
		return;
	}
	device_trace_device_lose(device, PROFILE_TRACE_DECLINED);
	__atomic_store_n(&device->declined_at, tool_time() | 1, __ATOMIC_RELEASE);
}

static void complete(struct device_trace_device *device, ompt_buffer_t *buffer, size_t bytes,
	size_t available, ompt_buffer_cursor_t begin)
{
	if (!device) {
		device_trace_device_lose(NULL, PROFILE_TRACE_LATE);
		return;
	}
	/*
	 * It fails if the thread has the lock: the runtime completes one buffer within an entry
	 * point called for another. It also fails if a thread with the lock is in an entry point
	 * that waits for a lock of the runtime that is held here.
	 */
	if (device_trace_device_lock_patiently(device) != 0) {
		device_trace_device_lose(device, PROFILE_TRACE_LATE);
		return;
	}
	writer_count(&device->record->n_complete, 1);
	if (state_of(device) == DEVICE_TRACE_OPEN)
		device_trace_read(device, buffer, bytes, available, begin);
	else if (bytes)
		device_trace_device_lose(device, PROFILE_TRACE_LATE);
	pthread_mutex_unlock(&device->lock);
}

static void on_complete(int number, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin,
	int buffer_owned)
{
	struct device_trace_device *device;
	struct thread *thread;
	size_t available;
	int lent;

	if (!tool_is_on())
		return;
	thread = callback_enter_with_mutex();
	device = find(number);
	lent = device_trace_buffer_begin(buffer, &available);
	if (lent < 0) {
		device_trace_device_lose(device, PROFILE_TRACE_FOREIGN);
	} else {
		complete(device, buffer, bytes, available, begin);
		device_trace_buffer_end(lent, buffer_owned);
	}
	let_go(thread);
}

/* Makes the record and the tree of a struct that has none. Returns 0, or -1 without space. */
static int open_record(struct device_trace_device *device, int number)
{
	struct profile_device *record =
		writer_record(PROFILE_SEGMENT_DEVICES, PROFILE_DEVICE_BYTES);
	uint32_t index = traces.n_records + 1;

	if (!record)
		return -1;
	traces.n_records = index;
	/* Without a tree, its figures are in its record only. */
	if (cct_init(&device->cct, PROFILE_OWNER_DEVICE | index) != 0)
		device->cct.root = 0;
	record->number = number;
	device->record = record;
	__atomic_store_n(&record->index, index, __ATOMIC_RELEASE);
	return 0;
}

/*
 * Finds the struct for a device: its former struct, or a new struct. NULL: none is left, or no
 * space. Under traces.lock.
 */
static struct device_trace_device *claim(int number)
{
	static const pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	struct device_trace_device *device = find(number);

	for (int i = 0; i < DEVICE_TRACE_N_DEVICES && !device; i++) {
		if (state_of(&traces.device[i]) == DEVICE_TRACE_NONE)
			device = &traces.device[i];
	}
	if (!device || device->record)
		return device;
	device->lock = lock;
	return open_record(device, number) == 0 ? device : NULL;
}

/* Under the device's lock. */
static void describe(struct device_trace_device *device, int number, const char *type,
	ompt_device_t *runtimes, ompt_function_lookup_t lookup)
{
	struct profile_device *record = device->record;

	device->device = runtimes;
	memset(&device->call, 0, sizeof(device->call));
	if (lookup)
		device_trace_device_look_up(&device->call, lookup);
	/* A device that comes again may have restarted its clock. */
	device->time.n_pairs = 0;
	device->busy = (struct device_trace_busy){ .done = device_trace_busy_ticks(&device->busy) };
	record->flags &= ~(uint32_t)PROFILE_DEVICE_ENDED;
	if (device->call.translate_time)
		record->flags |= PROFILE_DEVICE_TRANSLATES;
	if (device->call.get_device_num_procs)
		record->n_procs = (uint32_t)device->call.get_device_num_procs(runtimes);
	strncpy(record->type, type ? type : "", sizeof(record->type) - 1);
	device_trace_device_pair(device);
	__atomic_store_n(&device->number, number, __ATOMIC_RELAXED);
	__atomic_store_n(&device->state, DEVICE_TRACE_OPEN, __ATOMIC_RELEASE);
}

/*
 * Starts or restarts recording, without the lock: the runtime may ask for a buffer at once. Returns
 * whether the device records.
 */
static int start(struct device_trace_device *device)
{
	set_active(device, 1);
	if (device->call.start_trace(device->device, on_request, on_complete))
		return 1;
	set_active(device, 0);
	return 0;
}

/* From here on the device's time counts, or does not count. */
static void count_time(struct device_trace_device *device, int is_traced, uint64_t ticks)
{
	if (device_trace_device_lock_soon(device) != 0)
		return;
	device_trace_device_count_time(device, is_traced, ticks);
	pthread_mutex_unlock(&device->lock);
}

static void pause_device(struct device_trace_device *device, int is_begin)
{
	if (!device->call.pause_trace || !device->call.pause_trace(device->device, is_begin))
		return;
	__atomic_store_n(&device->is_paused, is_begin != 0, __ATOMIC_RELAXED);
	count_time(device, !is_begin, tool_time());
}

/*
 * Finds and describes the device; NULL also if it is open already: a repeated device_initialize
 * changes nothing.
 */
static struct device_trace_device *open_device(
	int number, const char *type, ompt_device_t *runtimes, ompt_function_lookup_t lookup)
{
	struct device_trace_device *device;

	pthread_mutex_lock(&traces.lock);
	device = claim(number);
	if (device && state_of(device) == DEVICE_TRACE_OPEN)
		device = NULL;
	if (device) {
		pthread_mutex_lock(&device->lock);
		describe(device, number, type, runtimes, lookup);
		pthread_mutex_unlock(&device->lock);
	}
	pthread_mutex_unlock(&traces.lock);
	return device;
}

void device_trace_begin(
	int number, const char *type, ompt_device_t *runtimes, ompt_function_lookup_t lookup)
{
	struct thread *thread = callback_enter_with_mutex();
	struct device_trace_device *device = NULL;

	if (tool_is_on())
		device = open_device(number, type, runtimes, lookup);
	if (device) {
		device->record->flags |= device_trace_device_set(device);
		if (device->record->flags & RECORDS && start(device)) {
			device->record->flags |= PROFILE_DEVICE_TRACED;
			count_time(device, 1, tool_time());
			if (tool_is_paused())
				pause_device(device, 1);
		}
	}
	let_go(thread);
}

/* Remaining records come in meanwhile. */
static void stop(struct device_trace_device *device)
{
	const struct device_trace_entry_points *call = &device->call;
	uint64_t declined_at = __atomic_exchange_n(&device->declined_at, 0, __ATOMIC_ACQ_REL);

	if (!set_active(device, 0))
		return;
	if (device_trace_device_lock_soon(device) == 0) {
		device_trace_device_pair(device);
		device_trace_device_count_time(device, 0, declined_at ? declined_at : tool_time());
		pthread_mutex_unlock(&device->lock);
	}
	if (call->flush_trace)
		call->flush_trace(device->device);
	if (call->stop_trace)
		call->stop_trace(device->device);
}

static void end(struct device_trace_device *device)
{
	if (state_of(device) != DEVICE_TRACE_OPEN)
		return;
	stop(device);
	device->record->flags |= PROFILE_DEVICE_ENDED;
	__atomic_store_n(&device->state, DEVICE_TRACE_CLOSED, __ATOMIC_RELEASE);
}

void device_trace_end(int number)
{
	struct device_trace_device *device = tool_is_on() ? find(number) : NULL;
	struct thread *thread = callback_enter_with_mutex();

	if (device)
		end(device);
	let_go(thread);
}

void device_trace_end_all(void)
{
	struct thread *thread = callback_enter_with_mutex();

	for (int i = 0; tool_is_on() && i < DEVICE_TRACE_N_DEVICES; i++)
		end(&traces.device[i]);
	let_go(thread);
}

void device_trace_flush_all(void)
{
	struct thread *thread = callback_enter_with_mutex();

	for (int i = 0; tool_is_on() && i < DEVICE_TRACE_N_DEVICES; i++) {
		struct device_trace_device *device = &traces.device[i];

		if (!is_active(device))
			continue;
		if (device_trace_device_lock_soon(device) == 0) {
			device_trace_device_pair(device);
			pthread_mutex_unlock(&device->lock);
		}
		if (device->call.flush_trace)
			device->call.flush_trace(device->device);
	}
	let_go(thread);
}

void device_trace_pause_all(int is_begin)
{
	struct thread *thread = callback_enter_with_mutex();

	for (int i = 0; tool_is_on() && i < DEVICE_TRACE_N_DEVICES; i++) {
		if (is_active(&traces.device[i]))
			pause_device(&traces.device[i], is_begin);
	}
	let_go(thread);
}

/*
 * Restarts recording if a buffer has come back since the device was refused one. The time in
 * between does not count.
 */
static void start_again(struct device_trace_device *device)
{
	uint64_t declined_at = 0;

	if (device_trace_buffer_n_lent() == DEVICE_TRACE_N_BUFFERS ||
		pthread_mutex_trylock(&device->lock) != 0)
		return;
	declined_at = __atomic_exchange_n(&device->declined_at, 0, __ATOMIC_ACQ_REL);
	if (declined_at) {
		device_trace_device_count_time(device, 0, declined_at);
		device_trace_device_count_time(device,
			!__atomic_load_n(&device->is_paused, __ATOMIC_RELAXED), tool_time());
	}
	pthread_mutex_unlock(&device->lock);
	if (declined_at && !start(device))
		count_time(device, 0, tool_time());
}

void device_trace_note_op_traced(int number, ompt_id_t host_op_id)
{
	struct device_trace_device *device = find(number);
	uint64_t now = tool_ticks();

	if (host_op_id)
		device_trace_ops_begin(host_op_id, now);
	if (!device || !is_active(device))
		return;
	if (__atomic_load_n(&device->declined_at, __ATOMIC_RELAXED))
		start_again(device);
	if (now - __atomic_load_n(&device->last_pair, __ATOMIC_RELAXED) <
			tool.thresholds.device_pair ||
		pthread_mutex_trylock(&device->lock) != 0)
		return;
	device_trace_device_pair(device);
	pthread_mutex_unlock(&device->lock);
}

void device_trace_forget_all(void)
{
	memset(traces.device, 0, sizeof(traces.device));
	traces.n_records = 0;
	trace_n_active = 0;
	pthread_mutex_init(&traces.lock, NULL);
	device_trace_buffer_forget_all();
	device_trace_ops_forget_all();
}
