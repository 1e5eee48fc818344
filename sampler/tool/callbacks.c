/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of the callbacks, and begin and end of a thread; see events.h. OpenMP 5.1, 4.5.2. */
#include "sampler/tool/events.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "profile/shared/event_names.h"
#include "profile/core/writer.h"
#include "sampler/tool/control.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"
#include "sampler/threads/wait.h"

struct thread *callback_adopt(uint32_t type)
{
	if (tool_is_inherited())
		tool_start();
	return tool_is_on() ? thread_adopt(type) : NULL;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread_data)
{
	struct thread *thread;

	if (tool_is_inherited())
		tool_start();
	if (!tool_is_on())
		return;
	thread = thread_register(type);
	if (!thread)
		return;
	thread->life.is_openmp = 1;
	if (type == ompt_thread_worker)
		wait_become_idle(thread, tool_time());
	board_publish(thread);
}

static void on_thread_end(ompt_data_t *thread_data)
{
	struct thread *thread = enter();

	if (!thread)
		return;
	/* The process's first thread and the program's own threads can outlive the runtime. */
	thread->life.is_openmp = 0;
	thread->regions.n = 0;
	wait_finish(thread, tool_time());
	leave(thread);
	if (thread->record->tid != (uint32_t)getpid() && !thread->start.routine)
		thread_unregister();
}

#define COUNTED(NAME, number, name, ...)                                                           \
	_Static_assert(ompt_callback_##name == (number), "as the specification");
#define CALLBACK(number, name, ...)                                                                \
	_Static_assert(ompt_callback_##name == (number), "as the specification");
#include "profile/shared/events.def"

/* A wait that no callback reports is measured by the tool alone. */
#define ompt_callback_no_event ((ompt_callbacks_t)0)

/* The waits that a callback reports, as bits by enum profile_wait. */
static uint32_t waits_of_event(ompt_callbacks_t event)
{
	return 0
#define WAIT(NAME, value, script, label, word, class, time, name)                                  \
	| (uint32_t)(event == ompt_callback_##name) << (value)
#include "profile/shared/waits.def"
		;
}

struct answers {
	ompt_set_callback_t set_callback;
	char *missing;
	size_t bytes, used;
};

/* Notes the runtime's answer for an event that is to be counted. */
static void note_counted(ompt_callbacks_t event, int result)
{
	struct profile_header *header = writer_header();
	uint64_t bit = 1ULL << event & tool.settings.events;

	header->counted.asked |= bit;
	if (result <= ompt_set_impossible)
		header->counted.never |= bit;
	else if (result != ompt_set_always)
		header->counted.sometimes |= bit;
}

/*
 * Registers an event's callback: the callback that counts it, if there is one
 * (events_counted_callback).
 */
static void ask_for(struct answers *answers, ompt_callbacks_t event, ompt_callback_t callback)
{
	ompt_callback_t counted = events_counted_callback(event);
	int n, result = answers->set_callback(event, counted ? counted : callback);

	if (counted)
		note_counted(event, result);
	if (event == ompt_callback_mutex_released && result != ompt_set_always)
		__atomic_store_n(&tool.holds_are_unknown, 1, __ATOMIC_RELAXED);
	if (result > ompt_set_impossible)
		__atomic_fetch_or(&writer_header()->waits, waits_of_event(event), __ATOMIC_RELAXED);
	/* A runtime without commands makes the profile no coarser. */
	if (result > ompt_set_impossible || event == ompt_callback_control_tool ||
		answers->used >= answers->bytes)
		return;
	n = snprintf(answers->missing + answers->used, answers->bytes - answers->used, "%s%s",
		answers->used ? ", " : "", event_name(event));
	answers->used += n > 0 ? (size_t)n : 0;
}

void callbacks_register(ompt_set_callback_t set_callback, char *missing, size_t bytes)
{
	/* events_target_register registers the callbacks of target regions and devices. */
	static const ompt_callback_t defaults[EVENTS_N_CALLBACKS] = {
#define ON_CONSTRUCTS(name)                   (ompt_callback_t) on_##name
#define ON_COMMANDS(name)                     (ompt_callback_t) on_##name
#define ON_THREADS(name)                      (ompt_callback_t) on_##name
#define ON_DEVICES(name)                      NULL
#define ON_NOTHING(name)                      NULL
#define COUNTED(NAME, number, name, use, ...) [ompt_callback_##name] = ON_##use(name),
#define CALLBACK(number, name, use)           [ompt_callback_##name] = ON_##use(name),
#include "profile/shared/events.def"
	};
	struct answers answers = { set_callback, missing, bytes, 0 };

	missing[0] = '\0';
	events_target_register(set_callback);
	for (int i = 1; i < EVENTS_N_CALLBACKS; i++) {
		ompt_callbacks_t event = (ompt_callbacks_t)i;

		if (defaults[i] || events_counted_callback(event))
			ask_for(&answers, event, defaults[i]);
	}
}
