/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tool as a whole: the state that all its files share, and its life. The OpenMP runtime starts
 * the tool (ompt_start_tool), or under `ompprof run` the library's constructor. The library's
 * destructor ends it, or the program (control.h). A child made by fork forgets what it inherited.
 * The tool starts anew there at the child's first event that can be a thread's first event
 * (events.h).
 */
#ifndef OMPPROF_SAMPLER_CORE_TOOL_H
#define OMPPROF_SAMPLER_CORE_TOOL_H

#include <signal.h>
#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/clock.h"
#include "sampler/core/runtime_code.h"
#include "sampler/core/settings.h"
#include "sampler/core/thresholds.h"
#include "unwinder/core/walk.h"

/*
 * The phase is in memory that reads 0 in a child made by fork. So the tool is off in the child,
 * whatever the child inherited.
 */
enum tool_phase {
	TOOL_OFF = 0,
	TOOL_STARTING,
	TOOL_ON,
	TOOL_FAILED,  /* the start failed and is not tried again in this process */
	TOOL_STOPPED, /* for good: the profile is complete */
};

/*
 * Written at the tool's start, before a thread is registered, and read by all threads. Fields about
 * the runtime are written when a runtime attaches, has_ompt also when it ends. Other exceptions are
 * noted.
 */
struct tool {
	/* enum tool_phase, in a page that fork wipes; NULL: tool_prepare has not succeeded yet */
	uint32_t *phase;
	uint32_t epoch;    /* number of starts in this process and its ancestors */
	uint32_t has_ompt; /* a runtime is attached: inquiry functions may be called */
	struct settings settings;
	const struct clock *clock;
	const struct walker *walker;
	struct sigaction previous; /* the program's own disposition of the tool's signal */
	uint64_t start_ns;         /* CLOCK_MONOTONIC */
	uint64_t start_ticks;      /* tool_ticks at start_ns */
	const struct ompprof_runtime_code *runtime_code; /* NULL without a runtime */
	char runtime[128];                               /* the runtime's name for itself */
	const struct python_interpreter *python; /* NULL: none is known. Atomic (python_look.h) */
	uint64_t tool_lo;                        /* the tool's own mapping */
	uint64_t tool_hi;
	/*
	 * It is not certain which thread holds which mutex. Either not every release is reported,
	 * or a thread has released a mutex that it was not known to hold. Any thread.
	 */
	uint32_t holds_are_unknown;
	ompt_get_state_t get_state;
	ompt_get_task_info_t get_task_info;
	/* Measured time, which stands still during a pause. Written by control.c. */
	uint64_t paused_ticks; /* of the pauses that have ended */
	/* measured ticks at which the pause began; TOOL_GOES_ON without a pause */
	uint64_t stands_ticks;
	uint64_t paused_ns;           /* as paused_ticks, in ns */
	uint64_t stands_ns;           /* as stands_ticks, in ns */
	struct thresholds thresholds; /* near other fields that the events read anyway */
};

/* The process' interpreter of Python, or NULL. Signal-safe. */
#define TOOL_PYTHON() __atomic_load_n(&tool.python, __ATOMIC_ACQUIRE)

#define TOOL_GOES_ON UINT64_MAX

extern struct tool tool;

/* Whether the tool has started in this process and not stopped. True in a pause. Signal-safe. */
static inline int tool_is_on(void)
{
	return tool.phase && __atomic_load_n(tool.phase, __ATOMIC_ACQUIRE) == TOOL_ON;
}

/*
 * The end of the profile and a signal handler on another thread: the handler stores in_handler
 * (thread_enter_handler) and then asks whether the tool is on. Whoever ends the profile turns the
 * tool off, and then asks whether the thread is in its handler. At least one of them sees what the
 * other has stored, so all four accesses are in one order.
 */

/* tool_is_on for the handler. Signal-safe. */
static inline int tool_is_on_in_handler(void)
{
	return tool.phase && __atomic_load_n(tool.phase, __ATOMIC_SEQ_CST) == TOOL_ON;
}

/* Returns 0, or -1 if the tool is not on. Any thread. */
static inline int tool_turn_off(void)
{
	uint32_t on = TOOL_ON;

	return tool.phase && __atomic_compare_exchange_n(tool.phase, &on, TOOL_STOPPED, 0,
				     __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)
		       ? 0
		       : -1;
}

/* The rate of the counter if it is fixed; 0: it has to be measured. */
#ifndef TOOL_TICKS_PER_S
#define TOOL_TICKS_PER_S 0
#endif

#ifndef TOOL_TICKS
#define TOOL_TICKS arch_ticks
#endif

/* The cheapest clock of the machine. Signal-safe. */
static inline uint64_t tool_ticks(void)
{
	return TOOL_TICKS();
}

/* Whether the program has paused the tool. Signal-safe. */
static inline int tool_is_paused(void)
{
	return __atomic_load_n(&tool.stands_ticks, __ATOMIC_RELAXED) != TOOL_GOES_ON;
}

/*
 * Counts an event or execution: adds 1 to a counter of the profile that only the calling thread
 * writes, but nothing in a pause. Signal-safe.
 */
static inline void tool_count(uint64_t *counter)
{
	__atomic_store_n(counter, *counter + !tool_is_paused(), __ATOMIC_RELAXED);
}

/* As tool_count(), for a smaller counter. Signal-safe. */
static inline void tool_count_32(uint32_t *counter)
{
	__atomic_store_n(counter, *counter + !tool_is_paused(), __ATOMIC_RELAXED);
}

/*
 * Ticks of measured time. Events are timed by them, so that the length of a pause is no part of any
 * event around it. Signal-safe.
 */
static inline uint64_t tool_time(void)
{
	/*
	 * At a pause's end `paused_ticks` grows first. Until `stands_ticks` is reset, time stands
	 * still.
	 */
	uint64_t stands = __atomic_load_n(&tool.stands_ticks, __ATOMIC_ACQUIRE);
	uint64_t now = tool_ticks() - __atomic_load_n(&tool.paused_ticks, __ATOMIC_RELAXED);

	return now < stands ? now : stands;
}

/*
 * Adds the time since `begin` to a sum of n such times, with the weight `weight`. A disturbed time
 * counts as the mean of the times before it: most of it was hardly the tool's. Signal-safe.
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

/* Measured ns since the profile began. Signal-safe. */
uint64_t tool_now_ns(void);

/*
 * Writes the rate of the tick counter into the profile, if 0.1 s have passed since the start and
 * the profile does not have the rate yet. Signal-safe.
 */
void tool_calibrate(void);

/*
 * Whether the tool may do anything at all. It may not in a process with more rights than the user
 * who started it (set-user-ID, file capabilities): the user could make it write where only those
 * rights lead. Any thread.
 */
int tool_is_allowed(void);

/*
 * Makes the tool ready to be started: when the library is loaded, or before. Harmless if the tool
 * is ready already. Owning thread only.
 */
void tool_prepare(void);

/*
 * Starts the tool if it is off: settings, profile file, signal handler, calling thread. In a child
 * made by fork it first forgets all that was inherited. Returns 0 if the tool is on now. Returns -1
 * if this or an earlier start failed (after a message; the program continues without a profile), if
 * the tool has stopped, or if another thread has not ended its start after a second. Any thread.
 */
int tool_start(void);

/*
 * Whether a process that this process comes from by fork has started the tool, or tried to, and
 * this process has not. Any thread.
 */
int tool_is_inherited(void);

/* Whether `ompprof run` has started this process: no process in between. Any thread. */
int tool_is_of_command(void);

/* Writes a description of the attached runtime, if there is one, into the profile. Any thread. */
void tool_describe_runtime(void);

/* Stops sampling and completes the profile. Harmless if the tool is off. Any thread. */
void tool_stop(void);

/*
 * Does as tool_stop() while the program continues: in a call of the calling thread, with other
 * threads at work. The profile's header gets PROFILE_ENDED and these flags. Any thread.
 */
void tool_end(uint32_t flags);

#endif
