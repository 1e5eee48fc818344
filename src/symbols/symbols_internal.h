/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of symbols.h share. */
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
	struct object *next; /* in the bucket of its path */
	const char *path;    /* interned */
	const uint8_t *build_id;
	size_t build_id_bytes;
	long cached;  /* its index in the cache, where it is as it was; or NOT_CACHED */
	int is_open;  /* the following have been read: */
	int is_noted; /* what it lacks has been said */
	int is_damaged;
	int is_changed; /* something was looked up that the cache has not */
	struct symbols_file file;
	struct dwarf_index index;
	struct elf_symbols elf_symbols;
	int has_elf_symbols; /* they have been read */
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
	struct place *slots; /* open addressing, a power of two of them */
	size_t n, n_slots;
};

/* The remembered lookup, or NULL. */
const struct place *symbols_memo_find(const struct places *places, const struct object *object,
	enum cache_kind kind, uint64_t addr);

/* Remembers one that is not there; does nothing when out of memory. */
void symbols_memo_add(struct places *places, const struct place *place);

void symbols_memo_release(struct places *places);

struct sentences {
	const char **texts;
	size_t n, n_allocated;
};

enum { OBJECT_BUCKETS = 256 };

struct symbols {
	struct symbols_options options;
	struct names names;
	struct object *objects[OBJECT_BUCKETS];
	struct places places;
	struct sentences problems, notes;
	struct cache cache; /* empty if there is none */
	uint8_t *is_stale;  /* by object of the cache: it is not as it was */
};

/* The object, open; NULL when out of memory. */
struct object *symbols_find_object(struct symbols *symbols, const struct symbols_object *wanted);

/* The function's symbol at `addr` in the symbol table of an open object, or NULL. */
const struct elf_symbol *symbols_find_elf(
	struct symbols *symbols, struct object *object, uint64_t addr);

/* Reads what is kept beside the profile, if options say where. */
void symbols_cache_open(struct symbols *symbols);

/* What the cache has of an object that is as it was: sets object->cached, and says what it lacks. */
void symbols_cache_find_object(struct symbols *symbols, struct object *object);

/*
 * A lookup that the cache has: fills list, room for SYMBOLS_MAX_DEPTH, with interned strings, and returns how many,
 * or -1.
 */
int symbols_cache_find(struct symbols *symbols, const struct object *object, enum cache_kind kind,
	uint64_t addr, struct symbol *list);

/* Writes what is known now, if that is more than there was. */
void symbols_cache_save(struct symbols *symbols);

void symbols_cache_close(struct symbols *symbols);

/* Says what an object has not, once. */
void symbols_add_note(struct symbols *symbols, struct object *object, const char *text);

/* What a struct object has not: "" if it has debug information, or nothing at all. */
void symbols_write_note(const struct object *object, char *text, size_t text_bytes);

#endif
