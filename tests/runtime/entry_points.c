/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's entry points; see entry_points.h. */
#include "tests/runtime/entry_points.h"

#include <stddef.h>
#include <string.h>

#include "tests/runtime/leave_out.h"
#include "tests/runtime/objects.h"
#include "tests/runtime/runtime.h"

/* Processors and places that the runtime reports. */
enum { N_PROCS = 4, N_PLACES = 2 };

static ompt_callback_t callbacks[STAGE_N_EVENTS];
static int is_end_wanted;
static uint64_t n_ids;

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	if ((unsigned)event >= STAGE_N_EVENTS)
		return ompt_set_error;
	callbacks[event] = callback;
	stage->is_asked[event] = callback != NULL;
	return runtime_settings.result[event];
}

static int get_callback(ompt_callbacks_t event, ompt_callback_t *callback)
{
	if ((unsigned)event >= STAGE_N_EVENTS || !callbacks[event])
		return 0;
	*callback = callbacks[event];
	return 1;
}

static int get_task_memory(void **address, size_t *bytes, int block)
{
	*address = NULL;
	*bytes = 0;
	return 0;
}

static ompt_data_t *get_thread_data(void)
{
	return stage_self ? objects_data(OBJECTS_THREAD + stage_self->index) : NULL;
}

static int get_num_procs(void)
{
	return N_PROCS;
}

static int get_num_places(void)
{
	return N_PLACES;
}

static int get_place_proc_ids(int place, int n, int *ids)
{
	int each = N_PROCS / N_PLACES;

	for (int i = 0; i < each && i < n && place >= 0 && place < N_PLACES; i++)
		ids[i] = place * each + i;
	return place >= 0 && place < N_PLACES ? each : 0;
}

static int get_place_num(void)
{
	return stage_self ? stage_self->index % N_PLACES : -1;
}

static int get_partition_place_nums(int n, int *places)
{
	for (int i = 0; i < N_PLACES && i < n; i++)
		places[i] = i;
	return N_PLACES;
}

static int get_proc_id(void)
{
	return stage_self ? stage_self->index % N_PROCS : -1;
}

static uint64_t get_unique_id(void)
{
	return __atomic_add_fetch(&n_ids, 1, __ATOMIC_RELAXED);
}

static int get_num_devices(void)
{
	return 1;
}

static int get_target_info(uint64_t *device, ompt_id_t *target, ompt_id_t *op)
{
	return 0;
}

static void finalize_tool(void)
{
	is_end_wanted = 1;
}

/* Takes the name after `current` in the list; the first name if the list has no `current`. */
static int enumerate(
	const struct runtime_named *named, unsigned n, int current, int *next, const char **name)
{
	unsigned i = 0;

	while (i < n && named[i].number != current)
		i++;
	i = i < n ? i + 1 : 0;
	if (i >= n)
		return 0;
	*next = named[i].number;
	*name = named[i].name;
	return 1;
}

static int enumerate_states(int current, int *next, const char **name)
{
	return enumerate(runtime_settings.states, runtime_settings.n_states, current, next, name);
}

static int enumerate_mutex_impls(int current, int *next, const char **name)
{
	return enumerate(runtime_settings.impls, runtime_settings.n_impls, current, next, name);
}

static const struct {
	const char *name;
	ompt_interface_fn_t function;
} table[] = {
	{ "ompt_enumerate_states", (ompt_interface_fn_t)enumerate_states },
	{ "ompt_enumerate_mutex_impls", (ompt_interface_fn_t)enumerate_mutex_impls },
	{ "ompt_set_callback", (ompt_interface_fn_t)set_callback },
	{ "ompt_get_callback", (ompt_interface_fn_t)get_callback },
	{ "ompt_get_state", (ompt_interface_fn_t)objects_get_state },
	{ "ompt_get_parallel_info", (ompt_interface_fn_t)objects_get_parallel_info },
	{ "ompt_get_task_info", (ompt_interface_fn_t)objects_get_task_info },
	{ "ompt_get_task_memory", (ompt_interface_fn_t)get_task_memory },
	{ "ompt_get_thread_data", (ompt_interface_fn_t)get_thread_data },
	{ "ompt_get_unique_id", (ompt_interface_fn_t)get_unique_id },
	{ "ompt_finalize_tool", (ompt_interface_fn_t)finalize_tool },
	{ "ompt_get_num_procs", (ompt_interface_fn_t)get_num_procs },
	{ "ompt_get_num_places", (ompt_interface_fn_t)get_num_places },
	{ "ompt_get_place_proc_ids", (ompt_interface_fn_t)get_place_proc_ids },
	{ "ompt_get_place_num", (ompt_interface_fn_t)get_place_num },
	{ "ompt_get_partition_place_nums", (ompt_interface_fn_t)get_partition_place_nums },
	{ "ompt_get_proc_id", (ompt_interface_fn_t)get_proc_id },
	{ "ompt_get_target_info", (ompt_interface_fn_t)get_target_info },
	{ "ompt_get_num_devices", (ompt_interface_fn_t)get_num_devices },
};

ompt_callback_t entry_points_callback(int event)
{
	if (leave_out_event(event))
		return NULL;
	switch (runtime_settings.result[event]) {
	case ompt_set_error:
	case ompt_set_never:
	case ompt_set_impossible:
		return NULL;
	default:
		return callbacks[event];
	}
}

int entry_points_wants_end(void)
{
	int wants = is_end_wanted;

	is_end_wanted = 0;
	return wants;
}

void entry_points_clear(void)
{
	memset(callbacks, 0, sizeof(callbacks));
	is_end_wanted = 0;
}

static void note(const char *name)
{
	if (!stage || stage->n_looked_up == STAGE_MAX_LOOKED_UP)
		return;
	strncpy(stage->looked_up[stage->n_looked_up], name, sizeof(stage->looked_up[0]) - 1);
	stage->n_looked_up++;
}

ompt_interface_fn_t entry_points_lookup(const char *name)
{
	note(name);
	if (leave_out(name))
		return NULL;
	for (unsigned i = 0; i < runtime_settings.n_missing; i++) {
		if (strcmp(runtime_settings.missing[i], name) == 0)
			return NULL;
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(table[i].name, name) == 0)
			return table[i].function;
	}
	return NULL;
}
