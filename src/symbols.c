/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, remembered lookups and problems; see symbols.h. */
#include "src/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/symbols_dwarf.h"
#include "src/symbols_elf.h"
#include "src/symbols_file.h"
#include "src/symbols_names.h"

struct object {
	struct object *next; /* in the bucket of its path */
	const char *path;    /* interned */
	const uint8_t *build_id;
	size_t build_id_bytes;
	struct symbols_file file;
	struct dwarf_index index;
	struct elf_symbols elf_symbols;
	int has_elf_symbols; /* they have been read */
};

/* A remembered lookup. */
struct place {
	const struct object *object; /* NULL in an empty slot */
	uint64_t addr;
	struct symbol *list;
	size_t n;
};

struct sentences {
	const char **texts;
	size_t n, n_allocated;
};

enum { OBJECT_BUCKETS = 256, FIRST_PLACES = 4096 };

struct symbols {
	struct symbols_options options;
	struct names names;
	struct object *objects[OBJECT_BUCKETS];
	struct place *places; /* open addressing, a power of two of them */
	size_t n_places, n_place_slots;
	struct sentences problems, notes;
};

struct symbols *symbols_open(const struct symbols_options *options)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));

	if (!symbols || elf_version(EV_CURRENT) == EV_NONE) {
		free(symbols);
		return NULL;
	}
	symbols->options = *options;
	symbols->names.demangle = options->demangle;
	return symbols;
}

static void object_free(struct object *object)
{
	dwarf_index_release(&object->index);
	elf_symbols_release(&object->elf_symbols);
	symbols_file_close(&object->file);
	free(object);
}

void symbols_close(struct symbols *symbols)
{
	struct object *next;

	if (!symbols)
		return;
	for (size_t i = 0; i < OBJECT_BUCKETS; i++)
		for (struct object *object = symbols->objects[i]; object; object = next) {
			next = object->next;
			object_free(object);
		}
	free(symbols->places);
	free(symbols->problems.texts);
	free(symbols->notes.texts);
	names_release(&symbols->names);
	free(symbols);
}

static void add_sentence(struct symbols *symbols, struct sentences *sentences, const char *text)
{
	if (grow_items(&sentences->texts, sentences->n, &sentences->n_allocated,
		    sizeof(*sentences->texts)) == 0)
		sentences->texts[sentences->n++] = strings_intern(&symbols->names.strings, text);
}

/* Reads what `object` has; says in problems and notes what it lacks. */
static void object_read(
	struct symbols *symbols, struct object *object, const struct symbols_object *wanted)
{
	struct symbols_file *file = &object->file;
	char text[512];

	symbols_file_open(file, &symbols->options, wanted);
	if (file->problem[0]) {
		add_sentence(symbols, &symbols->problems, file->problem);
	} else if (file->dwarf &&
		   dwarf_index_build(&object->index, file->dwarf, &symbols->names.strings) < 0) {
		snprintf(text, sizeof(text),
			"the debug information of '%.300s' is damaged: %s; "
			"lines and inlined calls may be missing",
			object->path, dwarf_errmsg(-1));
		add_sentence(symbols, &symbols->problems, text);
	} else if (file->main.elf && !file->dwarf) {
		snprintf(text, sizeof(text),
			"no debug information in '%.300s': no lines and no inlined calls; "
			"compile with -g",
			object->path);
		add_sentence(symbols, &symbols->notes, text);
	}
}

static int is_wanted(const struct object *object, const struct symbols_object *wanted)
{
	size_t n = wanted->build_id ? wanted->build_id_bytes : 0;

	return object->build_id_bytes == n && strcmp(object->path, wanted->path) == 0 &&
	       (n == 0 || memcmp(object->build_id, wanted->build_id, n) == 0);
}

static struct object *add_object(
	struct symbols *symbols, const struct symbols_object *wanted, struct object **bucket)
{
	struct object *object = calloc(1, sizeof(*object));
	uint8_t *build_id;

	if (!object)
		return NULL;
	object->path = strings_intern(&symbols->names.strings, wanted->path);
	if (wanted->build_id && wanted->build_id_bytes) {
		build_id = strings_alloc(&symbols->names.strings, wanted->build_id_bytes);
		if (!build_id) {
			free(object);
			return NULL;
		}
		memcpy(build_id, wanted->build_id, wanted->build_id_bytes);
		object->build_id = build_id;
		object->build_id_bytes = wanted->build_id_bytes;
	}
	object_read(symbols, object, wanted);
	object->next = *bucket;
	*bucket = object;
	return object;
}

/* The open object, or NULL when out of memory. */
static struct object *find_object(struct symbols *symbols, const struct symbols_object *wanted)
{
	struct object **bucket;
	uint32_t hash = 5381;

	for (const char *at = wanted->path; *at; at++)
		hash = 33 * hash + (unsigned char)*at;
	bucket = &symbols->objects[hash % OBJECT_BUCKETS];
	for (struct object *object = *bucket; object; object = object->next)
		if (is_wanted(object, wanted))
			return object;
	return add_object(symbols, wanted, bucket);
}

static const struct elf_symbol *find_elf_symbol(
	struct symbols *symbols, struct object *object, uint64_t addr)
{
	Elf *elf = object->file.main.elf;

	if (!object->has_elf_symbols) {
		object->has_elf_symbols = 1;
		if (elf || object->file.debug.elf)
			elf_symbols_read(&object->elf_symbols, &symbols->names.strings,
				elf ? elf : object->file.debug.elf, object->file.debug.elf);
	}
	return elf_symbols_find(&object->elf_symbols, &symbols->names.strings, addr);
}

/* By the symbol table, or the bare address. */
static void name_by_elf(
	struct symbols *symbols, struct object *object, uint64_t addr, struct symbol *symbol)
{
	const struct elf_symbol *found = object ? find_elf_symbol(symbols, object, addr) : NULL;
	char text[32];

	if (found && *found->name) {
		names_fill(&symbols->names, symbol, found->name, NULL);
		return;
	}
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)addr);
	symbol->name = strings_intern(&symbols->names.strings, text);
	symbol->linkage = symbol->name;
}

/* Names the function of a frame; only the outermost one has a symbol in the ELF file. */
static void name_frame(struct symbols *symbols, struct object *object, uint64_t addr,
	struct dwarf_frame *frame, struct symbol *symbol)
{
	const struct elf_symbol *found = NULL;

	if (frame->has_die && !frame->is_inlined && names_die_lacks_linkage(&frame->die))
		found = find_elf_symbol(symbols, object, addr);
	if (!frame->has_die || names_fill_die(&symbols->names, symbol, &frame->die,
				       found ? found->name : NULL) < 0)
		name_by_elf(symbols, object, addr, symbol);
}

static void look_up(
	struct symbols *symbols, struct object *object, uint64_t addr, struct symbols_at *at)
{
	struct dwarf_frame frames[SYMBOLS_MAX_DEPTH];
	size_t n = 0, first;

	if (object && object->file.dwarf)
		n = dwarf_index_find(&object->index, addr, frames, SYMBOLS_MAX_DEPTH);
	if (n == 0)
		frames[n++] = (struct dwarf_frame){ .file = "" };
	first = symbols->options.inlines ? 0 : n - 1;
	at->n = n - first;
	for (size_t i = 0; i < at->n; i++) {
		struct dwarf_frame *frame = &frames[first + i];

		at->symbol[i] = (struct symbol){
			.file = frame->file,
			.line = frame->line,
			.decl_file = "",
			.is_inlined = frame->is_inlined,
		};
		name_frame(symbols, object, addr, frame, &at->symbol[i]);
	}
}

static struct place *find_place(
	struct place *places, size_t n_slots, const struct object *object, uint64_t addr)
{
	uint64_t hash = (addr ^ (uintptr_t)object << 20) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (hash >> 32) & (n_slots - 1);

	while (places[i].object && (places[i].object != object || places[i].addr != addr))
		i = (i + 1) & (n_slots - 1);
	return &places[i];
}

/* Returns 0, or -1 when out of memory and nothing can be remembered. */
static int make_place_room(struct symbols *symbols)
{
	size_t n_slots = symbols->n_place_slots ? 2 * symbols->n_place_slots : FIRST_PLACES;
	struct place *places;

	if (symbols->n_places < symbols->n_place_slots / 4 * 3)
		return 0;
	places = calloc(n_slots, sizeof(*places));
	if (!places)
		return -1;
	for (size_t i = 0; i < symbols->n_place_slots; i++) {
		struct place *place = &symbols->places[i];

		if (place->object)
			*find_place(places, n_slots, place->object, place->addr) = *place;
	}
	free(symbols->places);
	symbols->places = places;
	symbols->n_place_slots = n_slots;
	return 0;
}

static void remember(struct symbols *symbols, struct place *place, const struct object *object,
	uint64_t addr, const struct symbols_at *at)
{
	size_t bytes = at->n * sizeof(*at->symbol);
	struct symbol *list = strings_alloc(&symbols->names.strings, bytes);

	if (!list)
		return;
	memcpy(list, at->symbol, bytes);
	*place = (struct place){ .object = object, .addr = addr, .list = list, .n = at->n };
	symbols->n_places++;
}

void symbols_lookup(struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr,
	struct symbols_at *at)
{
	struct object *object = find_object(symbols, wanted);
	struct place *place;

	if (!object || make_place_room(symbols) < 0) {
		look_up(symbols, object, addr, at);
		return;
	}
	place = find_place(symbols->places, symbols->n_place_slots, object, addr);
	if (place->object) {
		at->n = place->n;
		memcpy(at->symbol, place->list, place->n * sizeof(*at->symbol));
		return;
	}
	look_up(symbols, object, addr, at);
	remember(symbols, place, object, addr, at);
}

const char *symbols_variable(
	struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr)
{
	struct object *object = find_object(symbols, wanted);
	Elf *elf = object ? object->file.main.elf : NULL,
	    *debug = object ? object->file.debug.elf : NULL;

	return elf || debug
		       ? elf_find_variable(&symbols->names.strings, elf ? elf : debug, debug, addr)
		       : NULL;
}

const char *symbols_critical(
	struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr)
{
	struct object *object = find_object(symbols, wanted);
	const struct elf_symbol *function, *callee;
	struct elf_call call = { .addr = addr };

	if (!object || !object->file.main.elf || addr == 0)
		return NULL;
	call.elf = object->file.main.elf;
	call.debug = object->file.debug.elf;
	function = find_elf_symbol(symbols, object, addr - 1);
	callee = find_elf_symbol(symbols, object, elf_find_callee(call.elf, addr));
	if (!function || !callee)
		return NULL;
	call.low = function->low;
	call.callee = callee->name;
	return elf_find_critical(&symbols->names.strings, &call);
}

int symbols_extent(struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr,
	struct symbols_extent *extent)
{
	struct object *object = find_object(symbols, wanted);
	const struct elf_symbol *found =
		object && object->file.main.elf ? find_elf_symbol(symbols, object, addr) : NULL;

	if (!found || !*found->name)
		return -1;
	*extent = (struct symbols_extent){
		.low = found->low, .high = found->high, .name = found->name, .file = ""
	};
	if (object->file.dwarf)
		dwarf_index_extent(
			&object->index, found->low, found->high, &extent->file, &extent->last_line);
	return 0;
}

int symbols_source_md5(struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr,
	const char *file, uint8_t md5[16])
{
	struct object *object = find_object(symbols, wanted);
	Elf *elf = NULL;

	if (object && object->file.dwarf)
		elf = object->file.debug.elf ? object->file.debug.elf : object->file.main.elf;
	return elf ? dwarf_index_md5(&object->index, elf, addr, file, md5) : -1;
}

const char *symbols_problem(const struct symbols *symbols, size_t i)
{
	return i < symbols->problems.n ? symbols->problems.texts[i] : NULL;
}

const char *symbols_note(const struct symbols *symbols, size_t i)
{
	return i < symbols->notes.n ? symbols->notes.texts[i] : NULL;
}

int symbols_has_lines(struct symbols *symbols, const struct symbols_object *wanted)
{
	struct object *object = find_object(symbols, wanted);

	return object && object->file.dwarf;
}
