/* SPDX-License-Identifier: Apache-2.0 */
/* Profile files on disk: reading one, finding the one that a folder stands for. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/reader_parts.h"

#define SUFFIX ".ompprof"

static int cannot_read(struct diag *diag, const char *path, int error)
{
	return diag_set(diag, "cannot read '%s': %s", path, strerror(error));
}

/* Reads up to n bytes at `offset`; what the file does not hold is left as it is. */
static int read_at(int fd, void *bytes, size_t n, uint64_t offset)
{
	size_t got = 0;

	while (got < n) {
		ssize_t step = pread(fd, (char *)bytes + got, n - got, (off_t)(offset + got));

		if (step < 0 && errno == EINTR)
			continue;
		if (step < 0)
			return -1;
		if (step == 0)
			break;
		got += (size_t)step;
	}
	return 0;
}

/* The size of the part of the file that segments were claimed of, its room left out. */
static size_t claimed_bytes(const struct profile_header *header, uint64_t file_bytes)
{
	uint64_t claimed = (uint64_t)header->n_segments * PROFILE_SEGMENT_BYTES;

	if (memcmp(header->magic, PROFILE_MAGIC, sizeof(header->magic)) != 0)
		claimed = sizeof(*header);
	if (claimed < sizeof(*header))
		claimed = sizeof(*header);
	return (size_t)(claimed < file_bytes ? claimed : file_bytes);
}

/*
 * Fills bytes[0 .. size) from the last segment to the first, see profile_open. The header's count
 * of segments is put back to the one that `size` came from: the program may have claimed more.
 */
static int read_segments(int fd, unsigned char *bytes, size_t size, uint32_t n_segments)
{
	struct profile_header *header = (struct profile_header *)bytes;

	for (size_t end = size; end;) {
		size_t start = (end - 1) / PROFILE_SEGMENT_BYTES * PROFILE_SEGMENT_BYTES;

		if (read_at(fd, bytes + start, end - start, start))
			return -1;
		end = start;
	}
	if (size >= sizeof(*header) && header->n_segments > n_segments)
		header->n_segments = n_segments;
	return 0;
}

static int read_profile(struct profile *profile, int fd, const char *path, struct diag *diag)
{
	struct profile_header header = { 0 };
	unsigned char *bytes;
	struct stat stat;
	size_t size;
	int status;

	if (fstat(fd, &stat) || read_at(fd, &header, sizeof(header), 0))
		return cannot_read(diag, path, errno);
	size = claimed_bytes(&header, (uint64_t)stat.st_size);
	bytes = calloc(1, size + 1);
	if (!bytes)
		return cannot_read(diag, path, ENOMEM);
	if (read_segments(fd, bytes, size, header.n_segments))
		status = cannot_read(diag, path, errno);
	else
		status = profile_parse(profile, bytes, size, path, diag);
	if (status == 0)
		profile->file_bytes = (uint64_t)stat.st_size;
	free(bytes);
	return status;
}

int profile_open(struct profile *profile, const char *path, struct diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int status;

	*profile = (struct profile){ 0 };
	if (fd < 0)
		return cannot_read(diag, path, errno);
	status = read_profile(profile, fd, path, diag);
	close(fd);
	return status;
}

/* Samples of the threads in a THREADS segment at `offset`. */
static uint64_t count_segment(int fd, uint64_t offset)
{
	static const size_t capacity = PROFILE_SEGMENT_BYTES / PROFILE_THREAD_BYTES - 1;
	struct profile_segment segment = { 0 };
	struct profile_thread thread;
	uint64_t n = 0;

	if (read_at(fd, &segment, sizeof(segment), offset) ||
		segment.kind != PROFILE_SEGMENT_THREADS)
		return 0;
	for (size_t i = 1; i <= segment.used && i <= capacity; i++) {
		memset(&thread, 0, sizeof(thread));
		if (read_at(fd, &thread, sizeof(thread), offset + i * PROFILE_THREAD_BYTES))
			break;
		n += thread.n_samples;
	}
	return n;
}

/* What a profile is chosen by among those of a folder: the latest run, then the most samples. */
struct rank {
	uint64_t run_id;
	uint64_t n_samples;
};

/* Ranks a profile file without reading it all; -1 if it is not one. */
static int rank_file(const char *path, struct rank *rank)
{
	struct profile_header header = { 0 };
	struct stat stat;
	uint64_t size;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int status = -1;

	if (fd < 0)
		return -1;
	if (fstat(fd, &stat) || read_at(fd, &header, sizeof(header), 0) ||
		memcmp(header.magic, PROFILE_MAGIC, sizeof(header.magic)) != 0)
		goto out;
	size = claimed_bytes(&header, (uint64_t)stat.st_size);
	*rank = (struct rank){ .run_id = header.run_id };
	for (uint64_t at = PROFILE_SEGMENT_BYTES; at < size; at += PROFILE_SEGMENT_BYTES)
		rank->n_samples += count_segment(fd, at);
	status = 0;
out:
	close(fd);
	return status;
}

static int has_suffix(const char *name)
{
	size_t n = strlen(name), n_suffix = strlen(SUFFIX);

	return n > n_suffix && strcmp(name + n - n_suffix, SUFFIX) == 0;
}

/* The profile in `folder` with the most samples; of equals the first by name. */
static int is_before(const struct rank *a, const char *a_name, const struct rank *b,
	const char *b_name)
{
	if (a->run_id != b->run_id)
		return a->run_id > b->run_id;
	if (a->n_samples != b->n_samples)
		return a->n_samples > b->n_samples;
	return strcmp(a_name, b_name) < 0;
}

static int find_in_folder(DIR *dir, const char *folder, char *file, size_t file_bytes,
	size_t *n_others, struct diag *diag)
{
	struct rank best = { 0 }, rank;
	size_t n_of_run = 0;
	struct dirent *entry;
	char path[4096];

	file[0] = '\0';
	while ((entry = readdir(dir))) {
		int n;

		if (!has_suffix(entry->d_name))
			continue;
		n = snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (n < 0 || (size_t)n >= sizeof(path) || (size_t)n >= file_bytes)
			return cannot_read(diag, folder, ENAMETOOLONG);
		if (rank_file(path, &rank))
			continue;
		if (!file[0] || rank.run_id > best.run_id)
			n_of_run = 0;
		n_of_run += !file[0] || rank.run_id >= best.run_id;
		if (!file[0] || is_before(&rank, path, &best, file)) {
			best = rank;
			memcpy(file, path, (size_t)n + 1);
		}
	}
	if (!file[0])
		return diag_set(diag, "cannot find a profile in '%s'", folder);
	*n_others = n_of_run - 1;
	return 0;
}

int profile_find(
	const char *path, char *file, size_t file_bytes, size_t *n_others, struct diag *diag)
{
	DIR *dir = opendir(path);
	int error, status;

	*n_others = 0;
	if (dir) {
		status = find_in_folder(dir, path, file, file_bytes, n_others, diag);
		closedir(dir);
		return status;
	}
	error = errno;
	if (error != ENOTDIR) {
		cannot_read(diag, path, error);
		if (error == ENOENT)
			diag_hint(diag, "record a profile with: ompprof run COMMAND");
		return -1;
	}
	if (strlen(path) >= file_bytes)
		return cannot_read(diag, path, ENAMETOOLONG);
	strcpy(file, path);
	return 0;
}
