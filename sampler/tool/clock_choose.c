/* SPDX-License-Identifier: Apache-2.0 */
/* Which clock a run gets; see clock.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sampler/core/clock.h"
#include "sampler/core/tool.h"

static uint64_t tick_ns(void)
{
	struct timespec tick;

	/* The coarse clocks advance on the kernel's tick. */
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0 || tick.tv_nsec <= 0)
		return 10000000;
	return (uint64_t)tick.tv_nsec;
}

/* Whether the perf event works for this thread: starts and stops it. */
static int try_perf(const struct perf_event *event)
{
	struct thread_clock clock = { .random = 1 };
	int error;

	clock_perf_use(event);
	error = clock_perf.start(&clock);
	if (error == 0)
		clock_perf.stop(&clock);
	return error;
}

static const struct clock *use_timer(struct settings *settings, clockid_t id)
{
	clock_timer_use(id, tick_ns());
	return &clock_timer;
}

static const struct clock *choose_cpu(struct settings *settings, char *note, size_t note_bytes)
{
	struct perf_event event;
	uint64_t tick = tick_ns();
	int error;

	if (settings->period >= tick)
		return use_timer(settings, CLOCK_THREAD_CPUTIME_ID);
	perf_event_find("task-clock", &event);
	error = try_perf(&event);
	if (error == 0)
		return &clock_perf;
	snprintf(note, note_bytes,
		"cannot open perf event 'task-clock': %s; at most %llu samples a second",
		strerror(error), 1000000000ULL / (unsigned long long)tick);
	settings->period = tick;
	settings->frequency_hz = (uint32_t)(1000000000ULL / tick);
	return use_timer(settings, CLOCK_THREAD_CPUTIME_ID);
}

static const struct clock *choose_event(struct settings *settings, char *note, size_t note_bytes)
{
	struct perf_event event = { 0 };
	uint64_t period = settings->period;
	int error;

	perf_event_find(settings->event, &event);
	if (!settings->event_period) {
		settings->period = event.is_time ? settings->period : event.period;
	} else {
		settings->period = settings->event_period;
		settings->frequency_hz = 0;
	}
	error = try_perf(&event);
	if (error == 0)
		return &clock_perf;
	snprintf(note, note_bytes, "cannot open perf event '%s': %s; sampling CPU time instead",
		settings->event, strerror(error));
	settings->period = period;
	if (!settings->frequency_hz)
		settings->frequency_hz = (uint32_t)(1000000000ULL / (period ? period : 1));
	strcpy(settings->event, "cpu");
	return choose_cpu(settings, note + strlen(note), 0);
}

static const struct clock *choose(struct settings *settings, char *note, size_t note_bytes)
{
	if (strcmp(settings->event, "cpu") == 0)
		return choose_cpu(settings, note, note_bytes);
	if (strcmp(settings->event, "wall") == 0)
		return use_timer(settings, CLOCK_MONOTONIC);
	return choose_event(settings, note, note_bytes);
}

/*
 * Perf events have SIGURG alone, also while one is tried. An event counts until late in an exec, when the handler is
 * gone already, and in a trial it can be due before there is a handler: another signal would end the program. When
 * the user's queue of real-time signals is full, the kernel sends SIGIO in the place of a perf event's, and that ends
 * the program, too.
 */
const struct clock *clock_choose(struct settings *settings, char *note, size_t note_bytes)
{
	const struct clock *clock;
	int signal = settings->signal;

	note[0] = '\0';
	settings->signal = SIGURG;
	clock = choose(settings, note, note_bytes);
	if (clock != &clock_perf)
		settings->signal = signal;
	else if (signal != SIGURG)
		snprintf(note, note_bytes,
			"a perf event cannot use another signal than SIGURG safely; using that");
	return clock;
}
