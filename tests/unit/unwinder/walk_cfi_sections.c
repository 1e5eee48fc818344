/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call frame information of linked programs, without a search table: program_shapes.c as
 * compilers and linkers write its .debug_frame, and its .eh_frame without .eh_frame_hdr. Its symbol
 * table says which functions there are; both programs must have the same rows for each.
 */
#include "unwinder/core/cfi.h"

#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define BIAS 0x7f1234567000u

#define MAX_ROWS 64

struct program {
	const char *name;
	const uint8_t *file;
	const Elf64_Ehdr *header;
	const Elf64_Shdr *sections;
};

/* The frame description of one function, as far as two programs have it in common. */
struct shape {
	uint64_t size_bytes;
	unsigned int n_rows;
	struct {
		uint64_t offset;
		struct cfi_row row;
	} rows[MAX_ROWS];
};

static struct program debug_frame = { .name = "tests/walker/shapes_debug_frame" };
static struct program no_hdr = { .name = "tests/walker/shapes_no_hdr" };

static int open_program(struct program *p)
{
	char path[4096];
	struct stat about;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", getenv("builddir") ? getenv("builddir") : ".",
		p->name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &about) != 0)
		return -1;
	p->file = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p->file == MAP_FAILED)
		return -1;
	p->header = (const Elf64_Ehdr *)p->file;
	p->sections = (const Elf64_Shdr *)(p->file + p->header->e_shoff);
	return 0;
}

static int setup(void **state)
{
	return open_program(&debug_frame) == 0 && open_program(&no_hdr) == 0 ? 0 : -1;
}

static const Elf64_Shdr *find_section(const struct program *p, const char *name)
{
	const char *names = (const char *)p->file + p->sections[p->header->e_shstrndx].sh_offset;

	for (unsigned int i = 0; i < p->header->e_shnum; i++)
		if (strcmp(names + p->sections[i].sh_name, name) == 0)
			return &p->sections[i];
	return NULL;
}

/* The function that a symbol names, or NULL if it names none of program_shapes.c. */
static const char *shape_name(const struct program *p, const Elf64_Sym *symbol)
{
	const Elf64_Shdr *strings = find_section(p, ".strtab");
	const char *name = (const char *)p->file + strings->sh_offset + symbol->st_name;

	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_size == 0)
		return NULL;
	return strncmp(name, "shape", 5) == 0 ? name : NULL;
}

static const Elf64_Sym *symbols(const struct program *p, size_t *n)
{
	const Elf64_Shdr *table = find_section(p, ".symtab");

	assert_non_null(table);
	*n = table->sh_size / sizeof(Elf64_Sym);
	return (const Elf64_Sym *)(p->file + table->sh_offset);
}

/* The symbol of the function [begin, end), or NULL. */
static const Elf64_Sym *find_symbol(const struct program *p, uint64_t begin, uint64_t end)
{
	size_t n;
	const Elf64_Sym *all = symbols(p, &n);

	for (size_t i = 0; i < n; i++)
		if (shape_name(p, &all[i]) && all[i].st_value == begin &&
			all[i].st_value + all[i].st_size == end)
			return &all[i];
	return NULL;
}

static void open_section(const struct program *p, const char *name, struct cfi_image *image)
{
	const Elf64_Shdr *section = find_section(p, name);

	assert_non_null(section);
	cfi_image_init_section(image, p->file + section->sh_offset, section->sh_size,
		section->sh_addr, strcmp(name, ".debug_frame") == 0);
	image->bias = BIAS;
}

/* Each function of program_shapes.c has one frame description. */
static void check_functions(const struct program *p, const char *section)
{
	struct cfi_image image;
	struct cfi_fde fde;
	uint64_t address;
	size_t n, n_wanted = 0, n_found = 0;
	const Elf64_Sym *all = symbols(p, &n);
	int found;

	for (size_t i = 0; i < n; i++)
		n_wanted += shape_name(p, &all[i]) != NULL;
	assert_true(n_wanted > 10);
	open_section(p, section, &image);
	address = image.section;
	while ((found = cfi_next_fde(&image, &address, &fde)) == 1)
		n_found += find_symbol(p, fde.begin - BIAS, fde.end - BIAS) != NULL;
	assert_int_equal(found, 0);
	assert_int_equal(n_found, n_wanted);
}

static void test_debug_frame(void **state)
{
	if (!find_section(&debug_frame, ".debug_frame")) {
		print_message("the compiler wrote no .debug_frame\n");
		skip();
	}
	check_functions(&debug_frame, ".debug_frame");
}

static void test_without_header(void **state)
{
	if (find_section(&no_hdr, ".eh_frame_hdr")) {
		print_message("the linker wrote an .eh_frame_hdr\n");
		skip();
	}
	check_functions(&no_hdr, ".eh_frame");
}

static void take_rows(struct cfi_image *image, const struct cfi_fde *fde, struct shape *shape)
{
	static struct cfi_rows rows;
	int more;

	shape->size_bytes = fde->end - fde->begin;
	shape->n_rows = 0;
	cfi_rows_begin(&rows, image, fde);
	while ((more = cfi_rows_next(&rows)) == 1) {
		assert_true(shape->n_rows < MAX_ROWS);
		shape->rows[shape->n_rows].offset = rows.from - fde->begin;
		shape->rows[shape->n_rows++].row = rows.row;
	}
	assert_int_equal(more, 0);
}

static int find_shape(
	const struct program *p, const char *section, const char *name, struct shape *shape)
{
	struct cfi_image image;
	struct cfi_fde fde;
	const Elf64_Sym *symbol;
	uint64_t address;

	open_section(p, section, &image);
	address = image.section;
	while (cfi_next_fde(&image, &address, &fde) == 1) {
		symbol = find_symbol(p, fde.begin - BIAS, fde.end - BIAS);
		if (!symbol || strcmp(shape_name(p, symbol), name) != 0)
			continue;
		take_rows(&image, &fde, shape);
		return 1;
	}
	return 0;
}

/* Rows that hold expressions have them at different places. */
static void assert_same_rule(const struct cfi_rule *a, const struct cfi_rule *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->reg, b->reg);
	if (a->kind != CFI_EXPRESSION && a->kind != CFI_VAL_EXPRESSION)
		assert_int_equal(a->value, b->value);
}

static void assert_same_shape(const struct shape *a, const struct shape *b)
{
	assert_int_equal(a->size_bytes, b->size_bytes);
	assert_int_equal(a->n_rows, b->n_rows);
	for (unsigned int i = 0; i < a->n_rows; i++) {
		assert_int_equal(a->rows[i].offset, b->rows[i].offset);
		assert_true(a->rows[i].row.set == b->rows[i].row.set);
		assert_same_rule(&a->rows[i].row.cfa, &b->rows[i].row.cfa);
		for (int r = 0; r < WALK_N_REGISTERS; r++)
			assert_same_rule(&a->rows[i].row.rule[r], &b->rows[i].row.rule[r]);
	}
}

static void test_same_rows(void **state)
{
	static struct shape a, b;
	size_t n, n_rows = 0;
	const Elf64_Sym *all = symbols(&debug_frame, &n);

	if (!find_section(&debug_frame, ".debug_frame"))
		skip();
	for (size_t i = 0; i < n; i++) {
		const char *name = shape_name(&debug_frame, &all[i]);

		if (!name)
			continue;
		assert_true(find_shape(&debug_frame, ".debug_frame", name, &a));
		assert_true(find_shape(&no_hdr, ".eh_frame", name, &b));
		assert_same_shape(&a, &b);
		n_rows += a.n_rows;
	}
	assert_true(n_rows > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_debug_frame),
		cmocka_unit_test(test_without_header),
		cmocka_unit_test(test_same_rows),
	};

	return cmocka_run_group_tests_name("cfi sections", tests, setup, NULL);
}
