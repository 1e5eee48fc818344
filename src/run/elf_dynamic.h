/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of an ELF file that the dynamic loader reads: which libraries the file needs, where the
 * loader looks for them, and which symbols the file defines and needs, with their versions. Reads
 * the file by libelf and executes nothing. Used to find out on which OpenMP runtime a program runs.
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
	char *path; /* the path, as given */
	dev_t device;
	ino_t inode;             /* with the device it identifies the file */
	const char *interpreter; /* the loader that starts it; NULL for a static program */
	int is_library;          /* it can be loaded as a library */
	const char *soname;      /* or NULL */
	const char *rpath;   /* DT_RPATH or NULL; the loader ignores it if there is a DT_RUNPATH */
	const char *runpath; /* DT_RUNPATH, or NULL */
	const char **needed; /* DT_NEEDED, in the file's order */
	size_t n_needed;
};

/*
 * Opens the ELF file `path`. Returns 0, or -1 if it cannot be read or is not for this machine.
 * After -1 there is nothing to close.
 */
int elf_dynamic_open(struct elf_dynamic *file, const char *path);

void elf_dynamic_close(struct elf_dynamic *file);

/* Whether the file needs `library`. */
int elf_dynamic_has_need(const struct elf_dynamic *file, const char *library);

/*
 * Takes a symbol that a file needs. `version` NULL: in any version. `name` NULL: the version itself
 * must exist, because the loader checks versions before symbols. `is_weak`: it may be missing.
 * Returns 0 to continue.
 */
typedef int elf_need(void *data, const char *name, const char *version, int is_weak);

/*
 * Calls `each` for all that the file needs of the library with this name: first symbols, then
 * versions. A symbol without a version may be of any library and is always among them. Returns the
 * result of the last call of `each`, or 0 without calls.
 */
int elf_dynamic_each_need(
	const struct elf_dynamic *file, const char *library, elf_need *each, void *data);

/* Whether the file's full symbol table, which stripped files lack, has this function. */
int elf_dynamic_has_function(const struct elf_dynamic *file, const char *name);

/* A symbol in a version. A version by itself has the name "". */
struct elf_definition {
	const char *name;
	const char *version; /* or NULL */
	unsigned long hash;  /* of the name */
};

/* The definitions of a library. The texts belong to the file and are valid until it is closed. */
struct elf_definitions {
	struct elf_definition *list;
	size_t n;
	size_t n_allocated;
};

/* Collects the symbols that other files can use. Returns 0, or -1 when out of memory. */
int elf_definitions_read(struct elf_definitions *all, const struct elf_dynamic *file);

/*
 * Whether the symbol is defined in the version. `name` NULL: whether the version is defined.
 * `version` NULL: whether the symbol is defined in any version.
 */
int elf_definitions_has(const struct elf_definitions *all, const char *name, const char *version);

void elf_definitions_release(struct elf_definitions *all);

#endif
