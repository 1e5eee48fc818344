/* SPDX-License-Identifier: Apache-2.0 */
/* From a profile file to a part; see archive_member.h. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "profile/archive/archive_internal.h"

/* More makes parts smaller by a few percent, and takes several times as long. */
enum { LEVEL = 3 };

/* What the segments say; those that do not begin in full are free. */
static struct profile_segment *read_segments(const uint8_t *file, size_t size)
{
	uint32_t n = part_count_segments(size);
	struct profile_segment *segments = calloc(n + 1, sizeof(*segments));

	for (uint32_t i = 1; segments && i < n; i++) {
		size_t start = (size_t)i * PROFILE_SEGMENT_BYTES;

		if (size - start >= sizeof(*segments))
			memcpy(&segments[i], file + start, sizeof(*segments));
	}
	return segments;
}

static void put_segments(
	struct part_output *out, const struct profile_segment *segments, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		part_put_number(out, segments[i].kind);
		part_put_number(out, segments[i].record_bytes);
		part_put_number(out, segments[i].used);
		part_put_number(out, segments[i].owner);
	}
}

/* One word of each record of a kind, of 4 or 8 bytes. */
struct column {
	const uint8_t *file;
	size_t size;
	const struct profile_segment *segments;
	uint32_t n_segments;
	uint32_t kind;
};

static uint64_t word_at(const uint8_t *at, size_t bytes)
{
	uint64_t word = 0;

	memcpy(&word, at, bytes);
	return word;
}

static void put_column(
	struct part_output *out, const struct column *column, size_t at, size_t word_bytes)
{
	uint64_t former = 0;

	for (uint32_t i = 1; i < column->n_segments; i++) {
		struct part_records records;

		if (column->segments[i].kind != column->kind)
			continue;
		records = part_records_of(&column->segments[i], i, column->size);
		for (size_t k = 0; k < records.n; k++) {
			const uint8_t *record = column->file + records.offset + k * records.bytes;
			uint64_t word = word_at(record + at, word_bytes);

			part_put_difference(out, word, former);
			former = word;
		}
	}
}

static void put_words(struct part_output *out, const struct column *column, size_t word_bytes)
{
	for (size_t at = 0; at < part_kinds[column->kind].record_bytes; at += word_bytes)
		put_column(out, column, at, word_bytes);
}

/* Records as they are, or the words of each. */
static void put_rows(struct part_output *out, const struct column *column, int is_text)
{
	for (uint32_t i = 1; i < column->n_segments; i++) {
		struct part_records records;
		const uint8_t *first;

		if (column->segments[i].kind != column->kind)
			continue;
		records = part_records_of(&column->segments[i], i, column->size);
		first = column->file + records.offset;
		if (is_text)
			part_put_bytes(out, first, records.n * records.bytes);
		else
			for (size_t at = 0; at < records.n * records.bytes; at += 4)
				part_put_number(out, word_at(first + at, 4));
	}
}

static void put_kind(struct part_output *out, const struct column *column)
{
	switch (part_kinds[column->kind].form) {
	case PART_BYTES:
		put_rows(out, column, 1);
		break;
	case PART_TIMELINE:
		put_rows(out, column, 0);
		break;
	case PART_WORDS:
		put_words(out, column, 4);
		break;
	case PART_LONG_WORDS:
		put_words(out, column, 8);
		break;
	case PART_NODES:
		part_put_nodes(
			out, column->file, column->size, column->segments, column->n_segments);
		break;
	default:
		break;
	}
}

static void put_file(struct part_output *out, const uint8_t *file, size_t size)
{
	struct profile_segment *segments = read_segments(file, size);
	struct column column = { file, size, segments, part_count_segments(size), 0 };
	size_t n_header = sizeof(struct profile_header);

	if (!segments) {
		out->has_failed = 1;
		return;
	}
	part_put_number(out, size);
	part_put_bytes(out, file, size < n_header ? size : n_header);
	put_segments(out, segments, column.n_segments);
	for (size_t i = 0; i < sizeof(part_order) / sizeof(part_order[0]); i++) {
		column.kind = part_order[i];
		put_kind(out, &column);
	}
	free(segments);
}

/* The number of bytes before they were compressed, then these; zeros where it would stand for too much. */
static uint8_t *squeeze(const struct part_output *out, size_t size, size_t *n)
{
	uint64_t n_plain = out->n;
	uLongf n_squeezed = compressBound(out->n);
	size_t least = part_least(size);
	size_t room = sizeof(n_plain) + n_squeezed + least;
	uint8_t *part = calloc(room, 1), *fit;

	if (!part)
		return NULL;
	memcpy(part, &n_plain, sizeof(n_plain));
	if (compress2(part + sizeof(n_plain), &n_squeezed, out->bytes, out->n, LEVEL) != Z_OK) {
		free(part);
		return NULL;
	}
	*n = sizeof(n_plain) + n_squeezed;
	if (*n < least)
		*n = least;
	fit = realloc(part, *n);
	return fit ? fit : part;
}

uint8_t *part_make(const uint8_t *file, size_t size, size_t *n)
{
	struct part_output out = { 0 };
	uint8_t *part = NULL;

	if (size > PROFILE_MAX_BYTES)
		size = PROFILE_MAX_BYTES;
	put_file(&out, file, size);
	if (!out.has_failed)
		part = squeeze(&out, size, n);
	free(out.bytes);
	return part;
}
