/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacks HOW [FACTOR]: works where there is little stack, or a strange one.
 *   coroutines  on the stack of a coroutine that has room for one of the kernel's signal frames and 1 KB, and
 *               memory below that must stay as it is; beside a region
 *   small       a region in a thread whose stack is as small as threads' can be
 *   deep        at the bottom of a recursion that leaves as little of the thread's stack
 *   code        in code that it has made itself, with a frame pointer and without
 * Flags: -D_GNU_SOURCE -pthread
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../work.h"

enum { BELOW = 16384, ABOVE = 32768 };

static long unit;
static const char *how;

static NOINLINE void coroutine_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void region_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static volatile uintptr_t interrupted_at, interrupted_by;

static void measure(int signal, siginfo_t *info, void *ucontext)
{
	(void)signal;
	(void)info;
	interrupted_at = (uintptr_t)((ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RSP];
	interrupted_by = (uintptr_t)__builtin_frame_address(0);
}

/* What the kernel's frame of a signal takes here, and 1 KB for a handler and coroutine_kernel. */
static size_t small_stack(void)
{
	struct sigaction action = { .sa_sigaction = measure, .sa_flags = SA_SIGINFO }, old;

	sigaction(SIGUSR2, &action, &old);
	raise(SIGUSR2);
	sigaction(SIGUSR2, &old, NULL);
	return (interrupted_at - interrupted_by + 1024 + 63) & ~(size_t)63;
}

static ucontext_t outside[2], inside[2];
static long n_switches;
static char memory[BELOW + ABOVE] __attribute__((aligned(64)));

static void coroutine(int self)
{
	for (;;) {
		coroutine_kernel(unit);
		n_switches++;
		swapcontext(&inside[self], &outside[self]);
	}
}

static int coroutines(void)
{
	size_t bytes = small_stack();

	if (bytes > ABOVE)
		return 2;
	memset(memory, 0x5a, BELOW);
	getcontext(&inside[0]);
	inside[0].uc_stack.ss_sp = memory + BELOW;
	inside[0].uc_stack.ss_size = bytes;
	makecontext(&inside[0], (void (*)(void))coroutine, 1, 0);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			for (int i = 0; i < 200; i++)
				swapcontext(&outside[0], &inside[0]);
		} else {
			region_kernel(100 * unit);
		}
	}
	for (long i = 0; i < BELOW; i++) {
		if (memory[i] != 0x5a) {
			fprintf(stderr, "stacks: %ld bytes below the stack are written\n",
				BELOW - i);
			return 3;
		}
	}
	return work_finish(how, n_switches, 200);
}

static void *in_small(void *result)
{
	long n = 0;

#pragma omp parallel num_threads(2) reduction(+ : n)
	{
		region_kernel(100 * unit);
		n++;
	}
	*(long *)result = n;
	return NULL;
}

static int small(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	long n = 0;

	pthread_attr_init(&attributes);
	/* What libomp itself takes for a region is more than the least that is allowed. */
	pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN) + 4096);
	if (pthread_create(&thread, &attributes, in_small, &n) != 0)
		return 2;
	pthread_join(thread, NULL);
	return work_finish(how, n, 2);
}

static char *deep_limit;
static long deep_room;

static NOINLINE void descend(void)
{
	volatile char frame[256];

	frame[0] = 1;
	if ((char *)frame - deep_limit > deep_room)
		descend();
	else
		coroutine_kernel(300 * unit);
	frame[1] = 2;
}

static void *in_deep(void *unused)
{
	pthread_attr_t attributes;
	void *stack;
	size_t bytes;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &stack, &bytes);
	pthread_attr_destroy(&attributes);
	deep_limit = stack;
	deep_room = (long)small_stack() + 256;
#pragma omp parallel num_threads(1)
	descend();
	return unused;
}

static int deep(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, in_deep, NULL) != 0)
		return 2;
	pthread_join(thread, NULL);
	return work_finish(how, 1, 1);
}

/* mov rax, rdi; a loop of "dec rax; jnz", with a frame around it or without; ret. */
static const unsigned char bare_code[] = { 0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3 };
static const unsigned char frame_code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf8, 0x48, 0xff,
	0xc8, 0x75, 0xfb, 0x5d, 0xc3 };

static int code(void)
{
	char *at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*bare)(long) = (void (*)(long))(void *)at;
	void (*framed)(long) = (void (*)(long))(void *)(at + 4096);
	long n = 0;

	memcpy(at, bare_code, sizeof(bare_code));
	memcpy(at + 4096, frame_code, sizeof(frame_code));
	mprotect(at, 8192, PROT_READ | PROT_EXEC);
#pragma omp parallel num_threads(2) reduction(+ : n)
	for (int i = 0; i < 50; i++) {
		bare(4 * unit);
		framed(4 * unit);
		region_kernel(unit);
		n++;
	}
	munmap(at, 8192);
	return work_finish(how, n, 100);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} ways[] = { { "coroutines", coroutines }, { "small", small }, { "deep", deep },
		{ "code", code } };

	unit = work_start(argc, argv, 2);
	how = argc > 1 ? argv[1] : "coroutines";
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!strcmp(how, ways[i].name))
			return ways[i].run();
	}
	return 2;
}
