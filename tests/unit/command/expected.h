/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is shown, byte for byte as files in tests/data have it. With OMPPROF_UPDATE_GOLDEN set the files are written
 * instead: `make update-golden`. For tests with cmocka.
 */
#ifndef OMPPROF_TESTS_UNIT_COMMAND_EXPECTED_H
#define OMPPROF_TESTS_UNIT_COMMAND_EXPECTED_H

#include <stddef.h>

/* The path of a file or folder in tests/data. */
void expected_path(char *path, size_t bytes, const char *name);

/* Fails the test unless `text` is what the file of this name in tests/data holds. */
void expected_compare(const char *name, const char *text);

#endif
