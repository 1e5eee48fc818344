/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the dynamic loader reads of an ELF file: what it needs, where it looks for that, and which
 * symbols the file defines and needs, with their versions. Reads the file by libelf and executes
 * nothing. Used to find out on which OpenMP runtime a program runs.
 */
#ifndef OMPPROF_SRC_RUN_ELF_DYNAMIC_H
#define OMPPROF_SRC_RUN_ELF_DYNAMIC_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The texts belong to the file and are valid until it is closed. */
struct elf_dynamic {
	Elf *elf;
	int fd;
	char *path; /* as it was opened */
	dev_t device;
	ino_t inode;             /* with the device: the same file again */
	const char *interpreter; /* the loader that starts it; NULL of a static program */
	int is_library;          /* it can be loaded, whatever else it is */
	const char *soname;      /* or NULL */
	const char *rpath;       /* DT_RPATH, which counts without DT_RUNPATH only, or NULL */
	const char *runpath;     /* DT_RUNPATH, or NULL */
	const char **needed;     /* DT_NEEDED, in its order */
	size_t n_needed;
};

/*
 * Opens the ELF file `path`. Returns 0, or -1 if it cannot be read or is none for this machine (64
 * bits, this machine); there is nothing to close then.
 */
int elf_dynamic_open(struct elf_dynamic *file, const char *path);

/* Closes what elf_dynamic_open opened. */
void elf_dynamic_close(struct elf_dynamic *file);

/* Whether `library` is among what the file needs. */
int elf_dynamic_has_need(const struct elf_dynamic *file, const char *library);

/*
 * Takes one symbol that a file needs: `version` is NULL where the file asks for none. `name` is NULL for
 * a version that the file wants to be there, which the loader checks before symbols. `is_weak`: its
 * lack is no error. Returns 0 to go on.
 */
typedef int elf_need(void *data, const char *name, const char *version, int is_weak);

/*
 * Calls `each` for all that the file needs of the library with this name: symbols, then versions. Symbols
 * without a version may be any library's and are all among them. Returns what `each` returned last, 0 if
 * there was nothing.
 */
int elf_dynamic_each_need(
	const struct elf_dynamic *file, const char *library, elf_need *each, void *data);

/* A name of its own and, if it has one, with its version; "" with a version is that version. */
struct elf_definition {
	const char *name;
	const char *version; /* or NULL */
	uint32_t hash;       /* of the name */
};

/* What a library defines. The texts belong to the file and are valid until it is closed. */
struct elf_definitions {
	struct elf_definition *list;
	size_t n;
	size_t n_allocated;
};

/* Collects what the file defines for others. Returns 0, or -1 without memory. */
int elf_definitions_read(struct elf_definitions *all, const struct elf_dynamic *file);

/* Whether the symbol is defined; with name NULL, whether the version is. A version of NULL is any. */
int elf_definitions_has(const struct elf_definitions *all, const char *name, const char *version);

/* Frees the list. */
void elf_definitions_release(struct elf_definitions *all);

#endif
