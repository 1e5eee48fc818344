/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sleeps in calls of the C library: in serial code, a region, a critical section, a task and
 * threads of pthreads, while the other threads of the team wait. A line for each function says how
 * long its thread slept: wall time without its CPU time and its time on the run queue, by the
 * kernel. With an argument SECONDS it sleeps for about that time at each place.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../work.h"

static double each = 0.1;
static int fds[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static volatile int is_ready, is_held;

static double queued(void)
{
	unsigned long long cpu = 0, queue = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "r");

	if (!file || fscanf(file, "%llu %llu", &cpu, &queue) != 2)
		queue = 0;
	if (file)
		fclose(file);
	return (double)queue / 1e9;
}

/* The time so far in which the thread did not sleep is subtracted from the time of day. */
static double asleep(void)
{
	return work_clock(CLOCK_MONOTONIC) - work_clock(CLOCK_THREAD_CPUTIME_ID) - queued();
}

static void say(const char *name, double before)
{
	printf("%s %.4f\n", name, asleep() - before);
}

static void nap(double seconds)
{
	struct timespec time = { (time_t)seconds, (long)(1e9 * (seconds - (double)(long)seconds)) };

	nanosleep(&time, NULL);
}

static void *write_bytes(void *nothing)
{
	for (int i = 0; i < 10; i++) {
		nap(each / 10);
		if (write(fds[1], "x", 1) != 1)
			return nothing;
	}
	return nothing;
}

static NOINLINE void serial_sleep(void)
{
	double before = asleep();

	for (int i = 0; i < 10; i++)
		usleep((useconds_t)(each * 1e5));
	say("serial_sleep", before);
}

static NOINLINE void serial_read(void)
{
	double before = asleep();
	char byte;

	for (int i = 0; i < 10; i++)
		if (read(fds[0], &byte, 1) != 1)
			return;
	say("serial_read", before);
}

static NOINLINE void region_poll(void)
{
	double before = asleep();

	poll(NULL, 0, (int)(each * 1000));
	say("region_poll", before);
}

static NOINLINE void critical_sleep(void)
{
	double before = asleep();

	nap(each);
	say("critical_sleep", before);
}

static NOINLINE void task_sleep(void)
{
	double before = asleep();

	nap(each);
	say("task_sleep", before);
}

static NOINLINE void region_mutex(void)
{
	double before = asleep();

	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	say("region_mutex", before);
}

static NOINLINE void region_cond(void)
{
	double before = asleep();

	pthread_mutex_lock(&mutex);
	while (!is_ready)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	say("region_cond", before);
}

static void sleep_in_regions(void)
{
#pragma omp parallel
	if (omp_get_thread_num() == 1)
		region_poll();
#pragma omp parallel
#pragma omp critical
	critical_sleep();
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		task_sleep();
#pragma omp taskwait
	}
#pragma omp parallel
	if (omp_get_thread_num() == 0) {
		pthread_mutex_lock(&mutex);
		is_held = 1;
		nap(each);
		pthread_mutex_unlock(&mutex);
	} else {
		while (!is_held)
			usleep(100);
		region_mutex();
	}
#pragma omp parallel
	if (omp_get_thread_num() == 1) {
		region_cond();
	} else {
		nap(each);
		pthread_mutex_lock(&mutex);
		is_ready = 1;
		pthread_cond_broadcast(&cond);
		pthread_mutex_unlock(&mutex);
	}
}

static sigjmp_buf jump;

static void on_alarm(int signal)
{
	(void)signal;
	siglongjmp(jump, 1);
}

/* Leaves a sleep by a jump, and a sleeping thread by cancellation; errno is kept. */
static int leave_sleeps(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	pthread_t thread;
	void *result = NULL;
	int errno_kept;

	sigaction(SIGALRM, &action, NULL);
	if (sigsetjmp(jump, 1) == 0) {
		ualarm(20000, 0);
		poll(NULL, 0, 10000);
	}
	if (pthread_create(&thread, NULL, (void *(*)(void *))(void (*)(void))pause, NULL) != 0)
		return 0;
	nap(each / 10);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	errno = 0;
	errno_kept = read(-1, &thread, 1) == -1 && errno == EBADF;
	errno = ERANGE;
	nap(each / 10);
	return errno_kept && errno == ERANGE && result == PTHREAD_CANCELED;
}

int main(int argc, char **argv)
{
	pthread_t writer;

	if (argc > 1)
		each = atof(argv[1]);
	work_start(0, NULL, 0);
	if (pipe(fds) != 0)
		return 1;
	serial_sleep();
	if (pthread_create(&writer, NULL, write_bytes, NULL) != 0)
		return 1;
	serial_read();
	pthread_join(writer, NULL);
	sleep_in_regions();
	return work_finish("blocked", leave_sleeps(), 1);
}
