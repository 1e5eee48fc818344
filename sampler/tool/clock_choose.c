/* SPDX-License-Identifier: Apache-2.0 */
/* Which clock a run gets; see clock.h. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "sampler/core/clock.h"

/* A timer that expires on shorter ticks samples as good as at random. */
enum { COARSE_TICK_NS = 100000 };

/* Why there is no perf event beside the timer; NULL if there is, or needs to be none. */
static const char *refused;

static uint64_t tick_ns(void)
{
	struct timespec tick;

	/* The coarse clocks advance on the kernel's tick. */
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0 || tick.tv_nsec <= 0)
		return 10000000;
	return (uint64_t)tick.tv_nsec;
}

/* A value of -e that is no perf event. */
struct named {
	const char *event;
	const struct clock *clock;
	enum profile_clock_kind kind;
};

static const struct named *find_named(const char *event)
{
#define CLOCK(word, file, kind) { #word, &clock_##file, PROFILE_CLOCK_##kind },
	static const struct named list[] = {
#include "profile/shared/clocks.def"
	};
#undef CLOCK

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		if (strcmp(list[i].event, event) == 0)
			return &list[i];
	}
	return NULL;
}

enum profile_clock_kind clock_kind(const struct settings *settings)
{
	const struct named *named = find_named(settings->event);

	if (named)
		return named->kind;
	return clock_perf_is_time() ? PROFILE_CLOCK_CPU : PROFILE_CLOCK_EVENT;
}

/*
 * Starts and stops the clock for this thread; clock_perf after clock_perf_use. Returns 0 or an
 * errno.
 */
static int try_clock(const struct clock *tried)
{
	struct thread_clock clock = { .random = 1 };
	int error = tried->start(&clock);

	if (error == 0)
		tried->stop(&clock);
	return error;
}

static const struct clock *use_timer(struct settings *settings, clockid_t id)
{
	clock_timer_use(id, tick_ns());
	return &clock_timer;
}

/* Tries the event of CPU time; user_period as for clock_perf_use. Returns 0 or an errno. */
static int try_event(uint64_t user_period)
{
	struct perf_event event;

	perf_event_find("task-clock", &event);
	clock_perf_use(&event, user_period);
	return try_clock(&clock_perf);
}

/*
 * The timer expires on the tick: where a tick is long, samples at random moments need an event
 * beside it.
 */
static const struct clock *choose_slow(const struct settings *settings, int signal)
{
	uint64_t tick = tick_ns();
	int error;

	clock_timer_use(CLOCK_THREAD_CPUTIME_ID, tick);
	clock_mixed_use();
	if (tick < COARSE_TICK_NS)
		return &clock_timer;
	error = try_event(clock_mixed_period(settings->period));
	if (error != 0)
		refused = strerror(error);
	else if (signal != SIGURG)
		refused = "it only uses SIGURG";
	return refused ? &clock_timer : &clock_mixed;
}

static const struct clock *choose_cpu(
	struct settings *settings, int signal, char *note, size_t note_bytes)
{
	uint64_t tick = tick_ns();
	int error;

	if (settings->period >= tick)
		return choose_slow(settings, signal);
	error = try_event(0);
	if (error == 0)
		return &clock_perf;
	snprintf(note, note_bytes,
		"cannot open perf event 'task-clock': %s; at most %llu samples a second",
		strerror(error), 1000000000ULL / (unsigned long long)tick);
	settings->period = tick;
	settings->frequency_hz = (uint32_t)(1000000000ULL / tick);
	return choose_slow(settings, 0);
}

/* Samples CPU time, as another clock does not work. */
static const struct clock *give_up(
	struct settings *settings, const char *what, int error, char *note, size_t note_bytes)
{
	snprintf(note, note_bytes, "cannot open %s '%s': %s; sampling CPU time instead", what,
		settings->event, strerror(error));
	if (!settings->frequency_hz)
		settings->frequency_hz =
			(uint32_t)(1000000000ULL / (settings->period ? settings->period : 1));
	strcpy(settings->event, "cpu");
	return choose_cpu(settings, SIGURG, note + strlen(note), 0);
}

static const struct clock *choose_event(struct settings *settings, char *note, size_t note_bytes)
{
	struct perf_event event = { 0 };
	uint64_t period = settings->period;
	int error;

	perf_event_find(settings->event, &event);
	if (settings->event_period)
		settings->period = settings->event_period;
	else if (!event.is_time)
		settings->period = event.period;
	if (settings->event_period || (!event.is_time && event.period))
		settings->frequency_hz = 0;
	clock_perf_use(&event, 0);
	error = try_clock(&clock_perf);
	if (error == 0)
		return &clock_perf;
	settings->period = period;
	return give_up(settings, "perf event", error, note, note_bytes);
}

static const struct clock *choose(
	struct settings *settings, int signal, char *note, size_t note_bytes)
{
	const struct named *named = find_named(settings->event);
	int error;

	if (!named)
		return choose_event(settings, note, note_bytes);
	if (named->kind == PROFILE_CLOCK_CPU && named->clock == &clock_timer)
		return choose_cpu(settings, signal, note, note_bytes);
	if (named->clock == &clock_timer)
		return use_timer(settings, CLOCK_MONOTONIC);
	error = try_clock(named->clock);
	return error == 0 ? named->clock : give_up(settings, "clock", error, note, note_bytes);
}

/*
 * Perf events use only SIGURG, also while one of them is tried. An event still counts late in an
 * exec, when the handler is gone, and a trial comes before there is a handler. Any other signal
 * that can be chosen would then end the program. So would SIGIO, which the kernel sends instead of
 * a perf event's signal when the user's queue of real-time signals is full.
 */
const struct clock *clock_choose(struct settings *settings, char *note, size_t note_bytes)
{
	const struct clock *clock;
	int signal = settings->signal;

	note[0] = '\0';
	settings->signal = SIGURG;
	refused = NULL;
	clock = choose(settings, signal, note, note_bytes);
	if (clock != &clock_perf && clock != &clock_mixed)
		settings->signal = signal;
	else if (signal != SIGURG)
		snprintf(note, note_bytes, "a perf event can only use SIGURG safely; using SIGURG");
	return clock;
}

void clock_remark(char *note, size_t note_bytes)
{
	if (refused)
		snprintf(note, note_bytes,
			"sampled on the kernel's tick, every %.3g ms, as there is no perf event "
			"'task-clock' (%s): places that alternate in step with the tick can be "
			"shown 30 points too high or too low",
			(double)tick_ns() / 1e6, refused);
}
