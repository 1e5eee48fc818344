/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares attributed trees with text, a line per node: depth, kind, address, flags (e exact,
 * r runtime, o outlined, g guessed), executions, samples, time by class, and where there are any the
 * sampled time of measured waits, their number, and waiting and blame by kind. Used by the tests of the
 * attribution.
 */
#ifndef OMPPROF_TESTS_UNIT_ATTRIBUTION_CHECK_TREE_H
#define OMPPROF_TESTS_UNIT_ATTRIBUTION_CHECK_TREE_H

#include "attribution/tree/tree.h"
#include "tests/unit/scenes/build_profile.h"

/* Address ranges of the modules that build_program() makes. */
#define USER    0x10000
#define RUNTIME 0x20000
#define LIBC    0x30000
#define LIBUSER 0x40000
#define VDSO    0x50000
#define OFFLOAD 0x60000

/* Begins a profile with these modules. */
void build_program(struct build *build);

/*
 * build_program(), n_threads of which the first is the initial thread, main, and a region begun
 * there through the runtime's fork call. Returns the region's id.
 */
uint32_t build_main_region(struct build *build, uint32_t n_threads);

/*
 * Attributes what was built, checks that the tree is sound and that nothing is lost, and compares
 * it with `expected`, unless that is NULL.
 */
void check_view(
	const struct build *build, enum tree_view view, int by_thread, const char *expected);

#endif
