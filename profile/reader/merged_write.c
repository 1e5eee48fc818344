/* SPDX-License-Identifier: Apache-2.0 */
/* Writes merged files; see merged.h. */
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "profile/reader/merged.h"

/* xz -0: higher presets make members 1 to 3 percent smaller, and take at least twice the time. */
enum { PRESET = 0 };

int merged_pack(struct merged_member *member, const uint8_t *bytes, size_t plain)
{
	size_t room = lzma_stream_buffer_bound(plain);

	*member = (struct merged_member){ .bytes = malloc(room), .plain = plain };
	if (member->bytes && lzma_easy_buffer_encode(PRESET, LZMA_CHECK_CRC64, NULL, bytes, plain,
				     member->bytes, &member->n, room) == LZMA_OK)
		return 0;
	free(member->bytes);
	member->bytes = NULL;
	return -1;
}

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
	/* A header that no reader accepts; merged_end writes the true header. */
	put(writer, &(struct merged_header){ .version = 0 }, sizeof(struct merged_header));
}

/* Appends the head of the process. */
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
	const struct merged_member *member)
{
	uint32_t n = writer->header.n_members;
	struct merged_index *indices = realloc(writer->indices, ((size_t)n + 1) * sizeof(*indices));
	struct merged_index *index;

	if (!indices)
		return -1;
	writer->indices = indices;
	index = &indices[n];
	memset(index, 0, sizeof(*index));
	index->offset = writer->at;
	index->bytes = member->n;
	index->plain = member->plain;
	/* The file of a running program may have grown since it was listed. */
	index->file_bytes = entry->file_bytes > member->plain ? entry->file_bytes : member->plain;
	index->n_samples = entry->n_samples;
	index->n_threads = entry->n_threads;
	strncpy(index->name, name, sizeof(index->name) - 1);
	writer->header.n_members++;
	put(writer, member->bytes, member->n);
	return add_head(writer, entry);
}

int merged_end(struct merged_writer *writer)
{
	struct merged_header *header = &writer->header;
	size_t n_indices = header->n_members * sizeof(*writer->indices);
	struct merged_member heads;

	if (merged_pack(&heads, writer->heads, writer->n_heads) != 0)
		return ENOMEM;
	header->index = writer->at;
	put(writer, writer->indices, n_indices);
	header->heads = writer->at;
	header->heads_bytes = heads.n;
	header->heads_plain = heads.plain;
	put(writer, heads.bytes, heads.n);
	free(heads.bytes);
	header->file_bytes = writer->at;
	header->check = lzma_crc32((const uint8_t *)writer->indices, n_indices, 0);
	if (fseek(writer->out, 0, SEEK_SET) != 0)
		return errno;
	fwrite(header, sizeof(*header), 1, writer->out);
	return 0;
}

void merged_release(struct merged_writer *writer)
{
	free(writer->indices);
	free(writer->heads);
	*writer = (struct merged_writer){ .out = NULL };
}
