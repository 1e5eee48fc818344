/* SPDX-License-Identifier: Apache-2.0 */
/* Reads merged files; see merged.h. */
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/reader/merged.h"
#include "profile/reader/reader_internal.h"

enum {
	FIRST_INDICES = 256, /* indices that are read at first */
	/* memory that liblzma may take beside the bytes: enough for xz -6 */
	UNPACK_BYTES = 16 << 20,
};

/* An open merged file. */
struct merged {
	int fd;
	uint64_t file_bytes; /* its real size */
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

/* Whether the heads can be so large, given their number. */
static int has_heads(const struct merged_header *header)
{
	return header->heads_plain <=
	       header->n_members * (uint64_t)(sizeof(struct profile_header) + MERGED_PATH_BYTES);
}

/* Returns 1; 0 with errno if it is no merged file or cannot be opened; or -1 with *diag set. */
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
	else if (header->version < MERGED_VERSION)
		diag_set(diag,
			"cannot read '%s': an older ompprof merged it, and its format, version %u, "
			"is not read any more; merge the profiles anew",
			path, header->version);
	else if (merged->file_bytes < header->file_bytes)
		diag_set(diag, "cannot read '%s': it has been cut, %llu of %llu bytes are there",
			path, (unsigned long long)merged->file_bytes,
			(unsigned long long)header->file_bytes);
	else if (header->header_bytes != sizeof(*header) ||
		 header->index_bytes != sizeof(struct merged_index) || header->n_members == 0 ||
		 !is_within(merged, header->index,
			 header->n_members * (uint64_t)sizeof(struct merged_index)) ||
		 !is_within(merged, header->heads, header->heads_bytes) || !has_heads(header))
		fail(diag, path, "it is damaged");
	else
		return 1;
	close(merged->fd);
	return -1;
}

/* Returns `n` bytes of the file, which the caller frees, or NULL. */
static uint8_t *read_bytes(const struct merged *merged, uint64_t at, uint64_t n)
{
	uint8_t *bytes = is_within(merged, at, n) ? calloc(1, n + 1) : NULL;

	if (bytes && reader_read_at(merged->fd, bytes, n, at) != 0) {
		free(bytes);
		bytes = NULL;
	}
	return bytes;
}

/*
 * Returns the `plain` bytes of the xz stream of `n` bytes at `at`, which the caller frees; NULL if
 * it cannot be read or has another number of bytes. A sparse file can claim any size, so a stream
 * is not read if it is longer than `plain` bytes can need.
 */
static uint8_t *unpack(const struct merged *merged, uint64_t at, uint64_t n, uint64_t plain)
{
	uint8_t *packed = NULL, *bytes = NULL;
	uint64_t memory = UNPACK_BYTES;
	size_t n_read = 0, n_made = 0;

	if (n <= lzma_stream_buffer_bound(plain))
		packed = read_bytes(merged, at, n);
	if (packed)
		bytes = malloc(plain + 1);
	if (bytes && (lzma_stream_buffer_decode(&memory, 0, NULL, packed, &n_read, n, bytes,
			      &n_made, plain) != LZMA_OK ||
			     n_read != n || n_made != plain)) {
		free(bytes);
		bytes = NULL;
	}
	free(packed);
	return bytes;
}

/* The indices and the heads: all that lists show. */
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

/* Whether the index has a name, which ends and has no slash. */
static int has_name(const struct merged_index *index)
{
	return index->name[0] && memchr(index->name, '\0', sizeof(index->name)) &&
	       !strchr(index->name, '/');
}

/* Reads indices [from, end). Returns 0, or -1 if that fails or an index has no name. */
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

/*
 * Returns all indices, which the caller frees, or NULL. A file can claim any number of them: no
 * more than twice as many as it has, or FIRST_INDICES, are allocated.
 */
static struct merged_index *read_indices(const struct merged *merged)
{
	struct merged_index *indices = NULL;
	uint32_t n_members = merged->header.n_members;

	for (uint32_t n = 0, end; n < n_members; n = end) {
		uint32_t more = n ? n : FIRST_INDICES;
		struct merged_index *grown;

		end = more < n_members - n ? n + more : n_members;
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
	size_t n_indices = header->n_members * sizeof(struct merged_index);

	*contents = (struct contents){ read_indices(merged), NULL, header->heads_plain };
	if (!contents->indices ||
		lzma_crc32((const uint8_t *)contents->indices, n_indices, 0) != header->check)
		return -1;
	contents->heads = unpack(merged, header->heads, header->heads_bytes, header->heads_plain);
	return contents->heads ? 0 : -1;
}

static void fill_figures(struct profile_entry *entry, const struct merged_index *index)
{
	entry->file_bytes = index->file_bytes;
	entry->n_samples = index->n_samples;
	entry->n_threads = index->n_threads;
}

/* Reads the head at *at and moves *at behind it. Returns 0, or -1: no end, or out of memory. */
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

	for (uint32_t i = 0; i < merged->header.n_members; i++) {
		const struct merged_index *index = &contents->indices[i];
		struct profile_entry *entry;
		char *name;

		if (asprintf(&name, "%s/%s", path, index->name) < 0)
			return -1;
		entry = profile_list_add(list, name);
		if (!entry || take_head(entry, contents, &at) != 0)
			return -1;
		fill_figures(entry, index);
	}
	return 0;
}

long merged_list(struct profile_list *list, const char *path, struct diag *diag)
{
	struct contents contents;
	struct merged merged;
	int status = open_merged(&merged, path, diag), error;

	if (status <= 0)
		return status;
	errno = 0;
	status = read_contents(&contents, &merged);
	if (status == 0)
		status = add_entries(list, &merged, &contents, path);
	error = errno;
	release_contents(&contents);
	close(merged.fd);
	if (status == 0)
		return (long)merged.header.n_members;
	return fail(diag, path, error ? strerror(error) : "it is damaged");
}

static long find_member(const struct merged *merged, const char *name, struct merged_index *index)
{
	uint32_t first = 0, end = merged->header.n_members;

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

/* Opens the merged file of a member's path. Returns the member's number, or -1 with *diag set. */
static long open_member(
	struct merged *merged, const char *path, struct merged_index *index, struct diag *diag)
{
	const char *slash = strrchr(path, '/');
	char *file = slash && slash != path ? strndup(path, (size_t)(slash - path)) : NULL;
	int status = file ? open_merged(merged, file, diag) : 0;
	long found = -1;

	if (status == 1) {
		found = find_member(merged, slash + 1, index);
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
	long member = open_member(&merged, entry->path, &index, &diag);
	size_t at = 0;
	int status;

	if (member < 0)
		return -1;
	status = read_contents(&contents, &merged);
	for (long i = 0; status == 0 && i <= member; i++) {
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

int merged_load(struct profile_bytes *file, const char *path, struct diag *diag)
{
	struct merged_index index;
	struct merged merged;

	if (open_member(&merged, path, &index, diag) < 0)
		return -1;
	*file = (struct profile_bytes){ .size = index.plain, .file_bytes = index.file_bytes };
	/* Callers reserve memory by the listed size of the file before they read it. */
	if (index.plain <= index.file_bytes && index.plain <= PROFILE_MAX_BYTES)
		file->bytes = unpack(&merged, index.offset, index.bytes, index.plain);
	close(merged.fd);
	return file->bytes ? 0 : fail(diag, path, "it is damaged");
}
