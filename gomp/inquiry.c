/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points that the tool looks up (OpenMP 5.1, 4.6). */
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "gomp/gomp.h"
#include "gomp/start.h"
#include "include/ompprof-gomp.h"

/*
 * The answer for each event (OpenMP 5.1, 4.6.1.3); ompprof-gomp(7) has the same table. The last
 * events need the functions of libompprof-gomp-events.so. An event that is missing never comes.
 */
static const struct {
	uint8_t event;
	uint8_t answer;
	uint8_t needs_all;
} answers[] = {
	{ ompt_callback_thread_begin, ompt_set_always, 0 },
	{ ompt_callback_thread_end, ompt_set_always, 0 },
	{ ompt_callback_parallel_begin, ompt_set_always, 0 },
	{ ompt_callback_parallel_end, ompt_set_always, 0 },
	{ ompt_callback_implicit_task, ompt_set_always, 0 },
	{ ompt_callback_task_create, ompt_set_sometimes, 0 },
	{ ompt_callback_task_schedule, ompt_set_sometimes, 0 },
	{ ompt_callback_sync_region, ompt_set_always, 0 },
	{ ompt_callback_sync_region_wait, ompt_set_always, 0 },
	{ ompt_callback_mutex_acquire, ompt_set_always, 0 },
	{ ompt_callback_mutex_acquired, ompt_set_always, 0 },
	{ ompt_callback_mutex_released, ompt_set_always, 0 },
	{ ompt_callback_nest_lock, ompt_set_always, 0 },
	{ ompt_callback_cancel, ompt_set_sometimes, 0 },
	{ ompt_callback_dependences, ompt_set_sometimes, 0 },
	{ ompt_callback_control_tool, ompt_set_always, 0 },
	{ ompt_callback_target, ompt_set_sometimes_paired, 0 },
	{ ompt_callback_target_emi, ompt_set_sometimes_paired, 0 },
	{ ompt_callback_work, ompt_set_sometimes_paired, 1 },
	{ ompt_callback_dispatch, ompt_set_sometimes, 1 },
	{ ompt_callback_masked, ompt_set_sometimes_paired, 1 },
	{ ompt_callback_lock_init, ompt_set_always, 1 },
	{ ompt_callback_lock_destroy, ompt_set_always, 1 },
};

ompt_set_result_t gomp_set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (answers[i].event != (uint8_t)event || answers[i].needs_all > gomp_tells_all)
			continue;
		provider.callback[event] = callback;
		return (ompt_set_result_t)answers[i].answer;
	}
	return ompt_set_never;
}

static int get_callback(ompt_callbacks_t event, ompt_callback_t *callback)
{
	if ((unsigned)event >= sizeof(provider.callback) / sizeof(provider.callback[0]) ||
		!provider.callback[event])
		return 0;
	*callback = provider.callback[event];
	return 1;
}

static ompt_data_t *get_thread_data(void)
{
	struct thread *thread = &gomp_self;

	/* Already while the tool is told that the thread begins. */
	return thread->type ? &thread->data : NULL;
}

static int get_state(ompt_wait_id_t *wait_id)
{
	struct thread *thread = &gomp_self;

	if (!thread->task)
		return ompt_state_undefined;
	if (wait_id)
		*wait_id = thread->wait_id;
	return (int)thread->state;
}

/* The task at this level, outwards from the current task; NULL if there is none. */
static struct gomp_task *ancestor(int level)
{
	struct gomp_task *task = gomp_self.task;

	while (task && level-- > 0)
		task = task->outer;
	return task;
}

static int get_task_info(int level, int *flags, ompt_data_t **task_data, ompt_frame_t **frame,
	ompt_data_t **parallel_data, int *thread_num)
{
	struct gomp_task *task = ancestor(level);

	if (!task)
		return 0;
	if (flags)
		*flags = task->flags;
	if (task_data)
		*task_data = &task->data;
	if (frame)
		*frame = &task->frame;
	if (parallel_data)
		*parallel_data = gomp_parallel_data(task);
	if (thread_num)
		*thread_num = (int)task->thread_num;
	return 2;
}

/* Regions are the implicit tasks, and the initial tasks of leagues, on the way outwards. */
static int get_parallel_info(int level, ompt_data_t **parallel_data, int *team_size)
{
	struct gomp_task *task = gomp_self.task;

	for (; task; task = task->outer) {
		if (task->team && !(task->flags & ompt_task_explicit) && level-- == 0)
			break;
	}
	if (!task)
		return 0;
	if (parallel_data)
		*parallel_data = gomp_parallel_data(task);
	if (team_size)
		*team_size = (int)task->n_threads;
	return 2;
}

static int get_task_memory(void **address, size_t *size, int block)
{
	return 0;
}

static int get_num_procs(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

/* The libgomp that the thread has called last; NULL if there is none that is known. */
static const struct gomp_functions *latest(void)
{
	const struct gomp_functions *next = gomp_self.next;

	return next && !next->is_foreign ? next : NULL;
}

static int get_num_places(void)
{
	const struct gomp_functions *next = latest();

	return next ? next->omp_get_num_places() : 0;
}

static int get_place_proc_ids(int place, int n_ids, int *ids)
{
	const struct gomp_functions *next = latest();
	int n = next ? next->omp_get_place_num_procs(place) : 0;

	if (n > 0 && n <= n_ids)
		next->omp_get_place_proc_ids(place, ids);
	return n;
}

static int get_proc_id(void)
{
	return sched_getcpu();
}

static int enumerate_states(int current, int *next, const char **name)
{
	static const struct {
		int state;
		const char *name;
	} states[] = {
		{ ompt_state_undefined, "ompt_state_undefined" },
		{ ompt_state_work_serial, "ompt_state_work_serial" },
		{ ompt_state_work_parallel, "ompt_state_work_parallel" },
		{ ompt_state_wait_barrier_implicit_parallel,
			"ompt_state_wait_barrier_implicit_parallel" },
		{ ompt_state_wait_barrier_implicit_workshare,
			"ompt_state_wait_barrier_implicit_workshare" },
		{ ompt_state_wait_barrier_explicit, "ompt_state_wait_barrier_explicit" },
		{ ompt_state_wait_barrier_implementation,
			"ompt_state_wait_barrier_implementation" },
		{ ompt_state_wait_taskwait, "ompt_state_wait_taskwait" },
		{ ompt_state_wait_taskgroup, "ompt_state_wait_taskgroup" },
		{ ompt_state_wait_lock, "ompt_state_wait_lock" },
		{ ompt_state_wait_critical, "ompt_state_wait_critical" },
		{ ompt_state_wait_atomic, "ompt_state_wait_atomic" },
		{ ompt_state_wait_ordered, "ompt_state_wait_ordered" },
		{ ompt_state_overhead, "ompt_state_overhead" },
	};
	const size_t n = sizeof(states) / sizeof(states[0]);

	for (size_t i = 0; i + 1 < n; i++) {
		if (states[i].state != current)
			continue;
		*next = states[i + 1].state;
		*name = states[i + 1].name;
		return 1;
	}
	return 0;
}

/* libgomp tells nothing of how its mutexes work. */
static int enumerate_mutex_impls(int current, int *next, const char **name)
{
	return 0;
}

static int get_target_info(uint64_t *device, ompt_id_t *target_id, ompt_id_t *host_op_id)
{
	return 0;
}

static int get_num_devices(void)
{
	return 0;
}

ompt_id_t gomp_unique_id(void)
{
	static uint64_t last;

	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

/* An entry point for ompprof: where the runtime's code is. */
static const void *runtime_code(void)
{
	return gomp_code();
}

ompt_interface_fn_t gomp_lookup(const char *name)
{
	static const struct {
		const char *name;
		ompt_interface_fn_t entry;
	} entries[] = {
		{ "ompt_set_callback", (ompt_interface_fn_t)gomp_set_callback },
		{ "ompt_get_callback", (ompt_interface_fn_t)get_callback },
		{ "ompt_get_state", (ompt_interface_fn_t)get_state },
		{ "ompt_get_task_info", (ompt_interface_fn_t)get_task_info },
		{ "ompt_get_parallel_info", (ompt_interface_fn_t)get_parallel_info },
		{ "ompt_get_task_memory", (ompt_interface_fn_t)get_task_memory },
		{ "ompt_get_thread_data", (ompt_interface_fn_t)get_thread_data },
		{ "ompt_get_num_procs", (ompt_interface_fn_t)get_num_procs },
		{ "ompt_get_num_places", (ompt_interface_fn_t)get_num_places },
		{ "ompt_get_place_proc_ids", (ompt_interface_fn_t)get_place_proc_ids },
		{ "ompt_get_proc_id", (ompt_interface_fn_t)get_proc_id },
		{ "ompt_enumerate_states", (ompt_interface_fn_t)enumerate_states },
		{ "ompt_enumerate_mutex_impls", (ompt_interface_fn_t)enumerate_mutex_impls },
		{ "ompt_get_target_info", (ompt_interface_fn_t)get_target_info },
		{ "ompt_get_num_devices", (ompt_interface_fn_t)get_num_devices },
		{ "ompt_get_unique_id", (ompt_interface_fn_t)gomp_unique_id },
		{ "ompt_finalize_tool", (ompt_interface_fn_t)gomp_finalize },
		{ "ompprof_runtime_code", (ompt_interface_fn_t)runtime_code },
		{ "ompprof_set_doacross", (ompt_interface_fn_t)gomp_set_doacross },
	};

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (strcmp(entries[i].name, name) == 0)
			return entries[i].entry;
	}
	return NULL;
}
