/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of one libgomp; see functions.def. */
#ifndef OMPPROF_GOMP_FUNCTIONS_H
#define OMPPROF_GOMP_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

/*
 * NULL for a function that this libgomp does not have: code that needs it was not bound to it. The
 * mutexes without a name have an address here, so that each libgomp has its own.
 */
struct gomp_functions {
	int is_foreign;  /* no libgomp that this library knows: calls only pass */
	unsigned openmp; /* _OPENMP of its GCC */
#define FUNCTION(returns, name, parameters)         returns(*name) parameters;
#define VERSION(returns, name, version, parameters) returns(*name##version) parameters;
#define VARIADIC(name, type)                        void (*name)(type, ...);
#include "gomp/functions.def"
	char name[64];                /* with the version */
	struct gomp_functions *older; /* the libgomp that was found before */
	char critical;
	char atomic;
	char ordered;
};

#endif
