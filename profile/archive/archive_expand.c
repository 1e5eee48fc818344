/* SPDX-License-Identifier: Apache-2.0 */
/* From a part back to the profile file that it stands for; see archive_member.h. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "profile/archive/archive_internal.h"

enum {
	INFLATE_MOST_TIMES = 1040, /* what deflate can at most make of a byte */
	NUMBER_MOST_BYTES = 10,
	/* What numbers make of a file is less than twice the file, and a few bytes. */
	PLAIN_MOST_TIMES = 2,
	PLAIN_BESIDE = 64,
};

static struct profile_segment *take_segments(struct part_input *in, uint8_t *file, size_t size)
{
	uint32_t n = part_count_segments(size);
	struct profile_segment *segments = calloc(n + 1, sizeof(*segments));

	for (uint32_t i = 1; segments && i < n && !in->has_failed; i++) {
		size_t start = (size_t)i * PROFILE_SEGMENT_BYTES;

		segments[i].kind = (uint32_t)part_take_limited(in, UINT32_MAX);
		segments[i].record_bytes = (uint32_t)part_take_limited(in, UINT32_MAX);
		segments[i].used = (uint32_t)part_take_limited(in, UINT32_MAX);
		segments[i].owner = (uint32_t)part_take_limited(in, UINT32_MAX);
		if (size - start >= sizeof(*segments))
			memcpy(file + start, &segments[i], sizeof(*segments));
	}
	return segments;
}

struct column {
	uint8_t *file;
	size_t size;
	const struct profile_segment *segments;
	uint32_t n_segments;
	uint32_t kind;
};

static void take_column(
	struct part_input *in, const struct column *column, size_t at, size_t word_bytes)
{
	uint64_t word = 0;

	for (uint32_t i = 1; i < column->n_segments && !in->has_failed; i++) {
		struct part_records records;

		if (column->segments[i].kind != column->kind)
			continue;
		records = part_records_of(&column->segments[i], i, column->size);
		for (size_t k = 0; k < records.n; k++) {
			word = part_take_difference(in, word);
			memcpy(column->file + records.offset + k * records.bytes + at, &word,
				word_bytes);
		}
	}
}

static void take_words(struct part_input *in, const struct column *column, size_t word_bytes)
{
	for (size_t at = 0; at < part_kinds[column->kind].record_bytes; at += word_bytes)
		take_column(in, column, at, word_bytes);
}

static void take_rows(struct part_input *in, const struct column *column, int is_text)
{
	for (uint32_t i = 1; i < column->n_segments && !in->has_failed; i++) {
		struct part_records records;
		uint8_t *first;

		if (column->segments[i].kind != column->kind)
			continue;
		records = part_records_of(&column->segments[i], i, column->size);
		first = column->file + records.offset;
		if (is_text && records.n) {
			part_take_bytes(in, first, records.n * records.bytes);
			continue;
		}
		for (size_t at = 0; at < records.n * records.bytes; at += 4) {
			uint32_t word = (uint32_t)part_take_limited(in, UINT32_MAX);

			memcpy(first + at, &word, sizeof(word));
		}
	}
}

static void take_kind(struct part_input *in, const struct column *column)
{
	switch (part_kinds[column->kind].form) {
	case PART_BYTES:
		take_rows(in, column, 1);
		break;
	case PART_TIMELINE:
		take_rows(in, column, 0);
		break;
	case PART_WORDS:
		take_words(in, column, 4);
		break;
	case PART_LONG_WORDS:
		take_words(in, column, 8);
		break;
	case PART_NODES:
		part_take_nodes(
			in, column->file, column->size, column->segments, column->n_segments);
		break;
	default:
		break;
	}
}

static void take_file(struct part_input *in, uint8_t *file, size_t size)
{
	size_t n_header = sizeof(struct profile_header);
	struct column column = {
		.file = file, .size = size, .n_segments = part_count_segments(size)
	};
	struct profile_segment *segments;

	part_take_bytes(in, file, size < n_header ? size : n_header);
	segments = take_segments(in, file, size);
	in->has_failed |= !segments;
	column.segments = segments;
	for (size_t i = 0; i < sizeof(part_order) / sizeof(part_order[0]) && !in->has_failed; i++) {
		column.kind = part_order[i];
		take_kind(in, &column);
	}
	free(segments);
}

/* What became of a part's compressed bytes. */
struct inflated {
	size_t n;      /* bytes that came of them */
	size_t n_used; /* of the part, with what is before them */
	int is_end;    /* these are all */
};

/* Up to `n` of the bytes before they were compressed. */
static struct inflated inflate_part(const uint8_t *part, size_t n_part, uint8_t *plain, size_t n)
{
	struct inflated got = { 0 };
	z_stream stream = { 0 };

	if (inflateInit(&stream) != Z_OK)
		return got;
	/* zlib takes no const, and changes nothing. */
	stream.next_in = (Bytef *)part + sizeof(uint64_t);
	stream.avail_in = (uInt)(n_part - sizeof(uint64_t));
	stream.next_out = plain;
	stream.avail_out = (uInt)n;
	got.is_end = inflate(&stream, Z_FINISH) == Z_STREAM_END;
	got.n = stream.total_out;
	got.n_used = sizeof(uint64_t) + stream.total_in;
	inflateEnd(&stream);
	return got;
}

/*
 * The bytes before they were compressed, to be freed; or NULL. No more than a file of that size has. *got says how many,
 * and of how many.
 */
static uint8_t *inflate_all(const uint8_t *part, size_t n_part, uint64_t most, struct inflated *got)
{
	uint8_t first[NUMBER_MOST_BYTES], *plain;
	struct part_input in = { .bytes = first };
	uint64_t n_plain, size;

	if (n_part < sizeof(n_plain) || n_part > UINT32_MAX)
		return NULL;
	memcpy(&n_plain, part, sizeof(n_plain));
	in.n = inflate_part(part, n_part, first, sizeof(first)).n;
	size = part_take_limited(&in, most);
	if (in.has_failed || n_plain > n_part * INFLATE_MOST_TIMES ||
		n_plain > PLAIN_MOST_TIMES * size + PLAIN_BESIDE)
		return NULL;
	plain = malloc(n_plain + 1);
	if (!plain)
		return NULL;
	*got = inflate_part(part, n_part, plain, n_plain);
	if (got->is_end && got->n == n_plain)
		return plain;
	free(plain);
	return NULL;
}

static int is_all_zero(const uint8_t *bytes, size_t n)
{
	size_t n_zero = 0;

	while (n_zero < n && !bytes[n_zero])
		n_zero++;
	return n_zero == n;
}

/* A stream can have any number of blocks that nothing comes of, and anything can be behind it. */
static int is_tight(const struct part_file *file, const uint8_t *part, size_t n_part,
	const struct inflated *got)
{
	size_t least = part_least(file->size);

	return got->n_used <= sizeof(uint64_t) + compressBound(got->n) &&
	       n_part == (got->n_used < least ? least : got->n_used) &&
	       is_all_zero(part + got->n_used, n_part - got->n_used);
}

int part_expand(struct part_file *file, const uint8_t *part, size_t n, uint64_t most)
{
	struct part_input in = { 0 };
	struct inflated got;
	uint8_t *plain;

	*file = (struct part_file){ 0 };
	if (most > PROFILE_MAX_BYTES)
		most = PROFILE_MAX_BYTES;
	if (most > (uint64_t)n * PART_MOST_TIMES)
		most = (uint64_t)n * PART_MOST_TIMES;
	plain = inflate_all(part, n, most, &got);
	if (!plain)
		return -1;
	in.bytes = plain;
	in.n = got.n;
	file->size = (size_t)part_take_limited(&in, most);
	if (!in.has_failed)
		file->bytes = calloc(1, file->size + 1);
	if (file->bytes)
		take_file(&in, file->bytes, file->size);
	file->is_tight = in.at == in.n && is_tight(file, part, n, &got);
	if (in.has_failed) {
		free(file->bytes);
		file->bytes = NULL;
	}
	free(plain);
	return file->bytes ? 0 : -1;
}
