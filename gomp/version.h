/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OMPPROF_GOMP_VERSION_H
#define OMPPROF_GOMP_VERSION_H

#include <stddef.h>

/*
 * Writes the name and version of the libgomp that dlopen has given `handle` for: "GCC libgomp 12".
 * Any thread.
 */
void gomp_describe(char *name, size_t bytes, void *handle);

#endif
