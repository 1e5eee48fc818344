/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which results of earlier lookups are still right, and which new results are worth
 * keeping. See cache.h.
 *
 * The results for an object are kept as a whole or not at all. Nothing is kept for an object that
 * could not be read, is damaged, or lacks debug information that it names (.dwo files, files of
 * dwz) or that a debuginfod server was asked for. Such objects cost little time, and a file that
 * appears later is not among the files that were looked at. Nothing is kept either if a file
 * changed a moment ago, or since the cache was read. The .dwo, dwz and debuginfod files that were
 * found are not among the files that were looked at: libdw takes only files with the right id.
 */
#include <config.h>

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/symbols/symbols_internal.h"

/*
 * Writes what results depend on apart from the files: this program, libdw, and the options that say
 * where to look. "" if that is too long.
 */
static void write_key(char *key, size_t key_bytes, const struct symbols_options *options)
{
	struct stat st;
	struct cache_state self = cache_state_of(stat("/proc/self/exe", &st) == 0 ? &st : NULL);
	int n = snprintf(key, key_bytes, "%s %llu %llu; libdw %s; debuginfod %d; %s; %s",
		PACKAGE_VERSION, (unsigned long long)self.bytes, (unsigned long long)self.mtime_ns,
		dwfl_version(NULL), options->debuginfod != 0,
		options->debug_dir ? options->debug_dir : "",
		options->sysroot ? options->sysroot : "");

	if (n < 0 || (size_t)n >= key_bytes)
		key[0] = '\0';
}

void symbols_cache_open(struct symbols *symbols)
{
	const char *folder = symbols->options.cache_folder;
	char key[CACHE_KEY_BYTES];
	size_t size = 0;
	void *bytes;

	write_key(key, sizeof(key), &symbols->options);
	bytes = folder && key[0] ? cache_file_read(folder, &size) : NULL;
	if (!bytes || cache_open(&symbols->cache, bytes, size, key) != 0)
		return;
	symbols->is_stale = calloc(cache_n_objects(&symbols->cache) + 1, 1);
	if (!symbols->is_stale)
		cache_close(&symbols->cache);
}

void symbols_cache_close(struct symbols *symbols)
{
	free(symbols->is_stale);
	cache_close(&symbols->cache);
}

static int is_unchanged(const struct cache_object *kept)
{
	for (size_t i = 0; i < kept->n_witnesses; i++)
		if (!cache_is_unchanged(&kept->witnesses[i]))
			return 0;
	return 1;
}

static int is_same(const struct cache_object *kept, const struct object *object)
{
	return strcmp(kept->path, object->path) == 0 &&
	       kept->build_id_bytes == object->build_id_bytes &&
	       (object->build_id_bytes == 0 ||
		       memcmp(kept->build_id, object->build_id, object->build_id_bytes) == 0);
}

void symbols_cache_find_object(struct symbols *symbols, struct object *object)
{
	size_t n = cache_n_objects(&symbols->cache);
	struct cache_object kept;

	object->cached = NOT_CACHED;
	for (size_t i = 0; i < n && object->cached == NOT_CACHED; i++) {
		if (symbols->is_stale[i])
			continue;
		if (cache_object(&symbols->cache, i, &kept) != 0) {
			symbols->is_stale[i] = 1;
		} else if (is_same(&kept, object)) {
			symbols->is_stale[i] = !is_unchanged(&kept);
			object->cached = symbols->is_stale[i] ? NOT_CACHED : (long)i;
		}
	}
	if (object->cached != NOT_CACHED && *kept.note)
		symbols_add_note(symbols, object, kept.note);
}

static void intern(struct strings *strings, struct symbol *symbol)
{
	symbol->name = strings_intern(strings, symbol->name);
	symbol->linkage = strings_intern(strings, symbol->linkage);
	symbol->file = strings_intern(strings, symbol->file);
	symbol->decl_file = strings_intern(strings, symbol->decl_file);
}

int symbols_cache_find(struct symbols *symbols, const struct object *object, enum cache_kind kind,
	uint64_t addr, struct symbol *list)
{
	int n = -1;

	if (object->cached != NOT_CACHED)
		n = cache_find(&symbols->cache, (size_t)object->cached, kind, addr, list);
	for (int i = 0; i < n; i++)
		intern(&symbols->strings, &list[i]);
	return n;
}

/* Whether an opened object is still as it is in the cache. Yes if it is not there. */
static int is_as_cached(const struct symbols *symbols, const struct object *object)
{
	const struct symbols_file *file = &object->file;
	struct cache_object kept;

	if (object->cached == NOT_CACHED)
		return 1;
	if (cache_object(&symbols->cache, (size_t)object->cached, &kept) != 0 ||
		kept.n_witnesses != file->n_looked)
		return 0;
	for (size_t i = 0; i < file->n_looked; i++)
		if (memcmp(&kept.witnesses[i].state, &file->looked[i].state,
			    sizeof(file->looked[i].state)) != 0)
			return 0;
	return 1;
}

/* Fills *kept with what the cache is to say of an object. Returns 1, or 0: it is not kept. */
static int describe(const struct symbols *symbols, const struct object *object,
	struct cache_object *kept, char *note, size_t note_bytes)
{
	const struct symbols_file *file = &object->file;

	if (!object->is_open)
		return object->cached != NOT_CACHED &&
		       cache_object(&symbols->cache, (size_t)object->cached, kept) == 0;
	if (file->problem[0] || object->is_damaged || !file->main.elf ||
		symbols_file_lacks_part(file) || object->index.lacks_part ||
		(symbols->options.debuginfod && !file->dwarf) || !is_as_cached(symbols, object))
		return 0;
	symbols_write_note(object, note, note_bytes);
	*kept = (struct cache_object){
		.path = object->path,
		.build_id = object->build_id,
		.build_id_bytes = object->build_id_bytes,
		.note = note,
		.has_lines = file->dwarf != NULL,
		.n_witnesses = file->n_looked,
	};
	for (size_t i = 0; i < file->n_looked; i++) {
		if (!file->looked[i].path)
			return 0;
		kept->witnesses[i] = file->looked[i];
	}
	return 1;
}

/* Copies the old entries of object i, but not what this run looked up for `object` (or NULL). */
static void keep_old(
	struct symbols *symbols, struct cache_writer *writer, size_t i, const struct object *object)
{
	struct symbol list[SYMBOLS_MAX_DEPTH];
	enum cache_kind kind;
	uint64_t addr;

	for (size_t p = 0; cache_place(&symbols->cache, i, p, &kind, &addr) == 0; p++) {
		int n = object && symbols_memo_find(&symbols->places, object, kind, addr)
				? -1
				: cache_find(&symbols->cache, i, kind, addr, list);

		if (n >= 0)
			cache_writer_add(writer, kind, addr, list, (size_t)n);
	}
}

/*
 * The cache that is being written. `places` are this run's lookups by object, address and kind, so
 * that equal lookups in an object give equal entries.
 */
struct keeping {
	struct symbols *symbols;
	struct cache_writer *writer;
	const struct place **places;
	size_t n_places;
	uint8_t *is_met; /* by object of the cache: this run has used it */
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = *(const struct place *const *)left;
	const struct place *b = *(const struct place *const *)right;

	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->kind < b->kind ? -1 : a->kind > b->kind;
}

static void sort_places(struct keeping *keeping)
{
	const struct places *places = &keeping->symbols->places;

	for (size_t i = 0; i < places->n_slots; i++)
		if (places->slots[i].object)
			keeping->places[keeping->n_places++] = &places->slots[i];
	if (keeping->n_places)
		qsort(keeping->places, keeping->n_places, sizeof(*keeping->places), compare_places);
}

static void keep_new(const struct keeping *keeping, const struct object *object)
{
	size_t low = 0, high = keeping->n_places;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (keeping->places[middle]->object < object)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < keeping->n_places && keeping->places[low]->object == object; low++) {
		const struct place *place = keeping->places[low];

		cache_writer_add(keeping->writer, (enum cache_kind)place->kind, place->addr,
			place->list, place->n);
	}
}

static void keep_object(const struct keeping *keeping, const struct object *object)
{
	struct cache_object kept;
	char note[512];

	if (!describe(keeping->symbols, object, &kept, note, sizeof(note)))
		return;
	cache_writer_object(keeping->writer, &kept);
	keep_new(keeping, object);
	if (object->cached != NOT_CACHED)
		keep_old(keeping->symbols, keeping->writer, (size_t)object->cached, object);
}

/* Copies objects that this run did not use: another report may use them. */
static void keep_others(const struct keeping *keeping)
{
	struct symbols *symbols = keeping->symbols;
	struct cache_object kept;

	for (size_t i = 0; i < cache_n_objects(&symbols->cache); i++) {
		if (keeping->is_met[i] || symbols->is_stale[i] ||
			cache_object(&symbols->cache, i, &kept) != 0)
			continue;
		cache_writer_object(keeping->writer, &kept);
		keep_old(symbols, keeping->writer, i, NULL);
	}
}

static void keep_all(struct keeping *keeping)
{
	struct symbols *symbols = keeping->symbols;

	sort_places(keeping);
	for (size_t i = 0; i < OBJECT_BUCKETS; i++) {
		for (const struct object *object = symbols->objects[i]; object;
			object = object->next) {
			if (object->cached != NOT_CACHED)
				keeping->is_met[object->cached] = 1;
			keep_object(keeping, object);
		}
	}
	keep_others(keeping);
}

/* Whether this run has looked something up that the cache lacks and that can be kept. */
static int has_changed(const struct symbols *symbols)
{
	struct cache_object kept;
	char note[512];

	for (size_t i = 0; i < OBJECT_BUCKETS; i++)
		for (const struct object *object = symbols->objects[i]; object;
			object = object->next)
			if (object->is_changed &&
				describe(symbols, object, &kept, note, sizeof(note)))
				return 1;
	return 0;
}

void symbols_cache_save(struct symbols *symbols)
{
	struct keeping keeping = { .symbols = symbols };
	char key[CACHE_KEY_BYTES];
	size_t size = 0;
	void *bytes = NULL;

	write_key(key, sizeof(key), &symbols->options);
	if (!symbols->options.cache_folder || !key[0] || !has_changed(symbols))
		return;
	keeping.writer = cache_writer_begin();
	keeping.places = calloc(symbols->places.n + 1, sizeof(*keeping.places));
	keeping.is_met = calloc(cache_n_objects(&symbols->cache) + 1, 1);
	if (keeping.writer && keeping.places && keeping.is_met)
		keep_all(&keeping);
	if (keeping.writer)
		bytes = cache_writer_end(keeping.writer, key, &size);
	if (bytes && keeping.places && keeping.is_met)
		cache_file_write(symbols->options.cache_folder, bytes, size);
	free(bytes);
	free(keeping.places);
	free(keeping.is_met);
}
