/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of x86-64; see arch.h. */
#include "unwinder/arch.h"

#include <ucontext.h>

void walk_registers_from_ucontext(struct walk_registers *registers, const void *ucontext)
{
	static const int greg[WALK_N_REGISTERS] = {
		REG_RAX,
		REG_RDX,
		REG_RCX,
		REG_RBX,
		REG_RSI,
		REG_RDI,
		REG_RBP,
		REG_RSP,
		REG_R8,
		REG_R9,
		REG_R10,
		REG_R11,
		REG_R12,
		REG_R13,
		REG_R14,
		REG_R15,
		REG_RIP,
	};
	const ucontext_t *context = ucontext;

	for (int r = 0; r < WALK_N_REGISTERS; r++)
		registers->reg[r] = (uint64_t)context->uc_mcontext.gregs[greg[r]];
	registers->known = (1u << WALK_N_REGISTERS) - 1;
	registers->is_return = 0;
}
