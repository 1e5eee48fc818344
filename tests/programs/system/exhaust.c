/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exhaust HOW [FACTOR]: takes all of something after a first region, works on in new functions and gives it
 * back: `descriptors` up to the limit, `memory` up to the limit of the address space. How much it gets it does
 * not say; what it has is intact, and what it may have, it gets. `half`: the descriptors below half of the limit; it
 * says how many.
 * Flags: -D_GNU_SOURCE
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../work.h"

enum { MAX_FILES = 4096, MAX_BLOCKS = 4096, BLOCK_BYTES = 1 << 20 };

static long unit;

/* Many call paths, so that the profile has to grow. */
static NOINLINE long hungry_kernel(int depth, long path)
{
	uint64_t x = 88172645463325252u;

	if (depth > 0)
		return path & 1 ? hungry_kernel(depth - 1, path >> 1) + 1
				: hungry_kernel(depth - 1, path >> 1) - 1;
	CHURN(x, unit / 50);
	work_sink = x;
	return 0;
}

static NOINLINE void work(long n)
{
#pragma omp parallel for
	for (long i = 0; i < n; i++)
		hungry_kernel(12, i * 2654435761L);
}

static int take_descriptors(void)
{
	static int file[MAX_FILES];
	int n = 0;

	while (n < MAX_FILES && (file[n] = open("/dev/zero", O_RDONLY)) >= 0)
		n++;
	work(2000);
	/* Nobody else holds one: what is given back is got again. */
	for (int i = 0; i < 100; i++) {
		close(file[n - 1]);
		work(10);
		if ((file[n - 1] = open("/dev/zero", O_RDONLY)) < 0)
			return 1;
	}
	while (n > 0) {
		if (close(file[--n]) != 0)
			return 2;
	}
	return 0;
}

static int take_half(void)
{
	struct rlimit limit;
	int half, file, n = 0;

	getrlimit(RLIMIT_NOFILE, &limit);
	half = (int)limit.rlim_cur / 2;
	while ((file = open("/dev/zero", O_RDONLY)) >= 0 && file < half)
		n++;
	close(file);
	work(2000);
	return n;
}

static int take_memory(void)
{
	static char *block[MAX_BLOCKS];
	int n = 0;

	while (n < MAX_BLOCKS && (block[n] = malloc(BLOCK_BYTES)) != NULL) {
		block[n][0] = (char)n;
		n++;
	}
	work(2000);
	while (n > 0) {
		n--;
		if (block[n][0] != (char)n)
			return 1;
		free(block[n]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "descriptors";
	int wrong, n;

	unit = work_start(argc, argv, 2);
	work(1000);
	if (strcmp(how, "half") == 0) {
		n = take_half();
		return work_finish("exhaust", n, n);
	}
	wrong = strcmp(how, "memory") ? take_descriptors() : take_memory();
	work(1000);
	return work_finish("exhaust", wrong, 0);
}
