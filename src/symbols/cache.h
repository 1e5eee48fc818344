/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What addresses of object files were found to be, kept beside a profile, so that the next report need not open the
 * objects. Used by src/symbols/symbols_cache.c. It knows what a struct symbol is, and nothing of ELF or DWARF.
 *
 *   symbols_cache.c: lookups ──► cache_writer ──► bytes ──► cache_file_write()   symbols.cache
 *                    lookups ◄── cache_find() ◄── cache_open() ◄── cache_file_read()
 *
 * An entry is used only if all that it was made of is as it was: the program that made it, by the cache's key;
 * an object by its build-id or path, and each file that was looked at, whether it was there or not, by its state.
 *
 * A cache is not trusted more than a profile: any bytes are a cache or none, and what makes no sense in one is as
 * if it were not there. Strings are whole ones of the file's, so that they are no longer together than it is.
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

/* What can be asked of an address. */
enum cache_kind {
	CACHE_FUNCTIONS, /* symbols_lookup: one at least */
	CACHE_VARIABLE,  /* symbols_variable: the name of one, or none */
	CACHE_CRITICAL,  /* symbols_critical: likewise */
	CACHE_N_KINDS,
};

/* A file that was looked at: what tells that it is not the same any more. */
struct cache_state {
	uint64_t is_there; /* if not, the others are 0 */
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
	const char *note; /* "" or what it lacks, as symbols_note() says it */
	int has_lines;
	struct cache_witness witnesses[CACHE_MOST_WITNESSES];
	size_t n_witnesses;
};

/* --- reading --- */

struct cache {
	unsigned char *bytes;
	size_t size;
	const struct kept_header *header; /* these point into bytes; see cache_internal.h */
	const struct kept_object *objects;
	const struct kept_witness *witnesses;
	const struct kept_place *places;
	const struct kept_symbol *symbols;
	const char *strings;
};

/*
 * Takes `bytes`, which malloc gave. Returns 0 and fills *cache, or -1 and frees them: no cache, a damaged one,
 * or one of another key.
 */
int cache_open(struct cache *cache, void *bytes, size_t size, const char *key);
void cache_close(struct cache *cache); /* harmless on a zeroed struct */

size_t cache_n_objects(const struct cache *cache);

/* Object i. Its strings live as long as the cache. Returns 0, or -1: it makes no sense. */
int cache_object(const struct cache *cache, size_t i, struct cache_object *object);

/*
 * What is kept of an address in object i: fills at most SYMBOLS_MAX_DEPTH symbols, whose strings live as long as
 * the cache, and returns how many, or -1 if nothing is.
 */
int cache_find(const struct cache *cache, size_t i, enum cache_kind kind, uint64_t addr,
	struct symbol *symbols);

/* The p-th address that is kept of object i, and of what kind it is. Returns 0, or -1 past the last. */
int cache_place(
	const struct cache *cache, size_t i, size_t p, enum cache_kind *kind, uint64_t *addr);

/* --- writing --- */

struct cache_writer;

/* NULL when out of memory. */
struct cache_writer *cache_writer_begin(void);

/* Begins an object; what is added from here on is its. What is the same twice counts once. */
void cache_writer_object(struct cache_writer *writer, const struct cache_object *object);
void cache_writer_add(struct cache_writer *writer, enum cache_kind kind, uint64_t addr,
	const struct symbol *symbols, size_t n);

/*
 * Ends and frees the writer. Returns the cache, *size bytes to be freed, or NULL: out of memory at any time
 * since the begin, or more than CACHE_MOST_BYTES.
 */
void *cache_writer_end(struct cache_writer *writer, const char *key, size_t *size);

/* --- files --- */

/*
 * The cache in `folder`, *size bytes to be freed; NULL if there is none, or none that is a file of this user's
 * alone.
 */
void *cache_file_read(const char *folder, size_t *size);

/*
 * Puts a cache into `folder`, in the old one's place in one step. Nothing happens if the folder is not this
 * user's alone, or cannot be written to.
 */
void cache_file_write(const char *folder, const void *bytes, size_t size);

/* Whether a file of this name in a profile's folder is a cache, or what is left of making one. */
int cache_is_file_name(const char *name);

/* What tells that a file is another one; `st` is NULL if it is not there. */
struct cache_state cache_state_of(const struct stat *st);

/* Whether the file is as it was. */
int cache_is_unchanged(const struct cache_witness *witness);

#endif
