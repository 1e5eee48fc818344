/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a cache, and the state of other files; see cache.h. */
#include "src/symbols/cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether only this user can change the file. */
static int is_own(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/* Opens the folder if only this user can change it; otherwise returns -1. */
static int open_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) != 0 || !is_own(&st))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Returns the first `size` bytes of the file, which the caller frees, or NULL. Closes it. */
static void *read_bytes(FILE *file, size_t size)
{
	char *bytes = malloc(size);

	if (bytes && fread(bytes, 1, size, file) != size) {
		free(bytes);
		bytes = NULL;
	}
	fclose(file);
	return bytes;
}

void *cache_file_read(const char *folder, size_t *size)
{
	int at = open_folder(folder), fd;
	FILE *file = NULL;
	struct stat st;

	if (at < 0)
		return NULL;
	fd = openat(at, CACHE_FILE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && is_own(&st) &&
		st.st_nlink == 1 && st.st_size > 0 && st.st_size <= CACHE_MOST_BYTES) {
		*size = (size_t)st.st_size;
		file = fdopen(fd, "rb");
	}
	if (fd >= 0 && !file)
		close(fd);
	close(at);
	return file ? read_bytes(file, *size) : NULL;
}

/*
 * Creates a file for the content, which is renamed to the cache's name later. Returns its
 * descriptor and sets `name`, or returns -1. The name has a random number, because processes of two
 * containers that share the folder can have the same process id.
 */
static int open_part(int at, char *name, size_t bytes)
{
	uint64_t drawn;

	if (getrandom(&drawn, sizeof(drawn), GRND_NONBLOCK) != sizeof(drawn))
		return -1;
	snprintf(name, bytes, CACHE_FILE ".%llu", (unsigned long long)drawn);
	return openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

void cache_file_write(const char *folder, const void *bytes, size_t size)
{
	int at = open_folder(folder), fd, is_whole;
	char name[64];
	FILE *file;

	if (at < 0)
		return;
	fd = open_part(at, name, sizeof(name));
	file = fd < 0 ? NULL : fdopen(fd, "wb");
	if (file) {
		is_whole = fwrite(bytes, 1, size, file) == size;
		if (fclose(file) != 0 || !is_whole || renameat(at, name, at, CACHE_FILE) != 0)
			unlinkat(at, name, 0);
	}
	close(at);
}

int cache_is_file_name(const char *name)
{
	size_t n = strlen(CACHE_FILE);

	if (strncmp(name, CACHE_FILE, n) != 0)
		return 0;
	return !name[n] || (name[n] == '.' && name[n + 1] &&
				   strspn(name + n + 1, "0123456789") == strlen(name + n + 1));
}

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

struct cache_state cache_state_of(const struct stat *st)
{
	if (!st)
		return (struct cache_state){ .is_there = 0 };
	return (struct cache_state){
		.is_there = 1,
		.device = st->st_dev,
		.inode = st->st_ino,
		.bytes = (uint64_t)st->st_size,
		.mtime_ns = ns_of(&st->st_mtim),
		.ctime_ns = ns_of(&st->st_ctim),
	};
}

int cache_is_unchanged(const struct cache_witness *witness)
{
	struct cache_state now;
	struct stat st;

	now = cache_state_of(stat(witness->path, &st) == 0 ? &st : NULL);
	return memcmp(&now, &witness->state, sizeof(now)) == 0;
}
