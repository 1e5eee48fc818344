/* SPDX-License-Identifier: Apache-2.0 */
/* A stack that the command makes for itself; see large_stack.h. */
#include "src/text/large_stack.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

/* A guard page is below the stack: a process that needs more stack crashes there. */
enum { GUARD_BYTES = 4096, LEAST_BYTES = 256 << 10 };

static struct {
	int (*function)(int argc, char **argv);
	int argc;
	char **argv;
	int status;
} call;

static void start(void)
{
	call.status = call.function(call.argc, call.argv);
}

/* Makes the largest possible stack if the limit is too small. Returns 0 if it made one, or -1. */
static int make_stack(stack_t *made)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) != 0)
		return -1;
	for (size_t bytes = LARGE_STACK_BYTES; bytes >= LEAST_BYTES && bytes > limit.rlim_cur;
		bytes /= 2) {
		void *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

		if (stack == MAP_FAILED)
			continue;
		mprotect(stack, GUARD_BYTES, PROT_NONE);
		made->ss_sp = stack;
		made->ss_size = bytes;
		return 0;
	}
	return -1;
}

int large_stack_call(int (*function)(int argc, char **argv), int argc, char **argv)
{
	static ucontext_t there, here;

	if (getcontext(&there) != 0 || make_stack(&there.uc_stack) != 0)
		return function(argc, argv);
	call.function = function;
	call.argc = argc;
	call.argv = argv;
	there.uc_link = &here;
	makecontext(&there, start, 0);
	if (swapcontext(&here, &there) != 0)
		return function(argc, argv);
	return call.status;
}
