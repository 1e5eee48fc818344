/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a profile file; which of a folder are to be read is in reader_folder.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/reader_parts.h"

int reader_cannot_read(struct diag *diag, const char *path, int error)
{
	return diag_set(diag, "cannot read '%s': %s", path, strerror(error));
}

int reader_read_at(int fd, void *bytes, size_t n, uint64_t offset)
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

/*
 * The size of the part of the file that segments were claimed of, its room left out. A file can say that it
 * has any size, and be so large without taking space.
 */
size_t reader_claimed_bytes(const struct profile_header *header, uint64_t file_bytes)
{
	uint64_t claimed = (uint64_t)header->n_segments * PROFILE_SEGMENT_BYTES;

	if (memcmp(header->magic, PROFILE_MAGIC, sizeof(header->magic)) != 0)
		claimed = sizeof(*header);
	if (claimed < sizeof(*header))
		claimed = sizeof(*header);
	if (claimed > PROFILE_MAX_BYTES)
		claimed = PROFILE_MAX_BYTES;
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

		if (reader_read_at(fd, bytes + start, end - start, start))
			return -1;
		end = start;
	}
	if (size >= sizeof(*header) && header->n_segments > n_segments)
		header->n_segments = n_segments;
	return 0;
}

/* Of a running program, what its threads are at counts up to then. */
static void set_moment(unsigned char *bytes, size_t size, uint64_t moment)
{
	struct profile_header *header = (struct profile_header *)bytes;

	if (size >= sizeof(*header) && moment > header->last_ns)
		header->last_ns = moment;
}

static int read_profile(struct profile *profile, int fd, const char *path, struct diag *diag)
{
	struct profile_header header = { 0 };
	unsigned char *bytes;
	struct stat stat;
	uint64_t moment;
	size_t size;
	int status, is_running;

	if (fstat(fd, &stat) || reader_read_at(fd, &header, sizeof(header), 0))
		return reader_cannot_read(diag, path, errno);
	is_running = reader_is_running(&header, fd);
	moment = is_running ? reader_moment(&header) : 0;
	size = reader_claimed_bytes(&header, (uint64_t)stat.st_size);
	bytes = calloc(1, size + 1);
	if (!bytes)
		return reader_cannot_read(diag, path, ENOMEM);
	if (read_segments(fd, bytes, size, header.n_segments) ||
		(is_running && reader_settle(fd, bytes, size))) {
		status = reader_cannot_read(diag, path, errno);
	} else {
		set_moment(bytes, size, moment);
		status = profile_parse(profile, bytes, size, path, diag);
	}
	if (status == 0) {
		profile->file_bytes = (uint64_t)stat.st_size;
		profile->is_running = is_running && !(profile->header.flags & PROFILE_COMPLETE);
	}
	free(bytes);
	return status;
}

int profile_open(struct profile *profile, const char *path, struct diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int status;

	*profile = (struct profile){ 0 };
	if (fd < 0)
		return reader_cannot_read(diag, path, errno);
	status = read_profile(profile, fd, path, diag);
	close(fd);
	return status;
}
