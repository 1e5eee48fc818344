/* SPDX-License-Identifier: Apache-2.0 */
/* Which libraries a program gets; see loader.h. */
#include "src/run/loader.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/shared/array.h"
#include "src/symbols/machine.h"

/* More objects are left out. */
enum { MAX_OBJECTS = 4096 };

/* The folder that the loader puts in the place of $LIB. */
static const char *lib_token(void)
{
	const char *debians = machine_host->library_folders[0];

	return access(debians, F_OK) == 0 ? debians + 1 : "lib64";
}

static size_t append(char *text, size_t used, size_t bytes, const char *more, size_t n)
{
	if (used + n >= bytes)
		n = bytes - 1 - used;
	memcpy(text + used, more, n);
	text[used + n] = '\0';
	return used + n;
}

/*
 * The text for the token "$NAME" or "${NAME}" at `at`, whose length becomes *n; NULL if it is none.
 * `origin` is the folder of the file in which the token is.
 */
static const char *expand_token(const char *at, const char *origin, size_t *n)
{
	const char *platform = (const char *)getauxval(AT_PLATFORM);
	const struct {
		const char *name;
		const char *value;
	} tokens[] = { { "ORIGIN", origin }, { "LIB", lib_token() },
		{ "PLATFORM", platform ? platform : "" } };
	int is_braced = at[1] == '{';

	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		size_t bytes = strlen(tokens[i].name);

		if (strncmp(at + 1 + is_braced, tokens[i].name, bytes) == 0 &&
			(!is_braced || at[2 + bytes] == '}')) {
			*n = 1 + bytes + (is_braced ? 2 : 0);
			return tokens[i].value;
		}
	}
	return NULL;
}

/* Copies the first `n` bytes of `from` and expands the tokens in them, for a file at `path`. */
static void expand(char *to, size_t to_bytes, const char *from, size_t n, const char *path)
{
	char origin[PATH_MAX];
	size_t used = 0, token;
	const char *value;
	char *slash;

	to[0] = '\0';
	if (!memchr(from, '$', n)) {
		append(to, 0, to_bytes, from, n);
		return;
	}
	if (!realpath(path, origin))
		snprintf(origin, sizeof(origin), "%s", path);
	slash = strrchr(origin, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < n;) {
		value = from[i] == '$' ? expand_token(from + i, origin, &token) : NULL;
		if (value) {
			used = append(to, used, to_bytes, value, strlen(value));
			i += token;
		} else {
			used = append(to, used, to_bytes, from + i, 1);
			i++;
		}
	}
}

/* Opens `name` in the folder that is the first `n` bytes of `folder`; 0: the current folder. */
static int open_in(struct elf_dynamic *file, const char *folder, size_t n, const char *name,
	const char *origin)
{
	char expanded[PATH_MAX], path[2 * PATH_MAX];

	expand(expanded, sizeof(expanded), folder, n, origin);
	snprintf(path, sizeof(path), "%s/%s", n ? expanded : ".", name);
	return elf_dynamic_open(file, path);
}

/* Opens `name` in the first folder of the list that has it. */
static int open_in_list(struct elf_dynamic *file, const char *list, const char *separators,
	const char *name, const char *origin)
{
	while (list && list[0]) {
		size_t n = strcspn(list, separators);

		if (open_in(file, list, n, name, origin) == 0)
			return 0;
		list += n;
		if (!*list)
			break;
		list++;
	}
	return -1;
}

static int open_by_default(const struct loader *loader, struct elf_dynamic *file, const char *name)
{
	const char *cached = loader_cache_find(loader->cache, loader->cache_bytes, name);

	if (cached && elf_dynamic_open(file, cached) == 0)
		return 0;
	for (const char *const *folder = machine_host->library_folders; *folder; folder++) {
		if (open_in(file, *folder, strlen(*folder), name, "/") == 0)
			return 0;
	}
	return -1;
}

/* Searches the DT_RPATH of object `by`, then of the object that needed that one, and so on. */
static int open_by_rpath(
	const struct loader *loader, struct elf_dynamic *file, const char *name, size_t by)
{
	const struct loader_object *object = &loader->objects[by];

	if (object->file.runpath)
		return -1;
	for (;;) {
		if (!object->file.runpath &&
			open_in_list(file, object->file.rpath, ":", name, object->file.path) == 0)
			return 0;
		if (object->by == by || object == &loader->objects[0])
			return -1;
		by = object->by;
		object = &loader->objects[by];
	}
}

/* Opens the file that object `by` gets for `name`. Returns 0, or -1 if there is none. */
static int open_needed(
	const struct loader *loader, struct loader_object *found, const char *name, size_t by)
{
	const struct elf_dynamic *from = &loader->objects[by].file;
	char path[PATH_MAX];

	found->by = by;
	found->is_searched = !strchr(name, '/');
	if (!found->is_searched) {
		expand(path, sizeof(path), name, strlen(name), from->path);
		return elf_dynamic_open(&found->file, path);
	}
	if (open_by_rpath(loader, &found->file, name, by) == 0)
		return 0;
	if (open_in_list(&found->file, loader->library_path, ":;", name,
		    loader->objects[0].file.path) == 0 ||
		open_in_list(&found->file, from->runpath, ":", name, from->path) == 0)
		return 0;
	return open_by_default(loader, &found->file, name);
}

static int is_named(const struct loader_object *object, const char *name)
{
	const struct elf_dynamic *file = &object->file;

	return (object->is_searched && strcmp(basename(file->path), name) == 0) ||
	       strcmp(file->path, name) == 0 || (file->soname && strcmp(file->soname, name) == 0);
}

const struct loader_object *loader_find(const struct loader *loader, const char *name)
{
	for (size_t i = 0; i < loader->n; i++) {
		if (is_named(&loader->objects[i], name))
			return &loader->objects[i];
	}
	return NULL;
}

/* Takes the object over, unless the same file is loaded already. */
static void add(struct loader *loader, struct loader_object *object)
{
	for (size_t i = 0; i < loader->n; i++) {
		const struct elf_dynamic *other = &loader->objects[i].file;

		if (other->device == object->file.device && other->inode == object->file.inode) {
			elf_dynamic_close(&object->file);
			return;
		}
	}
	if (loader->n >= MAX_OBJECTS ||
		ARRAY_GROW(loader->objects, loader->n, loader->n_allocated) != 0) {
		elf_dynamic_close(&object->file);
		return;
	}
	loader->objects[loader->n++] = *object;
}

static void add_preloaded(struct loader *loader)
{
	const char *list = getenv("LD_PRELOAD");

	while (list && *list) {
		size_t n = strcspn(list, " :");
		struct loader_object object = { .by = 0 };
		char *name = strndup(list, n);

		if (name && n && open_needed(loader, &object, name, 0) == 0)
			add(loader, &object);
		free(name);
		list += n;
		list += strspn(list, " :");
	}
}

static void map_cache(struct loader *loader)
{
	int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *at;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_size > 0) {
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (at != MAP_FAILED) {
			loader->cache = at;
			loader->cache_bytes = (size_t)st.st_size;
		}
	}
	close(fd);
}

void loader_init(struct loader *loader)
{
	const char *path = getenv("LD_LIBRARY_PATH");

	*loader = (struct loader){ .library_path = path ? path : "" };
	map_cache(loader);
}

int loader_load(struct loader *loader, const char *path)
{
	struct loader_object program = { .by = 0 };

	if (elf_dynamic_open(&program.file, path) != 0)
		return -1;
	add(loader, &program);
	if (loader->n == 0)
		return -1;
	add_preloaded(loader);
	for (size_t i = 0; i < loader->n; i++) {
		for (size_t k = 0; k < loader->objects[i].file.n_needed; k++) {
			const char *name = loader->objects[i].file.needed[k];
			struct loader_object object;

			if (!loader_find(loader, name) &&
				open_needed(loader, &object, name, i) == 0)
				add(loader, &object);
		}
	}
	return 0;
}

int loader_open_library(const struct loader *loader, const char *name, struct elf_dynamic *file)
{
	if (open_in_list(file, loader->library_path, ":;", name, "/") == 0)
		return 0;
	return open_by_default(loader, file, name);
}

void loader_release(struct loader *loader)
{
	for (size_t i = 0; i < loader->n; i++)
		elf_dynamic_close(&loader->objects[i].file);
	free(loader->objects);
	if (loader->cache)
		munmap((void *)loader->cache, loader->cache_bytes);
	*loader = (struct loader){ 0 };
}
