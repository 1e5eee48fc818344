/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, lookups in them, and problems with them; see symbols.h. */
#include "src/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"
#include "profile/shared/hash.h"
#include "profile/shared/layout.h"
#include "src/symbols/symbols_internal.h"
#include "src/symbols/symbols_python.h"

struct symbols *symbols_open(const struct symbols_options *options)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));

	if (!symbols || elf_version(EV_CURRENT) == EV_NONE) {
		free(symbols);
		return NULL;
	}
	symbols->options = *options;
	symbols_cache_open(symbols);
	return symbols;
}

static void object_free(struct object *object)
{
	if (object->cfi)
		dwarf_cfi_end(object->cfi);
	dwarf_index_release(&object->index);
	elf_symbols_release(&object->elf_symbols);
	if (object->is_open)
		symbols_file_close(&object->file);
	free(object);
}

void symbols_close(struct symbols *symbols)
{
	struct object *next;

	if (!symbols)
		return;
	symbols_cache_save(symbols);
	for (size_t i = 0; i < OBJECT_BUCKETS; i++)
		for (struct object *object = symbols->objects[i]; object; object = next) {
			next = object->next;
			object_free(object);
		}
	symbols_cache_close(symbols);
	symbols_memo_release(&symbols->places);
	free(symbols->problems.texts);
	free(symbols->notes.texts);
	strings_release(&symbols->strings);
	free(symbols);
}

static void add_sentence(struct symbols *symbols, struct sentences *sentences, const char *text)
{
	if (ARRAY_GROW(sentences->texts, sentences->n, sentences->n_allocated) == 0)
		sentences->texts[sentences->n++] = strings_intern(&symbols->strings, text);
}

void symbols_add_note(struct symbols *symbols, struct object *object, const char *text)
{
	if (*text && !object->is_noted)
		add_sentence(symbols, &symbols->notes, text);
	object->is_noted = 1;
}

void symbols_write_note(const struct object *object, char *text, size_t text_bytes)
{
	*text = '\0';
	if (object->file.main.elf && !object->file.dwarf)
		snprintf(text, text_bytes,
			"no debug information in '%.300s': no lines and no inlined calls; "
			"compile with -g",
			object->path);
}

/* Opens the object's files and makes its index. Adds a problem, or a note on what it lacks. */
static void object_read(struct symbols *symbols, struct object *object)
{
	struct symbols_object wanted = { object->path, object->build_id, object->build_id_bytes,
		0 };
	struct symbols_file *file = &object->file;
	char text[512];
	int status = 0;

	object->is_open = 1;
	if (object->is_python)
		return;
	symbols_file_open(file, &symbols->options, &wanted);
	if (!file->problem[0] && file->dwarf)
		status = dwarf_index_build(&object->index, file->dwarf, &symbols->strings);
	if (file->problem[0]) {
		add_sentence(symbols, &symbols->problems, file->problem);
	} else if (status != 0) {
		if (status > 0)
			snprintf(text, sizeof(text),
				"out of memory: lines and inlined calls of '%.300s' may be missing",
				object->path);
		else
			snprintf(text, sizeof(text),
				"the debug information of '%.300s' is damaged: %s; "
				"lines and inlined calls may be missing",
				object->path, dwarf_errmsg(-1));
		add_sentence(symbols, &symbols->problems, text);
		object->is_damaged = 1;
	} else {
		symbols_write_note(object, text, sizeof(text));
		symbols_add_note(symbols, object, text);
	}
}

static int is_wanted(const struct object *object, const struct symbols_object *wanted)
{
	size_t n = wanted->build_id ? wanted->build_id_bytes : 0;

	return object->is_python == wanted->is_python && object->build_id_bytes == n &&
	       strcmp(object->path, wanted->path) == 0 &&
	       (n == 0 || memcmp(object->build_id, wanted->build_id, n) == 0);
}

static struct object *add_object(
	struct symbols *symbols, const struct symbols_object *wanted, struct object **bucket)
{
	struct object *object = calloc(1, sizeof(*object));
	uint8_t *build_id;

	if (!object)
		return NULL;
	object->path = strings_intern(&symbols->strings, wanted->path);
	object->is_python = wanted->is_python;
	if (wanted->build_id && wanted->build_id_bytes) {
		build_id = strings_alloc(&symbols->strings, wanted->build_id_bytes);
		if (!build_id) {
			free(object);
			return NULL;
		}
		memcpy(build_id, wanted->build_id, wanted->build_id_bytes);
		object->build_id = build_id;
		object->build_id_bytes = wanted->build_id_bytes;
	}
	symbols_cache_find_object(symbols, object);
	object->next = *bucket;
	*bucket = object;
	return object;
}

/* Finds the object without opening it. NULL when out of memory. */
static struct object *find_known(struct symbols *symbols, const struct symbols_object *wanted)
{
	struct object **bucket;

	bucket = &symbols->objects[hash_mix(hash_text(HASH_START, wanted->path), 0) %
				   OBJECT_BUCKETS];
	for (struct object *object = *bucket; object; object = object->next)
		if (is_wanted(object, wanted))
			return object;
	return add_object(symbols, wanted, bucket);
}

struct object *symbols_find_object(struct symbols *symbols, const struct symbols_object *wanted)
{
	struct object *object = find_known(symbols, wanted);

	if (object && !object->is_open)
		object_read(symbols, object);
	return object;
}

const struct elf_symbol *symbols_find_elf(
	struct symbols *symbols, struct object *object, uint64_t addr)
{
	Elf *elf = object->file.main.elf;

	if (!object->has_elf_symbols) {
		object->has_elf_symbols = 1;
		if (elf || object->file.debug.elf)
			elf_symbols_read(&object->elf_symbols, &symbols->strings,
				elf ? elf : object->file.debug.elf, object->file.debug.elf);
	}
	return elf_symbols_find(&object->elf_symbols, &symbols->strings, addr);
}

/* The begin of the function at `addr` by its call frame information, or `addr`. */
static uint64_t find_begin(struct object *object, uint64_t addr)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr begin = addr, end;
	bool is_signal;

	if (!object || !object->file.main.elf)
		return addr;
	if (!object->cfi)
		object->cfi = dwarf_getcfi_elf(object->file.main.elf);
	if (object->cfi && dwarf_cfi_addrframe(object->cfi, addr, &frame) == 0) {
		dwarf_frame_info(frame, &begin, &end, &is_signal);
		free(frame);
	}
	return begin <= addr ? begin : addr;
}

/*
 * Names the address by the symbol table, or else by the address at which its function begins, so
 * that all code of the function has one name.
 */
static void name_by_elf(
	struct symbols *symbols, struct object *object, uint64_t addr, struct symbol *symbol)
{
	const struct elf_symbol *found = object ? symbols_find_elf(symbols, object, addr) : NULL;
	char text[32];

	if (found && *found->name) {
		names_fill(&symbols->strings, symbol, found->name, NULL);
		return;
	}
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)find_begin(object, addr));
	symbol->name = strings_intern(&symbols->strings, text);
	symbol->linkage = symbol->name;
}

/* Names the function of a frame. Only the outermost has a symbol in the ELF file. */
static void name_frame(struct symbols *symbols, struct object *object, uint64_t addr,
	struct dwarf_frame *frame, struct symbol *symbol)
{
	const struct elf_symbol *found = NULL;

	if (frame->has_die && !frame->is_inlined && names_die_lacks_linkage(&frame->die))
		found = symbols_find_elf(symbols, object, addr);
	if (!frame->has_die || names_fill_die(&symbols->strings, symbol, &frame->die,
				       found ? found->name : NULL) < 0)
		name_by_elf(symbols, object, addr, symbol);
}

size_t symbols_look_up(
	struct symbols *symbols, struct object *object, uint64_t addr, struct symbol *list)
{
	struct dwarf_frame frames[SYMBOLS_MAX_DEPTH];
	size_t n = 0;

	if (object && object->file.dwarf)
		n = dwarf_index_find(&object->index, addr, frames, SYMBOLS_MAX_DEPTH);
	if (n == 0)
		frames[n++] = (struct dwarf_frame){ .file = "" };
	for (size_t i = 0; i < n; i++) {
		struct dwarf_frame *frame = &frames[i];

		list[i] = (struct symbol){
			.file = frame->file,
			.line = frame->line,
			.decl_file = "",
			.is_inlined = frame->is_inlined,
		};
		name_frame(symbols, object, addr, frame, &list[i]);
	}
	return n;
}

static void remember(struct symbols *symbols, const struct object *object, enum cache_kind kind,
	uint64_t addr, const struct symbol *list, size_t n)
{
	struct place place = { object, addr, kind, (uint32_t)n, NULL };

	if (n) {
		place.list = strings_alloc(&symbols->strings, n * sizeof(*list));
		if (!place.list)
			return;
		memcpy(place.list, list, n * sizeof(*list));
	}
	symbols_memo_add(&symbols->places, &place);
}

/* Fills `list` with the remembered or cached result. Returns the number of symbols, or -1. */
static int recall(struct symbols *symbols, struct object *object, enum cache_kind kind,
	uint64_t addr, struct symbol *list)
{
	const struct place *place = symbols_memo_find(&symbols->places, object, kind, addr);
	int n;

	if (place) {
		if (place->n)
			memcpy(list, place->list, place->n * sizeof(*list));
		return (int)place->n;
	}
	n = symbols_cache_find(symbols, object, kind, addr, list);
	if (n >= 0)
		remember(symbols, object, kind, addr, list, (size_t)n);
	return n;
}

/* Remembers a result that is not in the cache yet. */
static void learn(struct symbols *symbols, struct object *object, enum cache_kind kind,
	uint64_t addr, const struct symbol *list, size_t n)
{
	object->is_changed = 1;
	remember(symbols, object, kind, addr, list, n);
}

/* Removes what the options leave out: inlined functions, demangled names. */
static void choose(const struct symbols *symbols, struct symbols_at *at)
{
	if (!symbols->options.inlines) {
		at->symbol[0] = at->symbol[at->n - 1];
		at->n = 1;
	}
	for (size_t i = 0; i < at->n && !symbols->options.demangle; i++)
		at->symbol[i].name = at->symbol[i].linkage;
}

static void look_up_python(struct symbols *symbols, const struct symbols_object *object,
	uint64_t line, struct symbols_at *at)
{
	struct symbols_python python = symbols_python_split(object->path);
	char file[sizeof(((struct profile_module *)0)->path)];

	snprintf(file, sizeof(file), "%.*s", (int)python.file_bytes, object->path);
	at->n = 1;
	at->symbol[0] = (struct symbol){
		.name = strings_intern(&symbols->strings, python.name),
		.file = strings_intern(&symbols->strings, file),
		.line = (uint32_t)line,
		.decl_line = python.line,
	};
	at->symbol[0].linkage = at->symbol[0].name;
	at->symbol[0].decl_file = at->symbol[0].file;
}

void symbols_lookup(struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr,
	struct symbols_at *at)
{
	struct object *object = wanted->is_python ? NULL : find_known(symbols, wanted);
	int n = object ? recall(symbols, object, CACHE_FUNCTIONS, addr, at->symbol) : -1;

	if (wanted->is_python) {
		look_up_python(symbols, wanted, addr, at);
		return;
	}
	if (n < 0) {
		if (object)
			object = symbols_find_object(symbols, wanted);
		n = (int)symbols_look_up(symbols, object, addr, at->symbol);
		if (object)
			learn(symbols, object, CACHE_FUNCTIONS, addr, at->symbol, (size_t)n);
	}
	at->n = (size_t)n;
	choose(symbols, at);
}

static const char *find_variable(struct symbols *symbols, struct object *object, uint64_t addr)
{
	Elf *elf = object->file.main.elf, *debug = object->file.debug.elf;

	return elf || debug ? elf_find_variable(&symbols->strings, elf ? elf : debug, debug, addr)
			    : NULL;
}

/* Fills *call for the call that returns to `addr`. Returns -1 if what it calls is not known. */
static int find_call(
	struct symbols *symbols, struct object *object, uint64_t addr, struct elf_call *call)
{
	uint64_t to;

	if (symbols_find_call(symbols, object, addr, call, &to) != 0)
		return -1;
	call->callee = symbols_name_at(symbols, object, to);
	return call->callee && call->high ? 0 : -1;
}

static const char *find_critical(struct symbols *symbols, struct object *object, uint64_t addr)
{
	struct elf_call call;

	return find_call(symbols, object, addr, &call) == 0
		       ? elf_find_critical(&symbols->strings, &call)
		       : NULL;
}

/* Fills *found for a function's first instruction; its name is the address. */
static void begin_at(struct symbols *symbols, struct object *object,
	const struct elf_symbol *function, struct symbol *found)
{
	uint32_t last = 0;
	char text[32];

	if (!function)
		return;
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)function->low);
	found->name = strings_intern(&symbols->strings, text);
	if (object->file.dwarf)
		dwarf_index_extent(&object->index, function->low, function->high, &found->file,
			&found->line, &last);
}

static void find_body(
	struct symbols *symbols, struct object *object, uint64_t addr, struct symbol *found)
{
	const struct elf_symbol *body;
	struct elf_call call;
	uint64_t low;

	if (find_call(symbols, object, addr, &call) != 0 || !elf_is_runtimes(call.callee)) {
		found->name = "";
		return;
	}
	low = elf_find_body(&call);
	body = low ? symbols_find_elf(symbols, object, low) : NULL;
	begin_at(symbols, object, body && body->low == low ? body : NULL, found);
}

/* Looks up what is not a list of functions. Returns 1 and fills *found, or 0 if there is none. */
static int find_one(struct symbols *symbols, const struct symbols_object *wanted,
	enum cache_kind kind, uint64_t addr, struct symbol *found)
{
	struct object *object = find_known(symbols, wanted);
	struct symbol list[SYMBOLS_MAX_DEPTH];
	int n = object ? recall(symbols, object, kind, addr, list) : -1;

	*found = (struct symbol){ .linkage = "", .file = "", .decl_file = "" };
	if (n > 0)
		*found = list[0];
	if (n >= 0)
		return n > 0;
	object = object ? symbols_find_object(symbols, wanted) : NULL;
	if (!object)
		return 0;
	if (kind == CACHE_VARIABLE)
		found->name = find_variable(symbols, object, addr);
	else if (kind == CACHE_CRITICAL)
		found->name = find_critical(symbols, object, addr);
	else if (kind == CACHE_BODY)
		find_body(symbols, object, addr, found);
	else if (kind == CACHE_TAIL)
		symbols_find_tail(symbols, object, addr, found);
	else
		begin_at(symbols, object, symbols_find_elf(symbols, object, addr), found);
	learn(symbols, object, kind, addr, found, found->name ? 1 : 0);
	return found->name != NULL;
}

const char *symbols_variable(
	struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr)
{
	struct symbol found;

	return find_one(symbols, wanted, CACHE_VARIABLE, addr, &found) ? found.name : NULL;
}

const char *symbols_critical(
	struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr)
{
	struct symbol found;

	return find_one(symbols, wanted, CACHE_CRITICAL, addr, &found) ? found.name : NULL;
}

/* Replaces the address in found->name by the function's name. */
static void name_begin(
	struct symbols *symbols, const struct symbols_object *wanted, struct symbol *found)
{
	struct symbols_at at;

	symbols_lookup(symbols, wanted, strtoull(found->name, NULL, 16), &at);
	found->name = at.symbol[at.n - 1].name;
}

int symbols_body(struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr,
	struct symbol *body)
{
	if (!find_one(symbols, wanted, CACHE_BODY, addr, body))
		return 0;
	if (!body->name[0])
		return -1;
	name_begin(symbols, wanted, body);
	return 1;
}

int symbols_tail(struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr,
	struct symbol *function)
{
	return find_one(symbols, wanted, CACHE_TAIL, addr, function);
}

int symbols_begin(struct symbols *symbols, const struct symbols_object *wanted, uint64_t addr,
	struct symbol *function)
{
	if (!find_one(symbols, wanted, CACHE_BEGIN, addr, function))
		return 0;
	name_begin(symbols, wanted, function);
	return 1;
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
	struct object *object = find_known(symbols, wanted);
	struct cache_object kept;

	if (object && object->cached != NOT_CACHED &&
		cache_object(&symbols->cache, (size_t)object->cached, &kept) == 0)
		return kept.has_lines;
	object = object ? symbols_find_object(symbols, wanted) : NULL;
	return object && object->file.dwarf;
}
