/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lockdown HOW [FACTOR]: works in before_kernel, takes something away from itself, works in after_kernel, and ends
 * with status 6. HOW: `tsc`, the initial thread may not read the time-stamp counter any more; `thread`, a thread of the
 * program's own may not, and the initial one goes on with regions; `strict`, no system calls but a few, without OpenMP;
 * `raw`, as tsc, by a system call; `reads`, as raw, and then it reads the counter: SIGSEGV, except where the machine
 * does not obey.
 * Flags: -pthread
 */
#include <linux/seccomp.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../work.h"

static long unit;
static pthread_barrier_t given_up;

static NOINLINE void before_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void after_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static void *give_up(void *unused)
{
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0)
		exit(1);
	pthread_barrier_wait(&given_up);
	after_kernel(50 * unit);
	return unused;
}

static void in_thread(void)
{
	pthread_t thread;

	pthread_barrier_init(&given_up, NULL, 2);
	if (pthread_create(&thread, NULL, give_up, NULL) != 0)
		exit(1);
	pthread_barrier_wait(&given_up);
	for (int i = 0; i < 50; i++) {
#pragma omp parallel
		after_kernel(unit);
	}
	pthread_join(thread, NULL);
}

static void strict(void)
{
	static const char text[] = "lockdown: end\n";

	before_kernel(50 * unit);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		exit(1);
	after_kernel(100 * unit);
	syscall(SYS_exit, write(1, text, sizeof(text) - 1) < 0 ? 1 : 6);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "tsc";

	unit = work_start(argc, argv, 2);
	if (!strcmp(how, "strict"))
		strict();
#pragma omp parallel
	before_kernel(50 * unit);
	if (!strcmp(how, "thread"))
		in_thread();
	else if (!strcmp(how, "raw") || !strcmp(how, "reads"))
		syscall(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
	else
		prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
#ifdef __x86_64__
	if (!strcmp(how, "reads"))
		unit += __builtin_ia32_rdtsc() == 0;
#endif
	after_kernel(100 * unit);
	puts("lockdown: end");
	return 6;
}
