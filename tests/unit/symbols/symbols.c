/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in this very program, in files that are none, and in damaged copies of it. */
#include <elf.h>
#include <config.h>

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/symbols/symbols.h"
#include "src/symbols/machine.h"
#include "src/symbols/symbols_dwarf.h"

static const struct symbols_options all = SYMBOLS_OPTIONS_DEFAULT;
static struct symbols_at at;
static char self[4096];

static int inner_line, outer_line;

/* Its return address is in the inlined_here() that called it, within outlined(). */
__attribute__((noinline)) static uint64_t return_address(void)
{
	return (uint64_t)__builtin_return_address(0);
}

static inline __attribute__((always_inline)) uint64_t inlined_here(void)
{
	uint64_t address = return_address();

	inner_line = __LINE__ - 2;
	return address - 1;
}

__attribute__((noinline)) static uint64_t outlined(void)
{
	uint64_t address = inlined_here();

	outer_line = __LINE__ - 2;
	return address + inner_line - inner_line;
}

/* What compilers make of `critical(named)`: a variable, and a call that is passed its address. */
static int named __asm__(".gomp_critical_user_named.var") __attribute__((used)) = 1;

#ifdef __x86_64__
__asm__(".section .bss\n"
	".type .gomp_critical_user_other.var, @object\n"
	".gomp_critical_user_other.var: .zero 32\n"
	".size .gomp_critical_user_other.var, 32\n"
	".text\n"
	".type __kmpc_critical_of_test, @function\n"
	"__kmpc_critical_of_test: mov (%rsp), %rax\n"
	"ret\n"
	".size __kmpc_critical_of_test, . - __kmpc_critical_of_test\n"
	".type enters_named, @function\n"
	"enters_named: lea .gomp_critical_user_other.var(%rip), %rax\n"
	"lea .gomp_critical_user_named.var(%rip), %rdx\n"
	"xor %esi, %esi\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_named, . - enters_named\n"
	/* The address is kept in a register. */
	".type enters_kept, @function\n"
	"enters_kept: lea .gomp_critical_user_other.var(%rip), %r11\n"
	"lea .gomp_critical_user_named.var(%rip), %r10\n"
	"mov %r10, %rdx\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_kept, . - enters_kept\n"
	/* The loader stores the address in a word. */
	".section .data.rel,\"aw\"\n"
	".Lword_of_named: .quad .gomp_critical_user_named.var\n"
	".text\n"
	".type enters_by_word, @function\n"
	"enters_by_word: mov .Lword_of_named(%rip), %rdx\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_by_word, . - enters_by_word\n"
	/* The register has held two addresses: the second; or also behind the call: unknown. */
	".type enters_any, @function\n"
	"enters_any: push %rbx\n"
	"lea .gomp_critical_user_other.var(%rip), %rbx\n"
	"lea .gomp_critical_user_named.var(%rip), %rbx\n"
	"mov %rbx, %rdx\n"
	"call __kmpc_critical_of_test\n"
	"pop %rbx\n"
	"ret\n"
	".size enters_any, . - enters_any\n"
	".type enters_again, @function\n"
	"enters_again: push %rbx\n"
	"lea .gomp_critical_user_named.var(%rip), %rbx\n"
	"1: mov %rbx, %rdx\n"
	"call __kmpc_critical_of_test\n"
	"lea .gomp_critical_user_other.var(%rip), %rbx\n"
	"test %rsp, %rsp\n"
	"js 1b\n"
	"pop %rbx\n"
	"ret\n"
	".size enters_again, . - enters_again\n"
	/* A function without a symbol, but with call frame information. */
	".Lnameless: .cfi_startproc\n"
	"nop\n"
	"nop\n"
	"nop\n"
	"ret\n"
	".cfi_endproc\n"
	".type inside_nameless, @function\n"
	"inside_nameless: lea 2+.Lnameless(%rip), %rax\n"
	"ret\n"
	".size inside_nameless, . - inside_nameless\n"
	/* Calls that begin a construct, and the body. */
	".type __kmpc_fork_call_of_test, @function\n"
	"__kmpc_fork_call_of_test: mov (%rsp), %rax\n"
	"ret\n"
	".size __kmpc_fork_call_of_test, . - __kmpc_fork_call_of_test\n"
	".type GOMP_parallel_of_test, @function\n"
	"GOMP_parallel_of_test: mov (%rsp), %rax\n"
	"ret\n"
	".size GOMP_parallel_of_test, . - GOMP_parallel_of_test\n"
	".type body_of_test, @function\n"
	"body_of_test: nop\n"
	"ret\n"
	".size body_of_test, . - body_of_test\n"
	".type forks, @function\n"
	"forks: lea body_of_test(%rip), %rdx\n"
	"lea 1+body_of_test(%rip), %rdi\n"
	"call __kmpc_fork_call_of_test\n"
	"ret\n"
	".size forks, . - forks\n"
	".type begins_parallel, @function\n"
	"begins_parallel: lea body_of_test(%rip), %rdi\n"
	"call GOMP_parallel_of_test\n"
	"ret\n"
	".size begins_parallel, . - begins_parallel\n"
	".type begins_inside, @function\n"
	"begins_inside: lea 1+body_of_test(%rip), %rdi\n"
	"call GOMP_parallel_of_test\n"
	"ret\n"
	".size begins_inside, . - begins_inside\n"
	/* The argument comes from memory. */
	".type enters_loaded, @function\n"
	"enters_loaded: lea .gomp_critical_user_named.var(%rip), %rdx\n"
	"mov (%rsp), %rax\n"
	"mov -8(%rsp), %rdx\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_loaded, . - enters_loaded\n"
	/* The register that is copied also gets something else: from memory, a pop, a copy. */
	".type enters_refilled, @function\n"
	"enters_refilled: lea .gomp_critical_user_named.var(%rip), %r10\n"
	"mov -8(%rsp), %r10\n"
	"mov %r10, %rdx\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_refilled, . - enters_refilled\n"
	".type enters_popped, @function\n"
	"enters_popped: push %rax\n"
	"lea .gomp_critical_user_named.var(%rip), %r10\n"
	"pop %r10\n"
	"mov %r10, %rdx\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_popped, . - enters_popped\n"
	".type enters_moved, @function\n"
	"enters_moved: lea .gomp_critical_user_named.var(%rip), %r10\n"
	"mov %rsi, %r10\n"
	"mov %r10, %rdx\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_moved, . - enters_moved\n"
	/* The argument itself: replaced by an instruction without a REX prefix, and by a call. */
	".type enters_replaced, @function\n"
	"enters_replaced: lea .gomp_critical_user_named.var(%rip), %rdx\n"
	"mov %eax, %edx\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_replaced, . - enters_replaced\n"
	".type enters_clobbered, @function\n"
	"enters_clobbered: lea .gomp_critical_user_named.var(%rip), %rdx\n"
	"call __kmpc_critical_of_test\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_clobbered, . - enters_clobbered\n"
	/* One of two, as a branch wants. */
	".type enters_either, @function\n"
	"enters_either: lea .gomp_critical_user_other.var(%rip), %rdx\n"
	"cmp %eax, %eax\n"
	"je 1f\n"
	"lea .gomp_critical_user_named.var(%rip), %rdx\n"
	"1: xor %esi, %esi\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_either, . - enters_either\n"
	/* The register is used again and again. */
	".type enters_latest, @function\n"
	"enters_latest: lea .gomp_critical_user_other.var(%rip), %rax\n"
	"mov %rax, %rdx\n"
	"call __kmpc_critical_of_test\n"
	"lea .gomp_critical_user_named.var(%rip), %rax\n"
	"mov %rax, %rdx\n"
	"call __kmpc_critical_of_test\n"
	"ret\n"
	".size enters_latest, . - enters_latest\n"
	/* Kept over a call and a branch, beside vectors that have the register's number. */
	".type enters_often, @function\n"
	"enters_often: push %rbx\n"
	"sub $0x10, %rsp\n"
	"movq $7, (%rsp)\n"
	"lea .gomp_critical_user_named.var(%rip), %rbx\n"
	"call return_address_of_test\n"
	"cmpb $3, 4(%rsp,%rax,1)\n"
	"jne 1f\n"
	"movaps %xmm1, %xmm3\n"
	"imul $1000, %rdi, %rdi\n"
	"1: mov %rbx, %rdx\n"
	"testb $1, %dil\n"
	"call __kmpc_critical_of_test\n"
	"add $0x10, %rsp\n"
	"pop %rbx\n"
	"ret\n"
	".size enters_often, . - enters_often\n"
	"return_address_of_test: ret\n");
uint64_t enters_refilled(void);
uint64_t enters_popped(void);
uint64_t enters_moved(void);
uint64_t enters_replaced(void);
uint64_t enters_clobbered(void);
uint64_t enters_either(void);
uint64_t enters_latest(void);
uint64_t enters_often(void);
uint64_t enters_named(void);
uint64_t enters_kept(void);
uint64_t enters_by_word(void);
uint64_t enters_any(void);
uint64_t enters_again(void);
uint64_t inside_nameless(void);
uint64_t forks(void);
uint64_t begins_parallel(void);
uint64_t begins_inside(void);
uint64_t enters_loaded(void);
#endif

static uint64_t to_file_address(uint64_t addr)
{
	Dl_info info;

	assert_int_not_equal(dladdr((void *)addr, &info), 0);
	return addr - (uint64_t)info.dli_fbase;
}

static struct symbols *opened(void **state)
{
	return *state;
}

static int set_up(void **state)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	*state = symbols_open(&all);
	return n < 0 || !*state ? -1 : 0;
}

static int tear_down(void **state)
{
	symbols_close(*state);
	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void test_missing_file(void **state)
{
	struct symbols_object object = { .path = "/nowhere/x" };

	for (uint64_t addr = 0x1234; addr < 0x1240; addr++)
		symbols_lookup(opened(state), &object, addr, &at);
	symbols_lookup(opened(state), &object, 0x1234, &at);
	assert_int_equal(at.n, 1);
	assert_string_equal(at.symbol[0].name, "0x1234");
	assert_string_equal(at.symbol[0].linkage, "0x1234");
	assert_string_equal(at.symbol[0].file, "");
	assert_string_equal(at.symbol[0].decl_file, "");
	assert_int_equal(at.symbol[0].line, 0);
	assert_string_equal(symbols_problem(opened(state), 0),
		"cannot name functions of '/nowhere/x': No such file or directory");
	assert_null(symbols_problem(opened(state), 1));
	assert_null(symbols_note(opened(state), 0));
}

static void test_no_elf_file(void **state)
{
	static const char *const paths[] = { "/", "/dev/null", "/proc/self/maps" };

	for (size_t i = 0; i < 3; i++) {
		struct symbols_object object = { .path = paths[i] };
		char expected[256];

		symbols_lookup(opened(state), &object, 1, &at);
		assert_string_equal(at.symbol[0].name, "0x1");
		snprintf(expected, sizeof(expected),
			"cannot name functions of '%s': not an ELF file", paths[i]);
		assert_string_equal(symbols_problem(opened(state), i), expected);
	}
}

static void test_changed_file(void **state)
{
	static const uint8_t build_id[20] = { 1, 2, 3 };
	struct symbols_object object = { self, build_id, sizeof(build_id), 0 };
	char expected[4300];

	symbols_lookup(opened(state), &object, 0x10, &at);
	assert_string_equal(at.symbol[0].name, "0x10");
	snprintf(expected, sizeof(expected),
		"cannot name functions of '%.300s': "
		"the file changed since the run (its build-id differs)",
		self);
	assert_string_equal(symbols_problem(opened(state), 0), expected);
}

static void test_mappings_without_file(void **state)
{
	static const char *const paths[] = { "[vdso]", "linux-vdso.so.1", "" };

	for (size_t i = 0; i < 3; i++) {
		struct symbols_object object = { .path = paths[i] };

		symbols_lookup(opened(state), &object, 0x730, &at);
		assert_string_equal(at.symbol[0].name, "0x730");
	}
	assert_null(symbols_problem(opened(state), 0));
}

static void test_inlined_call(void **state)
{
	struct symbols_object object = { .path = self };
	uint64_t addr = to_file_address(outlined());

	if (!symbols_has_lines(opened(state), &object)) {
		print_message("# built without -g\n");
		return;
	}
	symbols_lookup(opened(state), &object, addr, &at);
	assert_int_equal(at.n, 2);
	assert_string_equal(at.symbol[0].name, "inlined_here");
	assert_int_equal(at.symbol[0].line, inner_line);
	assert_string_equal(base_name(at.symbol[0].file), "symbols.c");
	assert_int_equal(at.symbol[0].is_inlined, 1);
	assert_string_equal(at.symbol[1].name, "outlined");
	assert_int_equal(at.symbol[1].line, outer_line);
	assert_string_equal(base_name(at.symbol[1].file), "symbols.c");
	assert_int_equal(at.symbol[1].is_inlined, 0);
	assert_int_equal(at.symbol[1].decl_line, outer_line - 2);
	assert_string_equal(base_name(at.symbol[1].decl_file), "symbols.c");
}

static void test_without_inlines(void **state)
{
	struct symbols_options options = { .demangle = 1 };
	struct symbols *symbols = symbols_open(&options);
	struct symbols_object object = { .path = self };

	assert_non_null(symbols);
	symbols_lookup(symbols, &object, to_file_address(outlined()), &at);
	assert_int_equal(at.n, 1);
	assert_string_equal(at.symbol[0].name, "outlined");
	if (symbols_has_lines(symbols, &object))
		assert_int_equal(at.symbol[0].line, outer_line);
	symbols_close(symbols);
}

static void test_equal_names_are_one_string(void **state)
{
	struct symbols_object object = { .path = self };
	uint64_t addr = to_file_address(outlined());
	const char *name;

	symbols_lookup(opened(state), &object, addr, &at);
	name = at.symbol[at.n - 1].name;
	symbols_lookup(opened(state), &object, addr - 1, &at);
	assert_ptr_equal(at.symbol[at.n - 1].name, name);
	symbols_lookup(opened(state), &object, addr, &at);
	assert_ptr_equal(at.symbol[at.n - 1].name, name);
}

static void test_variables(void **state)
{
	struct symbols_object object = { .path = self };
	uint64_t addr = to_file_address((uint64_t)&named);

	assert_string_equal(
		symbols_variable(opened(state), &object, addr), ".gomp_critical_user_named.var");
	assert_string_equal(symbols_variable(opened(state), &object, addr + sizeof(named) - 1),
		".gomp_critical_user_named.var");
	assert_null(symbols_variable(opened(state), &object, 1));
	object.path = "/nowhere";
	assert_null(symbols_variable(opened(state), &object, addr));
}

static void test_critical_section_of_a_call(void **state)
{
#ifdef __x86_64__
	struct symbols_object object = { .path = self };
	uint64_t addr = to_file_address(enters_named());

	assert_string_equal(
		symbols_critical(opened(state), &object, addr), ".gomp_critical_user_named.var");
	/* Not where a call returns to; another function's call; no address. */
	assert_null(symbols_critical(opened(state), &object, addr + 1));
	assert_null(symbols_critical(opened(state), &object, to_file_address(outlined()) + 1));
	assert_null(symbols_critical(opened(state), &object, 0));
	assert_null(symbols_critical(opened(state), &object, UINT64_MAX));
	addr = to_file_address(enters_kept());
	assert_string_equal(
		symbols_critical(opened(state), &object, addr), ".gomp_critical_user_named.var");
#ifdef __PIE__
	addr = to_file_address(enters_by_word());
	assert_string_equal(
		symbols_critical(opened(state), &object, addr), ".gomp_critical_user_named.var");
#endif
	addr = to_file_address(enters_any());
	assert_string_equal(
		symbols_critical(opened(state), &object, addr), ".gomp_critical_user_named.var");
	addr = to_file_address(enters_again());
	assert_null(symbols_critical(opened(state), &object, addr));
	addr = to_file_address(enters_loaded());
	assert_null(symbols_critical(opened(state), &object, addr));
#else
	skip();
#endif
}

/* All code of a function without a symbol has one name: where the function begins. */
static void test_function_without_a_symbol(void **state)
{
#ifdef __x86_64__
	struct symbols_object object = { .path = self };
	uint64_t inside = to_file_address(inside_nameless());
	char begin[32];

	snprintf(begin, sizeof(begin), "0x%llx", (unsigned long long)inside - 2);
	for (uint64_t addr = inside - 2; addr < inside + 2; addr++) {
		symbols_lookup(opened(state), &object, addr, &at);
		assert_string_equal(at.symbol[at.n - 1].name, begin);
	}
#else
	skip();
#endif
}

static void test_body_of_a_construct(void **state)
{
#ifdef __x86_64__
	struct symbols_object object = { .path = self };
	struct symbols *symbols = opened(state);
	struct symbol body;

	assert_int_equal(symbols_body(symbols, &object, to_file_address(forks()), &body), 1);
	assert_string_equal(body.name, "body_of_test");
	/* Once more, as it is remembered now. */
	assert_int_equal(symbols_body(symbols, &object, to_file_address(forks()), &body), 1);
	assert_string_equal(body.name, "body_of_test");
	assert_int_equal(
		symbols_body(symbols, &object, to_file_address(begins_parallel()), &body), 1);
	assert_string_equal(body.name, "body_of_test");
	/* The address is no function's; the call is another one; there is no call. */
	assert_int_equal(
		symbols_body(symbols, &object, to_file_address(begins_inside()), &body), 0);
	assert_int_equal(symbols_body(symbols, &object, to_file_address(enters_named()), &body), 0);
	assert_int_equal(symbols_body(symbols, &object, to_file_address(outlined()), &body), -1);
	assert_int_equal(symbols_body(symbols, &object, 0, &body), -1);
#else
	skip();
#endif
}

/* A function's first row is its own, whatever else begins at its first instruction. */
static void test_begin_of_a_function(void **state)
{
	struct symbols_object object = { .path = self };
	struct symbol function;

	assert_int_equal(
		symbols_begin(opened(state), &object, to_file_address(outlined()), &function), 1);
	assert_string_equal(function.name, "outlined");
	assert_int_not_equal(function.line, 0);
	assert_int_equal(symbols_begin(opened(state), &object, UINT64_MAX, &function), 0);
}

static void test_instructions(void **state)
{
	static const struct {
		const char *bytes;
		uint32_t writes;
		enum code_kind kind;
		uint64_t value;
		unsigned length; /* 0: not known */
	} rows[] = {
		{ "\x48\x8d\x15\x10\0\0\0", 1 << 2, CODE_ADDRESS, 0x1017, 7 },
		{ "\xbf\x10\x20\x40\0", 1 << 7, CODE_ADDRESS, 0x402010, 5 },
		{ "\x48\x89\xda", 1 << 2, CODE_COPY, 0, 3 },
		{ "\x89\xda", 1 << 2, CODE_OTHER, 0, 2 },
		{ "\x48\x8b\x54\x24\x08", 1 << 2, CODE_OTHER, 0, 5 },
		{ "\x41\x5a", 1 << 10, CODE_OTHER, 0, 2 },
		{ "\x88\xc6", 1 << 2, CODE_OTHER, 0, 2 },                   /* %al to %dh */
		{ "\x40\x88\xc6", 1 << 6, CODE_OTHER, 0, 3 },               /* %al to %sil */
		{ "\x48\xbd\1\2\3\4\5\6\7\x8", 1 << 5, CODE_OTHER, 0, 10 }, /* movabs to %rbp */
		{ "\x66\x0f\x3a\x63\xc1\x1a", 1 << 1, CODE_OTHER, 0, 6 },   /* pcmpistri */
		{ "\xf7\xf1", 1 << 0 | 1 << 2, CODE_OTHER, 0, 2 },          /* div */
		{ "\x0f\xca", 1 << 2, CODE_OTHER, 0, 2 },                   /* bswap %edx */
		{ "\x66\x66\x48\xe8\1\0\0\0", 0, CODE_CALL, 0x1009, 8 },
		{ "\x67\xe8\1\0\0\0", 0, CODE_CALL, 0x1007, 6 },
		{ "\xc2\x08\0", 0, CODE_END, 0, 3 },
		{ "\x48\x83\xfa\x01", 0, CODE_OTHER, 0, 4 },
		{ "\xc5\xf8\x28\xda", 0, CODE_OTHER, 0, 4 },
		{ "\xc5\xfd\xd7\xd0", 1 << 2, CODE_OTHER, 0, 4 },
		{ "\x62\xf1\x7c\x48\x10\x50\x01", 0, CODE_OTHER, 0, 7 },
		{ "\x0f\x84\xfa\xff\xff\xff", 0, CODE_BRANCH, 0x1000, 6 },
		{ "\xeb\x02", 0, CODE_JUMP, 0x1004, 2 },
		{ "\xff\xe0", 0, CODE_JUMP, 0, 2 },
		{ "\xff\xd0", 0, CODE_CALL, 0, 2 },
		{ "\x66\x0f\x1f\x44\0\0", 0, CODE_OTHER, 0, 6 },
		{ "\x06", 0, CODE_OTHER, 0, 0 },
	};

	int (*read)(struct code_instruction *, const uint8_t *, size_t, uint64_t) =
		machine_find(EM_X86_64)->read;

	(void)state;
	assert_null(machine_find(EM_NONE));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned char *bytes = (const unsigned char *)rows[i].bytes;
		struct code_instruction code;

		assert_int_equal(read(&code, bytes, rows[i].length ? rows[i].length : 1, 0x1000),
			rows[i].length != 0);
		if (!rows[i].length)
			continue;
		assert_int_equal(code.length, rows[i].length);
		assert_int_equal(code.kind, rows[i].kind);
		assert_int_equal(code.writes, rows[i].writes);
		assert_int_equal(code.value, rows[i].value);
		/* Not without its last byte. */
		assert_false(read(&code, bytes, rows[i].length - 1, 0x1000));
	}
}

/* A wrong name is worse than none. */
static void test_critical_section_that_is_not_plain(void **state)
{
#ifdef __x86_64__
	static uint64_t (*const functions[])(void) = { enters_refilled, enters_popped, enters_moved,
		enters_replaced, enters_clobbered, enters_either };
	struct symbols_object object = { .path = self };
	const char *name;

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		name = symbols_critical(opened(state), &object, to_file_address(functions[i]()));
		if (name)
			fail_msg("function %zu: %s", i, name);
	}
	name = symbols_critical(opened(state), &object, to_file_address(enters_latest()));
	assert_string_equal(name, ".gomp_critical_user_named.var");
	name = symbols_critical(opened(state), &object, to_file_address(enters_often()));
	assert_string_equal(name, ".gomp_critical_user_named.var");
#else
	skip();
#endif
}

static void test_address_outside(void **state)
{
	struct symbols_object object = { .path = self };

	symbols_lookup(opened(state), &object, UINT64_MAX, &at);
	assert_int_equal(at.n, 1);
	assert_string_equal(at.symbol[0].name, "0xffffffffffffffff");
	assert_null(symbols_problem(opened(state), 0));
}

static char *read_self(size_t *n)
{
	FILE *file = fopen(self, "rb");
	char *bytes = malloc(64 << 20);

	assert_non_null(file);
	assert_non_null(bytes);
	*n = fread(bytes, 1, 64 << 20, file);
	fclose(file);
	return bytes;
}

static size_t n_said; /* by the latest look_into(): problems and notes, 0 to 2 */

/* Looks addresses up in `n` bytes as a file. Returns how many were more than an address. */
static size_t look_into(const char *bytes, size_t n)
{
	char path[] = "/tmp/ompprof-symbols-XXXXXX";
	struct symbols *symbols = symbols_open(&all);
	struct symbols_object object = { .path = path };
	uint64_t addr = to_file_address((uint64_t)look_into);
	size_t n_named = 0;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
	for (int i = -64; i < 64; i++) {
		symbols_lookup(symbols, &object, addr + 16 * i, &at);
		assert_true(at.n >= 1 && at.n <= SYMBOLS_MAX_DEPTH);
		for (size_t k = 0; k < at.n; k++)
			assert_true(at.symbol[k].name && *at.symbol[k].name);
		n_named += strncmp(at.symbol[0].name, "0x", 2) != 0;
	}
	n_said = (symbols_problem(symbols, 0) != NULL) + (symbols_note(symbols, 0) != NULL);
	symbols_close(symbols);
	unlink(path);
	return n_named;
}

/* Without its end a file has no section headers, so nothing is found. */
static void test_truncated_file(void **state)
{
	size_t n;
	char *bytes = read_self(&n);

	assert_true(look_into(bytes, n) > 0);
	for (size_t i = 0; i < 24; i++) {
		assert_int_equal(look_into(bytes, n / 24 * i + i), 0);
		assert_int_equal(n_said, 1);
	}
	free(bytes);
}

/* Always the same bytes: xorshift, seeded. */
static void test_damaged_file(void **state)
{
	uint64_t random = 88172645463325252;
	size_t n;
	char *bytes = read_self(&n);
	char *copy = malloc(n);

	assert_non_null(copy);
	for (int round = 0; round < 48; round++) {
		memcpy(copy, bytes, n);
		for (int i = 0; i < 1 << round % 10; i++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			copy[64 + random % (n - 64)] = random >> 40;
		}
		look_into(copy, n);
	}
	free(copy);
	free(bytes);
}

static int is_out; /* no memory is left for ranges of units */

void *__real_reallocarray(void *items, size_t n, size_t bytes);
void *__wrap_reallocarray(void *items, size_t n, size_t bytes);

void *__wrap_reallocarray(void *items, size_t n, size_t bytes)
{
	if (is_out && bytes == sizeof(struct dwarf_range))
		return NULL;
	return __real_reallocarray(items, n, bytes);
}

/* Units are missing then, and the caller has to be told. */
static void test_out_of_memory(void **state)
{
	struct symbols_object object = { .path = self };
	char expected[8192];

	is_out = 1;
	symbols_lookup(opened(state), &object, to_file_address((uint64_t)outlined), &at);
	is_out = 0;
	snprintf(expected, sizeof(expected),
		"out of memory: lines and inlined calls of '%s' may be missing", self);
	assert_non_null(symbols_problem(opened(state), 0));
	assert_string_equal(symbols_problem(opened(state), 0), expected);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_missing_file),
		CASE(test_no_elf_file),
		CASE(test_changed_file),
		CASE(test_mappings_without_file),
		CASE(test_inlined_call),
		CASE(test_without_inlines),
		CASE(test_equal_names_are_one_string),
		CASE(test_variables),
		CASE(test_critical_section_of_a_call),
		CASE(test_critical_section_that_is_not_plain),
		CASE(test_function_without_a_symbol),
		CASE(test_body_of_a_construct),
		CASE(test_begin_of_a_function),
		CASE(test_instructions),
		CASE(test_address_outside),
		CASE(test_truncated_file),
		CASE(test_damaged_file),
		CASE(test_out_of_memory),
	};

	return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
