/* SPDX-License-Identifier: Apache-2.0 */
/* Profile files without the empty ends of their segments; see compact.h. */
#include "tests/fuzz/compact.h"

#include <stdlib.h>
#include <string.h>

#include "profile/shared/layout.h"

enum { LENGTH_BYTES = 2, MOST_CHANGES = 4 };

/* The length of the segment at `at`, cut to what is there and to what a segment holds. */
static size_t length_at(const uint8_t *data, size_t size, size_t at)
{
	size_t n = data[at] | (size_t)data[at + 1] << 8;

	if (n > size - at - LENGTH_BYTES)
		n = size - at - LENGTH_BYTES;
	return n < PROFILE_SEGMENT_BYTES ? n : PROFILE_SEGMENT_BYTES;
}

uint8_t *compact_expand(const uint8_t *data, size_t size, size_t *n)
{
	size_t n_segments = 0;
	uint8_t *file;

	for (size_t at = 0; at + LENGTH_BYTES < size && n_segments < COMPACT_SEGMENTS; n_segments++)
		at += LENGTH_BYTES + length_at(data, size, at);
	file = n_segments ? calloc(n_segments, PROFILE_SEGMENT_BYTES) : NULL;
	*n = n_segments * PROFILE_SEGMENT_BYTES;
	for (size_t i = 0, at = 0; file && i < n_segments; i++) {
		size_t length = length_at(data, size, at);

		memcpy(file + i * PROFILE_SEGMENT_BYTES, data + at + LENGTH_BYTES, length);
		at += LENGTH_BYTES + length;
	}
	return file;
}

uint8_t *compact_make(const uint8_t *file, size_t size, size_t *n)
{
	uint8_t *data = malloc(size + size / PROFILE_SEGMENT_BYTES * LENGTH_BYTES + 1);

	*n = 0;
	for (size_t at = 0; data && at + PROFILE_SEGMENT_BYTES <= size;
		at += PROFILE_SEGMENT_BYTES) {
		size_t length = PROFILE_SEGMENT_BYTES;

		while (length && !file[at + length - 1])
			length--;
		data[(*n)++] = (uint8_t)length;
		data[(*n)++] = (uint8_t)(length >> 8);
		memcpy(data + *n, file + at, length);
		*n += length;
	}
	return data;
}

static uint64_t next(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	return *random ^= *random << 17;
}

/* What a field could hold: small, an id, the end of a range, or what another field holds. */
static uint64_t value(const uint8_t *data, size_t size, uint64_t *random)
{
	static const uint64_t ends[] = { 0, UINT32_MAX, INT32_MAX, UINT64_MAX, INT64_MAX,
		(uint64_t)1 << 60, 1000000000 };
	uint64_t other = 0;

	switch (next(random) % 4) {
	case 0:
		return next(random) % 20;
	case 1: /* nodes begin with the second segment */
		return PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES + next(random) % 2048;
	case 2:
		return ends[next(random) % (sizeof(ends) / sizeof(ends[0]))];
	default:
		memcpy(&other, data + next(random) % (size - sizeof(other)), sizeof(other));
		return other;
	}
}

size_t compact_mutate(uint8_t *data, size_t size, unsigned seed)
{
	uint64_t random = seed * 0x9e3779b97f4a7c15ull + 1;
	size_t starts[COMPACT_SEGMENTS], n = 0;

	for (size_t at = 0; at + LENGTH_BYTES < size && n < COMPACT_SEGMENTS;) {
		starts[n++] = at;
		at += LENGTH_BYTES + length_at(data, size, at);
	}
	for (size_t i = next(&random) % MOST_CHANGES + 1; n && size > 64 && i > 0; i--) {
		size_t start = starts[next(&random) % n];
		size_t length = length_at(data, size, start), bytes = 1u << next(&random) % 4;
		uint64_t to = value(data, size, &random);

		if (length >= bytes)
			memcpy(data + start + LENGTH_BYTES +
					next(&random) % (length / bytes) * bytes,
				&to, bytes);
	}
	return size;
}
