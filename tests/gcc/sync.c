/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions and the constructs within them other than loops and tasks, each with several teams and within nested regions:
 * each NAME prints a result that is the same on any runtime; without a NAME the names.
 */
#include <omp.h>
#include <stdio.h>

#include "cases.h"

static int kept;
#pragma omp threadprivate(kept)

/* Teams of several sizes, in turn, one in another, with what each thread keeps, and barriers. */
static void run_regions(void)
{
	static const int sizes[] = { 1, 2, 4, 4, 3, 4, 2, 5 };
	long sum = 0, phase[5] = { 0 }, bad = 0;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
#pragma omp parallel num_threads(sizes[i]) reduction(+ : sum)
		sum += omp_get_num_threads() * 10 + omp_get_thread_num();
	}
#pragma omp parallel num_threads(3)
	kept = omp_get_thread_num() + 7;
#pragma omp parallel num_threads(3) copyin(kept) if (0)
	sum += kept;
#pragma omp parallel num_threads(3) reduction(+ : sum)
	sum += kept;
#pragma omp parallel num_threads(3) copyin(kept) reduction(+ : sum)
	sum += kept;
#pragma omp parallel num_threads(5) reduction(+ : bad)
	for (int round = 0; round < 20; round++) {
		phase[omp_get_thread_num()] = round;
#pragma omp barrier
		for (int i = 0; i < 5; i++)
			bad += phase[i] != round;
#pragma omp barrier
	}
	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2) reduction(+ : sum)
#pragma omp parallel num_threads(3) reduction(+ : sum)
#pragma omp parallel num_threads(2) reduction(+ : sum)
	sum += omp_get_level() * 1000 + omp_get_ancestor_thread_num(2) * 100 +
	       omp_get_ancestor_thread_num(1);
#pragma omp parallel num_threads(2) proc_bind(close) reduction(+ : sum)
	sum += 3;
#pragma omp parallel num_threads(2) proc_bind(spread) reduction(+ : sum)
	sum += 5;
	printf("%ld %ld\n", sum, bad);
}

static void run_critical(void)
{
	long one = 0, two = 0, three = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 500; i++) {
#pragma omp critical
		one += i;
#pragma omp critical(first)
		{
			two += i;
#pragma omp critical(second)
			three += two & 1;
		}
	}
	printf("%ld %ld %d\n", one, two, three > 0);
}

static void run_atomic(void)
{
	struct wide {
		long double value;
		char after;
	} wide = { 1, 77 };
	long double product = 1;
	_Complex double z = 0;

#pragma omp parallel for num_threads(4) reduction(* : product) reduction(+ : z)
	for (int i = 1; i <= 1000; i++) {
#pragma omp atomic
		wide.value += i;
		product *= i % 10 ? 1 : 2;
		z += i;
	}
	printf("%.0Lf %d %.0Lf %.0f\n", wide.value, wide.after, product, __real__ z);
}

static long sections_of(int threads)
{
	long sum = 0, last = 0;

#pragma omp parallel num_threads(threads)
	for (int round = 1; round < 20; round++) {
#pragma omp sections nowait
		{
#pragma omp section
#pragma omp atomic
			sum += 1;
#pragma omp section
#pragma omp atomic
			sum += 20;
#pragma omp section
#pragma omp atomic
			sum += 300;
		}
#pragma omp sections lastprivate(last)
		{
#pragma omp section
			last = 1;
#pragma omp section
			last = round;
		}
#pragma omp atomic
		sum += last;
#pragma omp barrier
	}
#pragma omp parallel sections num_threads(threads) reduction(+ : sum) firstprivate(last)
	{
#pragma omp section
		sum += 4000 + last;
#pragma omp section
		sum += 50000;
	}
#pragma omp parallel sections num_threads(threads)
	{
#pragma omp section
#pragma omp atomic
		sum += 600000;
#pragma omp section
#pragma omp atomic
		sum += 7000000;
#pragma omp section
#pragma omp atomic
		sum += 80000000;
	}
	return sum;
}

static void run_sections(void)
{
	for (int threads = 1; threads < 5; threads++)
		printf("%ld ", sections_of(threads));
	printf("\n");
}

static void run_single(void)
{
	long sum = 0, bad = 0;

#pragma omp parallel num_threads(3) reduction(+ : bad)
	for (int i = 0; i < 100; i++) {
		long copied = -1;
		char text[200];

#pragma omp single nowait
#pragma omp atomic
		sum += i;
#pragma omp single copyprivate(copied, text)
		{
			copied = i * 3;
			memset(text, i, sizeof(text));
		}
		bad += copied != i * 3 || text[199] != i;
#pragma omp single
		sum += 1000;
	}
	printf("%ld %ld\n", sum, bad);
}

/* Cancellation is off: nothing is cancelled. */
static void run_cancel(void)
{
	long n = 0;

#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 100; i++) {
#pragma omp cancel for if (i == 50)
#pragma omp cancellation point for
#pragma omp atomic
			n++;
		}
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp cancel sections
#pragma omp atomic
				n += 1000;
			}
#pragma omp section
#pragma omp atomic
			n += 1000;
		}
#pragma omp cancel parallel
#pragma omp barrier
#pragma omp atomic
		n += 10000;
	}
	printf("%ld\n", n);
}

/* Waiting for tasks where there are none. */
static void run_taskwait(void)
{
	long n = 0;

#pragma omp taskwait
#pragma omp parallel num_threads(3) reduction(+ : n)
	{
#pragma omp taskyield
#pragma omp taskwait
#pragma omp taskgroup
		n += omp_get_thread_num();
	}
#pragma omp taskgroup
	n++;
	printf("%ld\n", n);
}

static const struct gcc_case cases[] = {
	{ "regions", run_regions },
	{ "critical", run_critical },
	{ "atomic", run_atomic },
	{ "sections", run_sections },
	{ "single", run_single },
	{ "cancel", run_cancel },
	{ "taskwait", run_taskwait },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return run_cases(cases, argc, argv);
}
