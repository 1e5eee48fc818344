/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to preload: of each read at an offset, which is how ompprof reads profiles, a line `RANK BYTES FILE` goes to
 * the file named by READS_OUT. The rank is the launcher's.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *rank_of_process(void)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");

	if (!rank)
		rank = getenv("PMI_RANK");
	return rank ? rank : "0";
}

static void note(int fd, ssize_t n)
{
	const char *name = getenv("READS_OUT");
	int out = name ? open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	char link[32], path[PATH_MAX] = "";

	if (out < 0)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof(path) - 1) > 0)
		dprintf(out, "%s %zd %s\n", rank_of_process(), n, path);
	close(out);
}

static ssize_t read_at(int fd, void *bytes, size_t n, off_t at)
{
	ssize_t got = syscall(SYS_pread64, fd, bytes, n, at);

	if (got > 0)
		note(fd, got);
	return got;
}

ssize_t pread(int fd, void *bytes, size_t n, off_t at)
{
	return read_at(fd, bytes, n, at);
}

ssize_t pread64(int fd, void *bytes, size_t n, off_t at)
{
	return read_at(fd, bytes, n, at);
}
