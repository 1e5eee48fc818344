/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which libraries a program gets. Finds them as ld.so(8) does, without executing anything: by
 * DT_RPATH, LD_LIBRARY_PATH, DT_RUNPATH, the loader's cache and the default folders, for all
 * libraries that they need in turn. Some things are left out, such as copies of a library for
 * certain processors (glibc-hwcaps), which need what the plain copy needs, and DF_1_NODEFLIB.
 */
#ifndef OMPPROF_SRC_RUN_LOADER_H
#define OMPPROF_SRC_RUN_LOADER_H

#include <stddef.h>

#include "src/run/elf_dynamic.h"

struct loader_object {
	struct elf_dynamic file;
	/* the object that needs it first; 0 (the program) also for preloaded libraries */
	size_t by;
	int is_searched; /* found by a name without a slash */
};

struct loader {
	/* breadth first, in the order in which the loader searches for symbols */
	struct loader_object *objects;
	size_t n;
	size_t n_allocated;
	const char *library_path; /* LD_LIBRARY_PATH of this process, or "" */
	const char *cache;        /* /etc/ld.so.cache, mapped, or NULL */
	size_t cache_bytes;
};

/* Begins without objects, with LD_LIBRARY_PATH of this process. */
void loader_init(struct loader *loader);

/*
 * Loads the program `path`, the libraries that LD_PRELOAD of this process names, and all that these
 * need. A library that is not found is left out, as the loader itself reports it. Returns 0, or -1
 * if `path` is no ELF file for this machine.
 */
int loader_load(struct loader *loader, const char *path);

/* The object that a file gets if it needs this name; NULL if there is none. */
const struct loader_object *loader_find(const struct loader *loader, const char *name);

/* Opens the library that a program without DT_RPATH and DT_RUNPATH gets. Returns 0 or -1. */
int loader_open_library(const struct loader *loader, const char *name, struct elf_dynamic *file);

void loader_release(struct loader *loader);

/*
 * The path of the library `name` in the bytes of a loader's cache, or NULL. The first of several;
 * copies for certain processors do not count.
 */
const char *loader_cache_find(const char *cache, size_t bytes, const char *name);

#endif
