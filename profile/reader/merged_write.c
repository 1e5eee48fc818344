/* SPDX-License-Identifier: Apache-2.0 */
/* Writing merged files; see merged.h. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "profile/reader/merged.h"

enum { HEADS_LEVEL = 6 };

static void put(struct merged_writer *writer, const void *bytes, size_t n)
{
	if (fwrite(bytes, 1, n, writer->out) == n)
		writer->at += n;
}

void merged_begin(struct merged_writer *writer, FILE *out)
{
	*writer = (struct merged_writer){ .out = out };
	memcpy(writer->header.magic, MERGED_MAGIC, sizeof(writer->header.magic));
	writer->header.version = MERGED_VERSION;
	writer->header.header_bytes = sizeof(struct merged_header);
	writer->header.index_bytes = sizeof(struct merged_index);
	/* It is written again when all is known: until then it is none that could be read. */
	put(writer, &(struct merged_header){ .version = 0 }, sizeof(struct merged_header));
}

/* Adds what lists show of the process. */
static int add_head(struct merged_writer *writer, const struct profile_entry *entry)
{
	const char *exe = entry->exe ? entry->exe : "";
	size_t n_exe = strnlen(exe, MERGED_PATH_BYTES - 1) + 1, n = sizeof(entry->header) + n_exe;
	uint8_t *heads = realloc(writer->heads, writer->n_heads + n);

	if (!heads)
		return -1;
	writer->heads = heads;
	memcpy(heads + writer->n_heads, &entry->header, sizeof(entry->header));
	memcpy(heads + writer->n_heads + sizeof(entry->header), exe, n_exe - 1);
	heads[writer->n_heads + n - 1] = '\0';
	writer->n_heads += n;
	return 0;
}

int merged_add(struct merged_writer *writer, const struct profile_entry *entry, const char *name,
	const uint8_t *part, size_t n)
{
	uint32_t n_parts = writer->header.n_parts;
	struct merged_index *indices =
		realloc(writer->indices, ((size_t)n_parts + 1) * sizeof(*indices));
	struct merged_index *index;

	if (!indices)
		return -1;
	writer->indices = indices;
	index = &indices[n_parts];
	memset(index, 0, sizeof(*index));
	index->offset = writer->at;
	index->bytes = n;
	index->file_bytes = entry->file_bytes;
	index->n_samples = entry->n_samples;
	index->n_threads = entry->n_threads;
	index->check = (uint32_t)crc32_z(0, part, n);
	strncpy(index->name, name, sizeof(index->name) - 1);
	writer->header.n_parts++;
	put(writer, part, n);
	return add_head(writer, entry);
}

int merged_end(struct merged_writer *writer)
{
	struct merged_header *header = &writer->header;
	size_t n_indices = header->n_parts * sizeof(*writer->indices);
	uLongf n_heads = compressBound(writer->n_heads);
	uint8_t *heads = malloc(n_heads);

	if (!heads ||
		compress2(heads, &n_heads, writer->heads, writer->n_heads, HEADS_LEVEL) != Z_OK) {
		free(heads);
		return -1;
	}
	header->index = writer->at;
	put(writer, writer->indices, n_indices);
	header->heads = writer->at;
	header->heads_bytes = n_heads;
	header->heads_plain = writer->n_heads;
	put(writer, heads, n_heads);
	header->file_bytes = writer->at;
	header->check = (uint32_t)crc32_z(
		crc32_z(0, (const Bytef *)writer->indices, n_indices), heads, n_heads);
	free(heads);
	if (fseek(writer->out, 0, SEEK_SET) == 0)
		fwrite(header, sizeof(*header), 1, writer->out);
	return 0;
}

void merged_release(struct merged_writer *writer)
{
	free(writer->indices);
	free(writer->heads);
	*writer = (struct merged_writer){ .out = NULL };
}
