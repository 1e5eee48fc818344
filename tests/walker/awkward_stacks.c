/* SPDX-License-Identifier: Apache-2.0 */
/* Cases for awkward.sh: stacks that are not simple. Cases are run by chain.c. */
#include "tests/walker/chain.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define UD2_BYTES     2
#define STACK_BYTES   (1 << 20)
#define DEEP          300
#define BEYOND        700 /* more than a path has frames */
#define HUGE_BYTES    ((size_t)1 << 30)
#define HUGE_LOCAL    ((size_t)50 << 20)
#define N_HUGE_LOCALS 16
#define N_SWITCHES    5

#define SWAPCONTEXT_BYTES 512
#define N_PRESERVED       6 /* registers that a callee leaves as they were */

static CHAIN_KEEP void leaf(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_steps_begin();
	chain_work(2);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

static CHAIN_KEEP void recurse(int depth)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	if (depth > 0)
		recurse(depth - 1);
	else
		leaf();
	CHAIN_LEAVE(chain_now);
}

/* Signals: SIGILL interrupts an instruction of interrupted(), the others a call in libc. */

static CHAIN_KEEP void interrupted(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	__asm__ volatile("ud2" : : : "memory");
	CHAIN_LEAVE(chain_now);
}

static void on_last(int signal_number, siginfo_t *info, void *context)
{
	CHAIN_ENTER_HANDLER(chain_now, context);
	(void)signal_number;
	(void)info;
	recurse(2);
	CHAIN_LEAVE(chain_now);
}

static void on_second(int signal_number, siginfo_t *info, void *context)
{
	CHAIN_ENTER_HANDLER(chain_now, context);
	(void)signal_number;
	(void)info;
	raise(SIGUSR2);
	CHAIN_LEAVE(chain_now);
}

static void on_illegal(int signal_number, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;

	CHAIN_ENTER_HANDLER(chain_now, context);
	(void)signal_number;
	(void)info;
	raise(SIGUSR1);
	context->uc_mcontext.gregs[REG_RIP] += UD2_BYTES;
	CHAIN_LEAVE(chain_now);
}

static void on_illegal_alone(int signal_number, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;

	CHAIN_ENTER_HANDLER(chain_now, context);
	(void)signal_number;
	(void)info;
	recurse(2);
	context->uc_mcontext.gregs[REG_RIP] += UD2_BYTES;
	CHAIN_LEAVE(chain_now);
}

static void handle(int signal_number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };

	sigaction(signal_number, &action, NULL);
}

static CHAIN_KEEP void run_nested(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	handle(SIGILL, on_illegal, 0);
	handle(SIGUSR1, on_second, 0);
	handle(SIGUSR2, on_last, 0);
	interrupted();
	CHAIN_LEAVE(chain_now);
}

static CHAIN_KEEP void run_alternate(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	handle(SIGILL, on_illegal_alone, SA_ONSTACK);
	interrupted();
	CHAIN_LEAVE(chain_now);
}

static CHAIN_KEEP void run_alternate_nested(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	handle(SIGILL, on_illegal, 0);
	handle(SIGUSR1, on_second, SA_ONSTACK);
	handle(SIGUSR2, on_last, SA_ONSTACK);
	interrupted();
	CHAIN_LEAVE(chain_now);
}

/* Coroutines of the C library. */

static struct chain coroutine_chain;
static struct chain *outer_chain;
static ucontext_t outer_context, inner_context;
static int coroutine_depth;

static void coroutine(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	recurse(coroutine_depth);
	CHAIN_LEAVE(chain_now);
	chain_now = outer_chain;
}

static void coroutine_interrupted(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	handle(SIGILL, on_illegal_alone, SA_ONSTACK);
	interrupted();
	CHAIN_LEAVE(chain_now);
	chain_now = outer_chain;
}

static void *map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		chain_skip("no memory for a stack");
	return at;
}

static CHAIN_KEEP void run_coroutine(void (*routine)(void), void *stack, int depth)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	coroutine_depth = depth;
	getcontext(&inner_context);
	inner_context.uc_stack.ss_sp = stack;
	inner_context.uc_stack.ss_size = STACK_BYTES;
	inner_context.uc_link = &outer_context;
	makecontext(&inner_context, routine, 0);
	outer_chain = chain_now;
	chain_now = &coroutine_chain;
	swapcontext(&outer_context, &inner_context);
	CHAIN_LEAVE(chain_now);
}

static void run_coroutine_malloc(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	run_coroutine(coroutine, malloc(STACK_BYTES), 3);
	CHAIN_LEAVE(chain_now);
}

static void run_coroutine_deep(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	run_coroutine(coroutine, map(STACK_BYTES), DEEP);
	CHAIN_LEAVE(chain_now);
}

static void run_coroutine_beyond(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.is_limited = 1;
	run_coroutine(coroutine, map(STACK_BYTES), BEYOND);
	CHAIN_LEAVE(chain_now);
}

static void run_coroutine_interrupted(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	run_coroutine(coroutine_interrupted, map(STACK_BYTES), 3);
	CHAIN_LEAVE(chain_now);
}

/*
 * Back and forth while stepped: which chain counts is told by the stack pointer. From where
 * swapcontext loads that until it has pushed where to go on, its rules are not true.
 */

static void coroutine_yielding(void)
{
	CHAIN_ENTER(&coroutine_chain, CHAIN_CALLED);
	for (;;)
		swapcontext(&inner_context, &outer_context);
}

static int is_in_swapcontext(uint64_t ip)
{
	return ip - (uintptr_t)swapcontext < SWAPCONTEXT_BYTES;
}

static CHAIN_KEEP void run_coroutine_switch(void)
{
	char *stack = map(STACK_BYTES);

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	coroutine_chain.lo = (uintptr_t)stack;
	coroutine_chain.hi = (uintptr_t)stack + STACK_BYTES;
	chain_add(&coroutine_chain);
	chain_wanted.is_explained = is_in_swapcontext;
	chain_wanted.explained_percent = 20;
	getcontext(&inner_context);
	inner_context.uc_stack.ss_sp = stack;
	inner_context.uc_stack.ss_size = STACK_BYTES;
	makecontext(&inner_context, coroutine_yielding, 0);
	swapcontext(&outer_context, &inner_context);
	chain_steps_begin();
	for (int i = 0; i < N_SWITCHES; i++)
		swapcontext(&outer_context, &inner_context);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

/* A switch of our own. The new stack begins with what made_entry_* is left to return to: 0. */

void made_switch(void **from_sp, void *to_sp);
void made_entry_undefined(void);
void made_entry_plain(void);
void made_routine(void);

__asm__(".text\n"
	".globl made_switch\n"
	".type made_switch, @function\n"
	"made_switch:\n"
	".cfi_startproc\n"
	"pushq %rbp\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_rel_offset rbp, 0\n"
	"pushq %rbx\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_rel_offset rbx, 0\n"
	"pushq %r12\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_rel_offset r12, 0\n"
	"pushq %r13\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_rel_offset r13, 0\n"
	"pushq %r14\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_rel_offset r14, 0\n"
	"pushq %r15\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_rel_offset r15, 0\n"
	"movq %rsp, (%rdi)\n"
	"movq %rsi, %rsp\n"
	"popq %r15\n"
	".cfi_adjust_cfa_offset -8\n"
	".cfi_restore r15\n"
	"popq %r14\n"
	".cfi_adjust_cfa_offset -8\n"
	".cfi_restore r14\n"
	"popq %r13\n"
	".cfi_adjust_cfa_offset -8\n"
	".cfi_restore r13\n"
	"popq %r12\n"
	".cfi_adjust_cfa_offset -8\n"
	".cfi_restore r12\n"
	"popq %rbx\n"
	".cfi_adjust_cfa_offset -8\n"
	".cfi_restore rbx\n"
	"popq %rbp\n"
	".cfi_adjust_cfa_offset -8\n"
	".cfi_restore rbp\n"
	"ret\n"
	".cfi_endproc\n"
	".size made_switch, . - made_switch\n"

	".globl made_entry_undefined\n"
	".type made_entry_undefined, @function\n"
	"made_entry_undefined:\n"
	".cfi_startproc\n"
	".cfi_undefined rip\n"
	"call made_routine\n"
	"ud2\n"
	".cfi_endproc\n"
	".size made_entry_undefined, . - made_entry_undefined\n"

	".globl made_entry_plain\n"
	".type made_entry_plain, @function\n"
	"made_entry_plain:\n"
	".cfi_startproc\n"
	"subq $16, %rsp\n"
	".cfi_def_cfa_offset 24\n"
	"call made_routine\n"
	"ud2\n"
	".cfi_endproc\n"
	".size made_entry_plain, . - made_entry_plain\n");

static void *made_outer_sp, *made_inner_sp;

/* Reached by a call, so that the compiler's frame for it is as for any function. */
void made_routine(void)
{
	CHAIN_ENTER(&coroutine_chain, CHAIN_CALLED);
	for (;;) {
		recurse(3);
		chain_now = outer_chain;
		made_switch(&made_inner_sp, made_outer_sp);
	}
}

static CHAIN_KEEP void run_made(void (*entry)(void), int is_stepped)
{
	char *stack = map(STACK_BYTES);
	uint64_t *top = (uint64_t *)(void *)(stack + STACK_BYTES);

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	outer_chain = chain_now;
	/* Where the entry's own return address would be; then what made_switch pops. */
	*--top = 0;
	*--top = 0;
	*--top = (uintptr_t)entry;
	made_inner_sp = top - N_PRESERVED;
	if (is_stepped) {
		coroutine_chain.lo = (uintptr_t)stack;
		coroutine_chain.hi = (uintptr_t)stack + STACK_BYTES;
		chain_add(&coroutine_chain);
		chain_steps_begin();
	}
	chain_now = &coroutine_chain;
	made_switch(&made_outer_sp, made_inner_sp);
	if (is_stepped)
		chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

static void run_made_undefined(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	run_made(made_entry_undefined, 0);
	CHAIN_LEAVE(chain_now);
}

static void run_made_plain(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	run_made(made_entry_plain, 0);
	CHAIN_LEAVE(chain_now);
}

static void run_made_switch(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	run_made(made_entry_undefined, 1);
	CHAIN_LEAVE(chain_now);
}

/* Threads. */

static struct chain thread_chain;
static char *region; /* two stacks: the lower is the thread's if is_thread_below */
static int is_thread_below;

static void *with_coroutine(void *argument)
{
	CHAIN_ENTER(&thread_chain, CHAIN_CALLED);
	chain_begin_thread(&thread_chain);
	run_coroutine(coroutine, region + (is_thread_below ? STACK_BYTES : 0), 3);
	CHAIN_LEAVE(&thread_chain);
	return argument;
}

static CHAIN_KEEP void huge_local(int n)
{
	volatile char *room = __builtin_alloca(HUGE_LOCAL);

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	room[0] = (char)n;
	if (n > 0)
		huge_local(n - 1);
	else
		recurse(3);
	CHAIN_LEAVE(chain_now);
}

static void *with_huge_stack(void *argument)
{
	CHAIN_ENTER(&thread_chain, CHAIN_CALLED);
	chain_begin_thread(&thread_chain);
	huge_local(N_HUGE_LOCALS);
	CHAIN_LEAVE(&thread_chain);
	return argument;
}

static void run_thread(void *(*routine)(void *), char *stack, size_t size)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, stack, size) != 0 ||
		pthread_create(&thread, &attributes, routine, NULL) != 0)
		chain_skip("no thread on such a stack");
	pthread_join(thread, NULL);
}

static void run_coroutine_above(void)
{
	is_thread_below = 1;
	region = map(2 * (size_t)STACK_BYTES);
	run_thread(with_coroutine, region, STACK_BYTES);
}

static void run_coroutine_below(void)
{
	region = map(2 * (size_t)STACK_BYTES);
	run_thread(with_coroutine, region + STACK_BYTES, STACK_BYTES);
}

static void run_thread_huge(void)
{
	run_thread(with_huge_stack, map(HUGE_BYTES), HUGE_BYTES);
}

static void run_main_deep(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	recurse(DEEP);
	CHAIN_LEAVE(chain_now);
}

static void run_main_beyond(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.is_limited = 1;
	recurse(BEYOND);
	CHAIN_LEAVE(chain_now);
}

const struct chain_case chain_cases[] = {
	{ "deep", run_main_deep },
	{ "beyond", run_main_beyond },
	{ "nested", run_nested },
	{ "alternate", run_alternate },
	{ "alternate_nested", run_alternate_nested },
	{ "coroutine_malloc", run_coroutine_malloc },
	{ "coroutine_deep", run_coroutine_deep },
	{ "coroutine_beyond", run_coroutine_beyond },
	{ "coroutine_interrupted", run_coroutine_interrupted },
	{ "coroutine_switch", run_coroutine_switch },
	{ "coroutine_above", run_coroutine_above },
	{ "coroutine_below", run_coroutine_below },
	{ "made_undefined", run_made_undefined },
	{ "made_plain", run_made_plain },
	{ "made_switch", run_made_switch },
	{ "thread_huge", run_thread_huge },
	{ 0 },
};
