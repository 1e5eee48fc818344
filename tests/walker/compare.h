/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the programs of tests/walker/ and compare.c, which is preloaded into them: how long a
 * program goes on. Without the library it runs its work once.
 */
#ifndef OMPPROF_TESTS_WALKER_COMPARE_H
#define OMPPROF_TESTS_WALKER_COMPARE_H

#ifdef __cplusplus
extern "C"
#else
extern
#endif
	int
	walk_compare_done(void) __attribute__((weak));

/* True when enough samples were taken, or no one takes samples. */
static inline int is_enough(void)
{
	return !walk_compare_done || walk_compare_done();
}

#endif
