/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads that compute, touch fresh pages and sleep, each in a function of its own. The kernel
 * tells each thread its page faults and switches. Must be seen: nearly all faults in touch(), and
 * as many of both in all as the program prints: "faults F, in touch T, switches S".
 * Flags: -D_GNU_SOURCE
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "../work.h"

enum { PAGE = 4096, N_PAGES = 64, N_ROUNDS = 200, N_NAPS = 60 };

static struct rusage usage(void)
{
	struct rusage now = { 0 };

	getrusage(RUSAGE_THREAD, &now);
	return now;
}

NOINLINE static uint64_t compute(long n)
{
	uint64_t x = 1;

	CHURN(x, n);
	return x;
}

NOINLINE static uint64_t touch(void)
{
	uint64_t x = 1;

	for (int i = 0; i < N_ROUNDS; i++) {
		volatile char *pages = mmap(NULL, N_PAGES * PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (pages == MAP_FAILED)
			exit(1);
		madvise((void *)pages, N_PAGES * PAGE, MADV_NOHUGEPAGE);
		for (int k = 0; k < N_PAGES; k++) {
			pages[k * PAGE] = (char)x;
			CHURN(x, UNIT / 100);
		}
		munmap((void *)pages, N_PAGES * PAGE);
	}
	return x;
}

NOINLINE static uint64_t nap(void)
{
	uint64_t x = 1;

	for (int i = 0; i < N_NAPS; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		CHURN(x, UNIT / 4);
	}
	return x;
}

int main(void)
{
	long faults = 0, touched = 0, switches = 0;
	uint64_t sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : faults, touched, switches, sum)
	{
		struct rusage begin = usage(), before, after, end;

		sum += compute(80 * UNIT);
		before = usage();
		sum += touch();
		after = usage();
		sum += nap();
		sum += compute(80 * UNIT);
		end = usage();
		faults += end.ru_minflt + end.ru_majflt - begin.ru_minflt - begin.ru_majflt;
		touched += after.ru_minflt + after.ru_majflt - before.ru_minflt - before.ru_majflt;
		switches += end.ru_nvcsw + end.ru_nivcsw - begin.ru_nvcsw - begin.ru_nivcsw;
	}
	printf("faults %ld, in touch %ld, switches %ld\n", faults, touched, switches);
	return sum == 0;
}
