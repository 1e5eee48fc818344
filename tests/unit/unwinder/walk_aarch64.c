/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unwinder for AArch64, on whatever this runs: at each instruction of recorded programs the frames
 * are those that the calls and returns up to there say. tests/data/aarch64/ was recorded by
 * tests/walker/record_aarch64.sh, which remakes it; record_aarch64.py says what is in a file.
 */
#include "unwinder/core/cfi.h"
#include "unwinder/core/loaded.h"
#include "unwinder/core/objects.h"
#include "unwinder/core/objects_state.h"
#include "unwinder/core/table.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define FIRST_LINE "ompprof recorded aarch64 steps 1\n"
#define MAX_FILE   200000
#define MAX_CALLS  64

enum call_kind {
	CALL_DIRECT = 1,
	CALL_INDIRECT,
	CALL_SIGNAL,  /* the interrupted code calls the kernel's return */
	CALL_HANDLER, /* that calls the handler */
};

/* A call that has not ended. */
struct call {
	uint64_t kind;
	uint64_t return_address;
	uint64_t cfa; /* of the called function */
	uint64_t target;
	uint64_t reg[WALK_N_REGISTERS]; /* the caller's, as far as a call leaves them */
};

struct replay {
	struct cfi_cursor in;
	struct cfi_image image;
	struct walk_bounds stack;
	uint64_t map_lo; /* up to the stack's end all is mapped, if is_open */
	int is_open;
	uint64_t n_steps;
	struct walk_registers registers;
	struct call calls[MAX_CALLS]; /* outermost first */
	unsigned int n_calls;
	struct table table;

	/* What was seen. */
	unsigned int n_frames, n_signals, n_in_link, n_signed, deepest;
};

/* One frame of a walk: from registers to the caller's. */
struct frame {
	uint64_t cfa;
	int is_exact; /* in: the instruction pointer is no return address; out: the caller's */
	int is_outermost;
};

static struct replay replay;

/* The loader, as the walkers ask it: there is the recorded program. */
int loaded_find(uint64_t pc, struct loaded *found)
{
	const struct cfi_image *image = &replay.image;

	if (pc - image->address >= image->size_bytes)
		return -1;
	*found = (struct loaded){
		.lo = image->address,
		.hi = image->address + image->size_bytes,
		.eh_frame = image->hdr_address,
	};
	return 0;
}

/* The recorded bytes at an address and their end. */
static const uint8_t *code_at(const struct replay *r, uint64_t address, const uint8_t **end)
{
	*end = r->image.data + r->image.size_bytes;
	assert_true(address - r->image.address < r->image.size_bytes);
	return r->image.data + (address - r->image.address);
}

/* By the rules that hold at the instruction, read for each frame. */
static int step_in_place(struct replay *r, struct walk_registers *registers, struct frame *frame)
{
	const uint8_t *end, *code = code_at(r, registers->reg[WALK_IP], &end);
	uint64_t pc = registers->reg[WALK_IP] - (frame->is_exact ? 0 : 1);
	struct cfi_fde fde;
	struct cfi_row row;
	int failure;

	frame->is_outermost = 0;
	frame->is_exact = 1;
	if (arch_leave_signal(code, end, &r->stack, registers)) {
		frame->cfa = registers->reg[WALK_SP];
		return 0;
	}
	failure = cfi_find(&r->image, pc, &fde);
	if (!failure)
		failure = cfi_row_at(&r->image, &fde, pc, &row);
	if (failure)
		return failure;
	r->n_in_link += row.rule[WALK_LINK].kind == CFI_SAME;
	frame->is_exact = r->image.cie.is_signal;
	return cfi_step(&r->image, &row, &r->stack, registers, &frame->cfa, &frame->is_outermost);
}

/* What is known of the caller's registers is as it was when it called or was interrupted. */
static void check_registers(const struct walk_registers *registers, const struct call *call)
{
	uint64_t expected = WALK_PRESERVED;

	if (call->kind == CALL_HANDLER) /* the kernel sets them all */
		expected = 0;
	if (call->kind == CALL_SIGNAL)
		expected = WALK_BIT(WALK_N_REGISTERS) - 1;
	assert_true((registers->known & expected) == expected);
	for (unsigned int i = 0; i < WALK_N_REGISTERS; i++)
		if (expected >> i & 1)
			assert_true(registers->reg[i] == call->reg[i]);
}

/* Walks from the registers out and compares each frame with the calls. */
static void check_steps(struct replay *r)
{
	const uint64_t lowest = r->stack.lo;
	struct walk_registers registers = r->registers;
	struct frame frame = { .is_exact = 1 };
	const struct call *call;

	r->stack.lo = r->registers.reg[WALK_SP] - WALK_RED_ZONE_BYTES;
	for (unsigned int left = r->n_calls; left > 0; left--) {
		call = &r->calls[left - 1];
		assert_int_equal(step_in_place(r, &registers, &frame), 0);
		assert_int_equal(frame.is_outermost, 0);
		assert_true(frame.cfa == call->cfa);
		assert_true(registers.reg[WALK_IP] == call->return_address);
		assert_int_equal(frame.is_exact, call->kind == CALL_SIGNAL);
		check_registers(&registers, call);
		r->n_frames++;
	}
	assert_int_equal(step_in_place(r, &registers, &frame), 0);
	assert_int_equal(frame.is_outermost, 1);
	assert_true(frame.cfa == r->calls[0].cfa);
	r->stack.lo = lowest;
}

static const struct walker walker_tables = { .name = "tables", .walk = walk_cfi };

/* Without a table, with one, and with the memory of the walk an instruction before. */
static struct recorded_walker {
	const struct walker *walker;
	int has_memory;
	unsigned int n_kept;
	struct walk_path path;
} walkers[] = {
	{ .walker = &walker_cfi_in_place },
	{ .walker = &walker_tables },
	{ .walker = &walker_tables, .has_memory = 1 },
};

/* Walks with a walker and compares the path with the calls. */
static void check_path(struct replay *r, struct recorded_walker *walker)
{
	struct walk_path *path = &walker->path;
	uint64_t ip = r->registers.reg[WALK_IP];
	uint8_t how = WALK_EXACT;

	if (!walker->has_memory)
		memset(path, 0, sizeof(*path));
	walker->walker->walk(&r->registers, &r->stack, UINT64_MAX, path);
	assert_int_equal(path->end, WALK_COMPLETE);
	assert_int_equal(path->n, r->n_calls + 1);
	assert_int_equal(path->n_guessed, 0);
	walker->n_kept += path->n_kept;
	for (unsigned int i = 0; i <= r->n_calls; i++) {
		const struct call *call = &r->calls[i < r->n_calls ? r->n_calls - 1 - i : 0];

		assert_true(path->frame[i].ip == ip);
		assert_true(path->frame[i].cfa == call->cfa);
		assert_int_equal(path->frame[i].how, how);
		ip = call->return_address;
		how = call->kind == CALL_SIGNAL ? WALK_EXACT : WALK_CALL;
	}
}

/* The instruction before a return address is the call. */
static void check_call(const struct replay *r, const struct call *call)
{
	const uint8_t *end, *at = code_at(r, call->return_address, &end);
	uint64_t target = 0;
	int found = arch_call_before(r->image.data, at, call->return_address, &target);

	if (call->kind == CALL_DIRECT || call->kind == CALL_INDIRECT)
		assert_int_equal(found, call->kind);
	assert_true(call->kind != CALL_DIRECT || target == call->target);
}

static void replay_registers(struct replay *r)
{
	for (uint64_t n = cfi_uleb(&r->in); n > 0 && !r->in.bad; n--) {
		uint64_t i = cfi_uleb(&r->in);

		assert_true(i < WALK_N_REGISTERS);
		r->registers.reg[i] += (uint64_t)cfi_sleb(&r->in);
	}
}

static void replay_stack(struct replay *r)
{
	uint64_t at = r->registers.reg[WALK_SP];

	for (uint64_t n = cfi_uleb(&r->in); n > 0 && !r->in.bad; n--) {
		at += 8 * cfi_uleb(&r->in);
		assert_true(at >= r->stack.lo && at < r->stack.hi);
		*(uint64_t *)(uintptr_t)at += (uint64_t)cfi_sleb(&r->in);
	}
}

/* `before` are the registers of the step before. */
static void replay_calls(struct replay *r, const struct walk_registers *before)
{
	uint64_t n_ended = cfi_uleb(&r->in);
	uint64_t n_begun = cfi_uleb(&r->in);

	assert_true(n_ended <= r->n_calls && n_begun <= MAX_CALLS - r->n_calls);
	r->n_calls -= (unsigned int)n_ended;
	for (uint64_t i = 0; i < n_begun; i++) {
		struct call *call = &r->calls[r->n_calls++];

		call->kind = cfi_uleb(&r->in);
		call->return_address = cfi_uleb(&r->in);
		call->cfa = cfi_uleb(&r->in);
		call->target = call->kind == CALL_DIRECT ? cfi_uleb(&r->in) : 0;
		memcpy(call->reg, call->kind == CALL_SIGNAL ? before->reg : r->registers.reg,
			sizeof(call->reg));
		check_call(r, call);
		r->n_signals += call->kind == CALL_SIGNAL;
	}
	if (r->n_calls > r->deepest)
		r->deepest = r->n_calls;
}

static void replay_step(struct replay *r)
{
	const struct walk_registers before = r->registers;

	replay_registers(r);
	replay_stack(r);
	replay_calls(r, &before);
	assert_int_equal(r->in.bad, 0);
	r->n_signed += r->registers.reg[WALK_LINK] >> 48 != 0;
}

/* Makes the recorded program's code and stack lie where they lay. Returns 0 if others are there. */
static int map_program(struct replay *r, const uint8_t *bytes, uint64_t address, uint64_t n_bytes)
{
	r->map_lo = address & ~(uint64_t)4095;
	if (mmap((void *)r->map_lo, r->stack.hi - r->map_lo, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (void *)r->map_lo)
		return 0;
	r->is_open = 1;
	assert_true(address + n_bytes <= r->stack.lo);
	memcpy((void *)address, bytes, n_bytes);
	return 1;
}

/* The list of one object, as objects_start would make it. */
static void list_object(const struct replay *r)
{
	static struct object object;
	static uint64_t lo;
	static struct objects objects = { .n = 1, .room = 1, .lo = &lo, .object = &object };

	memset(&object, 0, sizeof(object));
	object.identity.lo = lo = r->image.address;
	object.identity.hi = r->image.address + r->image.size_bytes;
	object.is_permanent = 1;
	object.table = r->table;
	objects_state.current = &objects;
}

/* Returns 0 if the program cannot be here. */
static int open_program(struct replay *r)
{
	uint64_t address, n_bytes, hdr_address;
	struct table_scratch rooms = { 0 };
	const uint8_t *bytes;

	assert_true((size_t)(r->in.end - r->in.at) > strlen(FIRST_LINE));
	assert_memory_equal(r->in.at, FIRST_LINE, strlen(FIRST_LINE));
	cfi_skip(&r->in, strlen(FIRST_LINE));
	address = cfi_uleb(&r->in);
	n_bytes = cfi_uleb(&r->in);
	bytes = r->in.at;
	cfi_skip(&r->in, n_bytes);
	hdr_address = cfi_uleb(&r->in);
	r->stack.lo = cfi_uleb(&r->in);
	r->stack.hi = r->stack.lo + cfi_uleb(&r->in);
	r->n_steps = cfi_uleb(&r->in);
	assert_int_equal(r->in.bad, 0);
	if (!map_program(r, bytes, address, n_bytes))
		return 0;
	bytes = (const uint8_t *)address;
	assert_int_equal(cfi_image_init(&r->image, bytes, n_bytes, address, hdr_address), 0);
	assert_int_equal(table_build(&r->table, &r->image, NULL,
				 &(struct table_code){
					 address, address + n_bytes, address, address + n_bytes },
				 &rooms),
		0);
	table_scratch_release(&rooms);
	list_object(r);
	return 1;
}

static void open_recording(struct replay *r, const char *name)
{
	static uint8_t file[MAX_FILE];
	char path[4096];
	ssize_t n;
	int fd;

	memset(r, 0, sizeof(*r));
	snprintf(path, sizeof(path), "%s/tests/data/aarch64/%s.steps",
		getenv("srcdir") ? getenv("srcdir") : ".", name);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	n = read(fd, file, sizeof(file));
	close(fd);
	assert_true(n > 0 && n < MAX_FILE);
	r->in = (struct cfi_cursor){ .at = file, .end = file + n };
	r->registers.known = WALK_BIT(WALK_N_REGISTERS) - 1;
	if (!open_program(r)) {
		print_message("the recorded program's addresses are not free\n");
		skip();
	}
}

static int close_recording(void **state)
{
	objects_state.current = NULL;
	table_free(&replay.table);
	if (!replay.is_open)
		return 0;
	replay.is_open = 0;
	return munmap((void *)replay.map_lo, replay.stack.hi - replay.map_lo);
}

/* *state is the recording's name. */
static void test_recording(void **state)
{
	const char *name = *state;
	struct replay *r = &replay;
	/* The rules alone are wrong at begins and ends of functions. */
	int has_bare_edges = strncmp(name, "bare-edges", 10) == 0;

	open_recording(r, name);
	memset(&walkers[2].path, 0, sizeof(walkers[2].path));
	walkers[2].n_kept = 0;
	for (uint64_t n = 0; n < r->n_steps; n++) {
		replay_step(r);
		if (!has_bare_edges)
			check_steps(r);
		for (size_t i = 0; i < sizeof(walkers) / sizeof(walkers[0]); i++)
			check_path(r, &walkers[i]);
	}
	assert_true(r->in.at == r->in.end);
	print_message("%s: %u steps, %u frames, %u signals, at most %u calls; return address in "
		      "the link register %u, signed %u; remembered %u\n",
		name, (unsigned int)r->n_steps, r->n_frames, r->n_signals, r->deepest, r->n_in_link,
		r->n_signed, walkers[2].n_kept);
	/* It is what it is meant to be. */
	assert_true(r->n_steps > 500 && r->n_signals > 8 && r->deepest > 10);
	assert_true(has_bare_edges || r->n_in_link > 100);
	assert_true(strstr(name, "omit") || walkers[2].n_kept > 4 * r->n_steps);
	assert_int_equal(r->n_signed > 50, strstr(name, "pac") != NULL);
}

static int call_before(uint32_t instruction, uint64_t address, uint64_t *target)
{
	uint8_t code[4];

	memcpy(code, &instruction, 4);
	*target = 0;
	return arch_call_before(code, code + 4, address, target);
}

static void test_call_forms(void **state)
{
	static const uint32_t calls[] = { 0xd63f0000, 0xd63f03c0, 0xd63f081f, 0xd63f0c1f,
		0xd63f0bdf, 0xd73f0800, 0xd73f0bde, 0xd73f0c00, 0xd73f0fff };
	/* ret, br, nop, b, cbz, braa, retaa, blr with a bit too many */
	static const uint32_t others[] = { 0xd65f03c0, 0xd61f0200, 0xd503201f, 0x14000000,
		0xb4000040, 0xd71f0800, 0xd65f0bff, 0xd63f0001, 0x98000000 };
	uint64_t target;

	assert_int_equal(call_before(0x94000000, 0x1004, &target), 1);
	assert_int_equal(target, 0x1000);
	assert_int_equal(call_before(0x95ffffff, 0x1004, &target), 1);
	assert_int_equal(target, 0x1000 + 0x7fffffc);
	assert_int_equal(call_before(0x97ffffff, 0x1004, &target), 1);
	assert_int_equal(target, 0xffc);
	assert_int_equal(call_before(0x94000000, 0x1002, &target), 0);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		assert_int_equal(call_before(calls[i], 0x1004, &target), 2);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_int_equal(call_before(others[i], 0x1004, &target), 0);
	assert_int_equal(arch_call_before((const uint8_t[]){ 0, 0, 0x94 }, (const uint8_t[]){ 0 },
				 0x1004, &target),
		0);
}

static struct cfi_image image = { .cie = { .return_register = WALK_X30 } };

/* Steps out of a frame of 16 bytes whose return address is in the link register. */
static int step_by_link(struct walk_registers *registers, int *is_outermost)
{
	static uint64_t stack[4];
	const struct walk_bounds bounds = { (uintptr_t)stack, (uintptr_t)(stack + 4) };
	struct cfi_row row = { .cfa = { .kind = CFI_REGISTER, .reg = WALK_SP, .value = 16 } };
	uint64_t cfa;

	registers->reg[WALK_SP] = bounds.lo;
	return cfi_step(&image, &row, &bounds, registers, &cfa, is_outermost);
}

static void test_link_register(void **state)
{
	struct walk_registers registers = { .known = WALK_BIT(WALK_N_REGISTERS) - 1 };
	int is_outermost;

	/* A signature has bits 48 to 54: bit 55 says that the address is a program's, and Linux lets
	   programs use the highest byte. */
	registers.reg[WALK_X30] = 0x004d510000001234;
	registers.reg[WALK_FP] = 0x1000;
	assert_int_equal(step_by_link(&registers, &is_outermost), 0);
	assert_int_equal(is_outermost, 0);
	assert_true(registers.reg[WALK_PC] == 0x510000001234);
	/* Its call has overwritten what its caller's was. */
	assert_false(registers.known >> WALK_X30 & 1);
	assert_int_equal(step_by_link(&registers, &is_outermost), WALK_BAD_CFI);
	registers.reg[WALK_FP] = 0;
	assert_int_equal(step_by_link(&registers, &is_outermost), 0);
	assert_int_equal(is_outermost, 1);
	registers.known &= ~WALK_BIT(WALK_FP);
	assert_int_equal(step_by_link(&registers, &is_outermost), WALK_BAD_CFI);
}

/* A chain of frame pointers whose middle return address is signed, as with -mbranch-protection. */
static void test_signed_chain(void **state)
{
	static uint64_t stack[8];
	const struct walk_bounds bounds = { (uintptr_t)stack, (uintptr_t)(stack + 8) };
	struct walk_registers registers = { .known = WALK_BIT(WALK_N_REGISTERS) - 1 };
	static struct walk_path path;

	registers.reg[WALK_PC] = 0x1000;
	registers.reg[WALK_SP] = bounds.lo;
	registers.reg[WALK_FP] = (uintptr_t)(stack + 1);
	stack[1] = (uintptr_t)(stack + 5);
	stack[2] = 0x004d510000001234;
	stack[6] = 0x3000;
	assert_int_equal(walker_fp.walk(&registers, &bounds, UINT64_MAX, &path), 3);
	assert_true(path.frame[1].ip == 0x510000001234);
	assert_true(path.frame[2].ip == 0x3000);
}

/* glibc's resolver: the entry of the PLT has pushed x16 and x30, which the rows leave out. */
static void test_resolver(void **state)
{
	static uint64_t stack[8] = { [5] = 0x1234, [2] = 0x5678 };
	const struct walk_bounds bounds = { (uintptr_t)stack, (uintptr_t)(stack + 8) };
	struct walk_registers registers = { .known = WALK_BIT(WALK_N_REGISTERS) - 1 };
	struct cfi_row row = { .cfa = { .kind = CFI_REGISTER, .reg = WALK_SP, .value = 32 } };
	struct rule rule;
	int is_outermost;
	uint64_t cfa;

	row.rule[WALK_X30] = (struct cfi_rule){ .kind = CFI_OFFSET, .value = 8 };
	row.rule[WALK_FP] = (struct cfi_rule){ .kind = CFI_OFFSET, .value = -16 };
	row.set = WALK_BIT(WALK_X30) | WALK_BIT(WALK_FP);
	registers.reg[WALK_SP] = bounds.lo;
	assert_int_equal(cfi_step(&image, &row, &bounds, &registers, &cfa, &is_outermost), 0);
	assert_true(cfa == (uintptr_t)(stack + 6) && registers.reg[WALK_SP] == cfa);
	assert_int_equal(registers.reg[WALK_PC], 0x1234);
	assert_int_equal(registers.reg[WALK_FP], 0x5678);
	rule_compile(&image, &row, &rule);
	assert_int_equal(rule.cfa, 48);
	assert_int_equal(rule.ra, -8);
	assert_int_equal(rule.fp, -32);
	/* A row that counts from elsewhere, as longjmp's from its buffer, means what it says. */
	row.cfa.reg = WALK_X0;
	assert_int_equal(cfi_missing(&row, WALK_X30), 0);
}

static void test_signal_frame_bounds(void **state)
{
	static const uint32_t code[] = { 0xd2801168, 0xd4000001, 0xd2801168 };
	const uint8_t *at = (const uint8_t *)code;
	uint64_t stack[39 + WALK_N_REGISTERS];
	struct walk_registers registers = { .known = WALK_BIT(WALK_SP) };
	struct walk_bounds bounds = { (uintptr_t)stack,
		(uintptr_t)(stack + 38 + WALK_N_REGISTERS) };

	for (unsigned int i = 0; i < sizeof(stack) / sizeof(stack[0]); i++)
		stack[i] = i;
	registers.reg[WALK_SP] = bounds.lo;
	assert_int_equal(arch_leave_signal(at, at + 12, &bounds, &registers), 0);
	assert_true(registers.reg[WALK_SP] == bounds.lo);
	bounds.hi += 8;
	assert_int_equal(arch_leave_signal(at, at + 7, &bounds, &registers), 0);
	assert_int_equal(arch_leave_signal(at + 4, at + 12, &bounds, &registers), 0);
	registers.reg[WALK_X8] = 139;
	assert_int_equal(arch_leave_signal(at + 4, at + 12, &bounds, &registers), 0);
	registers.known |= WALK_BIT(WALK_X8);
	assert_int_equal(arch_leave_signal(at + 4, at + 7, &bounds, &registers), 0);
	registers.reg[WALK_X8] = 138;
	assert_int_equal(arch_leave_signal(at + 4, at + 12, &bounds, &registers), 0);
	assert_int_equal(arch_leave_signal(at + 8, at + 12, &bounds, &registers), 0);
	assert_int_equal(arch_leave_signal(at, at + 8, &bounds, &registers), 1);
	for (unsigned int i = 0; i < WALK_N_REGISTERS; i++)
		assert_int_equal(registers.reg[i], 39 + i);
	assert_true(registers.known == WALK_BIT(WALK_N_REGISTERS) - 1);
	registers.reg[WALK_SP] = bounds.lo;
	registers.reg[WALK_X8] = 139;
	assert_int_equal(arch_leave_signal(at + 4, at + 8, &bounds, &registers), 1);
}

static void test_constants(void **state)
{
	assert_int_equal(WALK_N_REGISTERS, 33);
	assert_int_equal(WALK_X28, 28);
	assert_int_equal(WALK_SP, 31);
	assert_true(WALK_PRESERVED == 0xbff80000);
	assert_int_equal(arch_ignores(0x2d), 1);
	assert_int_equal(arch_ignores(0x2c), 1);
	assert_int_equal(arch_ignores(0x2b), 0);
}

#define RECORDING(recorded)                                                                        \
	{                                                                                          \
		.name = recorded, .test_func = test_recording, .teardown_func = close_recording,   \
		.initial_state = (char *)recorded                                                  \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RECORDING("gcc-O0"),
		RECORDING("gcc-O2"),
		RECORDING("gcc-O2-omit"),
		RECORDING("gcc-O2-pac"),
		RECORDING("clang-Os"),
		RECORDING("clang-O2-omit"),
		RECORDING("clang-O2-pac"),
		RECORDING("bare-edges-O2"),
		RECORDING("bare-edges-O2-omit"),
		cmocka_unit_test(test_call_forms),
		cmocka_unit_test(test_link_register),
		cmocka_unit_test(test_signed_chain),
		cmocka_unit_test(test_resolver),
		cmocka_unit_test(test_signal_frame_bounds),
		cmocka_unit_test(test_constants),
	};

	return cmocka_run_group_tests_name("aarch64", tests, NULL, NULL);
}
