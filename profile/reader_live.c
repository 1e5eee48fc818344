/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the file of a program that runs. Counters change while they are read, each in one store; what is read of
 * one thread has to belong together all the same: a wait is counted at its node when it ends, and until then the
 * thread's record alone tells of it. So a thread's nodes are read between two readings of its record, until both
 * say that it is at the same. One that never stays at the same for so long has no long wait open.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "profile/reader_parts.h"

enum { MOST_TRIES = 4 };

static const size_t most_threads = PROFILE_SEGMENT_BYTES / PROFILE_THREAD_BYTES - 1;

/* Whether a line of /proc/PID/maps, "START-END PERMS OFFSET DEV INODE PATH", maps the inode. */
static int maps_inode(const char *line, unsigned long long inode)
{
	unsigned long long mapped;

	return sscanf(line, "%*s %*s %*s %*s %llu", &mapped) == 1 && mapped == inode &&
	       strchr(line, '/') != NULL;
}

/*
 * The process has the file mapped from its begin to its end. Another namespace's number of it, or another machine's,
 * is some other process here, which has not.
 */
static int is_mapped(uint32_t pid, unsigned long long inode)
{
	char path[64], line[4352];
	int is_found = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%u/maps", (unsigned)pid);
	maps = fopen(path, "re");
	if (!maps)
		return 0;
	while (!is_found && fgets(line, sizeof(line), maps))
		is_found = maps_inode(line, inode);
	fclose(maps);
	return is_found;
}

int reader_is_running(const struct profile_header *header, int fd)
{
	struct stat stat;

	return memcmp(header->magic, PROFILE_MAGIC, sizeof(header->magic)) == 0 &&
	       header->version == PROFILE_VERSION && !(header->flags & PROFILE_COMPLETE) &&
	       header->pid != 0 && fstat(fd, &stat) == 0 && stat.st_ino != 0 &&
	       is_mapped(header->pid, (unsigned long long)stat.st_ino);
}

uint64_t reader_moment(const struct profile_header *header)
{
	struct timespec now;
	uint64_t ns;

	if (header->flags & (PROFILE_PAUSED | PROFILE_ENDED) ||
		clock_gettime(CLOCK_MONOTONIC, &now) != 0)
		return header->last_ns;
	ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	if (ns <= header->start_monotonic_ns ||
		ns - header->start_monotonic_ns <= header->paused_ns)
		return header->last_ns;
	ns -= header->start_monotonic_ns + header->paused_ns;
	return ns > header->last_ns ? ns : header->last_ns;
}

struct live {
	int fd;
	unsigned char *bytes;
	uint32_t n_segments; /* that are there in full */
};

static struct profile_segment segment_at(const struct live *live, uint32_t i)
{
	struct profile_segment segment;

	memcpy(&segment, live->bytes + (size_t)i * PROFILE_SEGMENT_BYTES, sizeof(segment));
	return segment;
}

static int read_nodes(struct live *live, uint32_t thread)
{
	for (uint32_t i = live->n_segments; i-- > 1;) {
		struct profile_segment segment = segment_at(live, i);
		size_t start = (size_t)i * PROFILE_SEGMENT_BYTES;

		if ((segment.kind == PROFILE_SEGMENT_NODES ||
			    segment.kind == PROFILE_SEGMENT_TIMELINE) &&
			segment.owner == thread &&
			reader_read_at(
				live->fd, live->bytes + start, PROFILE_SEGMENT_BYTES, start) != 0)
			return -1;
	}
	return 0;
}

/* The record at `offset` says what its thread is at: now, and before its nodes were read. */
static int settle(struct live *live, size_t offset)
{
	struct profile_thread before, after;

	memcpy(&before, live->bytes + offset, sizeof(before));
	for (int i = 0; i < MOST_TRIES && before.index && !before.end_ns; i++) {
		if (read_nodes(live, before.index) != 0 ||
			reader_read_at(
				live->fd, live->bytes + offset, PROFILE_THREAD_BYTES, offset) != 0)
			return -1;
		memcpy(&after, live->bytes + offset, sizeof(after));
		if (memcmp(&before.now, &after.now, sizeof(after.now)) == 0)
			break;
		before = after;
	}
	return 0;
}

int reader_settle(int fd, unsigned char *bytes, size_t size)
{
	struct live live = { fd, bytes, (uint32_t)(size / PROFILE_SEGMENT_BYTES) };

	for (uint32_t i = 1; i < live.n_segments; i++) {
		struct profile_segment segment = segment_at(&live, i);
		size_t start = (size_t)i * PROFILE_SEGMENT_BYTES;

		if (segment.kind != PROFILE_SEGMENT_THREADS ||
			segment.record_bytes != PROFILE_THREAD_BYTES)
			continue;
		for (size_t k = 1; k <= segment.used && k <= most_threads; k++) {
			if (settle(&live, start + k * PROFILE_THREAD_BYTES) != 0)
				return -1;
		}
	}
	return 0;
}
