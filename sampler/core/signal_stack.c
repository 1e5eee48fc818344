/* SPDX-License-Identifier: Apache-2.0 */
/* A call on another stack; see signal_stack.h. Part of the signal-safe core. */
#include "sampler/core/signal_stack.h"

#if !defined(__x86_64__)
#error "signal_stack.c knows x86-64 alone"
#endif

/* The frame pointer keeps the way back, also in the call frame information. */
__asm__(".pushsection .text\n"
	".globl own_stack_call\n"
	".hidden own_stack_call\n"
	".type own_stack_call, @function\n"
	"own_stack_call:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	mov %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	mov %rdx, %rsp\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	call *%rax\n"
	"	leave\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size own_stack_call, . - own_stack_call\n"
	".popsection\n");
