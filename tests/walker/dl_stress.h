/* SPDX-License-Identifier: Apache-2.0 */
/* Between dl_stress.c and its plugins. */
#ifndef OMPPROF_TESTS_WALKER_DL_STRESS_H
#define OMPPROF_TESTS_WALKER_DL_STRESS_H

#include "tests/walker/chain.h"

#include <stddef.h>

/* Rounds of the loops in a plugin's functions: some microseconds. */
#define SPIN 1000

/* What a plugin calls, back in the program. */
typedef int (*stress_callback)(struct chain *chain, int n);

/* A plugin's one symbol. */
typedef int (*stress_plugin)(struct chain *chain, stress_callback callback, int n);
int stress_run(struct chain *chain, stress_callback callback, int n);

#endif
