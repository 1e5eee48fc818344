/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiny FACTOR KIND: constructs with next to nothing in them, where events cost most. KIND:
 * undeferred (tasks), serialized (regions), locks (that nobody else wants), taskwaits. Prints its
 * own time.
 */
#include <string.h>

#include "bench/kernels/kernel.h"

static void undeferred(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp task if (0)
		KERNEL_WORK(20);
	}
}

static void serialized(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(1)
		KERNEL_WORK(50);
	}
}

static void locks(long n)
{
	omp_lock_t lock;

	omp_init_lock(&lock);
	for (long i = 0; i < n; i++) {
		omp_set_lock(&lock);
		KERNEL_WORK(20);
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
}

static void taskwaits(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp task
		KERNEL_WORK(20);
#pragma omp taskwait
	}
}

static const struct kind {
	const char *name;
	void (*run)(long n);
	long n;
	int is_alone; /* outside of regions */
} kinds[] = {
	{ "undeferred", undeferred, 5000000, 0 },
	{ "serialized", serialized, 4000000, 1 },
	{ "locks", locks, 15000000, 0 },
	{ "taskwaits", taskwaits, 3000000, 0 },
};

int main(int argc, char **argv)
{
	double factor = (double)work_start(argc, argv, 1) / UNIT,
	       start = work_clock(CLOCK_MONOTONIC);
	int is_done = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct kind *kind = &kinds[i];
		long n = (long)(factor * (double)kind->n);

		if (argc < 3 || strcmp(argv[2], kind->name) != 0)
			continue;
		is_done = 1;
		if (kind->is_alone) {
			kind->run(n);
			continue;
		}
#pragma omp parallel
		kind->run(n / omp_get_num_threads());
	}
	return kernel_finish(start, is_done);
}
