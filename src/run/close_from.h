/* SPDX-License-Identifier: Apache-2.0 */
/* Closes descriptors, in a child. */
#ifndef OMPPROF_SRC_RUN_CLOSE_FROM_H
#define OMPPROF_SRC_RUN_CLOSE_FROM_H

#include <unistd.h>

/*
 * Closes all descriptors from `first` on. The C library's function came with 2.34. Linux has the
 * call from 5.9 on, with this number on all architectures.
 */
static inline void close_from(int first)
{
	enum { CLOSE_RANGE = 436 };

	if (syscall(CLOSE_RANGE, (unsigned int)first, ~0U, 0) != 0)
		for (int fd = first; fd < (int)sysconf(_SC_OPEN_MAX); fd++)
			close(fd);
}

#endif
