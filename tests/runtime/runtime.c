/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's threads and their steps; see runtime.h. */
#include "tests/runtime/runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/runtime/clock.h"
#include "tests/runtime/device.h"
#include "tests/runtime/entry_points.h"
#include "tests/runtime/objects.h"
#include "tests/runtime/send.h"

struct stage *stage;
__thread struct actor *stage_self;
struct runtime_settings runtime_settings;
void (*runtime_user_function)(unsigned number);
const void *(*runtime_user_address)(unsigned number);

static void *library;
static ompt_start_tool_result_t *tool;
static pthread_t threads[STAGE_MAX_ACTORS];

void stage_fail(struct actor *actor, const char *format, ...)
{
	va_list args;

	if (actor->failure[0])
		return;
	va_start(args, format);
	vsnprintf(actor->failure, sizeof(actor->failure), format, args);
	va_end(args);
}

/*
 * The next of the steps that the actor was given; NULL: it has done them. Steps that advance time
 * are done here.
 */
static const struct step *next_given(struct actor *actor)
{
	while (actor->step && actor->step != actor->last && !actor->failure[0]) {
		const struct step *step = ++actor->step;

		if (step->kind != STEP_ADVANCE)
			return step;
		clock_advance(step->v[0]);
	}
	return NULL;
}

const struct step *stage_next(struct actor *actor)
{
	const struct step *step = next_given(actor);

	if (step)
		return step;
	sem_post(&actor->done);
	while (sem_wait(&actor->go) != 0 && errno == EINTR)
		continue;
	return actor->step;
}

int runtime_prepare(void)
{
	return objects_prepare();
}

/* A function of the library, which is loaded at the first start as a runtime loads a tool. */
static void *tool_function(const char *name)
{
	if (!library)
		library = dlopen(runtime_settings.library, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		stage_fail(stage_self, "%s", dlerror());
	return library ? dlsym(library, name) : NULL;
}

/* Starts the tool; with is_refused the script expects that the tool refuses. */
static void start(int is_refused)
{
	typedef ompt_start_tool_result_t *start_tool(unsigned, const char *);
	start_tool *function = (start_tool *)tool_function("ompt_start_tool");
	ompt_start_tool_result_t *result;

	if (!function)
		return;
	result = function(runtime_settings.version, runtime_settings.name);
	/* If the tool refuses, the result of an earlier start stays. */
	if (result && result->initialize(entry_points_lookup, 0, &result->tool_data) == 0)
		result = NULL;
	if (result)
		tool = result;
	if ((result == NULL) != is_refused)
		stage_fail(stage_self, "the tool %s", result ? "takes it" : "refuses it");
}

static void finalize(void)
{
	if (tool)
		tool->finalize(&tool->tool_data);
	tool = NULL;
	entry_points_clear();
}

static void begin_thread(struct actor *actor)
{
	stage_self = actor;
	actor->was_pid = actor->pid = getpid();
	actor->was_tid = actor->tid = gettid();
	objects_begin_thread(actor->index);
}

static void stay(const struct send_place *here);

static void *run_thread(void *data)
{
	struct send_place here = { 0, (uint64_t)__builtin_frame_address(0) };

	begin_thread(data);
	stay(&here);
	return NULL;
}

static void create_thread(struct actor *actor)
{
	int error = pthread_create(&threads[actor->index], NULL, run_thread, actor);

	if (error)
		stage_fail(stage_self, "no thread: %s", strerror(error));
}

static void join_thread(struct actor *actor)
{
	pthread_join(threads[actor->index], NULL);
	actor->pid = actor->tid = 0;
}

/* The child process continues as the actor `child`, a copy of the calling actor. */
static void fork_actor(struct actor *child)
{
	struct actor *parent = stage_self;
	pid_t pid = fork();

	if (pid != 0) {
		if (pid < 0)
			stage_fail(parent, "fork: %s", strerror(errno));
		return;
	}
	stage_self = child;
	child->was_pid = child->pid = getpid();
	child->was_tid = child->tid = gettid();
	child->site = parent->site;
	performers[child->index] = performers[parent->index];
}

static void reap(struct actor *actor)
{
	int status = 0;

	if (waitpid(actor->pid, &status, 0) != actor->pid)
		stage_fail(stage_self, "its process is no child");
	actor->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	actor->pid = actor->tid = 0;
}

static void expect_data(int64_t object, uint64_t value)
{
	if (objects_data(object)->value != value)
		stage_fail(stage_self, "it is 0x%llx",
			(unsigned long long)objects_data(object)->value);
}

static void set_frames(const struct step *step, const struct send_place *here)
{
	struct object *task = &objects[objects_task()];

	task->is_given = !step->v[2];
	task->given.exit_frame.ptr = send_frame(step->v[0], here);
	task->given.enter_frame.ptr = send_frame(step->v[1], here);
}

static void set_state(const struct step *step)
{
	struct performer *self = objects_self();

	self->is_state_given = !step->v[2];
	self->state = (uint32_t)step->v[0];
	self->wait_id = step->v[1];
}

static void sleep_ns(uint64_t ns)
{
	struct timespec left = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		continue;
}

/* Limits how many files the process may have open, to `n` but not above the limit at first. */
static void limit_files(rlim_t n)
{
	static struct rlimit first;
	struct rlimit limit;

	if (!first.rlim_max)
		getrlimit(RLIMIT_NOFILE, &first);
	limit = first;
	if (n < limit.rlim_max)
		limit.rlim_cur = n;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Does any step in the runtime that does not change the stack. */
static void perform(const struct step *step, const struct send_place *here)
{
	struct actor *other = &stage->actors[step->v[0] % STAGE_MAX_ACTORS];

	switch (step->kind) {
	case STEP_EVENT:
		send_event(step, here);
		break;
	case STEP_THREAD:
		create_thread(other);
		break;
	case STEP_START:
		start((int)step->v[0]);
		break;
	case STEP_FINALIZE:
		finalize();
		break;
	case STEP_FORK:
		fork_actor(other);
		break;
	case STEP_REAP:
		reap(other);
		break;
	case STEP_JOIN:
		join_thread(other);
		break;
	case STEP_EXIT:
		if (step->v[1])
			_exit((int)step->v[0]);
		exit((int)step->v[0]);
	case STEP_STATE:
		set_state(step);
		break;
	case STEP_FRAMES:
		set_frames(step, here);
		break;
	case STEP_SITE:
		stage_self->site = (uint32_t)step->v[0];
		break;
	case STEP_INFO:
		objects_self()->levels = (int)step->v[0];
		break;
	case STEP_SLEEP:
		sleep_ns(step->v[0]);
		break;
	case STEP_FILES:
		limit_files((rlim_t)step->v[0]);
		break;
	case STEP_DATA:
		objects_data((int64_t)step->v[0])->value = step->v[1];
		break;
	case STEP_COPY:
		*objects_data((int64_t)step->v[0]) = *objects_data((int64_t)step->v[1]);
		break;
	case STEP_UNMAP:
		objects_unmap((int64_t)step->v[0]);
		break;
	case STEP_EXPECT_DATA:
		expect_data((int64_t)step->v[0], step->v[1]);
		break;
	case STEP_DEVICE:
		device_act(step);
		break;
	default:
		stage_fail(stage_self, "this cannot be done here");
	}
	if (entry_points_wants_end())
		finalize();
}

/* The runtime calls the body of the current task, whose exit frame is this function's. */
static __attribute__((noinline)) void invoke(const struct step *step)
{
	ompt_frame_t *frame = &objects[objects_task()].frame;
	void *outer = frame->exit_frame.ptr;

	frame->exit_frame.ptr = __builtin_frame_address(0);
	frame->exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
	runtime_user_function((unsigned)step->v[0]);
	frame->exit_frame.ptr = outer;
}

/* Does steps within the runtime, until a step leaves it. */
static __attribute__((noinline)) void stay(const struct send_place *here)
{
	for (;;) {
		const struct step *step = stage_next(stage_self);

		if (step->kind == STEP_LEAVE || step->kind == STEP_QUIT)
			return;
		if (step->kind == STEP_CALL)
			invoke(step);
		else if (step->kind == STEP_SAMPLE)
			stage_raise(stage_self);
		else
			perform(step, here);
	}
}

void runtime_call(const struct step *step)
{
	struct send_place here = {
		(uint64_t)__builtin_return_address(0),
		(uint64_t)__builtin_frame_address(0),
	};
	ompt_frame_t *frame = &objects[objects_task()].frame;

	stage->site[step->function][stage_self->site] = here.ra;
	frame->enter_frame.ptr = (void *)here.frame;
	frame->enter_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
	if (step->kind == STEP_ENTER)
		stay(&here);
	else
		perform(step, &here);
	frame->enter_frame.ptr = NULL;
}

void runtime_begin(struct actor *actor)
{
	begin_thread(actor);
}

runtime_create *runtime_native_create(void)
{
	return (runtime_create *)tool_function("pthread_create");
}

pthread_t *runtime_thread_of(struct actor *actor)
{
	return &threads[actor->index];
}
