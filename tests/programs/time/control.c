/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells the tool what it is at (include/ompprof.h). Arguments: what, and the work factor.
 *
 *   phases (the default)  setup, twice solve in a team with a phase within it, write, each a phase of its own, in
 *                         functions of that name; what `hidden` does is in a pause. solve has as much work for each
 *                         of two threads as setup, hidden and write have
 *   region                a loop in a parallel region, of whose halves the first is measured: the pause begins in it
 *   values                prints what the functions return, in their order, and goes on after the end
 *   nothing               as phases without any of these calls
 */
#include <string.h>

#include "../../../include/ompprof.h"
#include "../work.h"

static long unit;
static int is_told;

NOINLINE static uint64_t setup(uint64_t x)
{
	CHURN(x, unit * 100);
	return x;
}

NOINLINE static uint64_t solve(uint64_t x)
{
	CHURN(x, unit * 50);
	return x;
}

NOINLINE static uint64_t hidden(uint64_t x)
{
	CHURN(x, unit * 100);
	return x;
}

NOINLINE static uint64_t write_all(uint64_t x)
{
	CHURN(x, unit * 100);
	return x;
}

static void begin(const char *name)
{
	if (is_told)
		ompprof_phase_begin(name);
}

static void end(void)
{
	if (is_told)
		ompprof_phase_end();
}

static uint64_t solve_all(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < 2; i++) {
		begin("solve");
#pragma omp parallel reduction(^ : sum) num_threads(2)
		sum ^= solve((uint64_t)omp_get_thread_num() + 7);
		if (i == 1 && is_told)
			ompprof_phase_begin_number(2);
		if (i == 1 && is_told)
			ompprof_phase_end();
		end();
	}
	return sum;
}

static long phases(void)
{
	uint64_t x = 1;
	char name[] = "setup";

	begin(name);
	memset(name, 'x', sizeof(name) - 1);
	x = setup(x);
	end();
	x ^= solve_all();
	if (is_told)
		ompprof_pause();
	x ^= hidden(x);
	if (is_told)
		ompprof_start();
	begin("write");
	x ^= write_all(x);
	end();
	work_sink = x;
	return 4;
}

static long region(void)
{
#pragma omp parallel num_threads(2)
	{
		uint64_t x = (uint64_t)omp_get_thread_num() + 1;

		x ^= setup(x);
#pragma omp barrier
#pragma omp master
		ompprof_pause();
#pragma omp barrier
		x ^= hidden(x);
#pragma omp critical
		work_sink ^= x;
	}
	ompprof_start();
	return 2;
}

static void values(void)
{
	printf("%d ", ompprof_phase_end());
	printf("%d ", ompprof_phase_begin("a"));
	printf("%d ", ompprof_phase_begin(NULL));
	printf("%d ", ompprof_phase_begin_number(-3));
	printf("%d ", ompprof_phase_end());
	printf("%d ", ompprof_control(5, 0, NULL));
	printf("%d ", ompprof_control(63, 0, NULL));
	printf("%d ", ompprof_control(66, 0, NULL));
	printf("%d ", ompprof_control(-1, 0, NULL));
	printf("%d ", ompprof_start());
	printf("%d ", ompprof_pause());
	printf("%d ", ompprof_pause());
	printf("%d ", ompprof_flush());
	printf("%d ", ompprof_start());
	printf("%d ", ompprof_end());
	printf("%d ", ompprof_start());
	printf("%d ", ompprof_end());
	printf("%d\n", ompprof_phase_begin("late"));
#pragma omp parallel num_threads(2)
	work_sink = solve((uint64_t)omp_get_thread_num() + 1);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "phases";

	unit = work_start(argc, argv, 2);
	is_told = strcmp(what, "nothing") != 0;
	if (strcmp(what, "values") == 0)
		values();
	else if (strcmp(what, "region") == 0)
		return work_finish("control", region(), 2);
	else
		return work_finish("control", phases(), 4);
	return 0;
}
