/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU or wall time of a thread by a POSIX timer whose signal goes to that thread. CPU timers are
 * looked at on the kernel's tick: they cost almost nothing beyond it, never interrupt a blocked
 * system call, and fire at most once a tick. Each expiry is armed by itself, at an absolute time,
 * so that late ticks do not lower the rate. Part of the signal-safe core.
 */
#include <errno.h>
#include <unistd.h>

#include "profile/writer.h"
#include "sampler/clock.h"
#include "sampler/tool.h"

/* Each CPU is asked for so many samples of wall time a second, or as many as one thread is, if that is more. */
enum { LOST_SIGNAL_S = 1, CPU_PERIOD_NS = 200000 };

static clockid_t source(void)
{
	return tool.clock_id;
}

/*
 * The mean interval of this thread's samples. Threads that sleep take signals of wall time too, so that many
 * threads could leave the CPUs no time for anything else: where there are more of them than CPUs, each
 * is sampled less often. A sample weighs the time since the one before it, whenever that was.
 */
static uint64_t period_now(void)
{
	uint64_t period = tool.settings.period, n_cpus = writer_header()->n_cpus, n, crowded;

	if (source() != CLOCK_MONOTONIC)
		return period;
	n = __atomic_load_n(&tool.n_timers, __ATOMIC_RELAXED);
	crowded = n * (period < CPU_PERIOD_NS ? period : CPU_PERIOD_NS) / n_cpus;
	return crowded > period ? crowded : period;
}

static int arm(const struct thread_clock *clock)
{
	struct itimerspec at = {
		.it_value.tv_sec = (time_t)(clock->next_ns / 1000000000ULL),
		.it_value.tv_nsec = (long)(clock->next_ns % 1000000000ULL),
	};

	/* Should a signal get lost, the timer goes on by itself. */
	at.it_interval.tv_sec = LOST_SIGNAL_S + (time_t)(tool.settings.period / 1000000000ULL);
	return timer_settime(clock->timer, TIMER_ABSTIME, &at, NULL);
}

static int start(struct thread_clock *clock)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = tool.settings.signal,
		.sigev_value.sival_ptr = &tool,
	};

	event._sigev_un._tid = gettid();
	if (timer_create(source(), &event, &clock->timer) != 0)
		return errno;
	clock->has_timer = 1;
	__atomic_fetch_add(&tool.n_timers, 1, __ATOMIC_RELAXED);
	clock->last_ns = clock_now_ns(source());
	clock->next_ns = clock->last_ns + clock_interval(clock, period_now());
	if (clock->last_ns == 0)
		return EINVAL;
	return arm(clock) == 0 ? 0 : errno;
}

static int owns(const struct thread_clock *clock, const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == &tool;
}

static void read_weight(const struct thread_clock *clock, struct clock_weight *weight)
{
	uint64_t now = clock_now_ns(source());

	*weight = (struct clock_weight){
		.time_ns = now > clock->last_ns ? now - clock->last_ns : 0,
		.cpu_ns = source() == CLOCK_THREAD_CPUTIME_ID
				  ? now
				  : clock_now_ns(CLOCK_THREAD_CPUTIME_ID),
	};
}

static void next(struct thread_clock *clock, const struct clock_weight *weight)
{
	uint64_t now = clock->last_ns + (weight ? weight->time_ns : 0);

	if (weight)
		clock->last_ns = now;
	clock->next_ns += clock_interval(clock, period_now());
	if (clock->next_ns <= now || !weight)
		clock->next_ns = (weight ? now : clock_now_ns(source())) +
				 clock_interval(clock, period_now());
	/* The thread is sampled no more; and should not be, where a signal was on its way while the clock was
	   stopped. */
	if (arm(clock) != 0 && __atomic_load_n(&clock->has_timer, __ATOMIC_ACQUIRE))
		__atomic_fetch_add(
			&writer_header()->lost[PROFILE_LOST_THREADS], 1, __ATOMIC_RELAXED);
}

static void pause_timer(struct thread_clock *clock)
{
	struct itimerspec never = { 0 };

	if (clock->has_timer)
		timer_settime(clock->timer, 0, &never, NULL);
}

static void resume(struct thread_clock *clock)
{
	clock->next_ns = clock_now_ns(source()) + clock_interval(clock, period_now());
	if (clock->has_timer)
		arm(clock);
}

/* First it is none: a handler of the clock's thread may be at work. */
static void stop(struct thread_clock *clock)
{
	if (__atomic_exchange_n(&clock->has_timer, 0, __ATOMIC_SEQ_CST)) {
		__atomic_fetch_sub(&tool.n_timers, 1, __ATOMIC_RELAXED);
		timer_delete(clock->timer);
	}
}

const struct clock clock_timer = {
	.name = "timer",
	.start = start,
	.owns = owns,
	.read = read_weight,
	.next = next,
	.pause = pause_timer,
	.resume = resume,
	.stop = stop,
};
