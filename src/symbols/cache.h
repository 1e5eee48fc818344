/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the results of address lookups beside a profile, so that the next report need not open the
 * object files. Used by the files of symbols.h, and by src/run/run_output.c for the file's name. It
 * knows struct symbol, and nothing about ELF or DWARF.
 *
 *   symbols_cache.c: lookups --> cache_writer --> bytes --> cache_file_write()   symbols.cache
 *                    lookups <-- cache_find() <-- cache_open() <-- cache_file_read()
 *
 * An entry is used only if nothing has changed since the entry was made. The cache's key identifies
 * the program that made it. An object is identified by its path and its build-id, if it has one.
 * Each file that was looked at must have the same state as then, whether it existed or not.
 *
 * A cache is not trusted more than a profile. Any bytes either are a cache or are not, and wrong
 * entries of a cache are ignored. Each string is a whole string of the file, so the strings
 * together are no longer than the file.
 */
#ifndef OMPPROF_SRC_SYMBOLS_CACHE_H
#define OMPPROF_SRC_SYMBOLS_CACHE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "src/symbols/symbols.h"

#define CACHE_FILE "symbols.cache"

enum {
	CACHE_MOST_BYTES = 64 << 20,
	CACHE_KEY_BYTES = 256,
	CACHE_MOST_WITNESSES = 16, /* of an object */
};

/* The kinds of lookups of an address. */
enum cache_kind {
	CACHE_FUNCTIONS, /* symbols_lookup: at least one function */
	CACHE_VARIABLE,  /* symbols_variable: the name of a variable, or nothing */
	CACHE_CRITICAL,  /* symbols_critical: the name of a variable, or nothing */
	CACHE_BODY,      /* symbols_body: a function, or nothing; its name is "" for -1 */
	CACHE_BEGIN,     /* symbols_begin: a function, or nothing */
	CACHE_TAIL,      /* symbols_tail: an address or a name, or nothing */
	CACHE_N_KINDS,
};

/* The state of a file that was looked at. If the file changes, its state differs. */
struct cache_state {
	uint64_t is_there; /* 0: there is no such file, and the other members are 0 */
	uint64_t device, inode, bytes, mtime_ns, ctime_ns;
};

struct cache_witness {
	const char *path;
	struct cache_state state;
};

struct cache_object {
	const char *path;
	const uint8_t *build_id;
	size_t build_id_bytes;
	const char *note; /* "", or what the object lacks, in the words of symbols_note() */
	int has_lines;
	struct cache_witness witnesses[CACHE_MOST_WITNESSES];
	size_t n_witnesses;
};

struct cache {
	unsigned char *bytes;
	size_t size;
	const struct kept_header
		*header; /* this and the following point into `bytes`; see cache_internal.h */
	const struct kept_object *objects;
	const struct kept_witness *witnesses;
	const struct kept_place *places;
	const struct kept_symbol *symbols;
	const char *strings;
};

/*
 * Takes `bytes`, which malloc allocated. Returns 0 and fills *cache. Returns -1 and frees the bytes
 * if they are no cache, a damaged cache, or a cache with another key.
 */
int cache_open(struct cache *cache, void *bytes, size_t size, const char *key);
void cache_close(struct cache *cache); /* harmless on a zeroed struct */

size_t cache_n_objects(const struct cache *cache);

/* Reads object i. Its strings live as long as the cache. Returns 0, or -1 if the entry is wrong. */
int cache_object(const struct cache *cache, size_t i, struct cache_object *object);

/*
 * Finds the entry of an address in object i. Fills at most SYMBOLS_MAX_DEPTH symbols, whose strings
 * live as long as the cache. Returns their number, or -1 if there is no entry or it is wrong.
 */
int cache_find(const struct cache *cache, size_t i, enum cache_kind kind, uint64_t addr,
	struct symbol *symbols);

/* The address and the kind of the p-th entry of object i. Returns 0, or -1 past the last entry. */
int cache_place(
	const struct cache *cache, size_t i, size_t p, enum cache_kind *kind, uint64_t *addr);

struct cache_writer;

/* Returns NULL when out of memory. */
struct cache_writer *cache_writer_begin(void);

/* Begins an object, to which all entries belong that are added until the next one begins. */
void cache_writer_object(struct cache_writer *writer, const struct cache_object *object);
void cache_writer_add(struct cache_writer *writer, enum cache_kind kind, uint64_t addr,
	const struct symbol *symbols, size_t n);

/*
 * Ends and frees the writer. Returns the cache, *size bytes that the caller frees. Returns NULL if
 * memory ran out at any time since the beginning, or if the cache, the key or a build-id is too
 * long.
 */
void *cache_writer_end(struct cache_writer *writer, const char *key, size_t *size);

/*
 * Returns the cache in `folder`, *size bytes that the caller frees. Returns NULL if there is no
 * cache, or if another user could have written the file or can write to the folder.
 */
void *cache_file_read(const char *folder, size_t *size);

/*
 * Puts a cache into `folder`, and replaces the old cache in one step. Does nothing if the folder is
 * another user's, if others can write to it, or if this user cannot.
 */
void cache_file_write(const char *folder, const void *bytes, size_t size);

/* Whether a file of this name is a cache, or left over from writing one. */
int cache_is_file_name(const char *name);

/* The state that identifies a file. `st` is NULL if the file does not exist. */
struct cache_state cache_state_of(const struct stat *st);

/* Whether the file still has this state. */
int cache_is_unchanged(const struct cache_witness *witness);

#endif
