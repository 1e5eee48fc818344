/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pages N: one thread touches N pages of new memory for the first time, in touch_pages: N page
 * faults, and few others.
 * Flags: -D_GNU_SOURCE
 */
#include <sys/mman.h>
#include <unistd.h>

#include "../work.h"

static NOINLINE long touch_pages(volatile char *at, long n, long bytes)
{
	long touched = 0;

	for (; touched < n; touched++)
		at[touched * bytes] = 1;
	return touched;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 10000, bytes = sysconf(_SC_PAGESIZE), touched = 0;
	char *at;

	work_start(0, argv, 1);
	at = mmap(NULL, (size_t)(n * bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	if (at == MAP_FAILED)
		return 2;
	/* One fault a page, not one for many. */
	madvise(at, (size_t)(n * bytes), MADV_NOHUGEPAGE);
#pragma omp parallel
#pragma omp master
	touched = touch_pages(at, n, bytes);
	return work_finish("pages", touched, n);
}
