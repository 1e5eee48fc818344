/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the file of a running program. A wait is counted at its node when it ends, and until then
 * only the thread's record has it: so what is read of one thread must be of one moment. Its nodes,
 * timeline and the new moments of its trace are read between two readings of its record, again
 * until both readings show the same state, at most MOST_TRIES times. A thread whose state changes
 * each time has no long wait open.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "profile/reader/reader_internal.h"

enum { MOST_TRIES = 4 };

static const size_t most_threads = PROFILE_SEGMENT_BYTES / PROFILE_THREAD_BYTES - 1;

/* The identity of a file in a line of /proc/PID/maps: "START-END PERMS OFFSET DEV INODE PATH". */
struct mapped {
	char device[32];
	unsigned long long inode;
};

/*
 * Finds the mapping that begins at `at`, and fills *file with its file; or with `at` NULL any
 * mapping of *file. Returns 1 if it is found.
 */
static int find_mapping(uint32_t pid, const void *at, struct mapped *file)
{
	char path[64], line[4352];
	int is_found = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%u/maps", (unsigned)pid);
	maps = fopen(path, "re");
	if (!maps)
		return 0;
	while (!is_found && fgets(line, sizeof(line), maps)) {
		struct mapped mapped;
		unsigned long long start;

		if (sscanf(line, "%llx-%*s %*s %*s %31s %llu", &start, mapped.device,
			    &mapped.inode) != 3 ||
			!strchr(line, '/'))
			continue;
		is_found = at ? start == (uintptr_t)at
			      : mapped.inode == file->inode &&
					   strcmp(mapped.device, file->device) == 0;
		if (is_found)
			*file = mapped;
	}
	fclose(maps);
	return is_found;
}

/*
 * Whether the process has the file mapped, as its writer has from begin to end. A pid of another
 * namespace or machine is another process here, which has not. Some file systems name a file's
 * device differently in maps than in stat(2), so the file is mapped here, too, to find that name.
 */
static int is_mapped(uint32_t pid, int fd)
{
	struct mapped file;
	void *here = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
	int is_found;

	if (here == MAP_FAILED)
		return 0;
	is_found = find_mapping((uint32_t)getpid(), here, &file) && find_mapping(pid, NULL, &file);
	munmap(here, 1);
	return is_found;
}

int reader_is_running(const struct profile_header *header, int fd)
{
	return memcmp(header->magic, PROFILE_MAGIC, sizeof(header->magic)) == 0 &&
	       header->version == PROFILE_VERSION && !(header->flags & PROFILE_COMPLETE) &&
	       header->pid != 0 && is_mapped(header->pid, fd);
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

/* A segment of nodes, of a timeline or of a trace. */
struct owned {
	uint32_t owner;
	uint32_t number;
	uint32_t kind;
};

struct live {
	int fd;
	unsigned char *bytes;
	uint32_t n_segments; /* complete segments */
	/* by owner, the latest segment first: a node's parent lies before the node */
	struct owned *owned;
	size_t n_owned;
	struct profile_timeline_segment *before; /* room for one segment */
};

/* Reads a part of the file after what was read before. The program stores the parts in order. */
static int read_later(const struct live *live, void *to, size_t bytes, size_t offset)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return reader_read_at(live->fd, to, bytes, offset);
}

static struct profile_segment segment_at(const struct live *live, uint32_t i)
{
	struct profile_segment segment;

	memcpy(&segment, live->bytes + (size_t)i * PROFILE_SEGMENT_BYTES, sizeof(segment));
	return segment;
}

static int compare_owned(const void *a, const void *b)
{
	const struct owned *one = a, *other = b;

	if (one->owner != other->owner)
		return one->owner < other->owner ? -1 : 1;
	return (one->number < other->number) - (one->number > other->number);
}

/* Drops all segments of a trace but its latest: the others are full and do not change. */
static void drop_full(struct live *live)
{
	uint32_t owner = 0;
	size_t n = 0;
	int is_met = 0;

	for (size_t i = 0; i < live->n_owned; i++) {
		struct owned owned = live->owned[i];

		if (owned.kind == PROFILE_SEGMENT_MOMENTS) {
			if (is_met && owned.owner == owner)
				continue;
			is_met = 1;
			owner = owned.owner;
		}
		live->owned[n++] = owned;
	}
	live->n_owned = n;
}

static int find_owned(struct live *live)
{
	live->owned = malloc(live->n_segments * sizeof(*live->owned) + 1);
	live->before = malloc(sizeof(*live->before));
	if (!live->owned || !live->before)
		return -1;
	for (uint32_t i = 1; i < live->n_segments; i++) {
		struct profile_segment segment = segment_at(live, i);

		if (segment.kind == PROFILE_SEGMENT_NODES ||
			segment.kind == PROFILE_SEGMENT_TIMELINE ||
			segment.kind == PROFILE_SEGMENT_MOMENTS)
			live->owned[live->n_owned++] =
				(struct owned){ segment.owner, i, segment.kind };
	}
	qsort(live->owned, live->n_owned, sizeof(*live->owned), compare_owned);
	drop_full(live);
	return 0;
}

/* Index into `owned` of the first segment of the thread, or of a later thread. */
static size_t first_of(const struct live *live, uint32_t thread)
{
	size_t low = 0, high = live->n_owned;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (live->owned[middle].owner < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Reads a timeline again until it is whole, as layout.h describes, or stands still: its thread was
 * stopped or killed while it joined buckets. Otherwise the last reading is used.
 */
static int read_timeline(
	const struct live *live, struct profile_timeline_segment *to, uint64_t start)
{
	for (int i = 0; i < MOST_TRIES; i++) {
		uint32_t settled = 0, begun = 0;

		memcpy(live->before, to, sizeof(*to));
		if (reader_read_at(live->fd, &settled, sizeof(settled),
			    start + offsetof(struct profile_timeline_segment, settled)) != 0 ||
			read_later(live, to, sizeof(*to), start) != 0 ||
			read_later(live, &begun, sizeof(begun),
				start + offsetof(struct profile_timeline_segment, begun)) != 0)
			return -1;
		if (settled == begun || memcmp(live->before, to, sizeof(*to)) == 0)
			break;
	}
	return 0;
}

static int read_owned(const struct live *live, const struct owned *owned)
{
	size_t start = (size_t)owned->number * PROFILE_SEGMENT_BYTES;

	return owned->kind == PROFILE_SEGMENT_TIMELINE
		       ? read_timeline(live, (void *)(live->bytes + start), start)
		       : read_later(live, live->bytes + start, PROFILE_SEGMENT_BYTES, start);
}

/* Reads the thread's segments; the segments of nodes only if has_nodes. */
static int read_thread(const struct live *live, uint32_t thread, int has_nodes)
{
	for (size_t i = first_of(live, thread); i < live->n_owned && live->owned[i].owner == thread;
		i++) {
		if ((has_nodes || live->owned[i].kind != PROFILE_SEGMENT_NODES) &&
			read_owned(live, &live->owned[i]) != 0)
			return -1;
	}
	return 0;
}

/*
 * Reads a thread's nodes until its record at `offset` shows the same state before and after, or
 * MOST_TRIES times. A thread that has ended has nodes that do not change.
 */
static int settle(const struct live *live, size_t offset)
{
	struct profile_thread before, after;

	memcpy(&before, live->bytes + offset, sizeof(before));
	if (before.index && before.end_ns)
		return read_thread(live, before.index, 0);
	for (int i = 0; i < MOST_TRIES && before.index && !before.end_ns; i++) {
		if (read_thread(live, before.index, 1) != 0 ||
			read_later(live, live->bytes + offset, PROFILE_THREAD_BYTES, offset) != 0)
			return -1;
		memcpy(&after, live->bytes + offset, sizeof(after));
		if (memcmp(&before.now, &after.now, sizeof(after.now)) == 0)
			break;
		before = after;
	}
	return 0;
}

/* Settles each thread of a segment of threads. */
static int settle_records(const struct live *live, uint32_t number)
{
	struct profile_segment segment = segment_at(live, number);
	size_t start = (size_t)number * PROFILE_SEGMENT_BYTES;

	for (size_t k = 1; k <= segment.used && k <= most_threads; k++)
		if (settle(live, start + k * PROFILE_THREAD_BYTES) != 0)
			return -1;
	return 0;
}

int reader_settle(int fd, unsigned char *bytes, size_t size)
{
	struct live live = { fd, bytes, (uint32_t)(size / PROFILE_SEGMENT_BYTES), NULL, 0, NULL };
	int status = find_owned(&live);

	for (uint32_t i = 1; status == 0 && i < live.n_segments; i++) {
		struct profile_segment segment = segment_at(&live, i);

		if (segment.kind == PROFILE_SEGMENT_THREADS &&
			segment.record_bytes == PROFILE_THREAD_BYTES)
			status = settle_records(&live, i);
	}
	free(live.owned);
	free(live.before);
	return status;
}
