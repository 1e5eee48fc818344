/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profile files without the empty ends of their segments, as inputs of a fuzzer: two bytes N of length,
 * N bytes of the header's segment, then the same for each further segment. Used by tests/fuzz/ only.
 */
#ifndef OMPPROF_TESTS_FUZZ_COMPACT_H
#define OMPPROF_TESTS_FUZZ_COMPACT_H

#include <stddef.h>
#include <stdint.h>

/*
 * The profile file of this input, *n bytes to be freed; NULL if it has no segment or there is no
 * memory. Any bytes make a file, of at most COMPACT_SEGMENTS segments.
 */
uint8_t *compact_expand(const uint8_t *data, size_t size, size_t *n);

enum { COMPACT_SEGMENTS = 256 };

/* The input of which compact_expand makes this file; *n bytes to be freed. */
uint8_t *compact_make(const uint8_t *file, size_t size, size_t *n);

/* Sets a few fields of records, mostly to what the fields of others could hold. Returns the size. */
size_t compact_mutate(uint8_t *data, size_t size, unsigned seed);

#endif
