/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of perf events; see perf_fd.h. Part of the signal-safe core. */
#include "profile/core/perf_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profile/core/plain_calls.h"

/*
 * Moves fd to a number that programs rarely reach, and returns that number. Where all of these are
 * taken it returns -errno; fd is closed then, as the lower numbers are the program's.
 */
static int move_up(int fd)
{
	struct rlimit limit;
	int lowest = 512, moved;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 2048)
		lowest = (int)(limit.rlim_cur / 2);
	moved = fcntl(fd, F_DUPFD_CLOEXEC, lowest);
	if (moved < 0)
		moved = -errno;
	plain_close(fd);
	return moved;
}

int perf_fd_open(struct perf_event_attr *attr, int group)
{
	long fd;

	attr->size = sizeof(*attr);
	fd = syscall(SYS_perf_event_open, attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : move_up((int)fd);
}

uint64_t perf_fd_id(int fd)
{
	uint64_t id;

	return fd >= 0 && ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0 ? id : 0;
}
