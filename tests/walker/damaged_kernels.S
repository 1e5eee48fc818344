/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code without call frame information, first in its segment and without symbols that name functions. No word on its frame looks like a return
 * address but the one that the frame pointer leads to.
 */
	.text
	.globl	kernel_pointer, kernel_ending, after_kernel

/* Traps with a frame pointer. */
kernel_pointer:
	push	%rbp
	mov	%rsp, %rbp
	sub	$16, %rsp
	movq	$0, (%rsp)
	movq	$0, 8(%rsp)
	int3
	leave
	ret

/* Its last instruction is a call that does not return: the address to return to is the next function's,
   above it lies what a coroutine's first function has instead of a caller. */
kernel_ending:
	sub	$24, %rsp
	movq	$0, (%rsp)
	movq	$0, 8(%rsp)
	movq	$0, 16(%rsp)
	call	stop

	.type	after_kernel, @function
after_kernel:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset rbx, -16
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	after_kernel, . - after_kernel
	.section .note.GNU-stack, "", @progbits
