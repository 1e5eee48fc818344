/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OMPPROF_GOMP_VERSION_H
#define OMPPROF_GOMP_VERSION_H

#include <stddef.h>

/*
 * Writes the name and version of the libgomp that dlopen has given `handle` for: "GCC libgomp 12".
 */
void gomp_name(char *name, size_t bytes, void *handle);

/* _OPENMP of the GCC that this libgomp belongs to. */
unsigned gomp_openmp(void *handle);

/*
 * Whether calls of the library that defines `function` have to pass untold: it supports tools
 * itself, it is a libgomp newer than GCC 17's, or the library is not found. A newer libgomp is told
 * of on stderr.
 */
int gomp_is_foreign(void *handle, const void *function);

#endif
