/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reads FILE: what a short call of the C library costs. It calls read() of one byte of /dev/zero,
 * pread() of 64 bytes of FILE, and write() and read() of one byte through a pipe, a million of
 * each. It prints the ns of CPU time that a call of each takes, the least of ten parts.
 */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { N_PARTS = 10, N_CALLS = 100000 };

static int zero, file, ends[2];
static char data[64];

static long read_zero(void)
{
	return read(zero, data, 1);
}

static long read_file(void)
{
	return pread(file, data, sizeof(data), 0);
}

static long use_pipe(void)
{
	return write(ends[1], data, 1) + read(ends[0], data, 1);
}

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double least(long (*call)(void))
{
	double best = 1e18;

	for (int part = 0; part < N_PARTS; part++) {
		double begin = cpu_ns(), took;

		for (int i = 0; i < N_CALLS; i++)
			if (call() < 1)
				return -1;
		took = cpu_ns() - begin;
		best = took < best ? took : best;
	}
	return best / N_CALLS;
}

int main(int argc, char **argv)
{
	zero = open("/dev/zero", O_RDONLY);
	file = open(argv[argc - 1], O_RDONLY);
	if (zero < 0 || file < 0 || pipe(ends) != 0)
		return 1;
	printf("%.1f %.1f %.1f\n", least(read_zero), least(read_file), least(use_pipe) / 2);
	return 0;
}
