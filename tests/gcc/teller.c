/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tool that writes the events that TELLER names, between spaces, on stderr, or all without
 * TELLER. A line has the thread's number, the event, its kind, and the numbers of its task and of
 * its lock or variable, in the order of their first events; an implicit task's number is 100 times
 * its region's, plus its thread's. With TELLER=answers it writes which events can come, with
 * TELLER=version the version of OpenMP, on stdout.
 */
#include <omp-tools.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ADDRESSES = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t n_threads, n_tasks, n_regions, n_targets;
static __thread uint64_t thread_number;

/* Whether TELLER names the event at the line's begin. */
static int is_wanted(const char *line)
{
	const char *what = getenv("TELLER");
	char word[64];

	snprintf(word, sizeof(word), " %.*s ", (int)strcspn(line, " "), line);
	return !what || strstr(what, word);
}

static void tell(const char *format, ...)
{
	char line[256];
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (!is_wanted(line))
		return;
	pthread_mutex_lock(&mutex);
	fprintf(stderr, "%llu %.*s\n", (unsigned long long)thread_number, n, line);
	pthread_mutex_unlock(&mutex);
}

/* The number of an address, from 1. */
static int number_of(uint64_t address)
{
	static uint64_t addresses[MAX_ADDRESSES];
	int i;

	pthread_mutex_lock(&mutex);
	for (i = 0; i < MAX_ADDRESSES - 1 && addresses[i] && addresses[i] != address;)
		i++;
	addresses[i] = address;
	pthread_mutex_unlock(&mutex);
	return i + 1;
}

static const char *end_of(ompt_scope_endpoint_t endpoint)
{
	return endpoint == ompt_scope_begin ? "begin" : "end";
}

static int task_of(const ompt_data_t *data)
{
	return data ? (int)data->value : 0;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
	data->value = thread_number = __atomic_fetch_add(&n_threads, 1, __ATOMIC_RELAXED);
	tell("thread_begin %s", type == ompt_thread_initial ? "initial" : "worker");
}

static void on_thread_end(ompt_data_t *data)
{
	tell("thread_end");
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
	unsigned n, int flags, const void *codeptr_ra)
{
	region->value = __atomic_add_fetch(&n_regions, 1, __ATOMIC_RELAXED);
	tell("parallel_begin %s %u task %d region %d",
		flags & ompt_parallel_league ? "league" : "team", n, task_of(task),
		task_of(region));
}

static void on_parallel_end(
	ompt_data_t *region, ompt_data_t *task, int flags, const void *codeptr_ra)
{
	tell("parallel_end task %d region %d", task_of(task), task_of(region));
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
	unsigned n, unsigned index, int flags)
{
	if (endpoint == ompt_scope_begin && flags & ompt_task_initial)
		task->value = __atomic_add_fetch(&n_tasks, 1, __ATOMIC_RELAXED);
	else if (endpoint == ompt_scope_begin)
		task->value = region->value * 100 + index;
	tell("implicit_task %s %s task %d", end_of(endpoint),
		flags & ompt_task_initial ? "initial" : "implicit", task_of(task));
}

static void on_task_create(ompt_data_t *by, const ompt_frame_t *frame, ompt_data_t *task, int flags,
	int has_dependences, const void *codeptr_ra)
{
	task->value = __atomic_add_fetch(&n_tasks, 1, __ATOMIC_RELAXED);
	tell("task_create task %d by %d%s%s%s", task_of(task), task_of(by),
		(unsigned)flags & ompt_task_undeferred ? " undeferred" : "",
		flags & ompt_task_final ? " final" : "", has_dependences ? " dependences" : "");
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	static const char *const names[] = { "", "complete", "yield", "cancel", "detach",
		"early_fulfill", "late_fulfill", "switch" };

	tell("task_schedule %s task %d to %d", names[status], task_of(prior), task_of(next));
}

static const char *const sync_names[] = { "", "barrier", "barrier_implicit", "barrier_explicit",
	"barrier_implementation", "taskwait", "taskgroup", "reduction", "implicit_workshare",
	"implicit_parallel", "teams" };

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *region, ompt_data_t *task, const void *codeptr_ra)
{
	tell("sync_region %s %s task %d", sync_names[kind], end_of(endpoint), task_of(task));
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *region, ompt_data_t *task, const void *codeptr_ra)
{
	tell("sync_region_wait %s %s task %d", sync_names[kind], end_of(endpoint), task_of(task));
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *region, ompt_data_t *task, const void *codeptr_ra)
{
	tell("reduction %s task %d", end_of(endpoint), task_of(task));
}

static const char *const mutex_names[] = { "", "lock", "test_lock", "nest_lock", "test_nest_lock",
	"critical", "atomic", "ordered" };

static void on_mutex_acquire(
	ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *codeptr_ra)
{
	tell("mutex_acquire %s %d", mutex_names[kind], number_of(id));
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr_ra)
{
	tell("mutex_acquired %s %d", mutex_names[kind], number_of(id));
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr_ra)
{
	tell("mutex_released %s %d", mutex_names[kind], number_of(id));
}

static void on_lock_init(
	ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *codeptr_ra)
{
	tell("lock_init %s %d", mutex_names[kind], number_of(id));
}

static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr_ra)
{
	tell("lock_destroy %s %d", mutex_names[kind], number_of(id));
}

static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *codeptr_ra)
{
	tell("nest_lock %s %d", end_of(endpoint), number_of(id));
}

static void on_cancel(ompt_data_t *task, int flags, const void *codeptr_ra)
{
	tell("cancel %s task %d", flags & ompt_cancel_activated ? "activated" : "detected",
		task_of(task));
}

static const char *const work_names[] = { "", "loop", "sections", "single_executor", "single_other",
	"workshare", "distribute", "taskloop", "scope" };

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
	ompt_data_t *task, uint64_t count, const void *codeptr_ra)
{
	tell("work %s %s %llu task %d", work_names[kind], end_of(endpoint),
		(unsigned long long)count, task_of(task));
}

static void on_dispatch(
	ompt_data_t *region, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance)
{
	const uint64_t *chunk = instance.ptr;

	if ((int)kind == ompt_dispatch_section)
		tell("dispatch section task %d", task_of(task));
	else
		tell("dispatch chunk %llu %llu task %d", (unsigned long long)chunk[0],
			(unsigned long long)chunk[1], task_of(task));
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
	const void *codeptr_ra)
{
	tell("masked %s task %d", end_of(endpoint), task_of(task));
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *deps, int n)
{
	static const char *const names[] = { "", "in", "out", "inout", "mutexinoutset", "source",
		"sink", "inoutset" };
	char line[160] = "";

	for (int i = 0; i < n; i++) {
		int is_place = deps[i].dependence_type == ompt_dependence_type_source ||
			       deps[i].dependence_type == ompt_dependence_type_sink;
		size_t used = strlen(line);

		snprintf(line + used, sizeof(line) - used, " %s %d", names[deps[i].dependence_type],
			is_place ? (int)deps[i].variable.value
				 : number_of((uintptr_t)deps[i].variable.ptr));
	}
	tell("dependences task %d%s", task_of(task), line);
}

static const char *const target_names[] = { "", "target", "enter_data", "exit_data", "update", "",
	"", "", "", "target_nowait", "enter_data_nowait", "exit_data_nowait", "update_nowait" };

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
	ompt_data_t *task, ompt_id_t id, const void *codeptr_ra)
{
	tell("target %s %s device %d task %d id %s", target_names[kind], end_of(endpoint), device,
		task_of(task), id ? "yes" : "no");
}

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
	ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target, const void *codeptr_ra)
{
	if (endpoint == ompt_scope_begin)
		target->value = ++n_targets;
	tell("target_emi %s %s device %d task %d target %d", target_names[kind], end_of(endpoint),
		device, task_of(task), task_of(target));
}

static int on_control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr_ra)
{
	tell("control_tool %d %d %s", (int)command, (int)modifier, arg ? "argument" : "none");
	return 65;
}

static const struct {
	const char *name;
	ompt_callbacks_t event;
	ompt_callback_t callback;
} events[] = {
#define EVENT(name) { #name, ompt_callback_##name, (ompt_callback_t)on_##name },
	EVENT(thread_begin) EVENT(thread_end) EVENT(parallel_begin) EVENT(parallel_end) EVENT(
		implicit_task) EVENT(task_create) EVENT(task_schedule) EVENT(sync_region)
		EVENT(sync_region_wait) EVENT(reduction) EVENT(mutex_acquire) EVENT(mutex_acquired)
			EVENT(mutex_released) EVENT(lock_init) EVENT(lock_destroy) EVENT(nest_lock)
				EVENT(cancel) EVENT(work) EVENT(dispatch) EVENT(masked)
					EVENT(dependences) EVENT(target) EVENT(target_emi)
						EVENT(control_tool)
};

static void answer(ompt_set_callback_t set_callback)
{
	static const char *const answers[] = { "error", "never", "impossible", "sometimes",
		"sometimes_paired", "always" };
	static const struct {
		const char *name;
		ompt_callbacks_t event;
	} all[] = {
#define ALL(name, type, id) { #name, name },
		FOREACH_OMPT_EVENT(ALL)
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		fprintf(stderr, "%s %s\n", all[i].name + strlen("ompt_callback_"),
			answers[set_callback(all[i].event, NULL)]);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	const char *what = getenv("TELLER");

	if (what && strcmp(what, "answers") == 0) {
		answer(set_callback);
		return 0;
	}
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		/* With it target would not be told. */
		if (events[i].event != ompt_callback_target_emi || is_wanted("target_emi"))
			set_callback(events[i].event, events[i].callback);
	}
	return 1;
}

static void finalize(ompt_data_t *tool_data)
{
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };
	const char *what = getenv("TELLER");

	if (what && strcmp(what, "version") == 0) {
		printf("%u\n", omp_version);
		return NULL;
	}
	return &result;
}
