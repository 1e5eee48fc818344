/* SPDX-License-Identifier: Apache-2.0 */
/* Closes descriptors, in a child. */
#ifndef OMPPROF_SRC_RUN_CLOSE_FROM_H
#define OMPPROF_SRC_RUN_CLOSE_FROM_H

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

/* Closes the descriptors from `first` on that /proc lists; all of them stay open without /proc. */
static inline void close_listed(int first)
{
	DIR *listed = opendir("/proc/self/fd");
	const struct dirent *entry;

	while (listed && (entry = readdir(listed))) {
		int fd = atoi(entry->d_name);

		if (fd >= first && fd != dirfd(listed))
			close(fd);
	}
	if (listed)
		closedir(listed);
}

/*
 * Closes all descriptors from `first` on. The C library's function came with 2.34. Linux has the
 * call from 5.9 on, with this number on all architectures.
 */
static inline void close_from(int first)
{
	enum { CLOSE_RANGE = 436 };

	if (syscall(CLOSE_RANGE, (unsigned int)first, ~0U, 0) != 0)
		close_listed(first);
}

#endif
