/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that record_aarch64.sh runs: program_shapes.c without a C library. It has a stack at
 * an address of its own, and handlers for two signals, which the recorder sends: one returns by the
 * instructions that the kernel's vdso has, without call frame information; the other by code that
 * says where each interrupted register is.
 */
#include "tests/walker/program_shapes.h"

#include <stdint.h>

#define SYS_EXIT         93
#define SYS_RT_SIGACTION 134
#define SIGNAL_BARE      10
#define SIGNAL_CFI       12
#define FLAG_SIGINFO     4
#define FLAG_RESTORER    0x04000000u

struct kernel_action {
	void (*handler)(int, void *, void *);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

void return_bare(void);
void return_cfi(void);
void start(void) __attribute__((noreturn));
void on_signal(int signal_number, void *info, void *context);
void handle(int signal_number, void *info, void *context);

char stack_room[131072] __attribute__((aligned(4096)));

/* Interrupted register r is 8 r bytes behind the first one, which is 312 above the handler's sp. */
__asm__(".text\n"
	".globl _start, handle, return_bare, return_cfi\n"
	"_start: .cfi_startproc\n.cfi_undefined x30\n"
	"mov x29, 0\nmov x30, 0\n"
	"adrp x0, stack_room + 131008\nadd x0, x0, :lo12:stack_room + 131008\nmov sp, x0\n"
	"bl start\nnop\n.cfi_endproc\n.size _start, . - _start\n"
	/* What is seen first of a handler is the state after an instruction. */
	"handle: .cfi_startproc\nnop\nb on_signal\n.cfi_endproc\n.size handle, . - handle\n"
	"nop\n"
	"return_bare: mov x8, 139\nsvc 0\n.size return_bare, . - return_bare\n"
	".cfi_startproc\n.cfi_signal_frame\n.cfi_return_column 32\n"
	".cfi_escape 0x0f, 4, 0x8f, 0xb0, 0x04, 0x06\n" /* the CFA is the interrupted sp */
	".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,"
	"30,32\n"
	".cfi_escape 0x10, \\r, 3, 0x8f, ((312 + 8 * \\r) & 0x7f) | 0x80, (312 + 8 * \\r) >> 7\n"
	".endr\n"
	"nop\nreturn_cfi: mov x8, 139\nsvc 0\n.cfi_endproc\n.size return_cfi, . - return_cfi\n");

static long system_call(long number, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}

void on_signal(int signal_number, void *info, void *context)
{
	shape_leaf_array(shape_leaf(signal_number));
}

static void catch_signal(int signal_number, void (*restorer)(void))
{
	struct kernel_action action = { handle, FLAG_SIGINFO | FLAG_RESTORER, restorer, 0 };

	system_call(SYS_RT_SIGACTION, signal_number, (long)&action, 0, sizeof(action.mask));
}

/* The stack's shapes are seen twice, on the way here by shape_early and by shape_leave. */
static int deepest(int n)
{
	static int n_calls;

	if (++n_calls == 3)
		system_call(SYS_EXIT, 0, 0, 0, 0);
	return n;
}

void start(void)
{
	catch_signal(SIGNAL_BARE, return_bare);
	catch_signal(SIGNAL_CFI, return_cfi);
	shapes(3, deepest);
	for (;;)
		;
}
