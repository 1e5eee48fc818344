/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same constructs by two ways whose frames are equally large and differ in nothing but return
 * addresses, by turns: each way has its own region and task, the left one a third of them. Twice: with frames
 * of fixed size, and with frames of a size that is known when they are made.
 */
#include <alloca.h>
#include <string.h>

#include "../work.h"

enum { TURNS = 600 };

static volatile long n_bodies;
static volatile int many = 100;

static NOINLINE void body(void)
{
	n_bodies++;
}

static NOINLINE void create(void)
{
#pragma omp parallel num_threads(1)
	body();
#pragma omp task
	body();
#pragma omp taskwait
}

static NOINLINE void left(void)
{
	create();
	n_bodies++;
}

static NOINLINE void right(void)
{
	create();
	n_bodies++;
}

static NOINLINE void large_left(int n)
{
	char *volatile frame = alloca((size_t)n);

	memset(frame, 1, (size_t)n);
	create();
	n_bodies += frame[n - 1];
}

static NOINLINE void large_right(int n)
{
	char *volatile frame = alloca((size_t)n);

	memset(frame, 1, (size_t)n);
	create();
	n_bodies += frame[n - 1];
}

/* All by one thread, so that what comes before is the other way's. */
static NOINLINE void take_turns(void)
{
	for (int i = 0; i < TURNS; i++) {
		if (i % 3 == 0)
			left();
		else
			right();
		if (i % 3 == 0)
			large_left(many);
		else
			large_right(many);
	}
}

int main(int argc, char **argv)
{
	work_start(argc, argv, 1);
#pragma omp parallel
#pragma omp master
	take_turns();
	return work_finish("two_paths", n_bodies, 6 * TURNS);
}
