/* SPDX-License-Identifier: Apache-2.0 */
/* One device that is traced; see device_trace_collector.h. Not for the signal handler. */
#include "sampler/devices/device_trace_collector.h"

#include <time.h>

#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "sampler/core/target.h"
#include "sampler/core/tool.h"

struct span {
	uint64_t begin; /* 0: its position in time is not known */
	uint64_t length;
};

void device_trace_device_look_up(
	struct device_trace_entry_points *call, ompt_function_lookup_t lookup)
{
#define LOOK_UP(name) call->name = (ompt_##name##_t)lookup("ompt_" #name)
	LOOK_UP(get_device_num_procs);
	LOOK_UP(get_device_time);
	LOOK_UP(translate_time);
	LOOK_UP(set_trace_ompt);
	LOOK_UP(set_trace_native);
	LOOK_UP(start_trace);
	LOOK_UP(pause_trace);
	LOOK_UP(flush_trace);
	LOOK_UP(stop_trace);
	LOOK_UP(advance_buffer_cursor);
	LOOK_UP(get_record_type);
	LOOK_UP(get_record_ompt);
	LOOK_UP(get_record_native);
	LOOK_UP(get_record_abstract);
#undef LOOK_UP
}

/* Whether the device will record events of a type, which has two names. */
static int set_ompt(const struct device_trace_device *device, uint32_t type, uint32_t newer)
{
	const struct device_trace_entry_points *call = &device->call;

	if (!call->set_trace_ompt || !call->get_record_ompt)
		return 0;
	return call->set_trace_ompt(device->device, 1, type) > ompt_set_impossible ||
	       call->set_trace_ompt(device->device, 1, newer) > ompt_set_impossible;
}

uint32_t device_trace_device_set(const struct device_trace_device *device)
{
	const struct device_trace_entry_points *call = &device->call;
	uint32_t recorded = 0;
	int missing = 0;

	if (!call->start_trace || !call->advance_buffer_cursor || !call->get_record_type)
		return 0;
	if (set_ompt(device, ompt_callback_target_submit, ompt_callback_target_submit_emi))
		recorded |= PROFILE_DEVICE_KERNELS;
	else
		missing |= ompt_native_kernel_execution;
	if (set_ompt(device, ompt_callback_target_data_op, ompt_callback_target_data_op_emi))
		recorded |= PROFILE_DEVICE_TRANSFERS;
	else
		missing |= ompt_native_data_motion_explicit | ompt_native_data_motion_implicit;
	if (missing && call->set_trace_native && call->get_record_native &&
		call->get_record_abstract &&
		call->set_trace_native(device->device, 1, missing) > ompt_set_impossible)
		recorded |= PROFILE_DEVICE_OWN_KIND;
	return recorded;
}

int device_trace_device_lock_soon(struct device_trace_device *device)
{
	for (int i = 0; i < 20; i++) {
		if (pthread_mutex_trylock(&device->lock) == 0)
			return 0;
		plain_pause(100000);
	}
	return -1;
}

/* pthread_mutex_clocklock is not known to ThreadSanitizer. */
int device_trace_device_lock_patiently(struct device_trace_device *device)
{
	struct timespec until;

	if (clock_gettime(CLOCK_REALTIME, &until) != 0)
		return -1;
	until.tv_sec++;
	return pthread_mutex_timedlock(&device->lock, &until) == 0 ? 0 : -1;
}

void device_trace_device_pair(struct device_trace_device *device)
{
	uint64_t begin = tool_ticks(), time = 0, end, elapsed_ns;

	if (device->call.get_device_time)
		time = device->call.get_device_time(device->device);
	end = tool_ticks();
	elapsed_ns = tool_clock_ns();
	if (elapsed_ns)
		device->ticks_per_s = (double)(end - tool.start_ticks) * 1e9 / (double)elapsed_ns;
	if (!device->call.get_device_time)
		return;
	__atomic_store_n(&device->last_pair, end, __ATOMIC_RELAXED);
	/* A pair that was interrupted by the scheduler is imprecise, but better than none. */
	if (end - begin > tool.thresholds.disturbed && device_trace_time_is_known(&device->time))
		return;
	device_trace_time_add(&device->time, time, begin + (end - begin) / 2);
	device->record->n_resets = device->time.n_resets;
}

void device_trace_device_count_time(
	struct device_trace_device *device, int is_traced, uint64_t ticks)
{
	struct profile_device *record = device->record;
	uint64_t since = record->since;

	if (since) {
		__atomic_store_n(&record->since, 0, __ATOMIC_RELAXED);
		writer_count(&record->traced, ticks > since ? ticks - since : 0);
	}
	if (is_traced)
		__atomic_store_n(&record->since, ticks, __ATOMIC_RELAXED);
}

/*
 * The runtime translates device time to seconds since a moment of its own choice. The latest pair
 * tells which moment.
 */
static int translate(const struct device_trace_device *device,
	const struct device_trace_record *record, struct span *span)
{
	ompt_translate_time_t seconds = device->call.translate_time;
	double begin = seconds(device->device, record->time);
	double length = seconds(device->device, record->end) - begin;
	double at;

	/* More than a thousand years, or not a number. */
	if (!(length >= 0 && length < 4e10) || device->ticks_per_s <= 0)
		return 0;
	span->length = (uint64_t)(length * device->ticks_per_s + 0.5);
	if (!device->time.n_pairs)
		return 1;
	at = (double)device->time.last.host +
	     (begin - seconds(device->device, device->time.last.device)) * device->ticks_per_s;
	if (at >= 1 && at < 1e19)
		span->begin = (uint64_t)(at + 0.5);
	return 1;
}

/* Whether the operation's length is known. */
static int find_span(const struct device_trace_device *device,
	const struct device_trace_record *record, struct span *span)
{
	uint64_t end;

	*span = (struct span){ 0 };
	if (!record->time || record->end < record->time)
		return 0;
	if (device->call.translate_time)
		return translate(device, record, span);
	if (!device_trace_time_is_known(&device->time))
		return 0;
	span->begin = device_trace_time_host(&device->time, record->time);
	end = device_trace_time_host(&device->time, record->end);
	span->length = end - span->begin;
	return 1;
}

static void add_to_ops(struct profile_device_ops *ops, uint64_t ticks, uint64_t bytes)
{
	writer_count(&ops->n, 1);
	writer_count(&ops->time, ticks);
	writer_count(&ops->bytes, bytes);
	if (ticks > ops->longest)
		__atomic_store_n(&ops->longest, ticks, __ATOMIC_RELAXED);
}

static void add_to_leaf(struct device_trace_device *device, uint32_t target,
	enum profile_event event, uint64_t ticks, uint64_t bytes)
{
	struct cct *cct = &device->cct;
	uint32_t context = 0, leaf = 0;

	if (cct->root)
		context = cct_child(cct, cct->root, PROFILE_NODE_CONTEXT, 0, target);
	if (context)
		leaf = cct_child(cct, context, PROFILE_NODE_EVENT, 0,
			PROFILE_EVENT_KEY(event, (uint32_t)device->number));
	if (!leaf) {
		__atomic_fetch_add(
			&writer_header()->lost[PROFILE_LOST_NO_SPACE], 1, __ATOMIC_RELAXED);
		return;
	}
	target_add_to_leaf(leaf, 1, bytes, ticks);
}

static void add(struct device_trace_device *device, uint32_t target, enum profile_event event,
	uint64_t ticks, uint64_t bytes)
{
	add_to_ops(&device->record->ops[event - PROFILE_DEVICE_KERNEL], ticks, bytes);
	if (target)
		add_to_leaf(device, target, event, ticks, bytes);
}

/*
 * Adds how long the host's operation waited until the kernel began; 0 where the clocks differ and
 * the result would be negative.
 */
static void add_queue(struct device_trace_device *device, uint32_t target,
	const struct device_trace_record *record, const struct span *span)
{
	uint64_t begun = device_trace_ops_begun(record->host_op_id);

	if (begun && span->begin)
		add(device, target, PROFILE_DEVICE_QUEUE,
			span->begin > begun ? span->begin - begun : 0, 0);
}

static void add_op(struct device_trace_device *device, const struct device_trace_record *record)
{
	static const uint8_t events[] = {
		[DEVICE_TRACE_KERNEL] = PROFILE_DEVICE_KERNEL,
		[DEVICE_TRACE_TO_DEVICE] = PROFILE_DEVICE_TO,
		[DEVICE_TRACE_FROM_DEVICE] = PROFILE_DEVICE_FROM,
		[DEVICE_TRACE_OTHER_DATA] = PROFILE_DEVICE_DATA,
		[DEVICE_TRACE_NATIVE] = PROFILE_DEVICE_NATIVE,
	};
	uint32_t target = target_node_of_op(record->host_op_id);
	struct span span;

	if (!target)
		target = target_node_of(record->target_id);
	if (!target)
		device_trace_device_lose(device, PROFILE_TRACE_UNMATCHED);
	if (!find_span(device, record, &span))
		device_trace_device_lose(device, PROFILE_TRACE_TIMES);
	add(device, target, events[record->op], span.length, record->bytes);
	if (record->op == DEVICE_TRACE_KERNEL)
		add_queue(device, target, record, &span);
	if (record->op == DEVICE_TRACE_OTHER_DATA || !span.begin)
		return;
	device_trace_busy_add(&device->busy, span.begin, span.begin + span.length);
	__atomic_store_n(
		&device->record->busy, device_trace_busy_ticks(&device->busy), __ATOMIC_RELAXED);
}

void device_trace_device_add(
	struct device_trace_device *device, const struct device_trace_record *record)
{
	struct profile_device *to = device->record;
	uint32_t *n = &to->n_of_type[record->type];

	writer_count(&to->n_records, 1);
	__atomic_store_n(n, *n + 1, __ATOMIC_RELAXED);
	if (record->op != DEVICE_TRACE_NO_OP)
		add_op(device, record);
}

void device_trace_device_lose(struct device_trace_device *device, enum profile_trace_loss loss)
{
	enum profile_loss reason = loss == PROFILE_TRACE_DECLINED ? PROFILE_LOST_TRACE_BUFFERS
								  : PROFILE_LOST_TRACE_RECORDS;

	if (device && device->record)
		__atomic_fetch_add(&device->record->lost[loss], 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&writer_header()->lost[reason], 1, __ATOMIC_RELAXED);
}
