/* SPDX-License-Identifier: Apache-2.0 */
/* Code of AArch64, as binutils and compilers write it; the comments are objdump's. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/symbols/machine.h"
#include "src/symbols/symbols_elf.h"

enum { BASE = 0x400000, MOST = 32 };

static const struct machine *aarch64;

static const uint8_t *bytes(const uint32_t *words)
{
	return (const uint8_t *)words;
}

static void test_plt(void **state)
{
	static const uint32_t usual[] = { 0xa9bf7bf0, 0xf00000f0, 0xf947fe11, 0x913fe210,
		0xd61f0220, 0xd503201f, 0xd503201f, 0xd503201f,
		/* adrp x16, 20000; ldr x17, [x16, #8]; add x16, x16, #0x8; br x17 */
		0x90000110, 0xf9400611, 0x91002210, 0xd61f0220 };
	static const uint32_t guarded[] = { 0xd503245f, 0xa9bf7bf0, 0xf00000f0, 0xf947fe11,
		0x913fe210, 0xd61f0220, 0xd503201f, 0xd503201f,
		/* bti c; adrp x16, 420000; ldr x17, [x16]; add x16, x16, #0x0; br x17; nop */
		0xd503245f, 0x90000110, 0xf9400211, 0x91000210, 0xd61f0220, 0xd503201f };
	size_t header;

	(void)state;
	assert_int_equal(aarch64->plt_entry(bytes(usual), sizeof(usual), &header), 16);
	assert_int_equal(header, 32);
	assert_int_equal(aarch64->plt_slot(bytes(usual + 8), 16, 0x610), 0x20008);
	assert_int_equal(aarch64->plt_entry(bytes(guarded), sizeof(guarded), &header), 24);
	assert_int_equal(aarch64->plt_slot(bytes(guarded + 8), 24, 0x4005c0), 0x420000);
}

/* A word, and what it does. */
struct row {
	uint32_t word, writes;
	enum code_kind kind;
	uint64_t value;
};

#define X(n) (1u << (n))

static void test_instructions(void **state)
{
	static const struct row rows[] = {
		{ 0x9100a3f3, X(19), CODE_OTHER, 0 },                /* add x19, sp, #0x28 */
		{ 0x911e4001, X(1), CODE_COPY, 0x790 },              /* add x1, x0, #0x790 */
		{ 0x91400402, X(2), CODE_COPY, 0x1000 },             /* add x2, x0, #1, lsl #12 */
		{ 0xaa1303e1, X(1), CODE_COPY, 0 },                  /* mov x1, x19 */
		{ 0x2a1403e1, X(1), CODE_OTHER, 0 },                 /* mov w1, w20 */
		{ 0xf00000f4, X(20), CODE_ADDRESS, BASE + 0x1f000 }, /* adrp x20 */
		{ 0x10000040, X(0), CODE_ADDRESS, BASE + 8 },        /* adr x0, 8 */
		{ 0xf947f294, X(20), CODE_LOAD, 4064 },              /* ldr x20, [x20, #4064] */
		{ 0xf90017ff, 0, CODE_OTHER, 0 },                    /* str xzr, [sp, #40] */
		{ 0xfd000fe8, 0, CODE_OTHER, 0 },                    /* str d8, [sp, #24] */
		{ 0xa90153f3, 0, CODE_OTHER, 0 },                    /* stp x19, x20, [sp, #16] */
		{ 0xa94153f3, X(19) | X(20), CODE_OTHER, 0 },        /* ldp x19, x20, [sp, #16] */
		{ 0xf8408c20, X(0) | X(1), CODE_OTHER, 0 },          /* ldr x0, [x1, #8]! */
		{ 0xf8627820, X(0), CODE_OTHER, 0 },                 /* ldr x0, [x1, x2, lsl #3] */
		{ 0x1e604008, 0, CODE_OTHER, 0 },                    /* fmov d8, d0 */
		{ 0x9e660003, X(3), CODE_OTHER, 0 },                 /* fmov x3, d0 */
		{ 0x9e780004, X(4), CODE_OTHER, 0 },                 /* fcvtzs x4, d0 */
		{ 0x4e083c05, X(5), CODE_OTHER, 0 },                 /* mov x5, v0.d[0] */
		{ 0x4ea11c20, 0, CODE_OTHER, 0 },                    /* mov v0.16b, v1.16b */
		{ 0xeb01001f, 0, CODE_OTHER, 0 },                    /* cmp x0, x1 */
		{ 0xd53be042, X(2) | 7u << 16 | X(30), CODE_OTHER, 0 }, /* mrs x2, cntvct_el0 */
		{ 0x14000002, 0, CODE_JUMP, BASE + 8 },                 /* b 8 */
		{ 0x17ffffff, 0, CODE_JUMP, BASE - 4 },                 /* b -4 */
		{ 0x94000002, X(30), CODE_CALL, BASE + 8 },             /* bl 8 */
		{ 0xd63f0000, X(30), CODE_CALL, 0 },                    /* blr x0 */
		{ 0x54000041, 0, CODE_BRANCH, BASE + 8 },               /* b.ne 8 */
		{ 0xb4000040, 0, CODE_BRANCH, BASE + 8 },               /* cbz x0, 8 */
		{ 0x36080040, 0, CODE_BRANCH, BASE + 8 },               /* tbz w0, #1, 8 */
		{ 0xd61f0200, 0, CODE_JUMP, 0 },                        /* br x16 */
		{ 0xd65f03c0, 0, CODE_END, 0 },                         /* ret */
		{ 0xd65f0bff, 0, CODE_END, 0 },                         /* retaa */
		{ 0xd4200000, UINT32_MAX, CODE_END, 0 },                /* brk #0 */
		{ 0xd4000001, UINT32_MAX, CODE_OTHER, 0 },              /* svc #0 */
	};
	struct code_instruction code;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(aarch64->read(&code, bytes(&rows[i].word), 4, BASE), 1);
		/* The number of the stack pointer is that of no register. */
		assert_int_equal(
			code.writes & ~(rows[i].writes == UINT32_MAX ? 0 : X(31)), rows[i].writes);
		assert_int_equal(code.kind, rows[i].kind);
		assert_true(code.value == rows[i].value);
	}
	assert_int_equal(aarch64->read(&code, bytes(&(uint32_t){ 0 }), 4, BASE), 0);
	assert_int_equal(aarch64->read(&code, bytes(&rows[0].word), 3, BASE), 0);
}

/* A file that has these words as its code. */
static Elf *open_code(const uint32_t *words, size_t n)
{
	static struct {
		Elf64_Ehdr header;
		Elf64_Shdr section[2];
		uint32_t code[MOST];
	} file;

	memset(&file, 0, sizeof(file));
	file.header = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			EV_CURRENT },
		.e_type = ET_DYN,
		.e_machine = EM_AARCH64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(file.header),
		.e_shoff = offsetof(__typeof__(file), section),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 2,
	};
	file.section[1] = (Elf64_Shdr){
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		.sh_addr = BASE,
		.sh_offset = offsetof(__typeof__(file), code),
		.sh_size = n * sizeof(*words),
		.sh_addralign = 4,
	};
	memcpy(file.code, words, n * sizeof(*words));
	elf_version(EV_CURRENT);
	return elf_memory((char *)&file, sizeof(file));
}

/* The body that the last of these instructions passes to a function of this name. */
static uint64_t body_of(const uint32_t *words, size_t n, const char *callee)
{
	struct elf_call call = { .elf = open_code(words, n),
		.low = BASE,
		.high = BASE + n * sizeof(*words),
		.addr = BASE + n * sizeof(*words),
		.callee = callee };
	uint64_t body = elf_find_body(&call);

	elf_end(call.elf);
	return body;
}

static void test_loads(void **state)
{
	/* adrp x20; ldr x20, [x20, #4064]; mov x0, x20; bl */
	static const uint32_t table[] = { 0xf00000f4, 0xf947f294, 0xaa1403e0, 0x940000b5 };
	/* the same with `add x0, x20, #8` */
	static const uint32_t further[] = { 0xf00000f4, 0xf947f294, 0x91002280, 0x940000b5 };

	(void)state;
	assert_int_equal(body_of(table, 4, "GOMP_parallel"), BASE + 0x1f000 + 4064);
	assert_int_equal(body_of(further, 4, "GOMP_parallel"), 0);
}

static void test_bodies(void **state)
{
	/* adrp x0; adrp x2; add x0, x0, #0xc78; add x2, x2, #0x92c; str xzr, [sp, #8]; bl */
	static const uint32_t clang[] = { 0x90000080, 0x90000002, 0x9131e000, 0x9124b042,
		0xf90007ff, 0x940000b5 };
	/* the same with `cbz x0` to the second add before it */
	static const uint32_t branch[] = { 0xb4000080, 0x90000080, 0x90000002, 0x9131e000,
		0x9124b042, 0xf90007ff, 0x940000b5 };
	/* the same with `br x16` before it */
	static const uint32_t indirect[] = { 0xd61f0200, 0x90000080, 0x90000002, 0x9131e000,
		0x9124b042, 0xf90007ff, 0x940000b5 };

	(void)state;
	assert_int_equal(body_of(clang, 6, "__kmpc_fork_call"), BASE + 0x92c);
	assert_int_equal(body_of(clang, 6, "GOMP_parallel"), BASE + 0x10000 + 0xc78);
	assert_int_equal(body_of(clang, 6, "GOMP_barrier"), 0);
	assert_int_equal(body_of(branch, 7, "__kmpc_fork_call"), 0);
	assert_int_equal(body_of(indirect, 7, "__kmpc_fork_call"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plt),
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_bodies),
		cmocka_unit_test(test_loads),
	};

	aarch64 = machine_find(EM_AARCH64);
	return aarch64 ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
