/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time at random moments. A CPU timer alone samples on the kernel's tick only: it never finds
 * the phase of a program that keeps step with the tick. A perf event alone is sent in the middle of
 * a system call, which then fails with EINTR, and is dear where threads switch often. Here each
 * samples what it can:
 *
 * - The event does not count in the kernel. Its samples are the thread's own instructions.
 * - The timer's samples are what the event cannot see: the kernel's time. A tick in a system call
 *   is known by the registers. Page faults cannot be told from other ticks: where there are
 *   many, all is sampled on the tick.
 * - A thread that switches often has no event.
 *
 * As many ticks in system calls are samples as the event would have had, so a moment is as likely
 * to be sampled in a system call as outside. A tick that is not sampled costs a signal. Part of the
 * signal-safe core.
 */
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sampler/core/clock.h"
#include "sampler/core/tool.h"
#include "unwinder/core/arch.h"

/*
 * Between two signals, of which there are 300 a second. A switch with an event takes a microsecond
 * more than without: MANY_SWITCHES are 0.2 % of the time.
 */
enum { MANY_FAULTS = 4, MANY_SWITCHES = 8, CALM_LOOKS = 4, LOST_LOOKS = 16, HEAVY_LOOKS = 64 };

/*
 * A signal of the event took 32 to 45 us on a virtual machine: 0.3 to 0.5 % of the time with
 * EVENT_PERIOD_NS.
 */
enum { EVENT_PERIOD_NS = 10000000 };

/*
 * Open events of the process. The first event of a machine waits for about 10 ms until the kernel
 * has changed its own code, and that is undone a second after the last event. So no thread opens
 * an event where there is none, but for the first thread.
 */
static struct {
	uint32_t n_open;
	uint32_t has_begun;
} events;

void clock_mixed_use(void)
{
	events.n_open = events.has_begun = 0;
}

uint64_t clock_mixed_period(uint64_t period)
{
	return period > EVENT_PERIOD_NS ? period : EVENT_PERIOD_NS;
}

/* Whether the thread has done something often since the previous signal. */
struct deeds {
	int has_faults;   /* at least MANY_FAULTS page faults */
	int has_switches; /* at least MANY_SWITCHES */
};

static struct deeds look(struct thread_clock *clock)
{
	struct rusage now = { 0 };
	struct clock_looks *looks = &clock->looks;
	uint32_t n_faults, n_switches;
	struct deeds deeds;

	syscall(SYS_getrusage, RUSAGE_THREAD, &now);
	n_faults = (uint32_t)(now.ru_minflt + now.ru_majflt);
	n_switches = (uint32_t)(now.ru_nvcsw + now.ru_nivcsw);
	deeds.has_faults = n_faults - looks->n_faults >= MANY_FAULTS;
	deeds.has_switches = n_switches - looks->n_switches >= MANY_SWITCHES;
	looks->n_faults = n_faults;
	looks->n_switches = n_switches;
	return deeds;
}

static void open_event(struct thread_clock *clock)
{
	uint64_t last_ns = clock->last_ns;

	clock->looks.has_event = clock_perf.start(clock) == 0;
	if (clock->looks.has_event)
		__atomic_fetch_add(&events.n_open, 1, __ATOMIC_RELAXED);
	clock->looks.is_off = clock->looks.n_silent = 0;
	clock->last_ns = last_ns;
}

static void close_event(struct thread_clock *clock)
{
	if (!__atomic_exchange_n(&clock->looks.has_event, 0, __ATOMIC_SEQ_CST))
		return;
	clock_perf.stop(clock);
	__atomic_fetch_sub(&events.n_open, 1, __ATOMIC_RELAXED);
}

static int may_open(void)
{
	return __atomic_load_n(&events.n_open, __ATOMIC_RELAXED) > 0;
}

/* The thread switches often: first its event rests, then it is closed. */
static void rest(struct thread_clock *clock)
{
	struct clock_looks *looks = &clock->looks;

	looks->n_calm = 0;
	if (!looks->is_off)
		clock_perf.pause(clock);
	looks->is_off = 1;
	if (++looks->n_heavy == HEAVY_LOOKS)
		close_event(clock);
}

/* The thread switches seldom: after CALM_LOOKS such looks its event is on again. */
static void wake(struct thread_clock *clock)
{
	struct clock_looks *looks = &clock->looks;

	if (++looks->n_calm < CALM_LOOKS)
		return;
	looks->n_heavy = 0;
	if (looks->has_event)
		clock_perf.next(clock);
	else if (may_open())
		open_event(clock);
	looks->is_off = 0;
}

/* The kernel drops the event's signal if another one of that number is pending. */
static void revive_event(struct thread_clock *clock)
{
	if (++clock->looks.n_silent < LOST_LOOKS)
		return;
	clock->looks.n_silent = 0;
	clock_perf.next(clock);
}

/* Whether this tick in a system call is a sample: as many are as the event would have had. */
static int is_as_rare(struct thread_clock *clock)
{
	return clock_random(&clock->random) % clock_mixed_period(tool.settings.period) <
	       tool.settings.period;
}

static int skips_tick(struct thread_clock *clock, const siginfo_t *info, const void *ucontext)
{
	struct deeds deeds = look(clock);
	uint64_t last_ns = clock->last_ns;
	struct clock_weight weight;

	if (deeds.has_switches) {
		rest(clock);
		return 0;
	}
	if (clock->looks.has_event && !clock_perf_is_open(clock))
		close_event(clock);
	if (clock->looks.is_off || !clock->looks.has_event) {
		wake(clock);
		return 0;
	}
	revive_event(clock);
	if (deeds.has_faults || (arch_is_after_syscall(ucontext) && is_as_rare(clock)))
		return 0;
	clock_timer.turn(clock, info, &weight);
	clock->last_ns = last_ns;
	return 1;
}

static int skips_event(struct thread_clock *clock)
{
	clock->looks.n_silent = 0;
	if (!look(clock).has_faults)
		return 0;
	clock_perf.next(clock);
	return 1;
}

static int skips(struct thread_clock *clock, const siginfo_t *info, const void *ucontext)
{
	clock->looks.is_event = info->si_code != SI_TIMER;
	return clock->looks.is_event ? skips_event(clock) : skips_tick(clock, info, ucontext);
}

static int start(struct thread_clock *clock)
{
	int error = clock_timer.start(clock);

	if (error == 0 &&
		(may_open() || !__atomic_exchange_n(&events.has_begun, 1, __ATOMIC_RELAXED)))
		open_event(clock);
	look(clock);
	return error;
}

static int owns(const struct thread_clock *clock, const siginfo_t *info)
{
	return clock_timer.owns(clock, info) || clock_perf.owns(clock, info);
}

static void read_weight(const struct thread_clock *clock, struct clock_weight *weight)
{
	clock_timer.read(clock, weight);
}

static void next(struct thread_clock *clock)
{
	if (clock->looks.is_event)
		clock_perf.next(clock);
	else
		clock_timer.next(clock);
}

static void turn(struct thread_clock *clock, const siginfo_t *info, struct clock_weight *weight)
{
	if (!clock->looks.is_event) {
		clock_timer.turn(clock, info, weight);
		return;
	}
	clock_perf.turn(clock, info, weight);
	if (!clock->looks.is_off)
		clock_perf.next(clock);
}

static void pause_both(struct thread_clock *clock)
{
	clock_timer.pause(clock);
	clock_perf.pause(clock);
}

static void resume(struct thread_clock *clock)
{
	clock_timer.resume(clock);
	clock_perf.resume(clock);
}

static void stop(struct thread_clock *clock)
{
	clock_timer.stop(clock);
	close_event(clock);
}

static void forget(struct thread_clock *clock)
{
	clock_perf.forget(clock);
}

const struct clock clock_mixed = {
	.name = "mixed",
	.skips = skips,
	.start = start,
	.owns = owns,
	.read = read_weight,
	.next = next,
	.turn = turn,
	.pause = pause_both,
	.resume = resume,
	.stop = stop,
	.forget = forget,
};
