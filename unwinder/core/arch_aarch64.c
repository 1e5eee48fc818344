/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64, little-endian; see arch.h. Instructions: Arm Architecture Reference Manual, C6.2. */
#include "unwinder/core/arch.h"

#include "unwinder/core/cfi.h"
#include "unwinder/core/code_state_aarch64.h"

#include <string.h>

/* The kernel puts siginfo_t and then ucontext_t at the stack pointer of a handler. */
#define SIGINFO_BYTES 128
#define UCONTEXT_X0   184
#define FRAME_X0      (SIGINFO_BYTES + UCONTEXT_X0)

#ifdef __aarch64__

#include <ucontext.h>

_Static_assert(offsetof(ucontext_t, uc_mcontext.regs) == UCONTEXT_X0, "as the kernel has it");
_Static_assert(offsetof(ucontext_t, uc_mcontext.pc) == UCONTEXT_X0 + 8 * WALK_PC, "likewise");

void walk_registers_from_ucontext(struct walk_registers *registers, const void *ucontext)
{
	const ucontext_t *context = ucontext;

	memcpy(registers->reg, context->uc_mcontext.regs, 31 * sizeof(uint64_t));
	registers->reg[WALK_SP] = context->uc_mcontext.sp;
	registers->reg[WALK_PC] = context->uc_mcontext.pc;
	registers->known = WALK_BIT(WALK_N_REGISTERS) - 1;
	registers->is_return = 0;
}

void walk_registers_to_ucontext(const struct walk_registers *registers, void *ucontext)
{
	/* The registers lie there in the order of their numbers. */
	uint64_t *to = (uint64_t *)(void *)((char *)ucontext + UCONTEXT_X0);

	for (unsigned int r = 0; r < WALK_N_REGISTERS; r++)
		if (registers->known >> r & 1)
			to[r] = registers->reg[r];
}

/* `svc #0` is before it. Not looked for in another page, which may not be there. */
int arch_is_after_syscall(const void *ucontext)
{
	const ucontext_t *context = ucontext;
	uint64_t pc = context->uc_mcontext.pc;

	return pc % 4096 >= 4 && *(const uint32_t *)(pc - 4) == 0xd4000001;
}

/*
 * The processor knows how many bits an address has. Before Armv8.3 the instruction has no effect.
 */
uint64_t arch_code_address(uint64_t return_address)
{
	register uint64_t x30 __asm__("x30") = return_address;

	__asm__("hint #7" /* xpaclri */ : "+r"(x30));
	return x30;
}

/* The frame pointer holds the way back, also in the call frame information. */
__asm__(".pushsection .text\n"
	".globl arch_call_on_stack\n"
	".hidden arch_call_on_stack\n"
	".type arch_call_on_stack, @function\n"
	"arch_call_on_stack:\n"
	"	.cfi_startproc\n"
	"	hint #34\n" /* bti c */
	"	stp x29, x30, [sp, #-16]!\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset x29, -16\n"
	"	.cfi_offset x30, -8\n"
	"	mov x29, sp\n"
	"	.cfi_def_cfa_register x29\n"
	"	mov sp, x2\n"
	"	mov x16, x0\n"
	"	mov x0, x1\n"
	"	blr x16\n"
	"	mov sp, x29\n"
	"	.cfi_def_cfa_register sp\n"
	"	ldp x29, x30, [sp], #16\n"
	"	.cfi_def_cfa_offset 0\n"
	"	.cfi_restore x29\n"
	"	.cfi_restore x30\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size arch_call_on_stack, . - arch_call_on_stack\n"
	".popsection\n");

#else

/* Addresses have 48 bits. The highest bit is 0 in user space. */
uint64_t arch_code_address(uint64_t return_address)
{
	return return_address & (((uint64_t)1 << 48) - 1);
}

#endif

/* BL; or BLR, BLRAA, BLRAB, BLRAAZ, BLRABZ. */
int arch_call_before(const uint8_t *begin, const uint8_t *at, uint64_t at_address, uint64_t *target)
{
	uint32_t call;

	if (at_address % 4 != 0 || at - begin < 4)
		return 0;
	call = code_at(at - 4);
	if ((call & 0xfc000000) == 0x94000000) {
		/* The low 26 bits are a signed number of instructions. */
		*target = at_address - 4 + (uint64_t)((int64_t)((uint64_t)call << 38) >> 36);
		return 1;
	}
	if ((call & 0xfffffc1f) == 0xd63f0000 || (call & 0xfffff800) == 0xd73f0800 ||
		(call & 0xfffff81f) == 0xd63f081f)
		return 2;
	return 0;
}

/* ADRP x16, page; LDR x17, [x16, offset]; maybe after BTI. */
uint64_t arch_stub_slot(const uint8_t *code, uint64_t address)
{
	uint64_t at = code_at(code) == 0xd503245f ? 4 : 0;
	uint32_t page = code_at(code + at), load = code_at(code + at + 4);
	/* a signed number of 21 bits, the lowest two apart */
	uint64_t pages =
		(uint64_t)((int64_t)((uint64_t)(page >> 5 << 2 | (page >> 29 & 3)) << 43) >> 43);

	if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
		return 0;
	return ((address + at) & ~UINT64_C(0xfff)) + (pages << 12) + (load >> 10 & 0xfff) * 8;
}

/* B, or BR. */
int arch_may_jump(const uint8_t *from, const uint8_t *to, uint64_t address, uint64_t target)
{
	const uint8_t *begin = from;

	for (; to - from >= 4; from += 4) {
		uint32_t code = code_at(from);
		int64_t distance = (int64_t)((uint64_t)code << 38) >> 36;

		if ((code & 0xfffffc1f) == 0xd61f0000)
			return 1;
		if (code >> 26 == 0x05 &&
			address + (uint64_t)(from - begin) + (uint64_t)distance == target)
			return 1;
	}
	return 0;
}

/* mov x29, sp, after the registers were saved. */
int arch_sets_fp(const uint8_t *from, const uint8_t *to)
{
	for (; to - from >= 4; from += 4)
		if (code_at(from) == 0x910003fd)
			return 1;
	return 0;
}

/*
 * is_result: sums with constants and registers, and masked values, can go to the stack pointer.
 * is_base: an access that moves its base, which can be the stack pointer.
 */
int arch_moves_sp(const uint8_t *from, const uint8_t *to)
{
	for (; to - from >= 4; from += 4) {
		uint32_t code = code_at(from);
		int is_result = (code & 0x3f000000) == 0x11000000 ||
				((code & 0x1f800000) == 0x12000000 && (code >> 29 & 3) != 3) ||
				(code & 0x3fe00000) == 0x0b200000 ||
				(code & 0xffa0f800) == 0x04205000;
		int is_base =
			(code & 0x3a800000) == 0x28800000 || (code & 0x3b000400) == 0x38000400 ||
			(code & 0xbe800000) == 0x0c800000 || (code & 0xff200400) == 0xd9200400;

		if ((is_result && (code & 31) == 31) || (is_base && (code >> 5 & 31) == 31))
			return 1;
	}
	return 0;
}

/* mov x8, 139; svc 0, as the kernel's vdso has it; 139 is rt_sigreturn. */
static int is_signal_return(
	const uint8_t *code, const uint8_t *code_end, const struct walk_registers *registers)
{
	if (code_end - code >= 8 && code_at(code) == 0xd2801168)
		return code_at(code + 4) == 0xd4000001;
	return code_end - code >= 4 && code_at(code) == 0xd4000001 &&
	       registers->known >> WALK_X8 & 1 && registers->reg[WALK_X8] == 139;
}

int arch_leave_signal(const uint8_t *code, const uint8_t *code_end,
	const struct walk_bounds *bounds, struct walk_registers *registers)
{
	uint64_t frame = registers->reg[WALK_SP] + FRAME_X0, reg[WALK_N_REGISTERS];

	if (!is_signal_return(code, code_end, registers))
		return 0;
	for (unsigned int r = 0; r < WALK_N_REGISTERS; r++)
		if (cfi_read_stack(bounds, frame + 8 * (uint64_t)r, &reg[r]) != 0)
			return 0;
	memcpy(registers->reg, reg, sizeof(reg));
	registers->known = WALK_BIT(WALK_N_REGISTERS) - 1;
	return 1;
}
