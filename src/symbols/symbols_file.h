/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ELF files of an object: the object itself, checked against the recorded build-id, and its
 * separate debug file if the object has no debug information or cannot be used. The debug file is
 * found by build-id under /usr/lib/debug, or by .gnu_debuglink. All files are looked for below the
 * sysroot first, if there is one. Nothing here looks up an address.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_FILE_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_FILE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "src/symbols/cache.h"
#include "src/symbols/symbols.h"

struct elf_file {
	int fd;
	Elf *elf;
};

/*
 * The object, its debug file by build-id, and three places by its link; each also below the
 * sysroot.
 */
enum { LOOKED_MOST = 10 };

struct symbols_file {
	struct elf_file main;  /* its elf is NULL if the object could not be used */
	char *path;            /* where the object was found; NULL: nowhere */
	struct elf_file debug; /* the separate debug file; its elf is NULL if there is none */
	Dwarf *dwarf;          /* NULL: no debug information */
	Dwfl *dwfl;            /* owns dwarf if a debuginfod server was asked; else NULL */
	/*
	 * The files that were looked at, and found or not; the members above depend on them. The
	 * path is NULL if the state is not sure, or when out of memory.
	 */
	struct cache_witness looked[LOOKED_MOST]; /* paths are owned */
	size_t n_looked;
	char problem[512]; /* why there are no symbols at all, or no lines; "" if nothing failed */
};

/*
 * Opens the files of `object`. It never fails, but may leave `elf` and `dwarf` NULL. If no file can
 * be used, or its debug information cannot be read, there is a problem. An object without a file,
 * such as the vdso, has none.
 */
void symbols_file_open(struct symbols_file *file, const struct symbols_options *options,
	const struct symbols_object *object);

void symbols_file_close(struct symbols_file *file);

/*
 * Finds the separate debug file, with debug_dir below `root` (symbols_find.c). file->debug stays
 * empty if there is none.
 */
void symbols_file_find_debug(struct symbols_file *file, const char *root, const char *debug_dir,
	const struct symbols_object *object);

/* Whether the debug information shares a part with a file of dwz that was not found. */
int symbols_file_lacks_part(const struct symbols_file *file);

/* elf_file_open() for file->main or file->debug, which also adds the path to file->looked. */
int symbols_file_look(struct symbols_file *file, struct elf_file *elf_file, const char *path);

/* Opens `path`. Returns 0, or -1 with errno; errno is 0 if the file is no ELF file. */
int elf_file_open(struct elf_file *file, const char *path);
void elf_file_close(struct elf_file *file);

/* Whether `elf` itself contains debug information. */
int elf_has_dwarf(Elf *elf);

#endif
