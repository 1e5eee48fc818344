/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A perf event of one thread whose overflow sends that thread one signal. Each sample requests the
 * next signal, so a program that takes the signal for itself is not flooded by ours. Where no high
 * number of a descriptor is free the thread has no clock. Before the descriptor is closed it is
 * recognised by the kernel's event id: a program that closes all descriptors loses samples, not a
 * file of its own. All but start is part of the signal-safe core.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include "sampler/core/clock.h"
#include "profile/shared/perf_event.h"
#include "profile/core/plain_calls.h"
#include "profile/core/perf_fd.h"
#include "sampler/core/tool.h"

/* The event of all threads, and its period if it counts outside the kernel only. */
static struct perf_event the_event;
static uint64_t the_user_period;

/* The event of one thread: `event` of its clock. fd and id stay when the event is closed. */
struct event {
	int is_open;
	int fd;
	uint64_t id; /* the kernel's: proves that fd is still the event */
};

_Static_assert(sizeof(struct event) <= CLOCK_OWN_BYTES, "it is kept there");

static struct event *event_of(const struct thread_clock *clock)
{
	return (struct event *)(void *)clock->event;
}

/* The event's descriptor; -1 where no event is open, as 0 is a descriptor of the program. */
static int fd_of(const struct thread_clock *clock)
{
	return event_of(clock)->is_open ? event_of(clock)->fd : -1;
}

void clock_perf_use(const struct perf_event *event, uint64_t user_period)
{
	the_event = *event;
	the_user_period = user_period;
}

int clock_perf_is_time(void)
{
	return the_event.is_time;
}

static uint64_t period(void)
{
	return the_user_period ? the_user_period : tool.settings.period;
}

static uint64_t cpu_ns(void)
{
	return clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
}

/*
 * Opens the event for the calling thread. Without a user period it counts in the kernel, too, if
 * that is allowed. Returns an fd or -errno.
 */
static int open_event(void)
{
	struct perf_event_attr attr = {
		.type = the_event.type,
		.config = the_event.config,
		.disabled = 1,
		.wakeup_events = 1,
		.exclude_hv = 1,
		.exclude_kernel = the_user_period != 0,
	};
	int fd;

	if (period()) {
		attr.sample_period = period();
	} else {
		attr.freq = 1;
		attr.sample_freq = tool.settings.frequency_hz;
	}
	fd = perf_fd_open(&attr, -1);
	if (fd == -EACCES || fd == -EPERM) {
		attr.exclude_kernel = 1;
		fd = perf_fd_open(&attr, -1);
	}
	return fd;
}

int clock_perf_is_open(const struct thread_clock *clock)
{
	return fd_of(clock) >= 0 && perf_fd_id(fd_of(clock)) == event_of(clock)->id;
}

static int start(struct thread_clock *clock)
{
	struct event *own = event_of(clock);
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = plain_gettid() };
	int error, fd = open_event();

	if (fd < 0)
		return -fd;
	if (fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) != 0 ||
		fcntl(fd, F_SETSIG, tool.settings.signal) != 0 ||
		fcntl(fd, F_SETOWN_EX, &owner) != 0 || ioctl(fd, PERF_EVENT_IOC_ID, &own->id) != 0)
		goto fail;
	clock->last_ns = cpu_ns();
	own->fd = fd;
	own->is_open = 1;
	if (ioctl(fd, PERF_EVENT_IOC_REFRESH, 1) == 0)
		return 0;
	own->is_open = 0;
fail:
	error = errno;
	plain_close(fd);
	return error;
}

static int owns(const struct thread_clock *clock, const siginfo_t *info)
{
	/*
	 * clock is NULL for the event of a thread that has ended. A SIGURG of the kernel itself is
	 * SI_KERNEL.
	 */
	return info->si_code > 0 && info->si_code != SI_KERNEL &&
	       (!clock || (event_of(clock)->id && info->si_fd == event_of(clock)->fd));
}

static void read_weight(const struct thread_clock *clock, struct clock_weight *weight)
{
	uint64_t count, now = cpu_ns();

	*weight = (struct clock_weight){
		.time_ns = now > clock->last_ns ? now - clock->last_ns : 0,
		.cpu_ns = now,
	};
	if (!the_event.is_time &&
		plain_read(fd_of(clock), &count, sizeof(count)) == sizeof(count) &&
		count > clock->last_events)
		weight->events = count - clock->last_events;
}

/*
 * A new period takes a quarter of the time of a signal. With the_user_period there are many
 * signals: only one in four, at random, sets a new one.
 */
static int needs_period(struct thread_clock *clock)
{
	return period() >= PERF_EVENT_MIN_RANDOM &&
	       (!the_user_period || clock_random(&clock->random) % 4 == 0);
}

static void next(struct thread_clock *clock)
{
	uint64_t interval;

	if (needs_period(clock)) {
		interval = clock_interval(clock, period());
		ioctl(fd_of(clock), PERF_EVENT_IOC_PERIOD, &interval);
	}
	ioctl(fd_of(clock), PERF_EVENT_IOC_REFRESH, 1);
}

static void turn(struct thread_clock *clock, const siginfo_t *info, struct clock_weight *weight)
{
	(void)info;
	read_weight(clock, weight);
	clock->last_ns += weight->time_ns;
	clock->last_events += weight->events;
}

/*
 * The event itself is disabled. A new period instead, however long, would let the next event of a
 * software counter signal at once.
 */
static void pause_event(struct thread_clock *clock)
{
	if (clock_perf_is_open(clock))
		ioctl(fd_of(clock), PERF_EVENT_IOC_DISABLE, 0);
}

static void resume(struct thread_clock *clock)
{
	if (!clock_perf_is_open(clock))
		return;
	/* Each refresh allows one signal. */
	if (clock->is_spent)
		ioctl(fd_of(clock), PERF_EVENT_IOC_REFRESH, 1);
	else
		ioctl(fd_of(clock), PERF_EVENT_IOC_ENABLE, 0);
}

static void stop(struct thread_clock *clock)
{
	int fd = clock_perf_is_open(clock) ? fd_of(clock) : -1;

	if (__atomic_exchange_n(&event_of(clock)->is_open, 0, __ATOMIC_SEQ_CST) && fd >= 0)
		plain_close(fd);
}

const struct clock clock_perf = {
	.name = "perf",
	.start = start,
	.owns = owns,
	.read = read_weight,
	.next = next,
	.turn = turn,
	.go_on = next,
	.pause = pause_event,
	.resume = resume,
	.stop = stop,
	.forget = stop,
};
