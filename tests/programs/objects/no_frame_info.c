/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In a region, about equal work in two functions: one of them in assembly language, without call frame
 * information. Its callers can only be guessed: guesses_kernel calls it, plain_kernel does not.
 */
#include "../work.h"

#if defined(__x86_64__)
/* Advances a chain by as many steps as its argument says, and gives it back. */
uint64_t gap(uint64_t steps);

__asm__(".text\n"
	".globl gap\n"
	".type gap, @function\n"
	"gap:\n"
	"	movabs $88172645463325252, %rax\n"
	"1:	mov %rax, %rdx\n"
	"	shl $13, %rdx\n"
	"	xor %rdx, %rax\n"
	"	mov %rax, %rdx\n"
	"	shr $7, %rdx\n"
	"	xor %rdx, %rax\n"
	"	mov %rax, %rdx\n"
	"	shl $17, %rdx\n"
	"	xor %rdx, %rax\n"
	"	dec %rdi\n"
	"	jnz 1b\n"
	"	ret\n"
	".size gap, .-gap\n");
#else
static NOINLINE uint64_t gap(uint64_t steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	return x;
}
#endif

static NOINLINE void guesses_kernel(long steps)
{
	work_sink = gap((uint64_t)steps);
}

static NOINLINE void plain_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long threads = 0;

	for (int i = 0; i < 10; i++) {
#pragma omp parallel reduction(+ : threads)
		{
			guesses_kernel(10 * unit);
			plain_kernel(10 * unit);
			threads++;
		}
	}
	return work_finish("no_frame_info", threads > 0, 1);
}
