/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many constructs of OpenMP, each with a result that does not depend on the runtime. The schedule,
 * the tasks and the clauses decide which of libgomp's functions are called. With -DLACKING it needs
 * a function of libgomp that libomp does not have by this version, and `display` calls it. With
 * `runtime` it also prints the schedule of schedule(runtime), with `cpus` the number of processors.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#ifdef LACKING
extern void omp_display_env(int verbose);
#endif

static long loops(long n)
{
	long sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp for schedule(dynamic, 1000) nowait
		for (long i = 0; i < n; i++)
			sum += i % 3;
#pragma omp for schedule(guided)
		for (long i = 0; i < n; i++)
			sum += i % 5;
#pragma omp for schedule(runtime)
		for (long i = 0; i < n / 1000; i++)
			sum += i % 7;
#pragma omp for ordered schedule(static, 1)
		for (long i = 0; i < 100; i++)
#pragma omp ordered
			sum += i;
	}
	return sum;
}

static long fibonacci(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) if (n > 15)
	a = fibonacci(n - 1);
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

static long tasks(void)
{
	static long part[64], chain;
	long sum = 0;

#pragma omp parallel
#pragma omp single
	{
		sum = fibonacci(22);
#pragma omp taskloop grainsize(4)
		for (int i = 0; i < 64; i++)
			part[i] = i * i;
		for (int i = 0; i < 50; i++)
#pragma omp task depend(inout : chain)
			chain = chain * 3 % 1000 + i;
	}
	for (int i = 0; i < 64; i++)
		sum += part[i];
	return sum * 1000 + chain;
}

static long mutexes(void)
{
	long critical = 0, locked = 0, sections = 0, single = 0, copied = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	{
		long value = 0;

		for (int i = 0; i < 1000; i++) {
#pragma omp critical(name)
			critical++;
			omp_set_lock(&lock);
			locked++;
			omp_unset_lock(&lock);
		}
#pragma omp sections reduction(+ : sections)
		{
#pragma omp section
			sections += 1;
#pragma omp section
			sections += 2;
		}
#pragma omp single copyprivate(value)
		value = ++single;
#pragma omp atomic
		copied += value;
#pragma omp barrier
#pragma omp master
		copied *= 10;
	}
	omp_destroy_lock(&lock);
	return critical + 10000 * locked + sections + copied + single;
}

int main(int argc, char **argv)
{
	omp_sched_t kind;
	int chunk;

	omp_get_schedule(&kind, &chunk);
	if (argc > 1 && strcmp(argv[1], "runtime") == 0)
		printf("%d %d\n", (int)kind & 15, chunk);
#ifdef LACKING
	if (argc > 1 && strcmp(argv[1], "display") == 0)
		omp_display_env(0);
#endif
	if (argc > 1 && strcmp(argv[1], "cpus") == 0)
		printf("%d\n", omp_get_num_procs());
	printf("%ld\n", loops(40000000));
	printf("%ld\n", tasks());
	printf("%ld\n", mutexes());
	return 0;
}
