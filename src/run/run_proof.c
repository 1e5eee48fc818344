/* SPDX-License-Identifier: Apache-2.0 */
/* Whether everything that a program needs of libgomp is proven on libomp; see run_proof.h. */
#include "src/run/run_proof.h"

#include <stdio.h>
#include <string.h>

#include "src/symbols/machine.h"

static const char unknown[] = "has not been tried";
static const char not_found[] = "which is not found";
static const char loads_more[] = "which loads libraries that are not known before the start";

/* The search in a file, and what it found. */
struct search {
	const struct loader *loader; /* the program's objects, or NULL if only the file is known */
	const struct elf_dynamic *file;
	const char *symbol;
	const char *why;
};

/* Why a function is not proven, or NULL. Without a version all versions must be proven. */
static const char *why_not(const char *name, const char *version)
{
	const struct gomp_function *function;
	int is_known = 0;

	for (function = gomp_functions; function->name; function++) {
		if (strcmp(function->name, name) != 0 ||
			(version && strcmp(function->version, version) != 0))
			continue;
		if (function->why)
			return function->why;
		is_known = 1;
	}
	return is_known ? NULL : unknown;
}

static int take_gomp(void *data, const char *name, const char *version, int is_weak)
{
	struct search *search = data;

	(void)is_weak;
	if (!name || (!version && !gomp_is_name(name)))
		return 0;
	if (!version && search->loader && gomp_is_defined_elsewhere(search->loader, name))
		return 0;
	search->symbol = name;
	search->why = why_not(name, version);
	return search->why != NULL;
}

static int take_loading(void *data, const char *name, const char *version, int is_weak)
{
	struct search *search = data;

	(void)version, (void)is_weak;
	if (!name || (strcmp(name, "dlopen") != 0 && strcmp(name, "dlmopen") != 0))
		return 0;
	search->symbol = name;
	search->why = loads_more;
	return 1;
}

/* Whether what the file loads has nothing to do with OpenMP: the C library and the runtimes. */
static int is_of_the_system(const struct elf_dynamic *file)
{
	static const char *const names[] = { "libc.so.6", "libdl.so.2", "libpthread.so.0",
		LIBGOMP_NAME, "libomp.so.5", "libomp.so", "libiomp5.so" };

	if (file->soname && strcmp(file->soname, machine_host->loader) == 0)
		return 1;
	for (size_t i = 0; file->soname && i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(file->soname, names[i]) == 0)
			return 1;
	}
	return 0;
}

static int store(struct gomp_unproven *unproven, const struct search *search)
{
	snprintf(unproven->file, sizeof(unproven->file), "%s", search->file->path);
	snprintf(unproven->symbol, sizeof(unproven->symbol), "%s", search->symbol);
	snprintf(unproven->why, sizeof(unproven->why), "%s%s",
		search->why == loads_more || search->why == not_found ? "" : "with which libomp ",
		search->why);
	return 1;
}

/* Finds a needed library that is not among the objects: nothing is known of it. */
static int find_missing(struct search *search)
{
	for (size_t i = 0; i < search->loader->n; i++) {
		search->file = &search->loader->objects[i].file;
		for (size_t k = 0; k < search->file->n_needed; k++) {
			search->symbol = search->file->needed[k];
			if (!loader_find(search->loader, search->symbol))
				return 1;
		}
	}
	return 0;
}

int gomp_unproven_find(struct gomp_unproven *unproven, const struct loader *loader)
{
	static const char *const libraries[] = { LIBGOMP_NAME, "libc.so.6", "libdl.so.2" };
	struct search missing = { .loader = loader, .why = not_found };

	for (size_t k = 0; k < sizeof(libraries) / sizeof(libraries[0]); k++) {
		for (size_t i = 0; i < loader->n; i++) {
			struct search search = { .loader = loader,
				.file = &loader->objects[i].file };

			if (!is_of_the_system(search.file) &&
				elf_dynamic_each_need(search.file, libraries[k],
					k ? take_loading : take_gomp, &search))
				return store(unproven, &search);
		}
	}
	return find_missing(&missing) ? store(unproven, &missing) : 0;
}

int gomp_unproven_in_file(struct gomp_unproven *unproven, const char *path)
{
	struct elf_dynamic file;
	struct search search = { .file = &file };
	int is_found;

	if (elf_dynamic_open(&file, path) != 0)
		return 0;
	is_found = elf_dynamic_has_need(&file, LIBGOMP_NAME) &&
		   elf_dynamic_each_need(&file, LIBGOMP_NAME, take_gomp, &search);
	if (is_found)
		store(unproven, &search);
	elf_dynamic_close(&file);
	return is_found;
}
