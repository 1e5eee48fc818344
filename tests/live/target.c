/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target constructs whose transfers and kernels are known, on LLVM's device that is the host itself:
 *
 *   construct                          executions  to (bytes)     from (bytes)   alloc  delete  kernels
 *   target data, begin                 1           1 x 8 MB       -              2      -       -
 *   target, spins for SPIN_MS          5           -              -              -      -       5
 *   target update to                   3           3 x 1 MB       -              -      -       -
 *   target update from                 2           -              2 x 2 MB       -      -       -
 *   target teams, 2 teams, SPIN_MS     2           -              -              -      -       2
 *   target data, end                   1           -              1 x 4 MB       -      2       -
 *   target enter data, exit data       4 each      4 x 64 KB      4 x 64 KB      4      4       -
 *   target nowait, 2 tasks             2           2 x 1 MB       2 x 1 MB       2      2       2
 *   target in parallel, 2 threads      6           6 x 4 KB       6 x 4 KB       6      6       6
 *   omp_target_memcpy                  1           1000           -              1      1       -
 *   target if(0)                       1: no event of a device
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MB = 1 << 20, KB = 1 << 10 };

#define SPIN_MS 40

static char in[8 * MB], out[4 * MB], piece[64 * KB], late[2][MB];

#pragma omp declare target
static double now(void)
{
#ifdef __NVPTX__
	return omp_get_wtime();
#else
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
#endif
}

static __attribute__((noinline)) void spin_on_device(double seconds)
{
	double end = now() + seconds;

	while (now() < end)
		;
}
#pragma omp end declare target

static void compute(void)
{
	for (int i = 0; i < 5; i++) {
#pragma omp target map(alloc : out)
		{
			spin_on_device(SPIN_MS / 1e3);
			out[i] = (char)(i + 1);
		}
	}
	for (int i = 0; i < 3; i++) {
#pragma omp target update to(in[:MB])
	}
	for (int i = 0; i < 2; i++) {
#pragma omp target update from(out[:2 * MB])
	}
	for (int i = 0; i < 2; i++) {
#pragma omp target teams num_teams(2) thread_limit(1) map(alloc : out)
		{
			spin_on_device(SPIN_MS / 1e3);
			out[MB + omp_get_team_num()] = 7;
		}
	}
}

static void move_pieces(void)
{
	for (int i = 0; i < 4; i++) {
#pragma omp target enter data map(to : piece)
#pragma omp target exit data map(from : piece)
	}
}

static void later(void)
{
	for (int i = 0; i < 2; i++) {
		char *mine = late[i];
#pragma omp target nowait map(tofrom : mine[:MB])
		{
			spin_on_device(SPIN_MS / 1e3);
			mine[0] = (char)(i + 3);
		}
	}
#pragma omp taskwait
}

static void in_parallel(void)
{
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 3; i++) {
		char own[4 * KB] = { 1 };
#pragma omp target map(tofrom : own)
		own[1]++;
	}
}

static int with_routines(void)
{
	char *there = omp_target_alloc(1000, 0);
	int failed = omp_target_memcpy(there, in, 1000, 0, 0, 0, omp_get_initial_device());

	omp_target_free(there, 0);
	return failed;
}

int main(void)
{
	int on_host = 0, failed;

	if (omp_get_num_devices() < 1)
		return 77;
#pragma omp target data map(to : in) map(from : out)
	compute();
	move_pieces();
	later();
	in_parallel();
	failed = with_routines();
#pragma omp target if (0) map(tofrom : on_host)
	on_host++;
	printf("target: %d %d %d %d %d %d %d\n", out[0], out[4], out[MB], late[0][0], late[1][0],
		on_host, failed);
	return 0;
}
