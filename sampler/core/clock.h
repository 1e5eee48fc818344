/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clocks by which a thread can be sampled. A clock is one file clock_*.c and one struct clock.
 * clock_choose picks one by what the user asked for and what the system grants. All clocks send the
 * tool's signal to the thread that they measure, at random intervals whose mean is the period. So a
 * program in step with the period is still sampled fairly. (The intervals of a perf event are not
 * random if a frequency drives it, or if its period is below PERF_EVENT_MIN_RANDOM. With many
 * threads the intervals of wall time are longer.)
 *
 * A sample's weight is what the thread's clock advanced since its previous sample. Ticks that fell
 * together, overruns and time in the kernel even out. The weights of a thread's samples add up to
 * its CPU time (with wall time: to its life).
 */
#ifndef OMPPROF_SAMPLER_CORE_CLOCK_H
#define OMPPROF_SAMPLER_CORE_CLOCK_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "profile/shared/layout.h"
#include "profile/shared/perf_event.h"
#include "sampler/core/settings.h"

enum { CLOCK_OWN_BYTES = 32 };

/* The thread's deeds since the previous signals, for clock_mixed. handler */
struct clock_looks {
	uint32_t n_faults; /* of the thread's life, at the previous signal */
	uint32_t n_switches;
	uint32_t n_heavy;   /* ticks with many switches, until CALM_LOOKS ticks without */
	uint32_t n_calm;    /* ticks without, in a row, with no event that is on */
	uint32_t has_event; /* written by handler and cb */
	uint32_t is_off;    /* the event does not count */
	uint32_t n_silent;  /* ticks since the event's signal */
	uint32_t is_event;  /* whether this signal is the event's */
};

/*
 * The clock of one thread: a part of struct thread. "cb" and "handler" as in thread.h; "both": by
 * both.
 */
struct thread_clock {
	int is_paused; /* the thread blocks the tool's signal */
	/* while paused: the clock's signal has come and was dropped, so resume requests another */
	int is_spent;
	uint64_t last_ns;     /* thread CPU time (wall: CLOCK_MONOTONIC) at the last sample. both */
	uint64_t last_events; /* event count at the last sample. both */
	uint64_t random;      /* xorshift state. handler */
	uint64_t kept_ns;     /* time and events before a pause, for the next sample. both */
	uint64_t kept_events;
	/* The state of this kind of clock; all zero before `start`. A perf event has `event`. */
	unsigned char own[CLOCK_OWN_BYTES] __attribute__((aligned(8)));
	unsigned char event[CLOCK_OWN_BYTES] __attribute__((aligned(8)));
	struct clock_looks looks;
};

/* The advance of a thread's clock in one sample. */
struct clock_weight {
	uint64_t time_ns;
	uint64_t events;
	uint64_t cpu_ns; /* value of the thread's CPU clock now */
};

struct clock {
	const char *name;

	/*
	 * Whether the signal that has come is no sample; the next interval has begun then. NULL:
	 * all are samples. Signal-safe.
	 */
	int (*skips)(struct thread_clock *clock, const siginfo_t *info, const void *ucontext);

	/* Starts the calling thread's clock. Returns 0 or an errno. Owning thread only. */
	int (*start)(struct thread_clock *clock);

	/*
	 * Whether a delivered signal comes from this clock; if `clock` is NULL, from a clock of its
	 * kind. Signal-safe.
	 */
	int (*owns)(const struct thread_clock *clock, const siginfo_t *info);

	/*
	 * Reads what the thread did since its previous sample, without beginning a new interval.
	 * Signal-safe.
	 */
	void (*read)(const struct thread_clock *clock, struct clock_weight *weight);

	/*
	 * Begins the next interval without a sample: the time since the previous sample goes to the
	 * next sample. Signal-safe.
	 */
	void (*next)(struct thread_clock *clock);

	/*
	 * For the sample of the signal that has come with *info: reads what the thread did since
	 * its previous sample into *weight, and begins the next interval there. Signal-safe.
	 */
	void (*turn)(
		struct thread_clock *clock, const siginfo_t *info, struct clock_weight *weight);

	/*
	 * The sample has been taken. Continues a clock that stands still from its signal up to this
	 * call, so that it counts the program and not the tool. NULL: the clock does not stand
	 * still. Signal-safe.
	 */
	void (*go_on)(struct thread_clock *clock);

	/*
	 * Sends no signal until the clock is resumed. The time that passes goes to the next sample.
	 * Events of perf are not counted meanwhile. Owning thread only.
	 */
	void (*pause)(struct thread_clock *clock);

	/* Begins the next interval of a clock that was paused. Owning thread only. */
	void (*resume)(struct thread_clock *clock);

	/* Stops a clock. Any thread may stop the clock of any other thread. Any thread. */
	void (*stop)(struct thread_clock *clock);

	/*
	 * In a child made by fork: lets go of all that the child has inherited of a clock of its
	 * parent. NULL: there is nothing. Owning thread only.
	 */
	void (*forget)(struct thread_clock *clock);
};

extern const struct clock clock_perf;  /* perf events */
extern const struct clock clock_mixed; /* clock_timer and clock_perf */

/* clock_timer (CPU or wall time by POSIX timers) and all others in the list. */
#define CLOCK(word, file, kind) extern const struct clock clock_##file;
#include "profile/shared/clocks.def"
#undef CLOCK

/*
 * Sets the clock that samples clock_timer's threads from now on, when none has a timer:
 * CLOCK_THREAD_CPUTIME_ID or CLOCK_MONOTONIC. tick_ns is the length of the kernel's tick, which is
 * how late a CPU timer can be. Owning thread only.
 */
void clock_timer_use(clockid_t id, uint64_t tick_ns);

/*
 * Sets the event of clock_perf's threads from now on. With a user_period it has that period, and
 * sends no signal in the kernel, where that could end a system call. Owning thread only.
 */
void clock_perf_use(const struct perf_event *event, uint64_t user_period);

/* Begins with clock_mixed: no thread has an event. Owning thread only. */
void clock_mixed_use(void);

/* The mean interval of clock_mixed's samples where the event takes them. Any thread. */
uint64_t clock_mixed_period(uint64_t period);

/* Whether the thread has an event, which the program has not closed. Signal-safe. */
int clock_perf_is_open(const struct thread_clock *clock);

/* Whether that event counts ns of CPU time. Any thread. */
int clock_perf_is_time(void);

/* The next number of xorshift64 (Marsaglia, 2003), whose state is never 0. Signal-safe. */
static inline uint64_t clock_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/*
 * Chooses the clock for `settings`. Tries the wanted clock on the calling thread, unless it is a
 * timer, and samples CPU time if it does not work; never returns NULL. Adjusts settings->period,
 * frequency_hz, event and signal to what will really be used. `note`, of note_bytes, gets one
 * sentence if something had to be given up, else "". Owning thread only.
 */
const struct clock *clock_choose(struct settings *settings, char *note, size_t note_bytes);

/*
 * After clock_choose, a sentence for the report if CPU time is sampled on the kernel's tick alone;
 * else leaves `note`, of note_bytes, as it is. Owning thread only.
 */
void clock_remark(char *note, size_t note_bytes);

/*
 * The kind of weight that samples by the event of `settings` have, after clock_choose.
 * Owning thread only.
 */
enum profile_clock_kind clock_kind(const struct settings *settings);

/* A random interval with mean `period`, uniform in [period / 2, 3 period / 2]. Signal-safe. */
uint64_t clock_interval(struct thread_clock *clock, uint64_t period);

/*
 * Nanoseconds of the given POSIX clock; 0 if it cannot be read, as under some seccomp filters.
 * Signal-safe.
 */
uint64_t clock_now_ns(clockid_t clock);

/*
 * Reads the CPU clock of any live thread of the process, in ns, like clock_getcpuclockid(3) for a
 * process. Returns -1 if the thread has ended. Any thread.
 */
int clock_cpu_of(uint32_t tid, uint64_t *ns);

/* a - b, but not below 0. Signal-safe. */
static inline uint64_t clock_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif
