/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of symbols.h. */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_INTERNAL_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_INTERNAL_H

#include "src/symbols/cache.h"
#include "src/symbols/symbols.h"
#include "src/symbols/symbols_dwarf.h"
#include "src/symbols/symbols_elf.h"
#include "src/symbols/symbols_file.h"
#include "src/symbols/symbols_names.h"

enum { NOT_CACHED = -1 };

struct object {
	struct object *next; /* the next object in the bucket of its path */
	const char *path;    /* interned */
	const uint8_t *build_id;
	size_t build_id_bytes;
	int is_python;
	long cached;  /* its index in the cache if it is unchanged; or NOT_CACHED */
	int is_open;  /* `file` and `index` have been read */
	int is_noted; /* its note has been added */
	int is_damaged;
	int is_changed; /* something was looked up that is not in the cache */
	struct symbols_file file;
	struct dwarf_index index;
	struct elf_symbols elf_symbols;
	int has_elf_symbols; /* elf_symbols has been read */
	Dwarf_CFI *cfi;      /* call frame information of code without symbols; or NULL */
};

/* A remembered lookup. */
struct place {
	const struct object *object; /* NULL in an empty slot */
	uint64_t addr;
	uint32_t kind; /* enum cache_kind */
	uint32_t n;
	struct symbol *list;
};

struct places {
	struct place *slots; /* open addressing; their number is a power of two */
	size_t n, n_slots;
};

/* The remembered lookup, or NULL. */
const struct place *symbols_memo_find(const struct places *places, const struct object *object,
	enum cache_kind kind, uint64_t addr);

/* Remembers a lookup that is not there yet. Does nothing when out of memory. */
void symbols_memo_add(struct places *places, const struct place *place);

void symbols_memo_release(struct places *places);

struct sentences {
	const char **texts;
	size_t n, n_allocated;
};

enum { OBJECT_BUCKETS = 256 };

struct symbols {
	struct symbols_options options;
	struct strings strings;
	struct object *objects[OBJECT_BUCKETS];
	struct places places;
	struct sentences problems, notes;
	struct cache cache; /* empty if there is no cache */
	uint8_t *is_stale;  /* by object of the cache: its entries must not be used */
};

/* Finds and opens the object. NULL when out of memory. */
struct object *symbols_find_object(struct symbols *symbols, const struct symbols_object *wanted);

/* The symbol of the function at `addr` in the symbol table of an open object, or NULL. */
const struct elf_symbol *symbols_find_elf(
	struct symbols *symbols, struct object *object, uint64_t addr);

/*
 * Finds all functions at an address in the files, whatever the options leave out. `list` has room
 * for SYMBOLS_MAX_DEPTH. Returns their number.
 */
size_t symbols_look_up(
	struct symbols *symbols, struct object *object, uint64_t addr, struct symbol *list);

/*
 * Fills *call, but not call->callee, for the call that returns to `addr`; its high is 0 if the
 * function around it is not known. Fills *to as elf_find_callee() does. Returns 0, or -1 if no call
 * can be read (symbols_tail.c).
 */
int symbols_find_call(struct symbols *symbols, struct object *object, uint64_t addr,
	struct elf_call *call, uint64_t *to);

/* The name of the function that `to` of symbols_find_call() leads to, or NULL (symbols_tail.c). */
const char *symbols_name_at(struct symbols *symbols, struct object *object, uint64_t to);

/* symbols_tail() for an open object; found->name stays NULL for 0 (symbols_tail.c). */
void symbols_find_tail(
	struct symbols *symbols, struct object *object, uint64_t addr, struct symbol *found);

/* Reads the cache if the options name its folder. */
void symbols_cache_open(struct symbols *symbols);

/* Finds the unchanged object in the cache: sets object->cached, and adds its note. */
void symbols_cache_find_object(struct symbols *symbols, struct object *object);

/*
 * Finds a lookup in the cache. Fills `list`, which has room for SYMBOLS_MAX_DEPTH, with interned
 * strings and returns the number of symbols, or -1.
 */
int symbols_cache_find(struct symbols *symbols, const struct object *object, enum cache_kind kind,
	uint64_t addr, struct symbol *list);

/* Writes the cache if more is known now than before. */
void symbols_cache_save(struct symbols *symbols);

void symbols_cache_close(struct symbols *symbols);

/* Adds the object's note, once; "" adds nothing. */
void symbols_add_note(struct symbols *symbols, struct object *object, const char *text);

/* Writes the note on an object without debug information; "" if it has some, or no file. */
void symbols_write_note(const struct object *object, char *text, size_t text_bytes);

#endif
