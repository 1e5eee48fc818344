/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cancel [FACTOR [anywhere]]: threads that use OpenMP are cancelled while they work, and go on, as they may, to the next
 * cancellation point: each comes to the line before it, none gets beyond. The work touches new pages all the
 * time, so that what counts page faults, or records new call paths, is busy in them. With `anywhere` others are
 * cancelled asynchronously, while they compute.
 * Flags: -D_GNU_SOURCE -pthread
 */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../work.h"

enum { N_THREADS = 8, PAGES = 256, FEW_PAGES = 4 };

static long unit, n_reached, n_beyond, n_cleaned;

static NOINLINE void cancelled_kernel(long steps, int n_pages)
{
	uint64_t x = 88172645463325252u;

	for (int i = 0; i < 8; i++) {
		char *at = mmap(NULL, n_pages * 4096, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		for (int page = 0; page < n_pages; page++)
			at[page * 4096] = 1;
		munmap(at, n_pages * 4096);
		CHURN(x, steps);
	}
	work_sink = x;
}

static void clean(void *unused)
{
	(void)unused;
	__atomic_fetch_add(&n_cleaned, 1, __ATOMIC_RELAXED);
}

static void *start(void *unused)
{
	pthread_cleanup_push(clean, NULL);
	pthread_cancel(pthread_self());
#pragma omp parallel num_threads(1)
	cancelled_kernel(unit, PAGES);
	for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(1)
		cancelled_kernel(1, FEW_PAGES);
	}
	__atomic_fetch_add(&n_reached, 1, __ATOMIC_RELAXED);
	pthread_testcancel();
	__atomic_fetch_add(&n_beyond, 1, __ATOMIC_RELAXED);
	pthread_cleanup_pop(0);
	return unused;
}

static volatile int is_computing;

/* In the loop it calls nothing: there it may be cancelled anywhere. */
static void *compute(void *unused)
{
	uint64_t x = 88172645463325252u;

	pthread_cleanup_push(clean, NULL);
#pragma omp parallel num_threads(1)
	work_sink = x;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	is_computing = 1;
	for (;;)
		CHURN(x, 1000);
	pthread_cleanup_pop(0);
	work_sink = x;
	return unused;
}

static int cancel_anywhere(void)
{
	enum { N_CANCELLED = 50 };
	long n_cancelled = 0;

	for (int i = 0; i < N_CANCELLED; i++) {
		pthread_t thread;
		void *result;

		is_computing = 0;
		if (pthread_create(&thread, NULL, compute, NULL) != 0)
			return 2;
		while (!is_computing)
			usleep(100);
		usleep(3000 + i * 10);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		n_cancelled += result == PTHREAD_CANCELED;
	}
#pragma omp parallel
	cancelled_kernel(unit, PAGES);
	return n_cancelled == N_CANCELLED && n_cleaned == N_CANCELLED ? 0 : 1;
}

int main(int argc, char **argv)
{
	long n_cancelled = 0;

	unit = work_start(argc, argv, 1);
	if (argc > 2)
		return work_finish("cancel", cancel_anywhere(), 0);
	for (int i = 0; i < N_THREADS; i++) {
		pthread_t thread;
		void *result;

		if (pthread_create(&thread, NULL, start, NULL) != 0)
			return 2;
		pthread_join(thread, &result);
		n_cancelled += result == PTHREAD_CANCELED;
	}
	printf("cancel: %ld cancelled, %ld cleaned, %ld beyond\n", n_cancelled, n_cleaned,
		n_beyond);
	return work_finish("cancel", n_reached, N_THREADS);
}
