/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_waits HOW WHO [FACTOR]: a process that ends while regions, tasks and waits are open, and says right before what its
 * threads have done by then. HOW: exit, _exit, quick_exit, exec (of true), abort, kill (SIGKILL), and return and
 * pthread_exit (of main), which WHO `beside` alone knows. WHO ends it: `primary`, `worker` of a team whose other thread
 * waits at a barrier; `task`, which the worker executes while the primary thread waits for it; `nested`, the primary thread of
 * a region within one; `lock`, who holds a lock that the other one waits for; `root`, a thread of the program's own, in a team
 * of its own; `beside`, main, while that team works.
 *
 * The line that it prints has seconds: `work`, CPU time of the team's threads but for what they wait busily; `wait`, what the other thread has
 * waited; `region`, since the outermost region began; `queue`, what the threads of the team were ready to run and did not, as
 * the kernel counts it.
 * Flags: -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../work.h"

enum { MOST_THREADS = 4 };

static double unit, began;
static const char *how, *who;
static omp_lock_t lock;
static _Atomic double waits_since;
static _Atomic int n_threads, is_held;
static long tids[MOST_THREADS];
static clockid_t clocks[MOST_THREADS];
static double before_wait[MOST_THREADS]; /* CPU seconds; 0: it does not wait */
static __thread int own;

/* CPU seconds of the calling thread. */
static NOINLINE void busy_kernel(double seconds)
{
	double end = work_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	uint64_t x = 88172645463325252u;

	while (work_clock(CLOCK_THREAD_CPUTIME_ID) < end)
		CHURN(x, 10000);
	work_sink = x;
}

/* The calling thread is one of those that work. */
static void join(void)
{
	own = atomic_fetch_add(&n_threads, 1);
	tids[own] = syscall(SYS_gettid);
	pthread_getcpuclockid(pthread_self(), &clocks[own]);
}

/* It waits from now on, maybe busily. */
static void begin_wait(void)
{
	before_wait[own] = work_clock(CLOCK_THREAD_CPUTIME_ID);
	waits_since = work_clock(CLOCK_MONOTONIC);
}

static double queue_of(long tid)
{
	unsigned long long ran = 0, queued = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", tid);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%llu %llu", &ran, &queued) != 2)
		queued = 0;
	if (file)
		fclose(file);
	return 1e-9 * (double)queued;
}

static void say(void)
{
	double work = 0, queue = 0, now = work_clock(CLOCK_MONOTONIC);

	for (int i = 0; i < n_threads; i++) {
		work += before_wait[i] > 0 ? before_wait[i] : work_clock(clocks[i]);
		queue += queue_of(tids[i]);
	}
	printf("open_waits: work %.4f wait %.4f region %.4f queue %.4f\n", work,
		waits_since ? now - waits_since : 0, now - began, queue);
	fflush(stdout);
}

static void end_process(void)
{
	say();
	if (!strcmp(how, "exit") || !strcmp(how, "pthread_exit"))
		exit(7);
	if (!strcmp(how, "_exit"))
		_exit(3);
	if (!strcmp(how, "quick_exit"))
		quick_exit(4);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "exec"))
		execlp("true", "true", (char *)NULL);
	_exit(1);
}

static NOINLINE void wait_at_barrier(void)
{
	begin_wait();
#pragma omp barrier
}

static NOINLINE void in_team(int ender)
{
	began = work_clock(CLOCK_MONOTONIC);
#pragma omp parallel num_threads(2)
	{
		join();
		busy_kernel(unit);
		if (omp_get_thread_num() != ender)
			wait_at_barrier();
		busy_kernel(unit);
		end_process();
	}
}

static NOINLINE void in_task(void)
{
	began = work_clock(CLOCK_MONOTONIC);
#pragma omp parallel num_threads(2)
	{
		join();
		busy_kernel(unit);
#pragma omp barrier
		if (omp_get_thread_num() == 0) {
			atomic_int is_begun = 0;

#pragma omp task shared(is_begun)
			{
				is_begun = 1;
				busy_kernel(unit);
				end_process();
			}
			while (!is_begun)
				;
			begin_wait();
#pragma omp taskwait
		}
	}
}

static NOINLINE void in_nested(void)
{
	omp_set_max_active_levels(2);
	began = work_clock(CLOCK_MONOTONIC);
#pragma omp parallel num_threads(2)
	{
		join();
		busy_kernel(unit);
		if (omp_get_thread_num() == 1)
			wait_at_barrier();
#pragma omp parallel num_threads(1)
		{
			busy_kernel(unit);
			end_process();
		}
	}
}

static NOINLINE void in_lock(void)
{
	began = work_clock(CLOCK_MONOTONIC);
#pragma omp parallel num_threads(2)
	{
		join();
		busy_kernel(unit);
		if (omp_get_thread_num() == 0) {
			omp_set_lock(&lock);
			is_held = 1;
			busy_kernel(unit);
			end_process();
		}
		while (!is_held)
			;
		begin_wait();
		omp_set_lock(&lock);
	}
}

static void *root(void *unused)
{
	in_team(0);
	return unused;
}

/* The team works until main has ended the process, or itself. */
static void *endless(void *unused)
{
	began = work_clock(CLOCK_MONOTONIC);
#pragma omp parallel num_threads(2)
	{
		join();
		if (!strcmp(how, "pthread_exit") && omp_get_thread_num() == 0) {
			busy_kernel(2 * unit);
			end_process();
		}
		for (;;)
			busy_kernel(unit);
	}
	return unused;
}

static int beside(pthread_t thread)
{
	double all = 0;

	while (all < 3 * unit) {
		usleep(2000);
		all = 0;
		for (int i = 0; i < n_threads; i++)
			all += work_clock(clocks[i]);
	}
	if (!strcmp(how, "pthread_exit"))
		pthread_exit(NULL);
	if (strcmp(how, "return") != 0)
		end_process();
	say();
	return (void)thread, 6;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	how = argc > 1 ? argv[1] : "exit";
	who = argc > 2 ? argv[2] : "primary";
	work_start(0, argv, 1);
	unit = 0.3 * (argc > 3 ? atof(argv[3]) : 1);
	omp_init_lock(&lock);
	if (!strcmp(who, "primary") || !strcmp(who, "worker"))
		in_team(!strcmp(who, "worker"));
	if (!strcmp(who, "task"))
		in_task();
	if (!strcmp(who, "nested"))
		in_nested();
	if (!strcmp(who, "lock"))
		in_lock();
	pthread_create(&thread, NULL, strcmp(who, "root") ? endless : root, NULL);
	if (strcmp(who, "root") != 0)
		return beside(thread);
	pthread_join(thread, NULL);
	return 1;
}
