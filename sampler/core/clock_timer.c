/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU or wall time of a thread by a POSIX timer whose signal goes to that thread. The kernel looks
 * at CPU timers on its tick: they cost almost nothing beyond it, never interrupt a blocked system
 * call, and fire at most once a tick. Each expiry is armed by itself, at an absolute time, so that
 * late ticks do not lower the rate. For a CPU timer this call also tells the thread's CPU time;
 * otherwise a second, equally expensive call would be needed. Part of the signal-safe core.
 */
#include <errno.h>
#include <unistd.h>

#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "sampler/core/clock.h"
#include "sampler/core/tool.h"

#define NS_PER_S 1000000000ULL

/*
 * Wall time: a CPU is asked for one sample in CPU_PERIOD_NS at most, or in the period if that is
 * shorter. LOST_SIGNAL_S is in seconds, see repeat_s.
 */
enum { LOST_SIGNAL_S = 1, CPU_PERIOD_NS = 200000 };

/* The state of all timers. All but n is written only while there is no timer. */
static struct {
	clockid_t id;
	uint64_t tick_ns;
	uint32_t n; /* timers that run, one for each thread */
} timers;

/* The timer of one thread: `own` of its clock. */
struct timer {
	timer_t id;
	int is_there;
	uint64_t next_ns; /* expiry on the timer's clock. handler */
	uint64_t plan_ns; /* when it would expire by the rate alone. handler */
};

_Static_assert(sizeof(struct timer) <= CLOCK_OWN_BYTES, "it is kept there");

static struct timer *timer_of(const struct thread_clock *clock)
{
	return (struct timer *)(void *)clock->own;
}

void clock_timer_use(clockid_t id, uint64_t tick_ns)
{
	timers.id = id;
	timers.tick_ns = tick_ns;
	timers.n = 0;
}

/*
 * The mean interval of this thread's samples. Threads that sleep take signals of wall time, too, so
 * that many threads could leave the CPUs no time for anything else. Where there are too many
 * threads for the CPUs, each thread is sampled less often. A sample's weight is the time since the
 * previous sample, whenever that was.
 */
static uint64_t period_now(void)
{
	uint64_t period = tool.settings.period, n_cpus = writer_header()->n_cpus, n, crowded;

	if (timers.id != CLOCK_MONOTONIC)
		return period;
	n = __atomic_load_n(&timers.n, __ATOMIC_RELAXED);
	crowded = n * (period < CPU_PERIOD_NS ? period : CPU_PERIOD_NS) / n_cpus;
	return crowded > period ? crowded : period;
}

/* If a signal gets lost, the timer fires again by itself after this number of seconds. */
static time_t repeat_s(void)
{
	return LOST_SIGNAL_S + (time_t)(tool.settings.period / NS_PER_S);
}

/*
 * Sends the next signal at next_ns; *left gets the time that was left of the previous interval, if
 * `left` is not NULL. Returns 0 or -1.
 */
static int arm(const struct thread_clock *clock, uint64_t *left)
{
	struct timer *timer = timer_of(clock);
	struct itimerspec before = { 0 }, at = {
		.it_value.tv_sec = (time_t)(timer->next_ns / NS_PER_S),
		.it_value.tv_nsec = (long)(timer->next_ns % NS_PER_S),
		.it_interval.tv_sec = repeat_s(),
	};
	int status = timer_settime(timer->id, TIMER_ABSTIME, &at, &before);

	if (left)
		*left = (uint64_t)before.it_value.tv_sec * NS_PER_S +
			(uint64_t)before.it_value.tv_nsec;
	return status;
}

/* Begins an interval at `now`. Returns 0 or -1. */
static int begin(struct thread_clock *clock, uint64_t now)
{
	struct timer *timer = timer_of(clock);

	timer->plan_ns = timer->next_ns = now + clock_interval(clock, period_now());
	return arm(clock, NULL);
}

static int start(struct thread_clock *clock)
{
	struct timer *timer = timer_of(clock);
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = tool.settings.signal,
		.sigev_value.sival_ptr = &tool,
	};

	event._sigev_un._tid = plain_gettid();
	if (timer_create(timers.id, &event, &timer->id) != 0)
		return errno;
	timer->is_there = 1;
	__atomic_fetch_add(&timers.n, 1, __ATOMIC_RELAXED);
	clock->last_ns = clock_now_ns(timers.id);
	if (clock->last_ns == 0)
		return EINVAL;
	return begin(clock, clock->last_ns) == 0 ? 0 : errno;
}

static int owns(const struct thread_clock *clock, const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == &tool;
}

static void read_weight(const struct thread_clock *clock, struct clock_weight *weight)
{
	uint64_t now = clock_now_ns(timers.id);

	*weight = (struct clock_weight){
		.time_ns = now > clock->last_ns ? now - clock->last_ns : 0,
		.cpu_ns = timers.id == CLOCK_THREAD_CPUTIME_ID
				  ? now
				  : clock_now_ns(CLOCK_THREAD_CPUTIME_ID),
	};
}

/*
 * arm() has returned `status`. If it failed the thread is not sampled any more, which is counted.
 * It is not counted if the clock has been stopped while a signal was on its way.
 */
static void note_armed(const struct thread_clock *clock, int status)
{
	if (status != 0 && __atomic_load_n(&timer_of(clock)->is_there, __ATOMIC_ACQUIRE))
		__atomic_fetch_add(
			&writer_header()->lost[PROFILE_LOST_THREADS], 1, __ATOMIC_RELAXED);
}

static void next(struct thread_clock *clock)
{
	note_armed(clock, begin(clock, clock_now_ns(timers.id)));
}

/*
 * The thread's CPU time at the moment when its timer was armed again; 0 if it cannot be told. The
 * timer had been due at `due`, and `left` was left when it was armed. When the kernel delivers a
 * timer's signal, it lets the timer continue from when it was due, by its repeat: so nearly all of
 * the repeat is left. A signal that does not belong to this interval finds at most the interval
 * left.
 */
static uint64_t moment_of(
	const struct thread_clock *clock, uint64_t due, uint64_t left, const siginfo_t *info)
{
	uint64_t repeat = (uint64_t)repeat_s() * NS_PER_S;

	return info->si_overrun == 0 && left > due - clock->last_ns && left <= repeat
		       ? due + repeat - left
		       : 0;
}

/*
 * The kernel looks at a CPU timer only on its tick. A timer that is due one tick after its previous
 * due time has not expired yet, and fires at the same tick as a timer that is due any sooner. So
 * the timer can be armed before it is known how late the signal is, and arming it tells how late.
 * The plan stays as it is: signals that come late, or together, do not lower the rate.
 */
static void turn_cpu(struct thread_clock *clock, const siginfo_t *info, struct clock_weight *weight)
{
	struct timer *timer = timer_of(clock);
	uint64_t due = timer->next_ns, now, left;
	int status;

	timer->plan_ns += clock_interval(clock, period_now());
	timer->next_ns = due + timers.tick_ns;
	if (timer->next_ns < timer->plan_ns)
		timer->next_ns = timer->plan_ns;
	status = arm(clock, &left);
	now = moment_of(clock, due, left, info);
	if (!now)
		now = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
	*weight = (struct clock_weight){
		.time_ns = now > clock->last_ns ? now - clock->last_ns : 0,
		.cpu_ns = now,
	};
	clock->last_ns += weight->time_ns;
	if (timer->next_ns <= now)
		status = begin(clock, now);
	note_armed(clock, status);
}

static void turn(struct thread_clock *clock, const siginfo_t *info, struct clock_weight *weight)
{
	struct timer *timer = timer_of(clock);

	if (timers.id == CLOCK_THREAD_CPUTIME_ID) {
		turn_cpu(clock, info, weight);
		return;
	}
	read_weight(clock, weight);
	clock->last_ns += weight->time_ns;
	timer->plan_ns += clock_interval(clock, period_now());
	timer->next_ns = timer->plan_ns;
	note_armed(clock,
		timer->next_ns > clock->last_ns ? arm(clock, NULL) : begin(clock, clock->last_ns));
}

static void pause_timer(struct thread_clock *clock)
{
	struct timer *timer = timer_of(clock);
	struct itimerspec never = { 0 };

	if (timer->is_there)
		timer_settime(timer->id, 0, &never, NULL);
}

static void resume(struct thread_clock *clock)
{
	if (timer_of(clock)->is_there)
		begin(clock, clock_now_ns(timers.id));
}

/* is_there is cleared first: a handler of the clock's thread may be at work. */
static void stop(struct thread_clock *clock)
{
	struct timer *timer = timer_of(clock);

	if (__atomic_exchange_n(&timer->is_there, 0, __ATOMIC_SEQ_CST)) {
		__atomic_fetch_sub(&timers.n, 1, __ATOMIC_RELAXED);
		timer_delete(timer->id);
	}
}

const struct clock clock_timer = {
	.name = "timer",
	.start = start,
	.owns = owns,
	.read = read_weight,
	.next = next,
	.turn = turn,
	.pause = pause_timer,
	.resume = resume,
	.stop = stop,
};
