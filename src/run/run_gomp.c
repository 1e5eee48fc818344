/* SPDX-License-Identifier: Apache-2.0 */
/* How a program uses libgomp, and which libomp can replace it; see run_runtime.h. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/run_runtime.h"

/* Folders where distributions put a libomp that the loader does not find by itself. */
static const char *const places[] = { "/usr/lib/llvm-*/lib/libomp.so.5",
	"/usr/lib/llvm*/lib/libomp.so", "/usr/lib64/llvm*/lib*/libomp.so", "/usr/lib64/libomp.so",
	"/usr/local/lib/libomp.so", "/usr/local/lib/*-linux-gnu/libomp.so",
	"/opt/rocm*/llvm/lib/libomp.so" };

/* libomp's names for the loader: LLVM's, Debian's, Intel's. */
static const char *const names[] = { "libomp.so.5", "libomp.so", "libiomp5.so" };

enum { N_NAMES = sizeof(names) / sizeof(names[0]), N_PLACES = sizeof(places) / sizeof(places[0]) };

/* Whether a runtime supports tools: it then has a weak definition of their start function. */
static int has_ompt(const struct elf_dynamic *file)
{
	struct elf_definitions defined;
	int has;

	if (elf_definitions_read(&defined, file) != 0)
		return 0;
	has = elf_definitions_has(&defined, "ompt_start_tool", NULL);
	elf_definitions_release(&defined);
	return has;
}

void gomp_use_find(struct gomp_use *use, const struct loader *loader)
{
	const struct loader_object *gomp = loader_find(loader, LIBGOMP_NAME);

	*use = (struct gomp_use){ 0 };
	for (size_t i = 0; i < loader->n; i++) {
		const char *soname = loader->objects[i].file.soname;

		for (size_t k = 0; soname && k < N_NAMES; k++) {
			if (strcmp(soname, names[k]) == 0)
				use->libomp = loader->objects[i].file.path;
		}
	}
	/* The function is libgomp's own: libomp, which may be linked in as well, has none. */
	use->is_linked_in = !gomp && loader->n &&
			    elf_dynamic_has_function(&loader->objects[0].file, "gomp_team_start");
	if (!gomp || has_ompt(&gomp->file))
		return;
	use->is_used = 1;
}

struct check {
	const struct elf_definitions *defined;
	struct gomp_missing *missing;
};

/* Whether a symbol may be libgomp's, judged by its name. */
static int is_name(const char *name)
{
	static const char *const prefixes[] = { "GOMP_", "GOACC_", "omp_", "acc_" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return 1;
	}
	return 0;
}

static int check_need(void *data, const char *name, const char *version, int is_weak)
{
	const struct check *check = data;
	struct gomp_missing *missing = check->missing;

	if (is_weak || (!version && !is_name(name)) ||
		elf_definitions_has(check->defined, name, version))
		return 0;
	if (!name)
		snprintf(missing->symbol, sizeof(missing->symbol), "version %s", version);
	else
		snprintf(missing->symbol, sizeof(missing->symbol), "%s%s%s%s", name,
			version ? " (" : "", version ? version : "", version ? ")" : "");
	return 1;
}

/* Whether an object other than libgomp defines the symbol, which then need not be libgomp's. */
static int is_defined_elsewhere(const struct loader *loader, const char *symbol)
{
	for (size_t i = 0; i < loader->n; i++) {
		const struct elf_dynamic *file = &loader->objects[i].file;
		struct elf_definitions defined;
		int is_defined;

		if ((file->soname && strcmp(file->soname, LIBGOMP_NAME) == 0) ||
			elf_definitions_read(&defined, file) != 0)
			continue;
		is_defined = elf_definitions_has(&defined, symbol, NULL);
		elf_definitions_release(&defined);
		if (is_defined)
			return 1;
	}
	return 0;
}

/* Whether an object needs a symbol of libgomp that nothing defines: fills *missing. */
static int is_missing(const struct loader *loader, const struct elf_definitions *defined,
	struct gomp_missing *missing)
{
	struct check check = { defined, missing };

	for (size_t i = 0; i < loader->n; i++) {
		const struct elf_dynamic *file = &loader->objects[i].file;

		if (!elf_dynamic_has_need(file, LIBGOMP_NAME) ||
			!elf_dynamic_each_need(file, LIBGOMP_NAME, check_need, &check) ||
			is_defined_elsewhere(loader, missing->symbol))
			continue;
		snprintf(missing->file, sizeof(missing->file), "%s", file->path);
		return 1;
	}
	return 0;
}

int libomp_check(
	const char *path, const struct loader *loader, size_t *n, struct gomp_missing *missing)
{
	struct elf_definitions defined;
	struct elf_dynamic file;
	int status = -1;

	if (elf_dynamic_open(&file, path) != 0)
		return -1;
	if (elf_definitions_read(&defined, &file) == 0) {
		*n = defined.n;
		if (elf_definitions_has(&defined, "ompt_start_tool", NULL) &&
			elf_definitions_has(&defined, "__kmpc_fork_call", NULL) &&
			elf_definitions_has(&defined, "GOMP_parallel", "GOMP_4.0"))
			status = is_missing(loader, &defined, missing);
		elf_definitions_release(&defined);
	}
	elf_dynamic_close(&file);
	return status;
}

/* The best libomp so far. If none suffices: the newest one, and what it lacks. */
struct choice {
	char *path;
	size_t bytes;
	const struct loader *loader;
	struct gomp_missing *missing;
	int is_late;    /* prefer a libomp that the loader finds by name */
	size_t n;       /* symbols of the best libomp; 0: none suffices so far */
	size_t n_short; /* symbols of the newest insufficient libomp */
};

static void consider(struct choice *choice, const char *path)
{
	struct gomp_missing missing;
	char real[4096];
	size_t n = 0;
	int status = libomp_check(path, choice->loader, &n, &missing);
	char *resolved = realpath(path, NULL);

	snprintf(real, sizeof(real), "%s", resolved ? resolved : path);
	free(resolved);
	if (status == 0 && n > choice->n) {
		choice->n = n;
		snprintf(choice->path, choice->bytes, "%s", real);
	} else if (status == 1 && n > choice->n_short) {
		choice->n_short = n;
		*choice->missing = missing;
		if (choice->n == 0)
			snprintf(choice->path, choice->bytes, "%s", real);
	}
}

void libomp_each(const struct loader *loader, libomp_take *take, void *data)
{
	for (size_t i = 0; i < N_NAMES; i++) {
		struct elf_dynamic file;

		if (loader_open_library(loader, names[i], &file) != 0)
			continue;
		take(data, file.path, 1);
		elf_dynamic_close(&file);
	}
	for (size_t i = 0; i < N_PLACES; i++) {
		glob_t found;

		if (glob(places[i], 0, NULL, &found) != 0)
			continue;
		for (size_t k = 0; k < found.gl_pathc; k++)
			take(data, found.gl_pathv[k], 0);
		globfree(&found);
	}
}

static void take(void *data, const char *path, int is_found_by_name)
{
	struct choice *choice = data;

	if (is_found_by_name || !choice->is_late || !choice->n)
		consider(choice, path);
}

int libomp_choose(char *path, size_t bytes, const struct loader *loader, int is_late,
	struct gomp_missing *missing)
{
	struct choice choice = { path, bytes, loader, missing, is_late, 0, 0 };

	path[0] = '\0';
	libomp_each(loader, take, &choice);
	if (choice.n)
		return 0;
	return choice.n_short ? 1 : -1;
}
