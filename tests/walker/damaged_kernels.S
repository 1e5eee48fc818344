/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code without call frame information, first in its segment and without symbols that name
 * functions. In its frame no word looks like a return address, except the one behind the saved
 * frame pointer.
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

/*
 * Its last instruction is a call that does not return: the return address lies in the next
 * function. Above it are zeros, as in a coroutine's first function.
 */
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
