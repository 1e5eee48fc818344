/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64; see machine.h. */
#include "src/symbols/machine.h"

#include <elf.h>
#include <string.h>

#include "unwinder/code/instruction_x86_64.h"

/* Finds `jmp *disp32(%rip)`. */
static uint64_t plt_slot(const uint8_t *code, size_t n, uint64_t addr)
{
	for (size_t i = 0; i + 6 <= n; i++) {
		int32_t displacement;

		if (code[i] != 0xff || code[i + 1] != 0x25)
			continue;
		memcpy(&displacement, code + i + 2, sizeof(displacement));
		return addr + i + 6 + (int64_t)displacement;
	}
	return 0;
}

static void read_flow(struct code_instruction *code, const struct instruction *from, uint64_t end)
{
	static const enum code_kind kinds[] = {
		[FLOW_CALL] = CODE_CALL,
		[FLOW_BRANCH] = CODE_BRANCH,
		[FLOW_JUMP] = CODE_JUMP,
		[FLOW_INDIRECT] = CODE_JUMP,
		[FLOW_END] = CODE_END,
	};
	enum instruction_flow flow = instruction_flow(from);

	if (flow == FLOW_NEXT)
		return;
	code->kind = kinds[flow];
	if (from->opcode == 0xff && flow != FLOW_END) {
		code->is_by_register = from->mod == 3;
		code->from = from->rm;
		if (from->is_relative)
			code->value = end + (uint64_t)(int64_t)from->displacement;
	} else if (flow != FLOW_END) {
		code->value = end + (uint64_t)(int64_t)from->immediate;
	}
}

static void put_address(struct code_instruction *code, unsigned to, uint64_t value)
{
	code->kind = CODE_ADDRESS;
	code->to = to;
	code->value = value;
}

/*
 * Reads `lea x(%rip), %reg`, a move of a 32-bit value, and moves of 64 bits between registers and
 * from x(%rip).
 */
static void read_move(struct code_instruction *code, const struct instruction *from, uint64_t end)
{
	uint8_t opcode = from->opcode;

	if (opcode == 0x8d && from->is_relative) {
		put_address(code, from->reg, end + (uint64_t)(int64_t)from->displacement);
	} else if (opcode == 0x8b && from->is_relative && from->is_wide) {
		put_address(code, from->reg, end + (uint64_t)(int64_t)from->displacement);
		code->kind = CODE_LOAD;
	} else if ((opcode & 0xf8) == 0xb8 && !from->is_wide && !from->is_short) {
		put_address(code, from->rm, (uint32_t)from->immediate);
	} else if (opcode == 0xc7 && from->mod == 3 && !from->is_short) {
		put_address(code, from->rm, (uint64_t)(int64_t)from->immediate);
	} else if ((opcode == 0x89 || opcode == 0x8b) && from->mod == 3 && from->is_wide) {
		code->kind = CODE_COPY;
		code->to = opcode == 0x89 ? from->rm : from->reg;
		code->from = opcode == 0x89 ? from->reg : from->rm;
	}
}

static int read(struct code_instruction *code, const uint8_t *bytes, size_t n, uint64_t at)
{
	struct instruction from;

	if (instruction_read(&from, bytes, n) != 0)
		return 0;
	*code = (struct code_instruction){
		.length = from.length,
		.writes = instruction_writes(&from),
	};
	read_flow(code, &from, at + from.length);
	if (from.map == MAP_LEGACY)
		read_move(code, &from, at + from.length);
	return 1;
}

static const char *const folders[] = { "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
	"/lib64", "/usr/lib64", "/lib", "/usr/lib", NULL };

/* call x; call *x(%rip) */
static const uint8_t call_bytes[] = { 5, 6, 0 };

const struct machine machine_x86_64 = {
	.name = "x86-64",
	.elf = EM_X86_64,
	.loader = "ld-linux-x86-64.so.2",
	.cache_flags = 0x0303,
	.library_folders = folders,
	.jump_slot = R_X86_64_JUMP_SLOT,
	.global_data = R_X86_64_GLOB_DAT,
	.relative = R_X86_64_RELATIVE,
	.plt_slot = plt_slot,
	.call_bytes = call_bytes,
	.read = read,
	.scratch = 0x0fc7,
	.first_argument = INSTRUCTION_RDI,
	.third_argument = INSTRUCTION_RDX,
};
