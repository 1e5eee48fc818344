/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds functions by their symbols; see objects_functions.h. Not for the signal handler: allocates,
 * by mmap.
 */
#include "unwinder/prepare/objects_functions.h"

#include <elf.h>
#include "unwinder/core/table_memory.h"

enum {
	MAX_ROWS_EACH = 512,     /* most rows of one function */
	ROWS_EACH = 16,          /* room for the rows of a function, on average */
	MAX_FUNCTIONS = 1 << 20, /* functions of one object */
	MIN_ROWS = 4 * MAX_ROWS_EACH,
};

/*
 * The number of symbols by DT_GNU_HASH: up to the last symbol of the last chain. 0 if the table is
 * wrong.
 */
static size_t count_by_hash(const uint32_t *hash, const uint32_t *end)
{
	const uint32_t *buckets, *chains;
	uint32_t n_buckets, last = 0;

	if (end - hash < 4)
		return 0;
	n_buckets = hash[0];
	if (hash[2] > (size_t)(end - hash - 4) / 2)
		return 0;
	buckets = hash + 4 + 2 * (size_t)hash[2];
	if (n_buckets > (size_t)(end - buckets))
		return 0;
	chains = buckets + n_buckets;
	for (uint32_t i = 0; i < n_buckets; i++)
		last = buckets[i] > last ? buckets[i] : last;
	if (last < hash[1])
		return hash[1];
	while (last - hash[1] < (size_t)(end - chains) && !(chains[last - hash[1]] & 1))
		last++;
	return (size_t)last + 1;
}

struct objects_symbols objects_dynamic_symbols(
	const struct link_map *object, uint64_t lo, uint64_t hi)
{
	struct objects_symbols symbols = { .bias = object->l_addr };
	uint64_t table = 0, gnu_hash = 0, hash = 0;

	for (const ElfW(Dyn) *entry = object->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
		uint64_t address = entry->d_un.d_ptr;

		/* The loader has made addresses of the offsets in most objects, but not in every
		   object. */
		if (address < lo)
			address += object->l_addr;
		if (entry->d_tag == DT_SYMTAB)
			table = address;
		else if (entry->d_tag == DT_GNU_HASH)
			gnu_hash = address;
		else if (entry->d_tag == DT_HASH)
			hash = address;
	}
	if (table < lo || table >= hi || table % 8 != 0)
		return symbols;
	if (gnu_hash >= lo && gnu_hash < hi && gnu_hash % 4 == 0)
		symbols.n = count_by_hash((const uint32_t *)(uintptr_t)gnu_hash,
			(const uint32_t *)(uintptr_t)(hi & ~UINT64_C(3)));
	else if (hash >= lo && hash < hi - 8 && hash % 4 == 0)
		symbols.n = ((const uint32_t *)(uintptr_t)hash)[1];
	if (symbols.n > (hi - table) / sizeof(ElfW(Sym)))
		symbols.n = 0;
	symbols.first = (const ElfW(Sym) *)(uintptr_t)table;
	return symbols;
}

/* Whether a symbol is a function in code that has no rule. If so, stores it in *to. */
static int take_function(const struct table *table, const struct objects_symbols *symbols,
	const ElfW(Sym) *symbol, uint64_t lo, uint64_t hi, struct table_function *to)
{
	uint64_t begin = symbol->st_value + symbols->bias, gap_lo, gap_hi;

	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
		begin < lo || begin >= hi || symbol->st_size == 0 || symbol->st_size > hi - begin ||
		!table_gap(table, begin, &gap_lo, &gap_hi))
		return 0;
	to->begin = (uint32_t)(begin - lo);
	to->size = (uint32_t)(symbol->st_size < gap_hi - begin ? symbol->st_size : gap_hi - begin);
	to->row = 0;
	return 1;
}

/* The order of functions: by address, at one address the longest first. */
static int is_before(const void *left, const void *right)
{
	const struct table_function *a = left, *b = right;

	return a->begin != b->begin ? a->begin < b->begin : a->size > b->size;
}

/* Leaves the first function of each address, up to the begin of the next. Returns their number. */
static uint32_t separate(struct table_function *functions, size_t n)
{
	uint32_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (kept == 0 || functions[kept - 1].begin != functions[i].begin)
			functions[kept++] = functions[i];
	for (uint32_t i = 0; i + 1 < kept; i++)
		if (functions[i].size > functions[i + 1].begin - functions[i].begin)
			functions[i].size = functions[i + 1].begin - functions[i].begin;
	return kept;
}

/* Makes the rows of n functions; functions[n].row becomes the number of all rows. */
static void read_rows(struct table_function *functions, uint32_t n, uint64_t lo,
	struct code_row *rows, uint32_t room)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *code = (const uint8_t *)(uintptr_t)(lo + functions[i].begin);
		/* At least one row is left for each function behind it. */
		uint32_t left = room - at - (n - i - 1);

		functions[i].row = at;
		at += code_rows_read(code, functions[i].size, rows + at,
			left < MAX_ROWS_EACH ? left : MAX_ROWS_EACH);
	}
	functions[n] = (struct table_function){ .row = at };
}

void objects_add_functions(struct table *table, const struct objects_symbols *symbols, uint64_t lo,
	uint64_t hi, struct table_scratch *scratch)
{
	struct table_function *functions;
	struct code_row *rows = NULL;
	size_t n = 0;
	uint32_t kept, room;

	if (!table->memory || table->n_functions || symbols->n == 0 || hi <= lo ||
		hi - lo > UINT32_MAX || symbols->n > MAX_FUNCTIONS)
		return;
	functions = scratch_reserve(&scratch->functions, (symbols->n + 1) * sizeof(*functions));
	if (!functions)
		return;
	for (size_t i = 0; i < symbols->n; i++)
		n += (size_t)take_function(
			table, symbols, &symbols->first[i], lo, hi, &functions[n]);
	sort_in_place(functions, n, sizeof(*functions), is_before);
	kept = separate(functions, n);
	room = kept * ROWS_EACH + MIN_ROWS;
	if (kept)
		rows = scratch_reserve(&scratch->code_rows, room * sizeof(*rows));
	if (rows) {
		read_rows(functions, kept, lo, rows, room);
		table_add_functions(table, lo, functions, kept, rows);
	}
}
