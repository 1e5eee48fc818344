/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of x86-64, as far as symbols_code.h says. */
#include "src/symbols/symbols_code.h"

#include "unwinder/code/instruction_x86_64.h"

static void read_flow(struct code_instruction *code, const struct instruction *from, uint64_t end)
{
	enum instruction_flow flow = instruction_flow(from);

	if (flow == FLOW_NEXT)
		return;
	code->kind = flow == FLOW_CALL ? CODE_CALL : flow == FLOW_BRANCH ? CODE_BRANCH : CODE_JUMP;
	if (flow != FLOW_END && from->opcode != 0xff)
		code->value = end + (uint64_t)(int64_t)from->immediate;
}

static void put_address(struct code_instruction *code, unsigned to, uint64_t value)
{
	code->kind = CODE_ADDRESS;
	code->to = to;
	code->value = value;
}

/* `lea x(%rip), %reg`, a move of an immediate value of 32 bits, and moves of 64 bits between registers. */
static void read_move(struct code_instruction *code, const struct instruction *from, uint64_t end)
{
	uint8_t opcode = from->opcode;

	if (opcode == 0x8d && from->is_relative) {
		put_address(code, from->reg, end + (uint64_t)(int64_t)from->displacement);
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

int code_read(struct code_instruction *code, const unsigned char *bytes, size_t n, uint64_t at)
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
