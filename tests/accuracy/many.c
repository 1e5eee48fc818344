/* SPDX-License-Identifier: Apache-2.0 */
/*
 * many locks [N]: two threads set N locks (65000), each its own half, then wait for each other at one of
 *                 those set last
 * many shared [N]: likewise, but each thread sets them all
 * many regions [LEVELS]: encounters a region on each of the 2^LEVELS (20) paths that two functions can
 *                 make; thread 0 is late in the first and in the last one
 *
 * Prints where the threads' time went (truth.h), and the peak of the process' memory on stderr.
 */
#include "truth.h"

enum { N_CONTENDED = 20 };

static omp_lock_t *locks;
static volatile int n_begun;

BURNER(holder_kernel)
BURNER(first_kernel)
BURNER(last_kernel)

static NOINLINE void await(int round)
{
	double limit = work_clock(CLOCK_MONOTONIC) + 1;

	while (n_begun <= round && work_clock(CLOCK_MONOTONIC) < limit)
		;
}

static NOINLINE void set_all(int first, int n, int step)
{
	for (int i = first; i < n; i += step) {
		omp_set_lock(&locks[i]);
		omp_unset_lock(&locks[i]);
	}
}

static NOINLINE void contend(int thread, omp_lock_t *lock)
{
	for (int i = 0; i < N_CONTENDED; i++) {
		if (thread == i % 2) {
			omp_set_lock(lock);
			truth_hold(1);
			n_begun = i + 1;
			holder_kernel(0.02);
			truth_hold(0);
		} else {
			struct truth_now was;

			await(i);
			was = truth_enter(TRUTH_LOCK);
			omp_set_lock(lock);
			truth_back(was);
		}
		omp_unset_lock(lock);
#pragma omp barrier
	}
}

static void run_locks(int n, int is_shared)
{
	struct truth_now was = truth_me()->now;
	int team = truth_team();

	locks = calloc((size_t)n, sizeof(*locks));
	for (int i = 0; i < n; i++)
		omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(2)
	{
		int thread = omp_get_thread_num();

		truth_join(team);
		set_all(is_shared ? 0 : thread, n, is_shared ? 1 : 2);
#pragma omp barrier
		contend(thread, &locks[n - 1]);
		truth_close();
	}
	truth_end(team, was);
}

/* The region of the first and of the last path, in which thread 0 is late. */
static void late_region(int is_last)
{
	struct truth_now was = truth_me()->now;
	int team = truth_team();

#pragma omp parallel num_threads(2)
	{
		truth_join(team);
		if (omp_get_thread_num() == 0 && is_last)
			last_kernel(0.3);
		else if (omp_get_thread_num() == 0)
			first_kernel(0.3);
		truth_close();
	}
	truth_end(team, was);
}

static long n_executed;

static NOINLINE void small_region(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			n_executed++;
	}
}

static void go_left(int levels, long path);
static void go_right(int levels, long path);

static void go_on(int levels, long path)
{
	if (levels > 0) {
		go_left(levels - 1, path << 1);
		go_right(levels - 1, path << 1 | 1);
		return;
	}
	if (path != 0 && path != -1)
		small_region();
	else
		late_region(path != 0);
}

static NOINLINE void go_left(int levels, long path)
{
	go_on(levels, path);
	__asm__ volatile(""); /* no tail call */
}

static NOINLINE void go_right(int levels, long path)
{
	go_on(levels, path);
	__asm__ volatile("" ::"r"(levels));
}

static void print_peak(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, "VmHWM:", 6))
			fprintf(stderr, "%s", line);
	if (status)
		fclose(status);
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;

	truth_me();
	if (argc > 1 && (!strcmp(argv[1], "locks") || !strcmp(argv[1], "shared"))) {
		run_locks(n > 0 ? n : 65000, !strcmp(argv[1], "shared"));
	} else if (argc > 1 && !strcmp(argv[1], "regions")) {
		/* The path of -1 has a one in every place: it is the last. */
		go_left((n > 0 ? n : 20) - 1, 0);
		go_right((n > 0 ? n : 20) - 1, -1);
		fprintf(stderr, "regions: %ld\n", n_executed + 2);
	} else {
		fprintf(stderr, "usage: many locks|shared|regions [N]\n");
		return 2;
	}
	print_peak();
	truth_print(argv[1]);
	return 0;
}
