/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of target regions, of their operations, and of devices; see events.h and target_run.h.
 * OpenMP 5.1, 4.5.2.19 to 4.5.2.22 and 4.5.2.25 to 4.5.2.28.
 */
#include <omp-tools.h>
#include <stddef.h>
#include <string.h>

#include "profile/core/writer.h"
#include "sampler/threads/count.h"
#include "sampler/tool/events.h"
#include "sampler/core/path.h"
#include "sampler/core/target.h"
#include "sampler/devices/target_run.h"
#include "sampler/devices/device_trace.h"

static int is_begin(ompt_scope_endpoint_t endpoint)
{
	return endpoint == ompt_scope_begin || endpoint == ompt_scope_beginend;
}

static int is_end(ompt_scope_endpoint_t endpoint)
{
	return endpoint == ompt_scope_end || endpoint == ompt_scope_beginend;
}

static ompt_id_t id_in(const ompt_data_t *target_data)
{
	return target_data ? target_data->value : 0;
}

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
	ompt_data_t *task_data, ompt_data_t *target_task_data, ompt_data_t *target_data,
	const void *codeptr_ra)
{
	struct thread *thread = callback_enter_first(ompt_thread_other);
	ompt_data_t own = { 0 };

	if (!thread)
		return;
	if (!target_data)
		target_data = &own;
	if (is_begin(endpoint)) {
		target_data->value = 0;
		target_run_begin(
			thread, kind, device_num, &target_data->value, (uint64_t)codeptr_ra);
	}
	if (is_end(endpoint)) {
		target_run_end(thread, device_num,
			target_data->value || target_data == &own ? target_data->value
								  : TARGET_UNKNOWN);
		/*
		 * Later operations do not belong to this region, though the place may be used
		 * again.
		 */
		target_data->value = 0;
	}
	leave(thread);
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
	ompt_data_t *task_data, ompt_id_t target_id, const void *codeptr_ra)
{
	struct thread *thread = callback_enter_first(ompt_thread_other);

	if (!thread)
		return;
	if (is_begin(endpoint))
		target_run_begin(thread, kind, device_num, &target_id, (uint64_t)codeptr_ra);
	if (is_end(endpoint))
		target_run_end(thread, device_num, target_id);
	leave(thread);
}

static uint32_t event_of_data(uint32_t optype)
{
	static const uint8_t events[] = {
		[ompt_target_data_alloc] = PROFILE_EVENT_DATA_ALLOC,
		[ompt_target_data_transfer_to_device] = PROFILE_EVENT_DATA_TO,
		[ompt_target_data_transfer_from_device] = PROFILE_EVENT_DATA_FROM,
		[ompt_target_data_delete] = PROFILE_EVENT_DATA_DELETE,
		[ompt_target_data_associate] = PROFILE_EVENT_DATA_ASSOCIATE,
		[ompt_target_data_disassociate] = PROFILE_EVENT_DATA_DISASSOCIATE,
		[ompt_target_data_alloc_async] = PROFILE_EVENT_DATA_ALLOC,
		[ompt_target_data_transfer_to_device_async] = PROFILE_EVENT_DATA_TO,
		[ompt_target_data_transfer_from_device_async] = PROFILE_EVENT_DATA_FROM,
		[ompt_target_data_delete_async] = PROFILE_EVENT_DATA_DELETE,
	};
	uint32_t event = optype < sizeof(events) ? events[optype] : 0;

	return event ? event : PROFILE_EVENT_DATA_OTHER;
}

/* Whether the device of an operation of this kind is its source. */
static int is_of_source(uint32_t event)
{
	return event == PROFILE_EVENT_DATA_FROM || event == PROFILE_EVENT_DATA_DELETE ||
	       event == PROFILE_EVENT_DATA_DISASSOCIATE;
}

static struct target_op data_op(ompt_id_t target_id, uint32_t optype, int source, int destination,
	size_t bytes, const void *codeptr_ra)
{
	uint32_t event = event_of_data(optype);

	return (struct target_op){ .target_id = target_id,
		.event = event,
		.device = is_of_source(event) ? source : destination,
		.amount = bytes,
		.codeptr = (uint64_t)codeptr_ra };
}

static void on_target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task_data,
	ompt_data_t *target_data, ompt_id_t *host_op_id, ompt_target_data_op_t optype,
	void *src_addr, int src_device_num, void *dest_addr, int dest_device_num, size_t bytes,
	const void *codeptr_ra)
{
	struct thread *thread = callback_enter_first(ompt_thread_other);
	const struct target_op op = data_op(
		id_in(target_data), optype, src_device_num, dest_device_num, bytes, codeptr_ra);

	if (!thread)
		return;
	if (is_begin(endpoint))
		target_run_begin_op(thread, &op, host_op_id);
	if (is_end(endpoint))
		target_run_end_op(thread, &op);
	leave(thread);
}

static void on_target_data_op(ompt_id_t target_id, ompt_id_t host_op_id,
	ompt_target_data_op_t optype, void *src_addr, int src_device_num, void *dest_addr,
	int dest_device_num, size_t bytes, const void *codeptr_ra)
{
	struct thread *thread = callback_enter_first(ompt_thread_other);
	const struct target_op op =
		data_op(target_id, optype, src_device_num, dest_device_num, bytes, codeptr_ra);

	if (!thread)
		return;
	target_run_note_op(thread, &op, host_op_id);
	leave(thread);
}

static void on_target_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_data,
	ompt_id_t *host_op_id, unsigned int requested_num_teams)
{
	struct thread *thread = callback_enter_first(ompt_thread_other);
	struct target_op op = { .target_id = id_in(target_data),
		.event = PROFILE_EVENT_KERNEL,
		.amount = requested_num_teams };

	if (!thread)
		return;
	op.device = target_run_device(thread, op.target_id);
	if (is_begin(endpoint))
		target_run_begin_op(thread, &op, host_op_id);
	if (is_end(endpoint))
		target_run_end_op(thread, &op);
	leave(thread);
}

static void on_target_submit(
	ompt_id_t target_id, ompt_id_t host_op_id, unsigned int requested_num_teams)
{
	struct thread *thread = callback_enter_first(ompt_thread_other);
	struct target_op op = {
		.target_id = target_id, .event = PROFILE_EVENT_KERNEL, .amount = requested_num_teams
	};

	if (!thread)
		return;
	op.device = target_run_device(thread, target_id);
	target_run_note_op(thread, &op, host_op_id);
	leave(thread);
}

static void take_map(
	ompt_id_t target_id, unsigned int nitems, const size_t *bytes, const void *codeptr_ra)
{
	struct thread *thread = callback_enter_first(ompt_thread_other);
	struct target_op op = { .target_id = target_id,
		.event = PROFILE_EVENT_DATA_MAP,
		.codeptr = (uint64_t)codeptr_ra };

	if (!thread)
		return;
	for (unsigned int i = 0; bytes && i < nitems; i++)
		op.amount += bytes[i];
	op.device = target_run_device(thread, target_id);
	target_run_count(thread, &op, nitems);
	leave(thread);
}

static void on_target_map_emi(ompt_data_t *target_data, unsigned int nitems, void **host_addr,
	void **device_addr, size_t *bytes, unsigned int *mapping_flags, const void *codeptr_ra)
{
	take_map(id_in(target_data), nitems, bytes, codeptr_ra);
}

static void on_target_map(ompt_id_t target_id, unsigned int nitems, void **host_addr,
	void **device_addr, size_t *bytes, unsigned int *mapping_flags, const void *codeptr_ra)
{
	take_map(target_id, nitems, bytes, codeptr_ra);
}

/* Counts an event of a device as a whole in the thread's present context, unless in a pause. */
static void count_device(uint32_t event, int device, uint64_t amount)
{
	struct thread *thread = callback_enter_first(ompt_thread_other);
	struct path_place place;
	struct profile_node *leaf;

	if (!thread)
		return;
	path_find_place(thread, NULL, &place);
	leaf = count_leaf(
		thread, path_root(thread, &place), PROFILE_EVENT_KEY(event, (uint32_t)device));
	if (leaf && !tool_is_paused()) {
		__atomic_store_n(&leaf->n, leaf->n + 1, __ATOMIC_RELAXED);
		writer_count(&leaf->events, amount);
	}
	leave(thread);
}

/*
 * Whether kernels of the device run on the thread that submits them, as on LLVM's devices that are
 * the host itself.
 */
static int is_host(const char *type)
{
	static const char *const hosts[] = { "generic-64bit", ARCH_NAME, "host" };

	for (size_t i = 0; type && i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		if (strncmp(type, hosts[i], strlen(hosts[i])) == 0)
			return 1;
	}
	return 0;
}

static void on_device_initialize(int device_num, const char *type, ompt_device_t *device,
	ompt_function_lookup_t lookup, const char *documentation)
{
	/* First: in a child made by fork it starts the tool, which forgets all devices. */
	count_device(PROFILE_EVENT_DEVICE_INITIALIZE, device_num, 0);
	target_device(device_num)->runs_here = (uint8_t)is_host(type);
	device_trace_begin(device_num, type, device, lookup);
}

static void on_device_finalize(int device_num)
{
	device_trace_end(device_num);
	count_device(PROFILE_EVENT_DEVICE_FINALIZE, device_num, 0);
}

static void on_device_load(int device_num, const char *filename, int64_t offset_in_file,
	void *vma_in_file, size_t bytes, void *host_addr, void *device_addr, uint64_t module_id)
{
	count_device(PROFILE_EVENT_DEVICE_LOAD, device_num, bytes);
}

static void on_device_unload(int device_num, uint64_t module_id)
{
	count_device(PROFILE_EVENT_DEVICE_UNLOAD, device_num, 0);
}

void events_target_register(ompt_set_callback_t set_callback)
{
#define PAIR(name)                                                                                 \
	{                                                                                          \
		ompt_callback_##name##_emi, ompt_callback_##name,                                  \
			(ompt_callback_t)on_##name##_emi, (ompt_callback_t)on_##name               \
	}
	static const struct {
		ompt_callbacks_t event, older;
		ompt_callback_t callback, older_callback;
	} pairs[] = { PAIR(target), PAIR(target_data_op), PAIR(target_submit), PAIR(target_map) };
#undef PAIR

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		int result = set_callback(pairs[i].event, pairs[i].callback);

		/* Begin and end come both or neither, which is enough. */
		if (result >= ompt_set_sometimes_paired)
			continue;
		if (result == ompt_set_sometimes)
			set_callback(pairs[i].event, NULL);
		if (set_callback(pairs[i].older, pairs[i].older_callback) > ompt_set_sometimes ||
			result != ompt_set_sometimes)
			continue;
		set_callback(pairs[i].older, NULL);
		set_callback(pairs[i].event, pairs[i].callback);
	}
	set_callback(ompt_callback_device_initialize, (ompt_callback_t)on_device_initialize);
	set_callback(ompt_callback_device_finalize, (ompt_callback_t)on_device_finalize);
	set_callback(ompt_callback_device_load, (ompt_callback_t)on_device_load);
	set_callback(ompt_callback_device_unload, (ompt_callback_t)on_device_unload);
}
