/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases for awkward.sh: code that compilers, linkers and the C library make, in one stack. What it
 * shows depends on how it is built. Cases are run by chain.c.
 */
#include "tests/walker/awkward_library.h"
#include "tests/walker/chain.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N_CLOCKS   40
#define N_JUMPS    20
#define RESOLVER   30 /* frames of the loader, and what it calls */
#define MANY_ROOMS 5

#define SLIDE_BYTES 1024

static volatile double sink;
static volatile int zero;

/* leaf() calls its work through this pointer. */
static int (*volatile work)(int) = chain_work;

#ifdef THUNK
#define HAS_THUNK 1
#else
#define HAS_THUNK 0
#endif

/*
 * A call through clang's thunk calls within it, overwrites that return address by where it leads to,
 * and returns. Its rules know of neither: before that, the thunk has two frames.
 */
static int is_past_thunk(uint64_t ip)
{
	static const uint8_t end[] = { 0x4c, 0x89, 0x1c, 0x24, 0xc3 };

	return memcmp((const char *)(uintptr_t)ip - 4, end, sizeof(end)) == 0;
}

static void expect_thunk(void)
{
	chain_wanted.max_inner = HAS_THUNK;
	chain_wanted.is_explained = HAS_THUNK ? is_past_thunk : NULL;
	chain_wanted.explained_percent = 3 * HAS_THUNK;
}

static CHAIN_KEEP void leaf(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	expect_thunk();
	chain_steps_begin();
	sink = work(2);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

static CHAIN_KEEP void run_vdso(void)
{
	struct timespec t;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.max_inner = 2;
	clock_gettime(CLOCK_MONOTONIC, &t);
	chain_steps_begin();
	for (int i = 0; i < N_CLOCKS; i++) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		sink = (double)t.tv_nsec;
	}
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

/* Each function is called for the first time here; the loader looks it up. */
static CHAIN_KEEP void run_resolver(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.max_inner = RESOLVER;
	chain_steps_begin();
	sink = cbrt(sink + 2) + erf(sink) + (double)labs((long)sink);
	sink = strtod("2.5", NULL) + (double)strcspn("abc", "c") + tgamma(sink + 3);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

/* Through PLT stubs into a library and back, and through pointers. */
static CHAIN_KEEP void run_calls(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.max_inner = RESOLVER;
	chain_steps_begin();
	for (int i = 0; i < 3; i++)
		library_call(chain_now, chain_work, 3);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

/* The same without steps in the library: its frames are only on the way. */
static CHAIN_KEEP int call_leaf(int n)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	leaf();
	CHAIN_LEAVE(chain_now);
	return n;
}

static CHAIN_KEEP void run_through(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	library_call(chain_now, call_leaf, 3);
	CHAIN_LEAVE(chain_now);
}

/* Stepped in functions of the library that call nothing, or each other. */
static CHAIN_KEEP void run_inside(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.max_inner = RESOLVER;
	chain_steps_begin();
	for (int i = 0; i < 3; i++)
		sink = library_compute(chain_now, 5);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

typedef double wide __attribute__((vector_size(64)));

/* Too large for registers: as the first such argument it is where the CFA is. */
struct on_stack {
	double x[3];
};

/* The frame pointer is pushed before the stack pointer is aligned. */
static CHAIN_KEEP double realigned(int n)
{
	volatile wide a = { n, n + 1.0 };
	double result;

	CHAIN_ENTER_AT(chain_now, CHAIN_CALLED, (char *)__builtin_frame_address(0) + 16);
	result = n > 0 ? realigned(n - 1) + a[n % 8] : a[1];
	CHAIN_LEAVE(chain_now);
	return result;
}

/* Arguments on the stack are found from the frame as it was before the alignment. */
static CHAIN_KEEP double realigned_varying(int n, struct on_stack on_stack)
{
	volatile wide a = { n, n + 1.0 };
	volatile char *room = __builtin_alloca((size_t)n * 13 + 1);
	double result;

	CHAIN_ENTER_AT(chain_now, CHAIN_CALLED, &on_stack);
	room[0] = (char)n;
	if (n > 0)
		result = realigned_varying(n - 1, on_stack) + a[n % 8];
	else
		result = a[1] + on_stack.x[2] + room[0];
	CHAIN_LEAVE(chain_now);
	return result;
}

/*
 * gcc ends such a function by `pop %rbp` or `leave`, `lea -8(%r10), %rsp`, `ret`, and says of the
 * last two still that rbp is saved at rbp.
 */
static int is_past_pop(uint64_t ip)
{
	static const uint8_t end[] = { 0x49, 0x8d, 0x62, 0xf8, 0xc3 };
	const uint8_t *code = (const uint8_t *)(uintptr_t)ip;

	code -= code[0] == 0xc3 ? 4 : 0;
	return (code[-1] == 0x5d || code[-1] == 0xc9) && memcmp(code, end, sizeof(end)) == 0;
}

static CHAIN_KEEP void run_realigned(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_wanted.is_explained = is_past_pop;
	chain_wanted.explained_percent = 2;
	chain_steps_begin();
	sink = realigned(4);
	sink = realigned_varying(4, (struct on_stack){ { 3, 4 } });
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

static CHAIN_KEEP int room(int n)
{
	volatile char *first = __builtin_alloca((size_t)n * 24 + 1);
	volatile char *rest = first;
	int result;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	for (int i = 0; i < n; i++) {
		rest = __builtin_alloca((size_t)i * 40 + 8);
		rest[0] = (char)i;
	}
	first[0] = (char)n;
	result = n > 0 ? room(n - 1) + rest[0] : first[0];
	CHAIN_LEAVE(chain_now);
	return result;
}

static CHAIN_KEEP void run_alloca(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_steps_begin();
	sink = room(MANY_ROOMS);
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

/*
 * Frames that look as they did at the walk before, but for one word: further out there is another
 * size of a frame, or another place that was called from. Nothing overwrites what was left on the
 * stack before, and only the innermost function is stepped.
 */

static CHAIN_KEEP void tip(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	chain_steps_begin();
	sink = 1;
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

/*
 * Its frame and its caller's address are always the same. But it saves the frame pointer of a frame
 * whose place changes.
 */
static CHAIN_KEEP int steady(int n)
{
	volatile char *room = __builtin_alloca((size_t)n);

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	room[0] = (char)n;
	tip();
	CHAIN_LEAVE(chain_now);
	return room[0];
}

static CHAIN_KEEP int sliding(size_t n)
{
	volatile char *room = __builtin_alloca(n);

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	room[0] = (char)n;
	room[1] = (char)steady(64 + zero);
	CHAIN_LEAVE(chain_now);
	return room[0];
}

static CHAIN_KEEP int slide(size_t n)
{
	volatile char *room = __builtin_alloca(SLIDE_BYTES - n);

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	room[0] = (char)n;
	room[1] = (char)sliding(n);
	CHAIN_LEAVE(chain_now);
	return room[0];
}

/* Its frame is aligned: called with different stack pointers it can lie at the same place. */
static CHAIN_KEEP double turning(int n, struct on_stack on_stack)
{
	volatile wide a = { n, n + 1.0 };
	volatile char *room = __builtin_alloca((size_t)n);

	CHAIN_ENTER_AT(chain_now, CHAIN_CALLED, &on_stack);
	room[0] = 1;
	tip();
	CHAIN_LEAVE(chain_now);
	return a[n % 8] + on_stack.x[0] + room[0];
}

static CHAIN_KEEP double turn(size_t n, int is_second)
{
	volatile char *room = __builtin_alloca(n);
	double result;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	room[0] = (char)n;
	if (is_second)
		result = turning(64 + zero, (struct on_stack){ { 1, 2 } }) + 1;
	else
		result = turning(64 + zero, (struct on_stack){ { 3, 4 } });
	CHAIN_LEAVE(chain_now);
	return result + room[0];
}

static CHAIN_KEEP double slide_turn(size_t n)
{
	volatile char *room = __builtin_alloca(SLIDE_BYTES - n);
	double result;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	room[0] = (char)n;
	result = turn(n, 0);
	CHAIN_LEAVE(chain_now);
	return result + room[0];
}

static CHAIN_KEEP void run_memory(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	for (int i = 0; i < 3; i++)
		for (size_t n = 16; n < SLIDE_BYTES; n += 16)
			sink = slide(i % 2 ? SLIDE_BYTES - n : n);
	for (size_t n = 16; n < SLIDE_BYTES; n += 32)
		sink = turn(n, 0);
	for (size_t n = 16; n < SLIDE_BYTES; n += 48)
		sink = slide_turn(n);
	for (int i = 0; i < 10; i++)
		sink = turn(64, i % 2);
	CHAIN_LEAVE(chain_now);
}

/* Calls that do not return, as the last instruction of a function. */

static jmp_buf before;

static CHAIN_KEEP __attribute__((noreturn)) void leave(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	leaf();
	longjmp(before, 1);
}

static CHAIN_KEEP __attribute__((noreturn)) void leave_last(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	leave();
}

/* Behind the call stands another function, whose rules are all different. */
void call_last(void);
__attribute__((noreturn)) void called_last(void);
__asm__(".text\n"
	".globl call_last\n"
	".type call_last, @function\n"
	"call_last:\n"
	".cfi_startproc\n"
	"subq $24, %rsp\n"
	".cfi_def_cfa_offset 32\n"
	"call called_last\n"
	".cfi_endproc\n"
	".size call_last, . - call_last\n"
	"after_last:\n"
	".cfi_startproc\n"
	".cfi_def_cfa rbx, 4096\n"
	".cfi_undefined rip\n"
	"ud2\n"
	".cfi_endproc\n"
	".size after_last, . - after_last\n");

__attribute__((noreturn)) CHAIN_KEEP void called_last(void)
{
	CHAIN_ENTER(chain_now, CHAIN_THROUGH);
	leaf();
	longjmp(before, 1);
}

static CHAIN_KEEP void run_noreturn(void)
{
	uint32_t n;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	n = chain_now->n;
	if (setjmp(before) == 0)
		leave_last();
	chain_now->n = n;
	if (setjmp(before) == 0)
		call_last();
	chain_now->n = n - 1;
}

/* Tail calls: the function that made one has no frame any more. */

static CHAIN_KEEP int called(int n)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	leaf();
	CHAIN_LEAVE(chain_now);
	return n;
}

static CHAIN_KEEP int tail(int n)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	sink = chain_work(1);
	CHAIN_LEAVE(chain_now);
	return n > 0 ? tail(n - 1) : called(n);
}

static CHAIN_KEEP void run_tail(void)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	sink = tail(3);
	CHAIN_LEAVE(chain_now);
}

/* longjmp in a loop. Its rules say where it goes to, as soon as it has begun. */

static CHAIN_KEEP void jump(int n)
{
	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	if (n > 0)
		jump(n - 1);
	else if (!zero)
		longjmp(before, 1);
	CHAIN_LEAVE(chain_now);
}

static CHAIN_KEEP void run_jump(void)
{
	volatile int i = 0;
	uint32_t n;

	CHAIN_ENTER(chain_now, CHAIN_CALLED);
	n = chain_now->n;
	chain_wanted.max_inner = RESOLVER;
	chain_wanted.is_unwound = 1;
	chain_wanted.n_sure = n;
	chain_wanted.explained_percent = 8;
	chain_steps_begin();
	for (; i < N_JUMPS; i++) {
		if (setjmp(before) == 0)
			jump(i % 4);
		chain_now->n = n;
	}
	chain_steps_end();
	CHAIN_LEAVE(chain_now);
}

const struct chain_case chain_cases[] = {
	{ "vdso", run_vdso },
	{ "resolver", run_resolver },
	{ "calls", run_calls },
	{ "through", run_through },
	{ "inside", run_inside },
	{ "realigned", run_realigned },
	{ "alloca", run_alloca },
	{ "memory", run_memory },
	{ "noreturn", run_noreturn },
	{ "tail", run_tail },
	{ "jump", run_jump },
	{ 0 },
};
