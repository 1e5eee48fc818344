/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tool as a whole: its one global struct, and its life: started by the OpenMP runtime
 * (ompt_start_tool) or, under `ompprof run`, by the library's constructor; ended by the runtime's
 * finalize and the library's destructor; forgotten in a child made by fork, which begins anew when
 * its own first OpenMP thread does.
 */
#ifndef OMPPROF_SAMPLER_CORE_TOOL_H
#define OMPPROF_SAMPLER_CORE_TOOL_H

#include <signal.h>
#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/clock.h"
#include "sampler/core/settings.h"
#include "sampler/core/thresholds.h"
#include "unwinder/core/walk.h"

/*
 * The phase lies in memory that reads 0 in a child made by fork: so the child, whatever it inherited,
 * is off, and starts anew only at its own first OpenMP event.
 */
enum tool_phase {
	TOOL_OFF = 0,
	TOOL_STARTING,
	TOOL_ON,
	TOOL_FAILED,  /* to start; not tried again */
	TOOL_STOPPED, /* for good: the profile is complete */
};

/* Written while no thread is registered, read by all, except where noted. */
struct tool {
	/* enum tool_phase, in a page that fork wipes; NULL before the library is initialised. */
	uint32_t *phase;
	uint32_t epoch;    /* counts the starts in this process and its ancestors */
	uint32_t has_ompt; /* a runtime is attached: inquiry functions may be called */
	struct settings settings;
	const struct clock *clock;
	const struct walker *walker;
	struct sigaction previous; /* the program's own disposition of our signal */
	uint64_t start_ns;         /* CLOCK_MONOTONIC */
	uint64_t start_ticks;      /* tool_ticks at start_ns */
	uint64_t runtime_lo;       /* the runtime's mapping, [lo, hi); 0 without one */
	uint64_t runtime_hi;
	char runtime[128]; /* what the runtime calls itself */
	uint64_t tool_lo;  /* our own mapping */
	uint64_t tool_hi;
	/* No event tells of releases, or a thread has released what another one, or nobody, was known to hold: who holds
	   what is not certain. Any thread. */
	uint32_t holds_are_unknown;
	ompt_get_state_t get_state;
	ompt_get_task_info_t get_task_info;
	/* Measured time: it stands still while the program pauses the tool. Written by control.c. */
	uint64_t paused_ticks; /* of the pauses that ended */
	uint64_t
		stands_ticks; /* measured ticks at which the pause began; TOOL_GOES_ON without one */
	uint64_t paused_ns;
	uint64_t stands_ns;
	struct thresholds thresholds; /* beside what the events read anyway */
};

#define TOOL_GOES_ON UINT64_MAX

extern struct tool tool;

/* Whether this is the process that started the tool, and it is sampling. Signal-safe. */
static inline int tool_is_on(void)
{
	return tool.phase && __atomic_load_n(tool.phase, __ATOMIC_ACQUIRE) == TOOL_ON;
}

/* The rate of the counter where it is fixed; 0: it has to be measured. */
#ifndef TOOL_TICKS_PER_S
#define TOOL_TICKS_PER_S 0
#endif

/* The cheapest clock of the machine, for the tool's own cost. Signal-safe. */
static inline uint64_t tool_ticks(void)
{
	return arch_ticks();
}

/* Whether the program has paused the tool. Signal-safe. */
static inline int tool_is_paused(void)
{
	return __atomic_load_n(&tool.stands_ticks, __ATOMIC_RELAXED) != TOOL_GOES_ON;
}

/* What an event or execution counts for: 1, or 0 in a pause. Signal-safe. */
static inline uint32_t tool_counts(void)
{
	return !tool_is_paused();
}

/*
 * Ticks of measured time: events are timed by these, so that of whatever a pause is in, its length is no part.
 * Signal-safe.
 */
static inline uint64_t tool_time(void)
{
	/* At a pause's end `paused_ticks` grows first: between the two time stands still. */
	uint64_t stands = __atomic_load_n(&tool.stands_ticks, __ATOMIC_ACQUIRE);
	uint64_t now = tool_ticks() - __atomic_load_n(&tool.paused_ticks, __ATOMIC_RELAXED);

	return now < stands ? now : stands;
}

/*
 * Adds the time since `begin` to a sum that is of n such times, as one that stands for `weight`. A
 * disturbed one counts as the mean of those before it: the time in between was not the tool's.
 * Signal-safe.
 */
static inline void tool_add_ticks(uint64_t *sum, uint64_t n, uint64_t begin, uint64_t weight)
{
	uint64_t ticks = tool_ticks() - begin;

	if (ticks > tool.thresholds.disturbed)
		ticks = n ? *sum / n : 0;
	__atomic_store_n(sum, *sum + ticks * weight, __ATOMIC_RELAXED);
}

/* CLOCK_MONOTONIC ns since the profile began. Signal-safe. */
uint64_t tool_clock_ns(void);

/* Likewise, of measured time. Signal-safe. */
uint64_t tool_now_ns(void);

/* Tells readers of the profile how long a tick is, if enough have gone by to know. Signal-safe. */
void tool_calibrate(void);

/*
 * Whether the tool may do anything at all. In a process with more rights than the user who started it (set-user-ID, file
 * capabilities) it may not: this user could have it write where only those rights lead.
 * Any thread.
 */
int tool_is_allowed(void);

/*
 * Makes the tool ready to be started: when the library is loaded, or before. Harmless if it is.
 * Owning thread only.
 */
void tool_prepare(void);

/*
 * Starts the tool if it is off: settings, profile file, signal handler, calling thread. In a child
 * made by fork it first forgets all that was inherited. Returns 0 if the tool is on now, or -1: the
 * start failed (after one line on stderr; the program runs on unprofiled) or the tool has stopped.
 * Any thread.
 */
int tool_start(void);

/* Whether this process is a child made by fork of one in which the tool was on. Any thread. */
int tool_is_inherited(void);

/*
 * Tells the profile of the runtime that is attached, if one is.
 * Any thread.
 */
void tool_describe_runtime(void);

/*
 * Stops sampling and completes the profile. Harmless if the tool is off.
 * Any thread.
 */
void tool_stop(void);

/*
 * Likewise, while the program goes on: in a call of the calling thread's, with others at work. The profile's header gets
 * PROFILE_ENDED and these flags.
 * Any thread.
 */
void tool_end(uint32_t flags);

#endif
