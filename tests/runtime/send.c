/* SPDX-License-Identifier: Apache-2.0 */
/* Events; see send.h. */
#include "tests/runtime/send.h"

#include <errno.h>
#include <limits.h>
#include <omp-tools.h>
#include <stddef.h>
#include <string.h>

#include "tests/runtime/device.h"
#include "tests/runtime/entry_points.h"
#include "tests/runtime/events.h"
#include "tests/runtime/instructions.h"
#include "tests/runtime/objects.h"
#include "tests/runtime/runtime.h"

enum { MAX_ITEMS = 32, STRANGE_ERRNO = 12345, ANY_RESULT = INT_MAX };

/* The parts that an event's arguments are made of. */
struct sending {
	const struct step *step;
	ompt_data_t *thread, *task, *parallel;
	const ompt_frame_t *frame;
	ompt_frame_t own_frame;
	const void *ra;
	ompt_data_t instance; /* of dispatch */
	struct {
		uint64_t start, iterations;
	} chunk;
	ompt_dependence_t deps[MAX_ITEMS];
	void *host[MAX_ITEMS], *device[MAX_ITEMS];
	size_t bytes[MAX_ITEMS];
	unsigned flags[MAX_ITEMS];
	int result; /* of a callback that has one */
};

typedef ompt_callback_sync_region_t ompt_callback_sync_region_wait_t;
typedef ompt_callback_sync_region_t ompt_callback_reduction_t;
typedef ompt_callback_mutex_acquire_t ompt_callback_lock_init_t;
typedef ompt_callback_mutex_t ompt_callback_lock_destroy_t;
typedef ompt_callback_mutex_t ompt_callback_mutex_acquired_t;
typedef ompt_callback_mutex_t ompt_callback_mutex_released_t;

#define V(i)     s->step->v[i]
#define DATA(i)  objects_data((int64_t)V(i))
#define PLACE(i) ((ompt_id_t *)DATA(i))
#define TASK     s->task
#define PARALLEL s->parallel
#define FRAME    s->frame
#define RA       s->ra

#define SENDER(name, form, ...)                                                                    \
	static void send_##name(struct sending *s, ompt_callback_t callback)                       \
	{                                                                                          \
		((ompt_callback_##name##_t)callback)(__VA_ARGS__);                                 \
	}
#define SENDER_OF_INT(name, form, ...)                                                             \
	static void send_##name(struct sending *s, ompt_callback_t callback)                       \
	{                                                                                          \
		s->result = ((ompt_callback_##name##_t)callback)(__VA_ARGS__);                     \
	}
EVENTS(SENDER, SENDER_OF_INT)

#define ROW(name, form, ...) [ompt_callback_##name] = send_##name,
static void (*const senders[STAGE_N_EVENTS])(
	struct sending *, ompt_callback_t) = { EVENTS(ROW, ROW) };

/* An address where no frame can be. */
#define WILD 0x7000dead0000ULL

void *send_frame(uint64_t frame, const struct send_place *here)
{
	switch (frame) {
	case FRAME_NONE:
	case FRAME_NULL:
		return NULL;
	case FRAME_HERE:
		return (void *)here->frame;
	case FRAME_STALE:
		/* Deeper than this function: like the frame of a function that has returned. */
		return (char *)__builtin_frame_address(0) - 2048;
	case FRAME_WILD:
		return (void *)WILD;
	default:
		return (void *)frame;
	}
}

static const void *address(uint64_t ra, const struct send_place *here)
{
	if (ra == ADDRESS_HERE)
		return (void *)here->ra;
	if (ra == ADDRESS_NULL)
		return NULL;
	if (ra == ADDRESS_RUNTIME)
		return (char *)send_event + 1;
	if (ra < ADDRESS_END)
		return (const char *)runtime_user_address((unsigned)(ra - ADDRESS_FUNCTION)) + 1;
	return (const void *)ra;
}

static void find_frame(struct sending *s, const struct send_place *here)
{
	s->frame = &s->own_frame;
	if (s->step->frame == FRAME_NULL)
		s->frame = NULL;
	else if (s->step->frame == FRAME_HERE)
		s->frame = objects_frame(objects_task());
	else if (s->step->frame != FRAME_NONE)
		s->own_frame.enter_frame.ptr = send_frame(s->step->frame, here);
}

static void find_items(struct sending *s)
{
	for (unsigned i = 0; i < s->step->n_items && i < MAX_ITEMS; i++) {
		const struct step_item *item = &s->step->items[i];

		s->deps[i].variable.value = item->a;
		s->deps[i].dependence_type = (ompt_dependence_type_t)item->flags;
		s->host[i] = (void *)item->a;
		s->device[i] = (void *)item->b;
		s->bytes[i] = item->n;
		s->flags[i] = (unsigned)item->flags;
	}
	s->chunk.start = s->step->v[2];
	s->chunk.iterations = s->step->v[3];
	s->instance.value = s->step->v[1];
	if (s->step->event == ompt_callback_dispatch && s->step->v[0] > ompt_dispatch_section)
		s->instance.ptr = &s->chunk;
}

/* Notes a begin in the stand-in's own data, before it is announced. */
static void note_begin(const struct step *step)
{
	const uint64_t *v = step->v;
	int64_t region, task;

	switch (step->event) {
	case ompt_callback_thread_begin:
		objects_data(OBJECTS_THREAD + stage_self->index)->value = 0;
		break;
	case ompt_callback_parallel_begin:
		region = (int64_t)v[0];
		if (region < 0)
			break;
		objects[region].encountering = objects_task();
		objects[region].team = (int)v[1];
		objects_data(region)->value = 0;
		break;
	case ompt_callback_implicit_task:
		region = (int64_t)v[1];
		task = (int64_t)v[2];
		if (v[0] != ompt_scope_begin || task < 0)
			break;
		if (region < 0)
			region = OBJECTS_OWN_REGION + stage_self->index;
		objects[task] = (struct object){
			.region = region, .flags = (int)v[5], .thread_num = (int)v[4]
		};
		objects_data(task)->value = 0;
		objects_push(task);
		break;
	case ompt_callback_task_create:
		if ((int64_t)v[0] < 0)
			break;
		objects[v[0]] = (struct object){ .region = objects_region(), .flags = (int)v[1] };
		objects_data((int64_t)v[0])->value = 0;
		break;
	}
}

/* Notes an end or a switch, once it has been announced. */
static void note_end(const struct step *step)
{
	const uint64_t *v = step->v;

	if (step->event == ompt_callback_implicit_task && v[0] == ompt_scope_end &&
		(int64_t)v[2] >= 0)
		objects_remove((int64_t)v[2]);
	if (step->event == ompt_callback_task_schedule)
		objects_switch((int64_t)v[0], v[1] != ompt_task_switch && v[1] != ompt_task_yield,
			(int64_t)v[2]);
}

/* Not inlined: its variables must not lie in the frame of the runtime function that was called. */
__attribute__((noinline)) void send_event(const struct step *step, const struct send_place *here)
{
	ompt_callback_t callback = entry_points_callback(step->event);
	struct sending s = {
		.step = step,
		.thread = objects_data(OBJECTS_THREAD + stage_self->index),
		.ra = address(step->ra, here),
	};
	int64_t task = step->is_task_given ? step->task : objects_task();
	int64_t region = step->is_parallel_given ? step->parallel : objects_region();

	note_begin(step);
	s.task = objects_data(task);
	s.parallel = objects_data(region);
	find_frame(&s, here);
	find_items(&s);
	errno = STRANGE_ERRNO;
	if (callback) {
		instructions_begin(callback);
		senders[step->event](&s, callback);
		instructions_end();
	}
	if (errno != STRANGE_ERRNO)
		stage_fail(stage_self, "the tool has changed errno, to %d", errno);
	if (stage_self->interrupt)
		stage_fail(stage_self, "the tool looked too seldom at a clock to be interrupted");
	stage_self->interrupt = 0;
	if (step->event == ompt_callback_control_tool && callback &&
		(int)step->v[3] != ANY_RESULT && s.result != (int)step->v[3])
		stage_fail(stage_self, "the tool returned %d", s.result);
	note_end(step);
}
