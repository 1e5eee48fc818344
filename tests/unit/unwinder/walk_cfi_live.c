/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walker_cfi on live stacks: from a callback, from signal handlers, through alloca, aligned frames
 * and the C library; where it must stop.
 */
#include "unwinder/core/walk.h"

#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <cmocka.h>

#define DEPTH 100

static struct walk_bounds bounds;
static struct walk_path path;
static uint64_t frame_address[WALK_MAX_FRAMES + 100]; /* CFA - 16 of functions with rbp frames */
static unsigned int n_deep;
static volatile int sink;

static struct walk_path in_place, fresh;

/*
 * Walks into `path`: in place, by tables without a memory, and with that of the walk before, which all
 * have to find the same; but that can leave code without call frame information where others cannot, and none can in place.
 */
static uint32_t walk_every_way(
	const struct walk_registers *start, const struct walk_bounds *around, uint64_t stop_cfa)
{
	walker_cfi_in_place.walk(start, around, stop_cfa, &in_place);
	fresh.n = 0;
	walker_cfi.walk(start, around, stop_cfa, &fresh);
	walker_cfi.walk(start, around, stop_cfa, &path);
	for (int i = 0; i < 2; i++) {
		const struct walk_path *other = i ? &in_place : &fresh;

		if (other->n_guessed < path.n_guessed)
			continue;

		assert_int_equal(path.n, other->n);
		assert_int_equal(path.end, other->end);
		for (uint32_t k = 0; k < path.n; k++) {
			assert_true(path.frame[k].ip == other->frame[k].ip);
			assert_true(path.frame[k].cfa == other->frame[k].cfa);
			assert_int_equal(path.frame[k].how, other->frame[k].how);
		}
	}
	return path.n;
}

static __attribute__((noinline)) void walk_here(uint64_t stop_cfa)
{
	struct walk_registers registers;

	walk_registers_here(&registers);
	walk_every_way(&registers, &bounds, stop_cfa);
}

static void assert_growing(void)
{
	for (uint32_t i = 0; i + 1 < path.n; i++) {
		assert_true(path.frame[i].cfa != 0);
		if (i > 0)
			assert_true(path.frame[i].cfa > path.frame[i - 1].cfa);
	}
}

static int setup(void **state)
{
	pthread_attr_t attributes;
	size_t size;
	void *lo;

	assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
	pthread_attr_getstack(&attributes, &lo, &size);
	pthread_attr_destroy(&attributes);
	bounds.lo = (uintptr_t)lo;
	bounds.hi = bounds.lo + size;
	return walker_cfi.init();
}

static __attribute__((noinline)) int recurse(unsigned int n)
{
	volatile char *room = alloca(n % 5 * 40 + 1);
	int deeper;

	frame_address[n] = (uintptr_t)__builtin_frame_address(0);
	room[0] = (char)n;
	if (n == 0)
		walk_here(UINT64_MAX);
	deeper = n ? recurse(n - 1) : 0;
	return deeper + room[0];
}

static void test_recursion(void **state)
{
	sink = recurse(DEPTH);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_int_equal(path.frame[0].how, WALK_EXACT);
	assert_growing();
	for (unsigned int n = 0; n <= DEPTH; n++) {
		if (WALK_CFA_ABOVE_FP)
			assert_int_equal(
				path.frame[n + 1].cfa, frame_address[n] + WALK_CFA_ABOVE_FP);
		assert_int_equal(path.frame[n + 1].fp, frame_address[n]);
		assert_int_equal(path.frame[n + 1].how, WALK_CALL);
	}
}

static void test_limit(void **state)
{
	sink = recurse(WALK_MAX_FRAMES + 10);
	assert_int_equal(path.end, WALK_LIMIT);
	assert_int_equal(path.n, WALK_MAX_FRAMES);
	assert_growing();
}

static void test_stop(void **state)
{
	uint64_t stop;

	sink = recurse(DEPTH);
	stop = path.frame[50].cfa;
	walk_here(stop);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_int_equal(path.n, 1); /* this frame is above all of them */
	walk_here(0);
	assert_int_equal(path.n, 1);
	assert_int_equal(path.end, WALK_COMPLETE);
	walk_here(UINT64_MAX);
	stop = path.frame[2].cfa;
	walk_here(stop);
	assert_int_equal(path.n, 4);
	assert_true(path.frame[3].cfa > stop);
	walk_here(stop - 1);
	assert_int_equal(path.n, 3);
}

static int (*volatile aligned_again)(unsigned int); /* so that no call is inlined */

static int aligned(unsigned int n)
{
	volatile int block[16] __attribute__((aligned(256)));

	frame_address[n] = (uintptr_t)block;
	block[n % 16] = (int)n;
	if (n == 0)
		walk_here(UINT64_MAX);
	return n ? aligned_again(n - 1) + block[3] : block[0];
}

static void test_aligned_frames(void **state)
{
	aligned_again = aligned;
	sink = aligned_again(20);
	assert_int_equal(path.end, WALK_COMPLETE);
	for (unsigned int n = 0; n < 20; n++) {
		assert_int_equal(path.frame[n + 2].ip, path.frame[2].ip);
		assert_true(path.frame[n + 1].cfa > frame_address[n]);
		assert_true(path.frame[n + 1].cfa <= frame_address[n + 1]);
	}
}

static int compare_and_walk(const void *a, const void *b)
{
	if (n_deep++ == 3)
		walk_here(UINT64_MAX);
	return *(const int *)a - *(const int *)b;
}

static void test_through_library(void **state)
{
	int v[] = { 4, 2, 9, 1, 7 };

	n_deep = 0;
	qsort(v, 5, sizeof(v[0]), compare_and_walk);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_growing();
}

static void walk_context(void *context)
{
	struct walk_registers registers;

	walk_registers_from_ucontext(&registers, context);
	walk_every_way(&registers, &bounds, UINT64_MAX);
}

static struct {
	uint64_t ip, sp;
} interrupted[2];
static unsigned int n_signals;

/* The inner signal walks from its own frame: through both trampolines. */
static void on_signal(int signal_number, siginfo_t *info, void *context)
{
	struct walk_registers registers;

	walk_registers_from_ucontext(&registers, context);
	interrupted[n_signals].ip = registers.reg[WALK_IP];
	interrupted[n_signals].sp = registers.reg[WALK_SP];
	if (n_signals++ == 0)
		raise(SIGUSR2);
	else
		walk_here(UINT64_MAX);
}

static void catch_signal(int signal_number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };

	assert_int_equal(sigaction(signal_number, &action, NULL), 0);
}

static void test_signal_in_signal(void **state)
{
	unsigned int found = 0;

	catch_signal(SIGUSR1, on_signal, 0);
	catch_signal(SIGUSR2, on_signal, 0);
	n_signals = 0;
	raise(SIGUSR1);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_growing();
	for (uint32_t i = 1; i < path.n; i++) {
		if (path.frame[i].how != WALK_EXACT)
			continue;
		assert_true(found < 2);
		assert_true(path.frame[i].ip == interrupted[1 - found].ip);
		assert_true(path.frame[i - 1].cfa == interrupted[1 - found].sp);
		found++;
	}
	assert_int_equal(found, 2);
}

static void on_walk(int signal_number, siginfo_t *info, void *context)
{
	walk_context(context);
}

static void test_from_handler(void **state)
{
	catch_signal(SIGUSR1, on_walk, 0);
	raise(SIGUSR1);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_int_equal(path.frame[0].how, WALK_EXACT);
	assert_true(path.n >= 4);
	assert_growing();
}

static void on_alternate(int signal_number, siginfo_t *info, void *context)
{
	walk_here(UINT64_MAX); /* from here: not on the thread's stack */
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_true(path.n > 4);
	assert_int_equal(path.frame[1].flags & WALK_FRAME_FOREIGN, WALK_FRAME_FOREIGN);
	assert_int_equal(path.frame[path.n - 1].flags & WALK_FRAME_FOREIGN, 0);
	walk_context(context);
}

static void test_alternate_stack(void **state)
{
	static char room[16384];
	const stack_t on = { .ss_sp = room, .ss_size = sizeof(room) },
		      off = { .ss_flags = SS_DISABLE };

	assert_int_equal(sigaltstack(&on, NULL), 0);
	catch_signal(SIGUSR1, on_alternate, SA_ONSTACK);
	raise(SIGUSR1);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_growing();
	sigaltstack(&off, NULL);
}

/* A call that never returns, as the last thing of its function: its return address is outside. */
static jmp_buf back;

static __attribute__((noinline, noreturn)) void leave(void)
{
	walk_here(UINT64_MAX);
	longjmp(back, 1);
}

__attribute__((noinline)) void last_call(void);
__attribute__((noinline)) void last_call(void)
{
	leave();
}

static void test_noreturn_call(void **state)
{
	if (setjmp(back) == 0)
		last_call();
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_int_equal(path.frame[2].ip - 1 - (uintptr_t)last_call < 64, 1);
	assert_growing();
}

static void *walk_in_thread(void *argument)
{
	setup(NULL);
	sink = recurse(20);
	return NULL;
}

static void test_thread(void **state)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, walk_in_thread, NULL), 0);
	pthread_join(thread, NULL);
	setup(NULL);
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_true(path.n >= 22);
	assert_growing();
}

static void test_narrow_bounds(void **state)
{
	const struct walk_bounds whole = bounds;
	uint32_t n;

	sink = recurse(30);
	n = path.n;
	bounds.hi = path.frame[20].cfa;
	sink = recurse(30); /* the same depth: frame 21's return address is outside */
	assert_int_equal(path.end, WALK_OFF_STACK);
	assert_int_equal(path.n, 22);
	assert_int_equal(path.frame[21].cfa, 0);
	bounds = whole;
	sink = recurse(30);
	assert_int_equal(path.n, n);
}

static void test_unknown_code(void **state)
{
	struct walk_registers registers;

	walk_registers_here(&registers);
	registers.reg[WALK_IP] = 0x1000;
	registers.reg[WALK_FP] = 0;
	assert_int_equal(walk_every_way(&registers, &bounds, UINT64_MAX), 1);
	assert_int_equal(path.end, WALK_UNKNOWN_CODE);
	assert_int_equal(path.frame[0].ip, 0x1000);
	assert_int_equal(path.frame[0].cfa, 0);
	registers.reg[WALK_IP] = (uintptr_t)&path; /* in an object, no code */
	walk_every_way(&registers, &bounds, UINT64_MAX);
	assert_int_equal(path.end, WALK_NO_CFI);
	registers.reg[WALK_SP] = 0;
	registers.reg[WALK_IP] = (uintptr_t)walk_here;
	walk_every_way(&registers, &bounds, UINT64_MAX);
	assert_int_equal(path.end, WALK_OFF_STACK);
}

#if defined(__x86_64__)

/* ud2 in code without CFI: walks and goes on behind it. */
static void on_illegal(int signal_number, siginfo_t *info, void *context)
{
	walk_context(context);
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

static __attribute__((noinline)) void run_without_cfi(const uint8_t *code, size_t n)
{
	uint8_t *page = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(page != MAP_FAILED);
	memcpy(page, code, n);
	catch_signal(SIGILL, on_illegal, 0);
	((void (*)(void))(uintptr_t)page)();
	munmap(page, 4096);
}

static void test_guess(void **state)
{
	/* push rbp; mov rbp, rsp; sub rsp, 32; ud2; leave; ret */
	static const uint8_t frame[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x20, 0x0f, 0x0b,
		0xc9, 0xc3 };

	run_without_cfi(frame, sizeof(frame));
	assert_int_equal(path.frame[0].how, WALK_EXACT);
	assert_int_equal(path.frame[1].how, WALK_GUESS);
	assert_true(path.frame[1].ip - (uintptr_t)run_without_cfi < 512);
	assert_int_equal(path.frame[2].how, WALK_CALL);
	assert_growing();
}

static void test_no_guess(void **state)
{
	/* push rbp; mov rbp, rsp; push rax; push rdi; mov rbp, rsp; ud2; ... rbp + 8 no call */
	static const uint8_t code[] = { 0x55, 0x48, 0x89, 0xe5, 0x6a, 0x11, 0x6a, 0x22, 0x48, 0x89,
		0xe5, 0x0f, 0x0b, 0x58, 0x58, 0x5d, 0xc3 };

	path.n = 0;
	run_without_cfi(code, sizeof(code));
	assert_int_equal(path.end, WALK_UNKNOWN_CODE);
	assert_int_equal(path.n, 1);
	assert_int_equal(path.n_guessed, 0);
}

static void test_guess_by_memory(void **state)
{
	static const uint8_t frame[] = { 0x55, 0x48, 0x89, 0xe5, 0x0f, 0x0b, 0xc9, 0xc3 };
	static const uint8_t code[] = { 0x55, 0x48, 0x89, 0xe5, 0x6a, 0x11, 0x6a, 0x22, 0x48, 0x89,
		0xe5, 0x0f, 0x0b, 0x58, 0x58, 0x5d, 0xc3 };

	/* The first is left by its frame pointer; the caller is the same for the second. */
	for (int i = 0; i < 2; i++)
		run_without_cfi(i ? code : frame, i ? sizeof(code) : sizeof(frame));
	assert_int_equal(path.end, WALK_COMPLETE);
	assert_int_equal(path.n_guessed, 1);
	assert_int_equal(path.frame[1].how, WALK_GUESS);
	assert_true(path.frame[1].ip - (uintptr_t)run_without_cfi < 512);
	assert_true(path.frame[2].ip - (uintptr_t)test_guess_by_memory < 512);
	assert_int_equal(fresh.n, 1);
}

/*
 * Rules that lie, of code that is never run: `still` keeps its CFA at rsp, `slow` moves 8 bytes a
 * frame, both return to rbx; `outside` has its CFA in rdi; `trampoline` is a signal's frame;
 * `below` finds its return address far below rsp.
 */
__asm__(".text\n"
	"still: .cfi_startproc\n.cfi_def_cfa 7, 0\n.cfi_register 16, 3\nnop\nnop\n.cfi_endproc\n"
	"slow: .cfi_startproc\n.cfi_def_cfa 7, 8\n.cfi_register 16, 3\nnop\nnop\n.cfi_endproc\n"
	"outside: .cfi_startproc\n.cfi_def_cfa 5, 0\n.cfi_register 16, 3\nnop\nnop\n.cfi_endproc\n"
	"trampoline: .cfi_startproc\n.cfi_signal_frame\n.cfi_def_cfa 7, 16\n"
	".cfi_register 16, 3\nnop\nnop\n.cfi_endproc\n"
	"below: .cfi_startproc\n.cfi_def_cfa 7, 8\n.cfi_offset 16, -400\nnop\n.cfi_endproc\n");
extern const char still[], slow[], outside[], trampoline[], below[];

static uint32_t walk_lie(const char *code, const char *caller, uint64_t rdi)
{
	static uint64_t stack[2048];
	const struct walk_bounds around = { .lo = (uintptr_t)stack,
		.hi = (uintptr_t)(stack + 2048) };
	struct walk_registers registers = { .known = (1u << WALK_N_REGISTERS) - 1 };

	registers.reg[WALK_RIP] = (uintptr_t)code;
	registers.reg[WALK_RSP] = (uintptr_t)(stack + 100);
	registers.reg[WALK_RBX] = (uintptr_t)caller;
	registers.reg[WALK_RDI] = rdi ? rdi : (uintptr_t)(stack + 200);
	return walk_every_way(&registers, &around, UINT64_MAX);
}

static void test_no_progress(void **state)
{
	assert_int_equal(walk_lie(still, still + 1, 0), 2);
	assert_int_equal(path.end, WALK_NO_PROGRESS);
	assert_true(path.frame[0].cfa != 0);
	assert_true(path.frame[1].cfa == 0);
	assert_int_equal(walk_lie(slow, slow + 1, 0), WALK_MAX_FRAMES);
	assert_int_equal(path.end, WALK_LIMIT);
	assert_int_equal(walk_lie(outside, outside + 1, 0), 2);
	assert_int_equal(path.end, WALK_NO_PROGRESS);
	assert_int_equal(walk_lie(outside, outside + 1, 4096), 1);
	assert_int_equal(path.end, WALK_OFF_STACK);
	assert_int_equal(walk_lie(outside, outside + 1, UINT64_MAX - 7), 1);
	assert_int_equal(path.end, WALK_OFF_STACK);
	assert_int_equal(walk_lie(slow, NULL, 0), 1);
	assert_int_equal(path.end, WALK_COMPLETE);
}

static void test_below_stack_pointer(void **state)
{
	assert_int_equal(walk_lie(below, NULL, 0), 1);
	assert_int_equal(path.end, WALK_OFF_STACK);
}

/* The forms of a near call, then a jump, an incomplete call and others that are none. */
__asm__(".text\ncalls: .cfi_startproc\n"
	".byte 0xe8, 0, 0, 0, 0\n.byte 0xff, 0xd0\n.byte 0x41, 0xff, 0xd3\n.byte 0xff, 0x10\n"
	".byte 0xff, 0x55, 8\n.byte 0xff, 0x14, 0x24\n.byte 0xff, 0x54, 0x24, 8\n"
	".byte 0xff, 0x94, 0x24, 0, 1, 0, 0\n.byte 0xff, 0x15, 0, 0, 0, 0\n"
	".byte 0xff, 0x95, 0, 1, 0, 0\n.byte 0xff, 0x25, 0, 0, 0, 0\n.byte 0x90, 0x90\n"
	".cfi_endproc\n");
extern const char calls[];

static void test_call_forms(void **state)
{
	static const unsigned int ends[] = { 5, 7, 10, 12, 15, 18, 22, 29, 35, 41 };
	const uint8_t *begin = (const uint8_t *)calls;
	uint64_t target = 0;
	size_t next = 0;

	for (unsigned int at = 1; at <= 49; at++) {
		int is_end = next < sizeof(ends) / sizeof(ends[0]) && at == ends[next];

		assert_int_equal(arch_call_before(begin, begin + at, 0x5000 + at, &target),
			is_end ? at == 5 ? 1 : 2 : 0);
		next += (size_t)is_end;
	}
	assert_int_equal(target, 0x5005);
}

static void test_signal_frame(void **state)
{
	/* The interrupted code stood at the first byte of `slow`: it is looked up there, not before. */
	walk_lie(trampoline, slow, 0);
	assert_int_equal(path.frame[1].how, WALK_EXACT);
	assert_true(path.frame[1].ip == (uintptr_t)slow);
	assert_true(path.frame[1].cfa == path.frame[0].cfa + 8);
	/* A return address there is of the call before it, in `still`. */
	walk_lie(slow, slow, 0);
	assert_int_equal(path.frame[1].how, WALK_CALL);
	assert_int_equal(path.end, WALK_NO_PROGRESS);
}

#elif defined(__aarch64__)

/* An illegal instruction: walks and goes on behind it. */
static void on_illegal(int signal_number, siginfo_t *info, void *context)
{
	walk_context(context);
	((ucontext_t *)context)->uc_mcontext.pc += 4;
}

/*
 * Code without call frame information: `leaf` saves nothing, `saver` its return address. The last
 * has no symbol, so its instructions are not read.
 */
__asm__(".text\n"
	".type leaf, %function\nleaf: hlt #1\nret\n.size leaf, . - leaf\n"
	".type saver, %function\nsaver: str x30, [sp, #-32]!\nbl leaf\nmov x30, #0\nhlt #1\n"
	"ldr x30, [sp], #32\nret\n.size saver, . - saver\n"
	".skip 256\n.Lnameless: hlt #1\nret\n.skip 256\n");
void leaf(void);
void saver(void);

static __attribute__((noinline, optimize("no-omit-frame-pointer"))) void call_bare(int which)
{
	if (which == 0)
		leaf();
	else if (which == 1)
		saver();
	else
		__asm__ volatile("bl .Lnameless" ::: "x30", "memory");
	__asm__ volatile("");
}

static void test_bare(void **state)
{
	catch_signal(SIGILL, on_illegal, 0);
	for (int which = 0; which < 3; which++) {
		call_bare(which);
		assert_int_equal(path.end, WALK_COMPLETE);
		assert_int_equal(path.n_guessed, 1);
		assert_int_equal(path.frame[1].how, WALK_GUESS);
		assert_true(path.frame[1].ip - (uintptr_t)call_bare < 128);
		assert_true(path.frame[2].ip - (uintptr_t)test_bare < 512);
	}
}

/* A call through a register proves nothing if the code was not read. */
static void test_not_proven(void **state)
{
	void (*nameless)(void);

	__asm__("adr %0, .Lnameless" : "=r"(nameless));
	catch_signal(SIGILL, on_illegal, 0);
	nameless();
	assert_int_equal(path.n, 1);
	assert_int_equal(path.n_guessed, 0);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_aligned_frames),
		cmocka_unit_test(test_through_library),
		cmocka_unit_test(test_signal_in_signal),
		cmocka_unit_test(test_from_handler),
		cmocka_unit_test(test_alternate_stack),
		cmocka_unit_test(test_noreturn_call),
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_narrow_bounds),
		cmocka_unit_test(test_unknown_code),
#if defined(__x86_64__)
		cmocka_unit_test(test_guess),
		cmocka_unit_test(test_no_guess),
		cmocka_unit_test(test_guess_by_memory),
		cmocka_unit_test(test_no_progress),
		cmocka_unit_test(test_signal_frame),
		cmocka_unit_test(test_below_stack_pointer),
		cmocka_unit_test(test_call_forms),
#elif defined(__aarch64__)
		cmocka_unit_test(test_bare),
		cmocka_unit_test(test_not_proven),
#endif
	};

	return cmocka_run_group_tests_name("cfi live", tests, setup, NULL);
}
