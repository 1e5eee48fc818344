/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls for code that runs in somebody else's thread. The C library's open, close, read and
 * others are cancellation points. In the signal handler, or in an event of the runtime, they would
 * end a cancelled thread at a place where the program does not expect it. The functions here are no
 * cancellation points. They set errno.
 */
#ifndef OMPPROF_PROFILE_CORE_PLAIN_CALLS_H
#define OMPPROF_PROFILE_CORE_PLAIN_CALLS_H

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* openat(2). Signal-safe. */
static inline int plain_openat(int folder, const char *path, int flags, mode_t mode)
{
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

/* open(2). Signal-safe. */
static inline int plain_open(const char *path, int flags, mode_t mode)
{
	return plain_openat(AT_FDCWD, path, flags, mode);
}

/* close(2). Signal-safe. */
static inline int plain_close(int fd)
{
	return (int)syscall(SYS_close, fd);
}

/* read(2). Signal-safe. */
static inline ssize_t plain_read(int fd, void *data, size_t bytes)
{
	return syscall(SYS_read, fd, data, bytes);
}

/* write(2). Signal-safe. */
static inline ssize_t plain_write(int fd, const void *data, size_t bytes)
{
	return syscall(SYS_write, fd, data, bytes);
}

/* pwrite(2). Signal-safe. */
static inline ssize_t plain_pwrite(int fd, const void *data, size_t bytes, off_t offset)
{
	return syscall(SYS_pwrite64, fd, data, bytes, offset);
}

/* fstat(2): before 2.33 the C library has no function of this name. Signal-safe. */
static inline int plain_fstat(int fd, struct stat *status)
{
	return (int)syscall(SYS_fstat, fd, status);
}

/* gettid(2): before 2.30 the C library has no function of this name. Signal-safe. */
static inline pid_t plain_gettid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

/* fallocate(2) without a mode. Signal-safe. */
static inline int plain_fallocate(int fd, off_t offset, off_t bytes)
{
	return (int)syscall(SYS_fallocate, fd, 0, offset, bytes);
}

/* nanosleep(2), less than a second. Signal-safe. */
static inline void plain_pause(long ns)
{
	syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = ns }, NULL);
}

#endif
