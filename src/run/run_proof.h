/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of libgomp that are proven on libomp. The table of functions is
 * tests/gcc/functions.txt, from which src/run/functions.sh makes gomp_functions when ompprof is
 * built. Used by run_runtime.c and run_result.c.
 */
#ifndef OMPPROF_SRC_RUN_RUN_PROOF_H
#define OMPPROF_SRC_RUN_RUN_PROOF_H

#include "src/run/run_runtime.h"

/* A function of libgomp that libomps define. */
struct gomp_function {
	const char *name; /* NULL after the last function */
	const char *version;
	const char *why; /* what libomp does wrong; NULL: it is proven */
};

extern const struct gomp_function gomp_functions[];

/* Why a program stays on libgomp: "'FILE' uses SYMBOL, WHY". */
struct gomp_unproven {
	char file[1024];
	char symbol[256];
	char why[256];
};

/*
 * Finds the first reason in a program: a function for which libomp is not proven, a function that
 * loads libraries, or a library that is not found. Returns 1, or 0 if there is none.
 */
int gomp_unproven_find(struct gomp_unproven *unproven, const struct loader *loader);

/* The same for the functions of libgomp in a file that a program has loaded late. */
int gomp_unproven_in_file(struct gomp_unproven *unproven, const char *path);

/* The first variable (NAME=VALUE) that libgomp and libomp may treat differently, or NULL. */
const char *gomp_setting_find(void);

#endif
