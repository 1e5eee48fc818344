/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program knows itself about where the time of its threads went. Each thread marks when what it
 * does changes: it works, in a burner, or it waits in a construct. At the end, all marks in the order of
 * time give the seconds of each thread in each state and, for each kind of waiting, whose work it was that
 * the others waited for. Nothing is planned: a thread that loses its CPU makes the truth longer, too.
 * The time in which the thread itself was ready to run and had no CPU, by the kernel, is a state of its
 * own, "not_running". It is spread evenly over the time between two marks.
 *
 * A wait is from its thread's call of the construct until it comes back, less the burners in between
 * (tasks). That in a region's closing barrier ends when the thread that encountered the region goes on;
 * what follows is idle.
 *
 * Who is to blame: for a mutex, the thread that holds it; for a team's waits, each working member of
 * the same team, equally; for idle threads, each thread that works outside of regions. It is to blame
 * for the part of the time for which it has a CPU; nobody is to blame for the rest.
 */
#ifndef OMPPROF_TESTS_ACCURACY_TRUTH_H
#define OMPPROF_TESTS_ACCURACY_TRUTH_H

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "../programs/work.h"

enum truth_state {
	TRUTH_UNBORN,
	TRUTH_WORK,
	TRUTH_IDLE,
	TRUTH_CLOSING,
	TRUTH_BARRIER,
	TRUTH_WORKSHARE,
	TRUTH_TASKWAIT,
	TRUTH_TASKGROUP,
	TRUTH_LOCK,
	TRUTH_NEST_LOCK,
	TRUTH_CRITICAL,
	TRUTH_ORDERED,
	TRUTH_ATOMIC,
	TRUTH_REDUCTION,
	TRUTH_N_STATES,
};

static const char *const truth_words[TRUTH_N_STATES] = { "unborn", "work", "idle",
	"closing barrier", "barrier", "workshare barrier", "taskwait", "taskgroup", "lock",
	"nest_lock", "critical", "ordered", "atomic", "reduction" };

/* libgomp makes new threads for each nested region: blame.c has 20 of them. */
enum { TRUTH_THREADS = 32, TRUTH_MARKS = 1 << 15, TRUTH_TEAMS = 1 << 12, TRUTH_CAUSES = 64 };

/* The state of a thread. */
struct truth_now {
	const char *cause; /* the burner, or NULL */
	int state;
	int team;
	int holds; /* the mutex of the program */
};

struct truth_mark {
	double at;
	double cpu;   /* the thread's CPU time */
	double delay; /* and its time ready without a CPU */
	struct truth_now now;
	int ended; /* the team whose region ended here, or 0 */
};

/* A thread's marks; `now` is the state in the latest of them. */
struct truth_thread {
	struct truth_mark marks[TRUTH_MARKS];
	int n;
	int tid;
	int schedstat; /* the file */
	struct truth_now now;
} __attribute__((aligned(128)));

/* A kind of waiting, and who caused it. */
struct truth_blame {
	int state;
	int thread;
	const char *cause;
	double seconds;
};

static struct truth_thread truth_threads[TRUTH_THREADS];
static int truth_n_threads, truth_n_teams;
static __thread struct truth_thread *truth_self;

static void truth_mark(struct truth_now now, int ended);

/* A thread that has ended waits no longer: libgomp ends the threads of a nested team. */
static void truth_leave(void *unused)
{
	(void)unused;
	truth_mark((struct truth_now){ NULL, TRUTH_UNBORN, 0, 0 }, 0);
}

static pthread_key_t truth_key;

static void truth_make_key(void)
{
	pthread_key_create(&truth_key, truth_leave);
}

static struct truth_thread *truth_me(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (!truth_self) {
		int index = __atomic_fetch_add(&truth_n_threads, 1, __ATOMIC_RELAXED);

		if (index >= TRUTH_THREADS)
			abort();
		truth_self = &truth_threads[index];
		truth_self->tid = gettid();
		truth_self->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
		pthread_once(&once, truth_make_key);
		pthread_setspecific(truth_key, truth_self);
		truth_self->now.state = TRUTH_WORK;
	}
	return truth_self;
}

/* A thread's time ready without a CPU; 0 if the kernel does not say it. */
static double truth_delay(const struct truth_thread *of)
{
	unsigned long long ns = 0;
	char text[96];
	ssize_t n = pread(of->schedstat, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	sscanf(text, "%*u %llu", &ns);
	return (double)ns / 1e9;
}

/* Asks the kernel, which takes two microseconds, in front of a wait and after it. */
static void truth_mark(struct truth_now now, int ended)
{
	struct truth_thread *me = truth_me();
	struct truth_mark mark = { .now = now, .ended = ended };

	if (me->n == TRUTH_MARKS)
		abort();
	me->now = now;
	if (now.state > TRUTH_WORK)
		mark.delay = truth_delay(me);
	mark.at = work_clock(CLOCK_MONOTONIC);
	mark.cpu = work_clock(CLOCK_THREAD_CPUTIME_ID);
	if (now.state <= TRUTH_WORK)
		mark.delay = truth_delay(me);
	me->marks[me->n++] = mark;
}

/* The calling thread is now in `state`. Returns what it was at before, for truth_back. */
static inline struct truth_now truth_enter(int state)
{
	struct truth_now was = truth_me()->now, now = was;

	now.state = state;
	now.cause = NULL;
	truth_mark(now, 0);
	return was;
}

static inline void truth_back(struct truth_now was)
{
	was.holds = truth_me()->now.holds;
	truth_mark(was, 0);
}

static inline struct truth_now truth_burn(const char *cause)
{
	struct truth_now was = truth_me()->now, now = was;

	now.state = TRUTH_WORK;
	now.cause = cause;
	truth_mark(now, 0);
	return was;
}

/* The mutex is acquired (1), or about to be released (0). */
static inline void truth_hold(int holds)
{
	struct truth_now now = truth_me()->now;

	now.holds = holds;
	truth_mark(now, 0);
}

/* A new team's number, by the thread that is about to encounter its region. */
static inline int truth_team(void)
{
	int team = __atomic_add_fetch(&truth_n_teams, 1, __ATOMIC_RELAXED);

	if (team >= TRUTH_TEAMS)
		abort();
	return team;
}

/* The first thing in a region. */
static inline void truth_join(int team)
{
	struct truth_now now = { NULL, TRUTH_WORK, team, 0 };

	truth_mark(now, 0);
}

/* The last thing in a region. */
static inline void truth_close(void)
{
	truth_enter(TRUTH_CLOSING);
}

/* The first thing after it; `was` is from before it. */
static inline void truth_end(int team, struct truth_now was)
{
	truth_mark(was, team);
}

/* Defines a function that uses so much CPU time of its thread. */
#define BURNER(name)                                                                               \
	static NOINLINE void name(double seconds)                                                  \
	{                                                                                          \
		struct truth_now was = truth_burn(#name);                                          \
		double until = work_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;                      \
		uint64_t x = 88172645463325252u;                                                   \
                                                                                                   \
		do                                                                                 \
			CHURN(x, 20000)                                                            \
		while (work_clock(CLOCK_THREAD_CPUTIME_ID) < until);                               \
		work_sink = x;                                                                     \
		truth_back(was);                                                                   \
	}

#include "truth_sum.h"

#endif
