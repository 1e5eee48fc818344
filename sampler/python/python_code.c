/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names Python frames by what their code objects say; see python.h. Part of the signal-safe core.
 *
 * Memory is copied for several frames at once, since each copy is a system call. From 3.12 on a
 * code object has a version that no other has. So the thread remembers the instructions that it has
 * named: the code object has to be copied then, but not its texts.
 */
#include <string.h>
#include <sys/uio.h>

#include "profile/shared/hash.h"
#include "sampler/core/modules.h"
#include "sampler/core/python.h"
#include "sampler/python/python_record.h"
#include "sampler/core/tool.h"
#include "sampler/python/python_layout.h"
#include "unwinder/core/remote.h"

enum {
	CODES = 16, /* frames whose code objects are copied together */
	GROUP = 8,  /* frames whose texts are copied together */
	PAGE_BYTES = 4096,
	N_RECENT = 32,
	/* of longer location tables the line is not known */
	MOST_TABLE_BYTES = 65536,
};

/* Some frames of different instructions, with copies of their code objects. */
struct codes {
	uint32_t n;
	struct python_frame *frame[CODES];
	unsigned char bytes[CODES][PYTHON_CODE_BYTES];
};

enum { NAME, FILE_NAME, LINES, N_PARTS };

/* The texts of some frames, which are frames `first` to `first` + n - 1 of `codes`. */
struct group {
	const struct codes *codes;
	uint32_t first, n;
	struct python_part part[GROUP][N_PARTS];
};

/* A location table that is read byte by byte. The part has its begin, and later the next bytes. */
struct table {
	struct python_part *part;
	uint32_t i, end; /* in the part */
	uint64_t next;   /* address of what follows */
	uint64_t left;   /* bytes that follow */
};

static int open_table(struct python_part *part, struct table *table)
{
	uint64_t n = python_word(part->bytes, PYTHON_SIZE), here = part->n - PYTHON_BYTES_DATA;

	if (python_word(part->bytes, PYTHON_TYPE) != tool.python->bytes_type ||
		part->n < PYTHON_BYTES_DATA || n > MOST_TABLE_BYTES)
		return -1;
	if (here > n)
		here = n;
	*table = (struct table){ part, PYTHON_BYTES_DATA, PYTHON_BYTES_DATA + (uint32_t)here,
		part->at + part->n, n - here };
	return 0;
}

/* The next byte; -1 at the end, or if it is not readable. */
static int next_byte(struct table *table)
{
	if (table->i == table->end) {
		uint32_t n =
			table->left < PYTHON_PART_BYTES ? (uint32_t)table->left : PYTHON_PART_BYTES;

		if (n == 0 || remote_read(table->next, table->part->bytes, n) != 0)
			return -1;
		table->i = 0;
		table->end = n;
		table->next += n;
		table->left -= n;
	}
	return table->part->bytes[table->i++];
}

/* The next number: six bits in a byte, the lowest first, and in the lowest bit its sign. */
static int32_t next_number(struct table *table)
{
	uint32_t number = 0;
	int byte = 0x40;

	for (uint32_t shift = 0; shift < 30 && byte >= 0 && byte & 0x40; shift += 6) {
		byte = next_byte(table);
		if (byte >= 0)
			number |= (uint32_t)(byte & 0x3f) << shift;
	}
	return number & 1 ? -(int32_t)(number >> 1) : (int32_t)(number >> 1);
}

/* By how much the line grows in an entry of a location table of this kind. */
static int32_t line_step(struct table *table, int kind)
{
	if (kind == 13 || kind == 14)
		return next_number(table);
	return kind >= 10 && kind <= 12 ? kind - 10 : 0;
}

/*
 * The line of an instruction; 0: it has none. An entry begins with a byte that has the highest bit,
 * its kind in four bits, and its length in instructions less one. Kind 15 is without a line.
 */
static uint32_t line_of(struct table *table, int64_t line, int32_t unit)
{
	int byte = next_byte(table);
	int32_t end = 0;

	while (byte >= 0) {
		int kind = byte >> 3 & 15;

		end += (byte & 7) + 1;
		line += line_step(table, kind);
		if (unit < end)
			return kind != 15 && line > 0 && line < 1 << PYTHON_LINE_BITS
				       ? (uint32_t)line
				       : 0;
		do
			byte = next_byte(table);
		while (byte >= 0 && !(byte & 0x80));
	}
	return 0;
}

/* The place where the frame's instruction is remembered. */
static struct python_memo *memo_of(struct python_stack *stack, const struct python_frame *frame)
{
	uint64_t hash = hash_mix(frame->code, (uint64_t)(uint32_t)frame->unit);

	return &stack->memo[hash % PYTHON_MEMOS];
}

/* The version of a code object; 0: it has none. */
static uint32_t version_of(const unsigned char *code)
{
	uint16_t offset = tool.python->layout->code.co_version;

	return offset ? python_number(code, offset) : 0;
}

static int name_frame(struct python_stack *stack, struct group *group, uint32_t i)
{
	struct python_frame *frame = group->codes->frame[group->first + i];
	const unsigned char *code = group->codes->bytes[group->first + i];
	uint32_t first = python_number(code, tool.python->layout->code.firstlineno), number;
	struct table table;

	if (open_table(&group->part[i][LINES], &table) != 0)
		return -1;
	number = python_record(&group->part[i][NAME], &group->part[i][FILE_NAME], first);
	if (!number)
		return -1;
	frame->module = (uint16_t)(MODULES_MOST + number);
	frame->addr = PYTHON_FIRST_ADDRESS + ((uint64_t)number << PYTHON_LINE_BITS) +
		      line_of(&table, first, frame->unit);
	*memo_of(stack, frame) = (struct python_memo){ frame->code, frame->addr, frame->unit,
		version_of(code), frame->module };
	return 0;
}

/* Copies a part again: the page behind it may be missing. */
static int copy_alone(struct python_part *part)
{
	uint32_t n = PAGE_BYTES - (uint32_t)(part->at % PAGE_BYTES);

	if (remote_read(part->at, part->bytes, part->n) == 0)
		return 0;
	part->n = n < part->n ? n : part->n;
	return remote_read(part->at, part->bytes, part->n);
}

static int copy_parts(struct group *group)
{
	const struct python_layout *layout = tool.python->layout;
	const uint16_t offsets[N_PARTS] = { layout->code.qualname, layout->code.filename,
		layout->code.linetable };
	struct iovec to[GROUP * N_PARTS], from[GROUP * N_PARTS];
	uint32_t n = group->n * N_PARTS;

	for (uint32_t i = 0; i < n; i++) {
		struct python_part *part = &group->part[i / N_PARTS][i % N_PARTS];
		const unsigned char *code = group->codes->bytes[group->first + i / N_PARTS];

		part->at = python_word(code, offsets[i % N_PARTS]);
		part->n = PAGE_BYTES - (uint32_t)(part->at % PAGE_BYTES);
		if (part->n < PYTHON_PART_BYTES / 4 || part->n > PYTHON_PART_BYTES)
			part->n = PYTHON_PART_BYTES;
		to[i] = (struct iovec){ part->bytes, part->n };
		from[i] = (struct iovec){ (void *)(uintptr_t)part->at, part->n };
	}
	if (remote_gather(to, from, n) == 0)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		if (copy_alone(&group->part[i / N_PARTS][i % N_PARTS]) != 0)
			return -1;
	return 0;
}

/* Names the frames by their texts. */
static int name_by_texts(struct python_stack *stack, const struct codes *codes)
{
	struct group group = { .codes = codes };

	for (; group.first < codes->n; group.first += GROUP) {
		group.n = codes->n - group.first < GROUP ? codes->n - group.first : GROUP;
		if (copy_parts(&group) != 0)
			return -1;
		for (uint32_t i = 0; i < group.n; i++)
			if (name_frame(stack, &group, i) != 0)
				return -1;
	}
	return 0;
}

/* Names the frame if its function has not begun, or if its instruction is remembered. */
static int is_named(
	struct python_stack *stack, struct python_frame *frame, const unsigned char *code)
{
	uint32_t first = python_number(code, tool.python->layout->code.firsttraceable);
	const struct python_memo *memo = memo_of(stack, frame);

	if (!frame->is_generators && frame->unit < (int32_t)first)
		return 1; /* without an address */
	if (!memo->version || memo->version != version_of(code) || memo->code != frame->code ||
		memo->unit != frame->unit)
		return 0;
	frame->addr = memo->addr;
	frame->module = memo->module;
	return 1;
}

static int copy_codes(struct codes *codes)
{
	struct iovec to[CODES], from[CODES];

	for (uint32_t i = 0; i < codes->n; i++) {
		to[i] = (struct iovec){ codes->bytes[i], PYTHON_CODE_BYTES };
		from[i] = (struct iovec){ (void *)(uintptr_t)codes->frame[i]->code,
			PYTHON_CODE_BYTES };
	}
	return remote_gather(to, from, codes->n);
}

/* Names the frames, and makes room for others. */
static int name_all(struct python_stack *stack, struct codes *codes)
{
	uint32_t n = 0;

	if (copy_codes(codes) != 0)
		return -1;
	for (uint32_t i = 0; i < codes->n; i++) {
		if (python_word(codes->bytes[i], PYTHON_TYPE) != tool.python->code_type)
			return -1;
		if (is_named(stack, codes->frame[i], codes->bytes[i]))
			continue;
		memmove(codes->bytes[n], codes->bytes[i], PYTHON_CODE_BYTES);
		codes->frame[n++] = codes->frame[i];
	}
	codes->n = n;
	n = (uint32_t)name_by_texts(stack, codes);
	codes->n = 0;
	return (int)n;
}

/* A frame of the same instruction, among the frames that were looked at lately, or NULL. */
static const struct python_frame *find_twin(
	const struct python_stack *stack, const struct python_frame *frame, uint16_t *recent)
{
	const struct python_frame *twin = *recent ? &stack->at[*recent - 1] : NULL;

	if (twin && twin->code == frame->code && twin->unit == frame->unit &&
		twin->is_generators == frame->is_generators)
		return twin;
	*recent = (uint16_t)(frame - stack->at + 1);
	return NULL;
}

/* Names the frames that have no twin. */
static int name_first(struct python_stack *stack)
{
	uint16_t recent[N_RECENT] = { 0 };
	struct codes codes;

	codes.n = 0;
	for (uint32_t i = 0; i < stack->n; i++) {
		struct python_frame *frame = &stack->at[i];
		uint64_t hash = hash_mix(frame->code, (uint64_t)(uint32_t)frame->unit);
		const struct python_frame *twin = find_twin(stack, frame, &recent[hash % N_RECENT]);

		frame->twin = twin ? (uint16_t)(twin - stack->at + 1) : 0;
		if (!twin)
			codes.frame[codes.n++] = frame;
		if (codes.n == CODES && name_all(stack, &codes) != 0)
			return -1;
	}
	return name_all(stack, &codes);
}

int python_name_frames(struct python_stack *stack)
{
	if (stack->epoch != tool.epoch)
		memset(stack->memo, 0, sizeof(stack->memo));
	stack->epoch = tool.epoch;
	if (name_first(stack) != 0)
		return -1;
	for (uint32_t i = 0; i < stack->n; i++) {
		struct python_frame *frame = &stack->at[i];

		if (frame->twin) {
			frame->addr = stack->at[frame->twin - 1].addr;
			frame->module = stack->at[frame->twin - 1].module;
		}
	}
	return 0;
}
