/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles tables; see table.h. Not for the signal handler: allocates, by mmap. */
#include "unwinder/core/table.h"

#include <string.h>

#define HASH_SLOTS    (1u << 17) /* twice the largest number of rules */
#define MAX_RULES     (1u << 16)
#define FIRST_SLOTS   (1u << 10) /* of the hash, at first: few rules shall touch few pages */
#define FIRST_ROWS    4096
#define FIRST_ENTRIES 2048
#define MAX_ROWS      (1u << 28)
#define MAX_CODE      (UINT64_C(1) << 31) /* the most bytes that one table covers */
#define MAX_CODE_ROWS 64                  /* of a function with an empty description */
#define PADDING_BYTES 31
#define BLOCK_BYTES   (1u << TABLE_BLOCK_SHIFT)
#define N_KNOWN       256 /* a power of two */

struct entry {
	uint64_t begin;
	uint64_t address;
	uint32_t source;
};

/* A usual row, as number_of_row makes its key, and the number of its rule. */
struct known {
	uint64_t key[2];
	uint16_t number; /* 0: the entry is empty */
};

struct builder {
	struct table_scratch *scratch;
	const struct table_code *code;
	struct entry *entries;
	size_t n_entries;
	uint64_t lo; /* as in struct table, like the next three */
	uint64_t size;
	uint64_t covered;
	uint64_t in_gaps;
	uint64_t at;       /* offset; the rows up to here are made */
	uint32_t n_blocks; /* entries of `index` that are filled */
	uint32_t *index;
	struct table_row *rows;
	uint32_t n_rows;
	struct rule *rules;
	uint32_t n_rules;
	uint16_t *hash; /* rule numbers; 0: free */
	/* the part of `hash` that is in use: a power of two, and less than half of it is full */
	uint32_t n_slots;
	struct known known[N_KNOWN];
	int failed;
};

static size_t index_entries(uint64_t size)
{
	return (size_t)((size + BLOCK_BYTES - 1) >> TABLE_BLOCK_SHIFT) + 1;
}

static uint32_t hash_of(const struct rule *rule)
{
	uint64_t words[2];

	memcpy(words, rule, sizeof(words));
	words[0] = (words[0] ^ words[1] >> 29) * UINT64_C(0x9e3779b97f4a7c15);
	words[0] = (words[0] ^ words[1]) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(words[0] >> 40);
}

/* The slot of the rule, or the free slot for it. Ends, since the hash is never full. */
static uint16_t *slot_of(const struct builder *b, const struct rule *rule)
{
	uint32_t slot = hash_of(rule) & (b->n_slots - 1);

	while (b->hash[slot] && memcmp(&b->rules[b->hash[slot]], rule, sizeof(*rule)) != 0)
		slot = (slot + 1) & (b->n_slots - 1);
	return &b->hash[slot];
}

static void grow_hash(struct builder *b)
{
	b->n_slots *= 2;
	memset(b->hash, 0, b->n_slots * sizeof(b->hash[0]));
	for (uint32_t i = 1; i < b->n_rules; i++)
		*slot_of(b, &b->rules[i]) = (uint16_t)i;
}

/* The number of a rule. A new rule is added. */
static uint16_t number_of(struct builder *b, const struct rule *rule)
{
	uint16_t *slot;

	if (rule->kind == RULE_NONE)
		return 0;
	slot = slot_of(b, rule);
	if (*slot)
		return *slot;
	if (b->n_rules == MAX_RULES) {
		b->failed = 1;
		return 0;
	}
	b->rules[b->n_rules] = *rule;
	*slot = (uint16_t)b->n_rules++;
	if (2 * b->n_rules >= b->n_slots && b->n_slots < HASH_SLOTS)
		grow_hash(b);
	return (uint16_t)(b->n_rules - 1);
}

/*
 * The number of a row's rule. The rule of a usual row follows from four numbers: its CFA is counted
 * from a register, the return address and perhaps the frame pointer are in memory at the CFA, and
 * everything else is unchanged. `known` has the latest usual rows by these numbers.
 */
static uint16_t number_of_row(
	struct builder *b, const struct cfi_image *image, const struct cfi_row *row)
{
	const struct cfi_rule *fp = &row->rule[WALK_FP], *ra;
	struct known *known;
	struct rule rule;
	uint64_t key[2];
	uint16_t number;
	int is_usual;

	ra = &row->rule[image->cie.return_register];
	is_usual = !image->cie.is_signal && !row->is_mixed && row->cfa.kind == CFI_REGISTER &&
		   row->rule[WALK_SP].kind == CFI_SAME && ra->kind == CFI_OFFSET &&
		   (fp->kind == CFI_SAME || (fp->kind == CFI_OFFSET && fp->value != 0));
	key[0] = (uint32_t)row->cfa.value |
		 (uint64_t)(uint32_t)(fp->kind == CFI_SAME ? 0 : fp->value) << 32;
	key[1] = (uint32_t)ra->value | (uint64_t)row->cfa.reg << 32;
	known = &b->known[(key[0] + key[1] * 31) * UINT64_C(0x9e3779b97f4a7c15) >> 32 &
			  (N_KNOWN - 1)];
	if (is_usual && known->number && known->key[0] == key[0] && known->key[1] == key[1])
		return known->number;
	rule_compile(image, row, &rule);
	number = number_of(b, &rule);
	if (is_usual)
		*known = (struct known){ .key = { key[0], key[1] }, .number = number };
	return number;
}

static void add_row(struct builder *b, uint64_t offset, uint16_t rule)
{
	struct scratch *room = &b->scratch->rows;

	while (b->n_blocks <= offset >> TABLE_BLOCK_SHIFT)
		b->index[b->n_blocks++] = b->n_rows;
	if (b->n_rows == room->n_bytes / sizeof(b->rows[0])) {
		void *rows = b->n_rows < MAX_ROWS ? scratch_double(room) : NULL;

		if (!rows) {
			b->failed = 1;
			return;
		}
		b->rows = rows;
	}
	b->rows[b->n_rows++] = (struct table_row){ .offset = (uint16_t)(offset & (BLOCK_BYTES - 1)),
		.rule = rule };
}

/*
 * Adds a row with this rule for [from, to), and a row without a rule if there is space before it.
 */
static void add_range(struct builder *b, uint64_t from, uint64_t to, uint16_t number)
{
	from -= b->lo;
	to -= b->lo;
	if (from > b->at && b->rows[b->n_rows - 1].rule != 0)
		add_row(b, b->at, 0);
	if (from > b->at + PADDING_BYTES)
		b->in_gaps += from - b->at;
	if (!b->failed && b->rows[b->n_rows - 1].rule != number)
		add_row(b, from, number);
	b->at = to;
	b->covered += to - from;
}

/* Makes a rule of what a function's instructions say. Returns 0 if that is not enough. */
static int rule_of_code(const struct code_row *row, struct rule *rule)
{
	if ((row->reg != WALK_SP && row->reg != WALK_FP) || row->fp == CODE_ROW_LOST ||
		row->ra == CODE_ROW_LOST)
		return 0;
	*rule = (struct rule){ .cfa = row->cfa,
		.fp = row->fp,
		.ra = row->ra,
		.kind = row->reg == WALK_SP ? RULE_SP : RULE_FP };
	return 1;
}

/* Adds the rows of the function in [from, to), which has an empty description: rule `number`. */
static void add_by_code(struct builder *b, uint64_t from, uint64_t to, uint16_t number)
{
	struct code_row rows[MAX_CODE_ROWS];
	uint32_t n =
		code_rows_read((const uint8_t *)(uintptr_t)from, to - from, rows, MAX_CODE_ROWS);
	struct rule rule;

	for (uint32_t i = 0; i < n && !b->failed; i++)
		add_range(b, from + rows[i].at, i + 1 < n ? from + rows[i + 1].at : to,
			rule_of_code(&rows[i], &rule) ? number_of(b, &rule) : number);
}

/* Whether the rule of [from, to) is that of an empty description, and the code may be read. */
static int is_empty(const struct builder *b, const struct cfi_fde *fde, uint64_t from, uint64_t to,
	uint16_t number)
{
	const struct rule *rule = &b->rules[number];

	return WALK_HAS_LINK && from == fde->begin && to == fde->end && rule->kind == RULE_SP &&
	       rule->cfa == 0 && rule->ra == 0 && !rule->flags && from >= b->code->text_lo &&
	       to <= b->code->text_hi;
}

/* Adds the rows of a frame description up to `limit`, where the next frame description begins. */
static void add_fde(
	struct builder *b, struct cfi_image *image, const struct cfi_fde *fde, uint64_t limit)
{
	const struct rule interpreted = { .kind = RULE_INTERPRETED };
	struct cfi_rows rows;
	int found = 1;

	cfi_rows_begin(&rows, image, fde);
	while (found > 0 && !b->failed) {
		uint64_t from, to;
		uint16_t number;

		found = cfi_rows_next(&rows);
		if (found == 0 || rows.from >= limit)
			return;
		from = rows.from < b->lo + b->at ? b->lo + b->at : rows.from;
		to = found > 0 ? rows.to : fde->end;
		if (to > limit)
			to = limit;
		if (from >= to)
			continue;
		number =
			found > 0 ? number_of_row(b, image, &rows.row) : number_of(b, &interpreted);
		if (is_empty(b, fde, from, to, number))
			add_by_code(b, from, to, number);
		else
			add_range(b, from, to, number);
	}
}

static uint64_t entry_address(const struct cfi_image *image, uint64_t i, unsigned int part)
{
	return image->hdr_address + (uint64_t)cfi_entry_number(image, image->entry_bytes, i, part);
}

/* Notes a frame description, if its function begins in the code that the caller asks for. */
static void add_entry(struct builder *b, uint64_t begin, uint64_t address, uint32_t source)
{
	if (begin < b->code->lo || begin >= b->code->hi || b->failed)
		return;
	if (b->n_entries == b->scratch->entries.n_bytes / sizeof(b->entries[0])) {
		void *entries = scratch_double(&b->scratch->entries);

		if (!entries) {
			b->failed = 1;
			return;
		}
		b->entries = entries;
	}
	b->entries[b->n_entries++] =
		(struct entry){ .begin = begin, .address = address, .source = source };
}

/*
 * Notes the frame descriptions of an image, from its search table or, without a table, one after
 * the other.
 */
static void add_entries(struct builder *b, struct cfi_image *image, uint32_t source)
{
	uint64_t address = image->section;
	struct cfi_fde fde;
	int found;

	for (uint64_t i = 0; i < image->n_entries; i++)
		add_entry(b, entry_address(image, i, 0), entry_address(image, i, 1), source);
	if (image->n_entries || !image->section)
		return;
	while ((found = cfi_next_fde(image, &address, &fde)) != 0)
		if (found > 0)
			add_entry(b, fde.begin, fde.address, source);
}

/*
 * The order of entries. If a function has two, the entry of the first source comes last: it counts.
 */
static int is_before(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return a->begin != b->begin ? a->begin < b->begin : a->source > b->source;
}

/* Finds the code that the entries cover. Returns -1 if there is none, or too much. */
static int find_range(struct builder *b, struct cfi_image *const *sources)
{
	const struct entry *last;
	struct cfi_fde fde;

	if (b->failed || b->n_entries == 0)
		return -1;
	last = &b->entries[b->n_entries - 1];
	b->lo = b->entries[0].begin;
	if (cfi_fde_at(sources[last->source], last->address, &fde) != 0 || fde.end > b->code->hi ||
		fde.end <= b->lo || fde.end - b->lo > MAX_CODE)
		return -1;
	b->size = fde.end - b->lo;
	return 0;
}

static int begin(struct builder *b)
{
	b->index =
		scratch_reserve(&b->scratch->index, index_entries(b->size) * sizeof(b->index[0]));
	b->rows = scratch_reserve(&b->scratch->rows, FIRST_ROWS * sizeof(b->rows[0]));
	b->rules = scratch_reserve(&b->scratch->rules, MAX_RULES * sizeof(b->rules[0]));
	b->hash = scratch_reserve(&b->scratch->hash, HASH_SLOTS * sizeof(b->hash[0]));
	if (!b->index || !b->rows || !b->rules || !b->hash)
		return -1;
	memset(b->hash, 0, FIRST_SLOTS * sizeof(b->hash[0]));
	b->rows[0] = (struct table_row){ 0 };
	b->rules[0] = (struct rule){ 0 };
	b->n_rows = 1;
	b->n_rules = 1;
	b->n_slots = FIRST_SLOTS;
	return 0;
}

/* Copies the result to memory of exactly its size, in *table. Returns -1 without memory. */
static int pack(struct table *table, struct builder *b)
{
	size_t n_index = index_entries(b->size);
	size_t rules_bytes = b->n_rules * sizeof(struct rule);
	size_t index_bytes = n_index * sizeof(uint32_t);
	size_t rows_bytes = b->n_rows * sizeof(struct table_row);
	uint8_t *memory;

	while (b->n_blocks < n_index)
		b->index[b->n_blocks++] = b->n_rows;
	table->n_bytes = rules_bytes + index_bytes + rows_bytes;
	memory = pages_take(table->n_bytes, 1);
	if (!memory)
		return -1;
	table->lo = b->lo;
	table->size = b->size;
	table->memory = memory;
	table->rules = memcpy(memory, b->rules, rules_bytes);
	table->index = memcpy(memory + rules_bytes, b->index, index_bytes);
	table->rows = memcpy(memory + rules_bytes + index_bytes, b->rows, rows_bytes);
	table->n_rows = b->n_rows;
	table->n_rules = b->n_rules;
	table->covered = b->covered;
	table->in_gaps = b->in_gaps;
	return 0;
}

int table_build(struct table *table, struct cfi_image *image, struct cfi_image *more,
	const struct table_code *code, struct table_scratch *scratch)
{
	struct cfi_image *const sources[] = { image, more };
	struct builder b = { .scratch = scratch, .code = code };
	struct cfi_fde fde;
	uint64_t limit;

	*table = (struct table){ 0 };
	b.entries = scratch_reserve(&scratch->entries, FIRST_ENTRIES * sizeof(b.entries[0]));
	b.failed = !b.entries;
	for (uint32_t i = 0; i < 2 && sources[i]; i++)
		add_entries(&b, sources[i], i);
	sort_in_place(b.entries, b.n_entries, sizeof(b.entries[0]), is_before);
	b.failed = find_range(&b, sources) != 0 || begin(&b) != 0;
	for (size_t i = 0; i < b.n_entries && !b.failed; i++) {
		const struct entry *entry = &b.entries[i];

		limit = i + 1 < b.n_entries ? entry[1].begin : b.lo + b.size;
		if (limit > b.lo + b.size)
			limit = b.lo + b.size;
		/* Only the entry at the function's own begin counts; a wrong table has others,
		   too. */
		if (limit > entry->begin &&
			cfi_fde_at(sources[entry->source], entry->address, &fde) == 0 &&
			fde.begin == entry->begin)
			add_fde(&b, sources[entry->source], &fde, limit);
	}
	if (!b.failed && b.at < b.size)
		add_row(&b, b.at, 0);
	b.failed = b.failed || pack(table, &b) != 0;
	return b.failed ? -1 : 0;
}

int table_build_bare(struct table *table, uint64_t lo, struct table_scratch *scratch)
{
	struct builder b = { .scratch = scratch, .lo = lo };

	*table = (struct table){ 0 };
	return begin(&b) != 0 ? -1 : pack(table, &b);
}

void table_scratch_release(struct table_scratch *scratch)
{
	scratch_release(&scratch->entries);
	scratch_release(&scratch->index);
	scratch_release(&scratch->rows);
	scratch_release(&scratch->rules);
	scratch_release(&scratch->hash);
	scratch_release(&scratch->functions);
	scratch_release(&scratch->code_rows);
}

/* Where a part of a table's memory is in a copy of the memory. */
static const void *moved(const struct table *table, const void *copy, const void *part)
{
	return (const uint8_t *)copy + ((const uint8_t *)part - (const uint8_t *)table->memory);
}

int table_add_functions(struct table *table, uint64_t text_lo,
	const struct table_function *functions, uint32_t n, const struct code_row *rows)
{
	size_t before = (table->n_bytes + 7) & ~(size_t)7;
	size_t functions_bytes = (n + (size_t)1) * sizeof(*functions);
	size_t rows_bytes = functions[n].row * sizeof(*rows);
	struct table old = *table;
	uint8_t *memory = pages_take(before + functions_bytes + rows_bytes, 1);

	if (!memory)
		return -1;
	memcpy(memory, old.memory, old.n_bytes);
	table->memory = memory;
	table->n_bytes = before + functions_bytes + rows_bytes;
	table->rules = moved(&old, memory, old.rules);
	table->index = moved(&old, memory, old.index);
	table->rows = moved(&old, memory, old.rows);
	table->text_lo = text_lo;
	table->functions = memcpy(memory + before, functions, functions_bytes);
	table->code_rows = memcpy(memory + before + functions_bytes, rows, rows_bytes);
	table->n_functions = n;
	pages_give(old.memory, old.n_bytes);
	return 0;
}

void table_free(struct table *table)
{
	pages_give(table->memory, table->n_bytes);
	*table = (struct table){ 0 };
}
