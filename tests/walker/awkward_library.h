/* SPDX-License-Identifier: Apache-2.0 */
/* Between awkward_code.c and awkward_library.c: links are added to the caller's chain. */
#ifndef OMPPROF_TESTS_WALKER_AWKWARD_LIBRARY_H
#define OMPPROF_TESTS_WALKER_AWKWARD_LIBRARY_H

struct chain;

/* Calls `function` with n, a few frames further on. */
int library_call(struct chain *chain, int (*function)(int), int n);

/* Calls itself, n deep, and functions that are not in the chain. */
double library_compute(struct chain *chain, int n);

#endif
