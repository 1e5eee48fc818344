/* SPDX-License-Identifier: Apache-2.0 */
/* Something run in a process of its own, so that what it takes can be told. For tests with cmocka. */
#ifndef OMPPROF_TESTS_UNIT_PROFILE_IN_CHILD_H
#define OMPPROF_TESTS_UNIT_PROFILE_IN_CHILD_H

#include <stddef.h>

/* What runs in the child: fills *result, which is zeroed. */
typedef void in_child_run(const void *data, void *result);

/* Runs it and takes over its result, `bytes` of it; fails the test if the child does not end with 0. */
void in_child(in_child_run *run, const void *data, void *result, size_t bytes);

#endif
