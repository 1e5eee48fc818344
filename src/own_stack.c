/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of the command's own; see own_stack.h. */
#include "src/own_stack.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

/* Below the stack lies a page that ends a process which needs more. */
enum { GUARD_BYTES = 4096 };

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

/* Returns NULL if the limit suffices, or there is no memory. */
static void *make_stack(void)
{
	struct rlimit limit;
	char *stack;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= OWN_STACK_BYTES)
		return NULL;
	stack = mmap(NULL, OWN_STACK_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		return NULL;
	mprotect(stack, GUARD_BYTES, PROT_NONE);
	return stack;
}

int own_stack_call(int (*function)(int argc, char **argv), int argc, char **argv)
{
	static ucontext_t there, here;
	void *stack = make_stack();

	if (!stack || getcontext(&there) != 0)
		return function(argc, argv);
	call.function = function;
	call.argc = argc;
	call.argv = argv;
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = OWN_STACK_BYTES;
	there.uc_link = &here;
	makecontext(&there, start, 0);
	if (swapcontext(&here, &there) != 0)
		return function(argc, argv);
	return call.status;
}
