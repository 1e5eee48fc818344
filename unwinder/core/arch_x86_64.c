/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64; see arch.h. */
#include "unwinder/core/arch.h"

#include <string.h>

#ifdef __x86_64__

#include <ucontext.h>

static const int greg[WALK_N_REGISTERS] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
	REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	REG_RIP };

void walk_registers_from_ucontext(struct walk_registers *registers, const void *ucontext)
{
	const ucontext_t *context = ucontext;

	for (int r = 0; r < WALK_N_REGISTERS; r++)
		registers->reg[r] = (uint64_t)context->uc_mcontext.gregs[greg[r]];
	registers->known = WALK_BIT(WALK_N_REGISTERS) - 1;
	registers->is_return = 0;
}

void walk_registers_to_ucontext(const struct walk_registers *registers, void *ucontext)
{
	ucontext_t *context = ucontext;

	for (int r = 0; r < WALK_N_REGISTERS; r++)
		if (registers->known >> r & 1)
			context->uc_mcontext.gregs[greg[r]] = (greg_t)registers->reg[r];
}

/* The instruction leaves the address of the next one in rcx. */
int arch_is_after_syscall(const void *ucontext)
{
	const ucontext_t *context = ucontext;

	return context->uc_mcontext.gregs[REG_RCX] == context->uc_mcontext.gregs[REG_RIP];
}

/* The frame pointer holds the way back, also in the call frame information. */
__asm__(".pushsection .text\n"
	".globl arch_call_on_stack\n"
	".hidden arch_call_on_stack\n"
	".type arch_call_on_stack, @function\n"
	"arch_call_on_stack:\n"
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
	".size arch_call_on_stack, . - arch_call_on_stack\n"
	".popsection\n");

#endif

/*
 * The length of FF /2 by its mod and rm fields: rm 4 has a SIB byte, and mod 0 with rm 5 is rip +
 * disp.
 */
static int indirect_length(uint8_t mod_reg_rm)
{
	unsigned int mod = mod_reg_rm >> 6, rm = mod_reg_rm & 7;
	int length = 2 + (mod != 3 && rm == 4);

	if (mod == 1)
		return length + 1;
	return length + (mod == 2 || (mod == 0 && rm == 5) ? 4 : 0);
}

/* Near calls: E8, or FF /2 through a register or memory; Intel SDM volume 2, CALL. */
int arch_call_before(const uint8_t *begin, const uint8_t *at, uint64_t at_address, uint64_t *target)
{
	int32_t distance;

	if (at - begin >= 5 && at[-5] == 0xe8) {
		memcpy(&distance, at - 4, sizeof(distance));
		*target = at_address + (uint64_t)(int64_t)distance;
		return 1;
	}
	for (int length = 2; length <= 7 && at - begin >= length; length++) {
		const uint8_t *call = at - length;

		if (call[0] == 0xff && (call[1] >> 3 & 7) == 2 &&
			indirect_length(call[1]) == length)
			return 2;
	}
	return 0;
}

/* JMP through memory at rip + disp32 (FF 25), maybe after ENDBR64 and a BND prefix. */
uint64_t arch_stub_slot(const uint8_t *code, uint64_t address)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	uint64_t at = memcmp(code, endbr, sizeof(endbr)) == 0 ? sizeof(endbr) : 0;
	int32_t distance;

	at += code[at] == 0xf2;
	if (code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	memcpy(&distance, code + at + 2, sizeof(distance));
	return address + at + 6 + (uint64_t)(int64_t)distance;
}

/* The length of a relative jump, short or near: EB, E9, 7x, 0F 8x; 0: none. Intel SDM volume 2. */
static int jump_length(const uint8_t *at)
{
	if (at[0] == 0xeb || (at[0] & 0xf0) == 0x70)
		return 2;
	if (at[0] == 0xe9)
		return 5;
	return at[0] == 0x0f && (at[1] & 0xf0) == 0x80 ? 6 : 0;
}

/* Relative jumps, or FF /4 through a register or memory; Intel SDM volume 2, JMP and Jcc. */
int arch_may_jump(const uint8_t *from, const uint8_t *to, uint64_t address, uint64_t target)
{
	const uint8_t *begin = from;
	int32_t distance;

	for (; to - from >= 2; from++) {
		int length = jump_length(from);

		if (from[0] == 0xff && (from[1] >> 3 & 7) == 4)
			return 1;
		if (!length || to - from < length)
			continue;
		if (length == 2)
			distance = (int8_t)from[1];
		else
			memcpy(&distance, from + length - 4, sizeof(distance));
		if (address + (uint64_t)(from - begin) + (uint64_t)length +
				(uint64_t)(int64_t)distance ==
			target)
			return 1;
	}
	return 0;
}

/* push %rbp; mov %rsp,%rbp in either encoding. */
int arch_sets_fp(const uint8_t *from, const uint8_t *to)
{
	for (; to - from >= 4; from++)
		if (from[0] == 0x55 && from[1] == 0x48 &&
			((from[2] == 0x89 && from[3] == 0xe5) ||
				(from[2] == 0x8b && from[3] == 0xec)))
			return 1;
	return 0;
}
