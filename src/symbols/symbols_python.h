/* SPDX-License-Identifier: Apache-2.0 */
/* The Python functions that a profile has as modules (PROFILE_MODULE_PYTHON). */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_PYTHON_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_PYTHON_H

#include <stddef.h>
#include <stdint.h>

/* A function, by its module's path "FILE:LINE:NAME". */
struct symbols_python {
	size_t file_bytes; /* of the path */
	uint32_t line;     /* its first line */
	const char *name;
};

/* Splits the path; a path of another form is a name. Any thread. */
struct symbols_python symbols_python_split(const char *path);

#endif
