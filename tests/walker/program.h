/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the programs of tests/walker/ and the library that is preloaded into them, compare.c or
 * truth.c: how much work a program does, and how long it goes on. Without a library it does all of
 * its work once.
 */
#ifndef OMPPROF_TESTS_WALKER_PROGRAM_H
#define OMPPROF_TESTS_WALKER_PROGRAM_H

#ifdef __cplusplus
extern "C" {
#endif
/* True when the library has seen enough. */
__attribute__((weak)) int walk_is_enough(void);
/* How many times to halve the work. */
__attribute__((weak)) int walk_halvings(void);
#ifdef __cplusplus
}
#endif

static inline int is_enough(void)
{
	return !walk_is_enough || walk_is_enough();
}

/* A number of rounds or elements, at least 1. */
static inline int work_size(int n)
{
	int size = walk_halvings ? n >> walk_halvings() : n;

	return size > 0 ? size : 1;
}

/* Levels of a recursion whose work doubles with each, at least 2. */
static inline int work_levels(int n)
{
	int levels = walk_halvings ? n - walk_halvings() : n;

	return levels > 2 ? levels : 2;
}

#endif
