/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a profile file. reader_folder.c chooses the files of a folder. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/reader/merged.h"
#include "profile/reader/reader_internal.h"

/* Fills bytes[0 .. size) from the last segment to the first, see profile_open. */
static int read_segments(int fd, unsigned char *bytes, size_t size)
{
	for (size_t end = size; end;) {
		size_t start = (end - 1) / PROFILE_SEGMENT_BYTES * PROFILE_SEGMENT_BYTES;

		if (reader_read_at(fd, bytes + start, end - start, start))
			return -1;
		end = start;
	}
	return 0;
}

static int load_open(struct profile_bytes *file, int fd, const char *path, struct diag *diag)
{
	struct profile_header header = { 0 }, *copy;
	struct stat stat;
	uint64_t moment;

	if (fstat(fd, &stat) || reader_read_at(fd, &header, sizeof(header), 0))
		return reader_cannot_read(diag, path, errno);
	file->is_running = reader_is_running(&header, fd);
	moment = file->is_running ? reader_moment(&header) : 0;
	file->file_bytes = (uint64_t)stat.st_size;
	file->size = reader_claimed_bytes(&header, file->file_bytes);
	file->bytes = calloc(1, file->size + sizeof(header));
	if (!file->bytes)
		return reader_cannot_read(diag, path, ENOMEM);
	if (read_segments(fd, file->bytes, file->size) ||
		(file->is_running && reader_settle(fd, file->bytes, file->size))) {
		reader_cannot_read(diag, path, errno);
		free(file->bytes);
		file->bytes = NULL;
		return -1;
	}
	copy = (struct profile_header *)file->bytes;
	/* The program may have claimed more segments since their first count, which `size` has. */
	if (copy->n_segments > header.n_segments)
		copy->n_segments = header.n_segments;
	/* Unfinished waits and executions of a running program count up to this moment. */
	if (moment > copy->last_ns)
		copy->last_ns = moment;
	return 0;
}

int profile_load(struct profile_bytes *file, const char *path, struct diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int status;

	*file = (struct profile_bytes){ 0 };
	if (fd < 0 && errno == ENOTDIR)
		return merged_load(file, path, diag);
	if (fd < 0)
		return reader_cannot_read(diag, path, errno);
	status = load_open(file, fd, path, diag);
	close(fd);
	return status;
}

int profile_open(struct profile *profile, const char *path, struct diag *diag)
{
	struct profile_bytes file;
	int status;

	*profile = (struct profile){ 0 };
	if (profile_load(&file, path, diag) != 0)
		return -1;
	status = profile_parse(profile, file.bytes, file.size, path, diag);
	if (status == 0) {
		profile->file_bytes = file.file_bytes;
		profile->is_running =
			file.is_running && !(profile->header.flags & PROFILE_COMPLETE);
	}
	free(file.bytes);
	return status;
}
