/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ELF files of one object: the object itself, checked against the build-id that was recorded,
 * and where it was stripped its separate debug file (by build-id under /usr/lib/debug, or by
 * .gnu_debuglink). Nothing here looks an address up.
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

/* The object, by build-id, and three by its link. */
enum { LOOKED_MOST = 5 };

struct symbols_file {
	struct elf_file main;  /* elf is NULL when it could not be used */
	struct elf_file debug; /* the separate debug file; elf is NULL when there is none */
	Dwarf *dwarf;          /* NULL: no debug information */
	Dwfl *dwfl;            /* owns dwarf and was used to ask a debuginfod server, or NULL */
	/* Files that were looked at, whether they were there, and right, or not: what decides the above. The
	   path is NULL if the state does not tell enough, or when out of memory. */
	struct cache_witness looked[LOOKED_MOST]; /* paths are owned */
	size_t n_looked;
	char problem[512]; /* why there are no symbols at all, or no lines; "" if nothing failed */
};

/* Opens what there is of `object`; never fails, but may leave everything NULL with a problem. */
void symbols_file_open(struct symbols_file *file, const struct symbols_options *options,
	const struct symbols_object *object);

void symbols_file_close(struct symbols_file *file);

/* `file`'s separate debug file (symbols_find.c): leaves file->debug empty when there is none. */
void symbols_file_find_debug(
	struct symbols_file *file, const char *debug_dir, const struct symbols_object *object);

/* Whether debug information is elsewhere in part, and not found there. */
int symbols_file_lacks_part(const struct symbols_file *file);

/* elf_file_open() for file->main or file->debug, noted in file->looked. */
int symbols_file_look(struct symbols_file *file, struct elf_file *elf_file, const char *path);

/* Opens `path`; returns 0, or -1 with errno, or with errno 0 when it is no ELF file. */
int elf_file_open(struct elf_file *file, const char *path);
void elf_file_close(struct elf_file *file);

/* Whether `elf` carries debug information itself. */
int elf_has_dwarf(Elf *elf);

#endif
