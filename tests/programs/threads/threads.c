/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of the program's own, in many ways: threads FACTOR MODE [N].
 *   mix      alpha_start works three times as long as beta_start and gamma_start (thrd_create), beside a
 *            parallel region of two threads
 *   ends     a thread returns, one calls pthread_exit, one is cancelled where it says so, one was
 *            cancelled before it began; the first one's thread-specific data is destroyed by
 *            last_kernel
 *   many N   N threads, one after the other
 *   turns N  N threads, one after the other, each of which works
 *   crowd N  N threads at once, all of which work
 *   blocked  a thread with all signals blocked takes them by sigwait and works
 *   unblocked  a thread with all signals blocked works in alpha_kernel, unblocks them, works in beta_kernel
 *   small    a thread with the smallest stack works
 *   stack    a thread works on a stack that was filled; says on stderr how much below its own frame was
 *            written to, and how large the kernel's frame for a signal can be
 *   detached N  N detached threads, and the process ends as soon as the last one has counted itself
 *   running  the process ends while four threads work
 *   fork     a thread forks; the child creates a thread, too, and ends by pthread_exit
 *   starts PROGRAM  runs PROGRAM as `mix` while a thread works
 *   load FILE  loads FILE, with parallel regions before and after
 * Flags: -pthread
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "../work.h"

#ifdef _OPENMP
enum { TEAM = 2 };
#else
enum { TEAM = 1 };
#endif

static long unit;

#define KERNEL(name)                                                                               \
	static NOINLINE void name(long steps)                                                      \
	{                                                                                          \
		uint64_t x = 88172645463325252u;                                                   \
                                                                                                   \
		CHURN(x, steps);                                                                   \
		work_sink = x;                                                                     \
	}

KERNEL(alpha_kernel)
KERNEL(beta_kernel)
KERNEL(gamma_kernel)
KERNEL(team_kernel)
KERNEL(last_kernel)

static void *alpha_start(void *argument)
{
	alpha_kernel(300 * unit);
	return argument;
}

static void *beta_start(void *argument)
{
	beta_kernel(100 * unit);
	return argument;
}

static int gamma_start(void *argument)
{
	gamma_kernel(100 * unit);
	return (int)(intptr_t)argument;
}

static long mix(void)
{
	pthread_t alpha, beta;
	thrd_t gamma;
	void *result[2];
	int third;
	long sum = 0;

	pthread_create(&alpha, NULL, alpha_start, (void *)1);
	pthread_create(&beta, NULL, beta_start, (void *)2);
	thrd_create(&gamma, gamma_start, (void *)3);
#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		team_kernel(100 * unit);
		sum++;
	}
	pthread_join(alpha, &result[0]);
	pthread_join(beta, &result[1]);
	thrd_join(gamma, &third);
	return sum + (intptr_t)result[0] + (intptr_t)result[1] + third;
}

static pthread_key_t key;
static int n_destroyed;

static void destroy(void *value)
{
	last_kernel(100 * unit);
	n_destroyed += value != NULL;
}

static void *returning_start(void *argument)
{
	pthread_setspecific(key, &key);
	alpha_kernel(100 * unit);
	return argument;
}

static void *exiting_start(void *argument)
{
	beta_kernel(100 * unit);
	pthread_exit(argument);
}

static void *cancelled_start(void *argument)
{
	for (;;) {
		gamma_kernel(10 * unit);
		pthread_testcancel();
	}
	return argument;
}

static volatile int n_late, is_late_cancelled;

/* It is cancelled before it begins, or waits for that: on a busy machine its creator can come late. */
static void *late_start(void *argument)
{
	n_late++;
	while (!is_late_cancelled)
		sched_yield();
	pthread_testcancel();
	n_late = 100;
	return argument;
}

/* 1 for each thread that ended as it should. */
static long end_all(void)
{
	pthread_t thread[4];
	void *result[4];

	pthread_create(&thread[1], NULL, exiting_start, (void *)8);
	/* Destructors run in the order of the keys: after one made with the first thread. */
	pthread_key_create(&key, destroy);
	pthread_create(&thread[0], NULL, returning_start, (void *)7);
	pthread_create(&thread[2], NULL, cancelled_start, NULL);
	pthread_create(&thread[3], NULL, late_start, NULL);
	pthread_cancel(thread[3]);
	is_late_cancelled = 1;
	team_kernel(200 * unit);
	pthread_cancel(thread[2]);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], &result[i]);
	return (result[0] == (void *)7) + (result[1] == (void *)8) +
	       (result[2] == PTHREAD_CANCELED) + (result[3] == PTHREAD_CANCELED) +
	       (n_destroyed == 1) + (n_late <= 1);
}

static void *short_start(void *argument)
{
	(*(long *)argument)++;
	return NULL;
}

static void *busy_start(void *argument)
{
	beta_kernel(10 * unit);
	return short_start(argument);
}

static long create_many(void *(*start)(void *), long n)
{
	long count = 0;
	double begin = work_clock(CLOCK_MONOTONIC);

	for (long i = 0; i < n; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, start, &count) != 0)
			break;
		pthread_join(thread, NULL);
	}
	fprintf(stderr, "%.0f\n", (work_clock(CLOCK_MONOTONIC) - begin) * 1e9 / (double)n);
	return count;
}

static pthread_barrier_t all_are_there;

static void *crowd_start(void *argument)
{
	pthread_barrier_wait(&all_are_there);
	alpha_kernel(10 * unit);
	pthread_barrier_wait(&all_are_there);
	return argument;
}

static long crowd(long n)
{
	pthread_t *thread = calloc((size_t)n, sizeof(*thread));
	long count = 0;

	pthread_barrier_init(&all_are_there, NULL, (unsigned)n);
	for (long i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, crowd_start, NULL);
	for (long i = 0; i < n; i++)
		count += pthread_join(thread[i], NULL) == 0;
	free(thread);
	return count;
}

/* How often sigwait returned another signal than the one that was sent, which comes after all others. */
static void *waiting_start(void *argument)
{
	long n_wrong = 0;
	sigset_t all;
	int got = 0;

	sigfillset(&all);
	alpha_kernel(200 * unit);
	while (got != SIGRTMAX) {
		sigwait(&all, &got);
		n_wrong += got != SIGRTMAX;
		alpha_kernel(20 * unit);
	}
	*(long *)argument = n_wrong;
	return NULL;
}

static long wait_for_signals(void)
{
	sigset_t all, before;
	pthread_t thread;
	long n_wrong = -1;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_create(&thread, NULL, waiting_start, &n_wrong);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_kill(thread, SIGRTMAX);
	pthread_join(thread, NULL);
	return n_wrong;
}

static void *opening_start(void *argument)
{
	sigset_t all;

	sigfillset(&all);
	alpha_kernel(200 * unit);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	beta_kernel(200 * unit);
	return argument;
}

static long unblock_signals(void)
{
	sigset_t all, before;
	pthread_t thread;
	void *result = NULL;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_create(&thread, NULL, opening_start, (void *)1);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_join(thread, &result);
	return (long)(intptr_t)result;
}

static void *deep_start(void *argument)
{
	/* Most of what a stack of 16 KiB has. */
	volatile char used[9000];

	memset((char *)used, 1, sizeof(used));
	alpha_kernel(200 * unit);
	return used[17] == 1 ? argument : NULL;
}

static long use_small_stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	void *result;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 16384);
	pthread_create(&thread, &attributes, deep_start, (void *)1);
	pthread_join(thread, &result);
	return (long)(intptr_t)result;
}

enum { STACK_BYTES = 1 << 20, PAINT = 0xa5 };

static void *painted_start(void *argument)
{
	uintptr_t *lowest = argument;
	volatile char here = 0;

	*lowest = (uintptr_t)&here;
	alpha_kernel(400 * unit);
	return NULL;
}

static long paint_stack(void)
{
	unsigned char *stack =
		mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t frame = 0, at = (uintptr_t)stack;
	pthread_attr_t attributes;
	pthread_t thread;

	memset(stack, PAINT, STACK_BYTES);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, STACK_BYTES);
	pthread_create(&thread, &attributes, painted_start, &frame);
	pthread_join(thread, NULL);
	while (*(unsigned char *)at == PAINT)
		at++;
	fprintf(stderr, "%lu %lu\n", (unsigned long)(frame - at), getauxval(AT_MINSIGSTKSZ));
	return 1;
}

static volatile long n_counted;

static void *counting_start(void *argument)
{
	pthread_detach(pthread_self());
	__atomic_fetch_add(&n_counted, 1, __ATOMIC_RELAXED);
	return argument;
}

static long detach_all(long n)
{
	for (long i = 0; i < n; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, counting_start, NULL) != 0)
			return -1;
		/* Few at once: each has a stack. */
		while (n_counted + 16 < i)
			sched_yield();
	}
	while (n_counted < n)
		sched_yield();
	return n_counted;
}

static void *endless_start(void *argument)
{
	for (;;)
		alpha_kernel(10 * unit);
	return argument;
}

static long leave_running(void)
{
	for (int i = 0; i < 4; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, endless_start, NULL);
	}
	team_kernel(200 * unit);
	return 1;
}

static void *child_start(void *argument)
{
	gamma_kernel(10 * unit);
	return argument;
}

static void *forking_start(void *argument)
{
	pid_t pid;
	int status;

	alpha_kernel(100 * unit);
	pid = fork();
	if (pid == 0) {
		pthread_t thread;

		pthread_create(&thread, NULL, child_start, NULL);
		pthread_join(thread, NULL);
		beta_kernel(10 * unit);
		pthread_exit(argument);
	}
	waitpid(pid, &status, 0);
	alpha_kernel(100 * unit);
	/* The child's last thread has ended: it exits with 0. */
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? argument : NULL;
}

static long fork_in_thread(void)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, forking_start, (void *)1);
	pthread_join(thread, &result);
	return result == (void *)1;
}

static long start_program(const char *program)
{
	pthread_t thread;
	char command[1024];
	int status;

	snprintf(command, sizeof(command), "'%s' 0.4 mix", program);
	pthread_create(&thread, NULL, alpha_start, NULL);
	status = system(command);
	pthread_join(thread, NULL);
	return status == 0;
}

static long load(const char *file)
{
	double end = work_clock(CLOCK_MONOTONIC) + 1.5;
	void *library = NULL;

	while (work_clock(CLOCK_MONOTONIC) < end) {
#pragma omp parallel num_threads(2)
		team_kernel(5 * unit);
		if (!library)
			library = dlopen(file, RTLD_NOW);
	}
	return library != NULL;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "mix";
	long n = argc > 3 ? atol(argv[3]) : 100;

	unit = work_start(argc, argv, 1);
	if (strcmp(mode, "ends") == 0)
		return work_finish("threads", end_all(), 6);
	if (strcmp(mode, "many") == 0)
		return work_finish("threads", create_many(short_start, n), n);
	if (strcmp(mode, "turns") == 0)
		return work_finish("threads", create_many(busy_start, n), n);
	if (strcmp(mode, "crowd") == 0)
		return work_finish("threads", crowd(n), n);
	if (strcmp(mode, "blocked") == 0)
		return work_finish("threads", wait_for_signals(), 0);
	if (strcmp(mode, "unblocked") == 0)
		return work_finish("threads", unblock_signals(), 1);
	if (strcmp(mode, "small") == 0)
		return work_finish("threads", use_small_stack(), 1);
	if (strcmp(mode, "stack") == 0)
		return work_finish("threads", paint_stack(), 1);
	if (strcmp(mode, "detached") == 0)
		return work_finish("threads", detach_all(n), n);
	if (strcmp(mode, "running") == 0)
		return work_finish("threads", leave_running(), 1);
	if (strcmp(mode, "fork") == 0)
		return work_finish("threads", fork_in_thread(), 1);
	if (strcmp(mode, "starts") == 0)
		return work_finish("threads", start_program(argv[3]), 1);
	if (strcmp(mode, "load") == 0)
		return work_finish("threads", load(argv[3]), 1);
	return work_finish("threads", mix(), 6 + TEAM);
}
