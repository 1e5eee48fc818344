/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual time; see clock.h. */
#include "tests/runtime/clock.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "unwinder/core/arch.h"

/* CLOCK_REALTIME when virtual time is 0. */
#define EPOCH_NS 1700000000000000000ULL

/*
 * The kernel's number of the CPU clock of a thread: posix-timers.h, CPUCLOCK_PERTHREAD_MASK |
 * CPUCLOCK_SCHED.
 */
enum { CLOCK_OF_THREAD = 6, CLOCK_BITS = 7 };

static int is_virtual;

void clock_make_virtual(void)
{
	is_virtual = 1;
}

/* The actor of this thread. A thread without an actor is that of the actor in stage->created. */
static struct actor *actor_of(pid_t tid)
{
	struct actor *actor;

	for (int i = 0; i < STAGE_MAX_ACTORS; i++) {
		actor = &stage->actors[i];
		if (actor->tid == tid)
			return actor;
	}
	actor = stage->created;
	stage->created = NULL;
	if (actor)
		actor->tid = tid;
	return actor;
}

static struct actor *self(void)
{
	return stage_self ? stage_self : actor_of(gettid());
}

/* Sends the actor's signal if the script wants it at this read of a clock. */
static void look(void)
{
	struct actor *actor = stage_self;

	if (actor && actor->interrupt && --actor->interrupt == 0) {
		__atomic_fetch_add(&actor->n_sent, 1, __ATOMIC_RELAXED);
		stage_raise(actor);
	}
}

static uint64_t process_cpu_ns(void)
{
	pid_t pid = getpid();
	uint64_t sum = 0;

	for (int i = 0; i < STAGE_MAX_ACTORS; i++) {
		if (stage->actors[i].was_pid == pid)
			sum += stage->actors[i].cpu_ns;
	}
	return sum;
}

/* Returns 0, or -1: no such clock. */
static int read_clock(clockid_t id, uint64_t *ns)
{
	const struct actor *actor = NULL;

	switch (id) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_BOOTTIME:
		*ns = stage->now_ns;
		return 0;
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
		*ns = EPOCH_NS + stage->now_ns;
		return 0;
	case CLOCK_PROCESS_CPUTIME_ID:
		*ns = process_cpu_ns();
		return 0;
	case CLOCK_THREAD_CPUTIME_ID:
		actor = self();
		break;
	default:
		if ((id & CLOCK_BITS) == CLOCK_OF_THREAD)
			actor = actor_of((pid_t)(~id >> 3));
	}
	*ns = actor ? actor->cpu_ns : 0;
	return actor ? 0 : -1;
}

/*
 * In virtual time no thread waits for a CPU, whatever the kernel says: the tool does not find what
 * the kernel counts. All else goes to the C library.
 */
long syscall(long number, ...)
{
	static long (*next)(long number, ...);
	long a[6];
	va_list list;

	if (!next)
		next = (long (*)(long number, ...))dlsym(RTLD_NEXT, "syscall");
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_openat && is_virtual && strstr((const char *)a[1], "/schedstat")) {
		errno = ENOENT;
		return -1;
	}
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int clock_gettime(clockid_t id, struct timespec *now)
{
	uint64_t ns;

	if (!is_virtual)
		return (int)syscall(SYS_clock_gettime, id, now);
	look();
	if (read_clock(id, &ns) != 0) {
		errno = EINVAL;
		return -1;
	}
	now->tv_sec = (time_t)(ns / 1000000000);
	now->tv_nsec = (long)(ns % 1000000000);
	return 0;
}

/* Fine enough that the tool asks for no perf event. */
int clock_getres(clockid_t id, struct timespec *resolution)
{
	if (!is_virtual)
		return (int)syscall(SYS_clock_getres, id, resolution);
	if (resolution)
		*resolution = (struct timespec){ 0, 1000 };
	return 0;
}

unsigned long scripted_ticks(void)
{
	look();
	return is_virtual ? stage->now_ns : arch_ticks();
}

/* A timer is known by its actor. */
int timer_create(clockid_t id, struct sigevent *event, timer_t *timer)
{
	struct actor *actor;

	if (!is_virtual) {
		int kernels, result;

		result = (int)syscall(SYS_timer_create, id, event, &kernels);
		*timer = (timer_t)(intptr_t)kernels;
		return result;
	}
	actor = actor_of(event->_sigev_un._tid);
	if (!actor) {
		errno = EAGAIN;
		return -1;
	}
	actor->timer = (struct stage_timer){
		.n = actor->timer.n,
		.is_cpu = id == CLOCK_THREAD_CPUTIME_ID,
		.signal = event->sigev_signo,
		.value = event->sigev_value.sival_ptr,
	};
	*timer = (timer_t)(intptr_t)(actor->index + 1);
	return 0;
}

/*
 * When the timer is due that is armed now. The tool asks for random intervals, from half a period
 * to one and a half. These intervals have the same range, but are the same each time a case is
 * played.
 */
static uint64_t next_due(struct actor *actor)
{
	uint64_t now = actor->timer.is_cpu ? actor->cpu_ns : stage->now_ns;
	uint64_t x = (++actor->timer.n + (uint64_t)actor->index * 1000) * 0x9e3779b97f4a7c15ULL;

	return now + stage->period_ns / 2 + (x >> 32) % (stage->period_ns + 1);
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *at, struct itimerspec *old)
{
	struct actor *actor;

	if (!is_virtual)
		return (int)syscall(SYS_timer_settime, (int)(intptr_t)timer, flags, at, old);
	actor = &stage->actors[(intptr_t)timer - 1];
	actor->timer.is_armed = at->it_value.tv_sec || at->it_value.tv_nsec;
	if (actor->timer.is_armed)
		actor->timer.at_ns = next_due(actor);
	return 0;
}

int timer_delete(timer_t timer)
{
	if (!is_virtual)
		return (int)syscall(SYS_timer_delete, (int)(intptr_t)timer);
	stage->actors[(intptr_t)timer - 1].timer.is_armed = 0;
	return 0;
}

uint64_t clock_until_due(const struct actor *actor)
{
	const struct stage_timer *timer = &actor->timer;
	uint64_t now = timer->is_cpu ? actor->cpu_ns : stage->now_ns;

	if (!timer->is_armed || (timer->is_cpu && actor->is_off))
		return UINT64_MAX;
	return timer->at_ns > now ? timer->at_ns - now : 0;
}

void clock_advance(uint64_t ns)
{
	stage->now_ns += ns;
	for (int i = 0; i < STAGE_MAX_ACTORS; i++) {
		struct actor *actor = &stage->actors[i];

		if (actor->pid && !actor->is_off)
			actor->cpu_ns += ns;
	}
}
