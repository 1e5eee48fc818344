/* SPDX-License-Identifier: Apache-2.0 */
/* Reading merged files; see merged.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "profile/reader/merged.h"
#include "profile/archive/archive_member.h"
#include "profile/reader/reader_internal.h"

enum {
	INFLATE_MOST_TIMES = 1040, /* what deflate can at most make of a byte */
	FIRST_INDICES = 256,       /* read at once */
	/* A program that runs may have made its file larger since it was listed. */
	FILE_MOST_TIMES = 2,
	FILE_BESIDE = 16 << 20,
};

/* Of a part: what twice the largest file takes compressed, and more. */
#define PART_MOST_BYTES (2 * (uint64_t)PROFILE_MAX_BYTES + (1 << 20))

/* An open merged file. */
struct merged {
	int fd;
	uint64_t file_bytes; /* that are there */
	struct merged_header header;
};

static int fail(struct diag *diag, const char *path, const char *what)
{
	return diag_set(diag, "cannot read '%s': %s", path, what);
}

static int is_within(const struct merged *merged, uint64_t at, uint64_t n)
{
	return at <= merged->file_bytes && n <= merged->file_bytes - at;
}

/* The heads are no larger than so many can be. A file can say that it has any size without taking space. */
static int has_heads(const struct merged_header *header)
{
	uint64_t most =
		header->n_parts * (uint64_t)(sizeof(struct profile_header) + MERGED_PATH_BYTES);

	return header->heads_plain <= most &&
	       header->heads_bytes <= compressBound(header->heads_plain) &&
	       header->heads_plain <= header->heads_bytes * INFLATE_MOST_TIMES;
}

/* Opens it. Returns 1, 0 if it is none or cannot be opened (errno), or -1 with *diag set. */
static int open_merged(struct merged *merged, const char *path, struct diag *diag)
{
	struct merged_header *header = &merged->header;
	struct stat stat;

	*merged = (struct merged){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (merged->fd < 0)
		return 0;
	if (fstat(merged->fd, &stat) != 0 || !S_ISREG(stat.st_mode) ||
		reader_read_at(merged->fd, header, sizeof(*header), 0) != 0 ||
		memcmp(header->magic, MERGED_MAGIC, sizeof(header->magic)) != 0) {
		close(merged->fd);
		errno = ENOTDIR;
		return 0;
	}
	merged->file_bytes = (uint64_t)stat.st_size;
	if (header->version > MERGED_VERSION)
		diag_set(diag,
			"cannot read '%s': its format, version %u, is newer than this ompprof "
			"reads (%u)",
			path, header->version, MERGED_VERSION);
	else if (merged->file_bytes < header->file_bytes)
		diag_set(diag, "cannot read '%s': it has been cut, %llu of %llu bytes are there",
			path, (unsigned long long)merged->file_bytes,
			(unsigned long long)header->file_bytes);
	else if (header->header_bytes != sizeof(*header) ||
		 header->index_bytes != sizeof(struct merged_index) || header->n_parts == 0 ||
		 !is_within(merged, header->index,
			 header->n_parts * (uint64_t)sizeof(struct merged_index)) ||
		 !is_within(merged, header->heads, header->heads_bytes) || !has_heads(header))
		fail(diag, path, "it is damaged");
	else
		return 1;
	close(merged->fd);
	return -1;
}

/* Bytes of the file, to be freed; or NULL. */
static uint8_t *read_bytes(const struct merged *merged, uint64_t at, uint64_t n)
{
	uint8_t *bytes = is_within(merged, at, n) ? calloc(1, n + 1) : NULL;

	if (bytes && reader_read_at(merged->fd, bytes, n, at) != 0) {
		free(bytes);
		bytes = NULL;
	}
	return bytes;
}

/* What lists show: the indices and the heads. */
struct contents {
	struct merged_index *indices;
	uint8_t *heads;
	size_t n_heads;
};

static void release_contents(struct contents *contents)
{
	free(contents->indices);
	free(contents->heads);
}

/* The name is a file's, and ends. */
static int has_name(const struct merged_index *index)
{
	return index->name[0] && memchr(index->name, '\0', sizeof(index->name)) &&
	       !strchr(index->name, '/');
}

/* Adds indices `from` to `end`; -1 if one has no name. */
static int add_indices(
	struct merged_index *indices, const struct merged *merged, uint32_t from, uint32_t end)
{
	size_t bytes = (end - from) * sizeof(*indices);

	memset(indices + from, 0, bytes);
	if (reader_read_at(merged->fd, indices + from, bytes,
		    merged->header.index + from * (uint64_t)sizeof(*indices)) != 0)
		return -1;
	for (uint32_t i = from; i < end; i++)
		if (!has_name(&indices[i]))
			return -1;
	return 0;
}

/* All indices, to be freed, or NULL. There is no room for more than twice as many as there are. */
static struct merged_index *read_indices(const struct merged *merged)
{
	struct merged_index *indices = NULL;
	uint32_t n_parts = merged->header.n_parts;

	for (uint32_t n = 0, end; n < n_parts; n = end) {
		uint32_t more = n ? n : FIRST_INDICES;
		struct merged_index *grown;

		end = more < n_parts - n ? n + more : n_parts;
		grown = realloc(indices, end * sizeof(*indices));
		if (grown)
			indices = grown;
		if (!grown || add_indices(indices, merged, n, end) != 0) {
			free(indices);
			return NULL;
		}
	}
	return indices;
}

static int read_contents(struct contents *contents, const struct merged *merged)
{
	const struct merged_header *header = &merged->header;
	uint64_t n_indices = header->n_parts * (uint64_t)sizeof(struct merged_index);
	uLongf n = header->heads_plain;
	uint8_t *heads;
	int status = -1;

	*contents = (struct contents){ read_indices(merged), NULL, header->heads_plain };
	if (!contents->indices)
		return -1;
	heads = read_bytes(merged, header->heads, header->heads_bytes);
	contents->heads = malloc(header->heads_plain + 1);
	if (heads && contents->heads &&
		crc32_z(crc32_z(0, (const Bytef *)contents->indices, n_indices), heads,
			header->heads_bytes) == header->check &&
		uncompress(contents->heads, &n, heads, header->heads_bytes) == Z_OK &&
		n == header->heads_plain)
		status = 0;
	free(heads);
	return status;
}

static void fill_figures(struct profile_entry *entry, const struct merged_index *index)
{
	entry->file_bytes = index->file_bytes;
	entry->n_samples = index->n_samples;
	entry->n_threads = index->n_threads;
}

/* Takes the head at *at. Returns 0, or -1 if it does not end or memory is out. */
static int take_head(struct profile_entry *entry, const struct contents *contents, size_t *at)
{
	size_t left = contents->n_heads - *at, n_header = sizeof(entry->header);
	const char *exe = (const char *)contents->heads + *at + n_header;
	const char *end = left > n_header ? memchr(exe, '\0', left - n_header) : NULL;

	if (!end)
		return -1;
	memcpy(&entry->header, contents->heads + *at, n_header);
	entry->header.host[sizeof(entry->header.host) - 1] = '\0';
	*at += n_header + (size_t)(end - exe) + 1;
	if (exe[0] && !(entry->exe = strdup(exe)))
		return -1;
	return 0;
}

static int add_entries(struct profile_list *list, const struct merged *merged,
	const struct contents *contents, const char *path)
{
	size_t at = 0;

	for (uint32_t i = 0; i < merged->header.n_parts; i++) {
		const struct merged_index *index = &contents->indices[i];
		struct profile_entry *entry = reader_add_entry(list);

		if (!entry || take_head(entry, contents, &at) != 0)
			return -1;
		if (asprintf(&entry->path, "%s/%s", path, index->name) < 0) {
			entry->path = NULL;
			return -1;
		}
		fill_figures(entry, index);
	}
	return 0;
}

long merged_list(struct profile_list *list, const char *path, struct diag *diag)
{
	struct contents contents;
	struct merged merged;
	int status = open_merged(&merged, path, diag);

	if (status <= 0)
		return status;
	status = read_contents(&contents, &merged);
	if (status == 0)
		status = add_entries(list, &merged, &contents, path);
	release_contents(&contents);
	close(merged.fd);
	return status == 0 ? (long)merged.header.n_parts : fail(diag, path, "it is damaged");
}

/* Finds the part by halves. Returns its number, or -1. */
static long find_part(const struct merged *merged, const char *name, struct merged_index *index)
{
	uint32_t first = 0, end = merged->header.n_parts;

	while (first < end) {
		uint32_t i = first + (end - first) / 2;
		uint64_t at = merged->header.index + i * (uint64_t)sizeof(*index);
		int order;

		memset(index, 0, sizeof(*index));
		if (reader_read_at(merged->fd, index, sizeof(*index), at) != 0 || !has_name(index))
			return -1;
		order = strcmp(name, index->name);
		if (order == 0)
			return (long)i;
		if (order < 0)
			end = i;
		else
			first = i + 1;
	}
	return -1;
}

/* Opens what is before the last slash, and finds what is behind it. Returns as find_part; merged.fd is open then. */
static long open_part(
	struct merged *merged, const char *path, struct merged_index *index, struct diag *diag)
{
	const char *slash = strrchr(path, '/');
	char *file = slash && slash != path ? strndup(path, (size_t)(slash - path)) : NULL;
	int status = file ? open_merged(merged, file, diag) : 0;
	long found = -1;

	if (status == 1) {
		found = find_part(merged, slash + 1, index);
		if (found < 0) {
			reader_cannot_read(diag, path, ENOENT);
			close(merged->fd);
		}
	} else if (status == 0) {
		reader_cannot_read(diag, path, file ? ENOTDIR : ENOENT);
	}
	free(file);
	return found;
}

int merged_look_at(struct profile_entry *entry)
{
	struct profile_entry found = { 0 };
	struct contents contents;
	struct merged_index index;
	struct merged merged;
	struct diag diag;
	long part = open_part(&merged, entry->path, &index, &diag);
	size_t at = 0;
	int status;

	if (part < 0)
		return -1;
	status = read_contents(&contents, &merged);
	for (long i = 0; status == 0 && i <= part; i++) {
		free(found.exe);
		found.exe = NULL;
		status = take_head(&found, &contents, &at);
	}
	release_contents(&contents);
	close(merged.fd);
	found.path = entry->path;
	fill_figures(&found, &index);
	if (status == 0)
		*entry = found;
	else
		free(found.exe);
	return status;
}

/* How large the file of a part can be: what it is weighed by before it is read is about right. */
static uint64_t most_bytes(const struct merged_index *index)
{
	uint64_t bytes = index->file_bytes;

	return FILE_MOST_TIMES * (bytes < PROFILE_MAX_BYTES ? bytes : PROFILE_MAX_BYTES) +
	       FILE_BESIDE;
}

/* The part's bytes, to be freed, or NULL if they are not those that were written. */
static uint8_t *read_part(const struct merged *merged, const struct merged_index *index)
{
	uint8_t *part = NULL;

	if (index->bytes <= PART_MOST_BYTES)
		part = read_bytes(merged, index->offset, index->bytes);
	if (!part || crc32_z(0, part, index->bytes) == index->check)
		return part;
	free(part);
	return NULL;
}

int merged_load(
	struct profile_bytes *file, struct merged_part *part, const char *path, struct diag *diag)
{
	struct merged_index index;
	struct merged merged;
	struct part_file expanded = { 0 };
	uint8_t *bytes;

	if (part)
		*part = (struct merged_part){ 0 };
	if (open_part(&merged, path, &index, diag) < 0)
		return -1;
	bytes = read_part(&merged, &index);
	close(merged.fd);
	if (bytes)
		part_expand(&expanded, bytes, index.bytes, most_bytes(&index));
	*file = (struct profile_bytes){
		.bytes = expanded.bytes, .size = expanded.size, .file_bytes = index.file_bytes
	};
	if (part && expanded.bytes && expanded.is_tight && merged.header.version == MERGED_VERSION)
		*part = (struct merged_part){ bytes, index.bytes };
	else
		free(bytes);
	return file->bytes ? 0 : fail(diag, path, "it is damaged");
}
