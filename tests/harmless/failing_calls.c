/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to preload behind ompprof's: calls of the C library that libompprof.so itself makes, known by
 * where they return to, fail as they do when the machine has no more of something. FAULT_CALL names the
 * function (for a system call made by syscall(2): its number, as in `call257`), FAULT_AT the first call of it
 * that fails, from 1, FAULT_N how many do (0: all that follow), FAULT_ERRNO the error. When a call has failed,
 * the file FAULT_OUT is made; the program's own calls never fail. With FAULT_LATE_MS such calls do not fail, but
 * are made so much later, and the process ends later, too; with FAULT_BUSY_MS they are made after so much computing.
 * failing_calls.sh reads the names in this file, and fails if it does not try one of them.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/harmless/before_libc.h"

static struct {
	char name[32];
	long at, n, late_ms, busy_ms;
	int error;
	const char *out;
	uintptr_t lo, hi; /* libompprof.so */
	atomic_long n_calls;
} fault;

/* Behind pthread_atfork; no header declares it. */
int __register_atfork(
	void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *library);

static int note_library(struct dl_phdr_info *info, size_t bytes, void *data)
{
	(void)bytes;
	(void)data;
	if (!strstr(info->dlpi_name, "/libompprof.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			fault.lo = at;
			fault.hi = at + info->dlpi_phdr[i].p_memsz;
		}
	}
	return 1;
}

static long number(const char *variable)
{
	const char *value = getenv(variable);

	return value ? atol(value) : 0;
}

/* Run before ompprof's constructor, as what is preloaded last is initialised first. */
__attribute__((constructor)) static void prepare(void)
{
	const char *name = getenv("FAULT_CALL");

	if (!name)
		return;
	fault.at = number("FAULT_AT");
	fault.n = number("FAULT_N");
	fault.error = (int)number("FAULT_ERRNO");
	fault.late_ms = number("FAULT_LATE_MS");
	fault.busy_ms = number("FAULT_BUSY_MS");
	fault.out = getenv("FAULT_OUT");
	dl_iterate_phdr(note_library, NULL);
	strncpy(fault.name, name, sizeof(fault.name) - 1);
}

/* No library's function: the calls of those may be what is late. */
static void pause_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	syscall(SYS_nanosleep, &time, NULL);
}

static long cpu_ms(void)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void compute_ms(long ms)
{
	long end = cpu_ms() + ms;

	while (cpu_ms() < end)
		continue;
}

/* Run after ompprof's destructor. */
__attribute__((destructor)) static void end_late(void)
{
	if (fault.late_ms)
		pause_ms(3 * fault.late_ms);
}

static void note_fault(void)
{
	int fd = fault.out ? (int)syscall(SYS_openat, AT_FDCWD, fault.out,
				     O_WRONLY | O_CREAT | O_CLOEXEC, 0600)
			   : -1;

	if (fd >= 0)
		syscall(SYS_close, fd);
}

/* Whether this call of `name`, which returns to `caller`, has to fail. */
static int fails(const char *name, void *caller)
{
	long nth;

	if ((uintptr_t)caller < fault.lo || (uintptr_t)caller >= fault.hi ||
		strcmp(name, fault.name) != 0)
		return 0;
	nth = atomic_fetch_add(&fault.n_calls, 1) + 1;
	if (nth < fault.at || (fault.n && nth >= fault.at + fault.n))
		return 0;
	if (nth == fault.at)
		note_fault();
	if (fault.late_ms || fault.busy_ms) {
		pause_ms(fault.late_ms);
		compute_ms(fault.busy_ms);
		return 0;
	}
	errno = fault.error;
	return 1;
}

/* The next definition, looked up once; a race looks it up twice. Not by dlsym in its own. */
static void *next(const char *name, void **kept)
{
	if (!*kept)
		*kept = dlsym(RTLD_NEXT, name);
	return *kept;
}

/* Defines `name`, which returns `failed` when it fails. */
#define CALL(type, name, failed, parameters, ...)                                                  \
	type name parameters                                                                       \
	{                                                                                          \
		static void *kept;                                                                 \
                                                                                                   \
		if (fails(#name, __builtin_return_address(0)))                                     \
			return failed;                                                             \
		return ((type(*) parameters)next(#name, &kept))(__VA_ARGS__);                      \
	}

CALL(void *, mmap, MAP_FAILED,
	(void *at, size_t bytes, int protection, int flags, int fd, off_t offset), at, bytes,
	protection, flags, fd, offset)
CALL(int, munmap, -1, (void *at, size_t bytes), at, bytes)
CALL(int, madvise, -1, (void *at, size_t bytes, int advice), at, bytes, advice)
CALL(int, ftruncate, -1, (int fd, off_t bytes), fd, bytes)
CALL(int, mkdir, -1, (const char *path, mode_t mode), path, mode)
CALL(char *, getcwd, NULL, (char *buffer, size_t bytes), buffer, bytes)
CALL(int, gethostname, -1, (char *buffer, size_t bytes), buffer, bytes)
CALL(ssize_t, readlink, -1, (const char *path, char *buffer, size_t bytes), path, buffer, bytes)
CALL(int, getrlimit, -1, (__rlimit_resource_t resource, struct rlimit *limit), resource, limit)
CALL(int, sigaction, -1, (int signal, const struct sigaction *action, struct sigaction *old),
	signal, action, old)
CALL(int, timer_create, -1, (clockid_t clock, struct sigevent *event, timer_t *timer), clock, event,
	timer)
CALL(int, timer_delete, -1, (timer_t timer), timer)
CALL(int, timer_settime, -1,
	(timer_t timer, int flags, const struct itimerspec *new, struct itimerspec *old), timer,
	flags, new, old)
CALL(int, clock_gettime, -1, (clockid_t clock, struct timespec *now), clock, now)
CALL(int, clock_getres, -1, (clockid_t clock, struct timespec *resolution), clock, resolution)
CALL(int, pthread_getattr_np, fault.error, (pthread_t thread, pthread_attr_t *attributes), thread,
	attributes)
CALL(int, pthread_attr_getstack, fault.error,
	(const pthread_attr_t *attributes, void **at, size_t *bytes), attributes, at, bytes)
CALL(int, sched_getaffinity, -1, (pid_t pid, size_t bytes, cpu_set_t *set), pid, bytes, set)
CALL(int, __register_atfork, fault.error,
	(void (*before)(void), void (*in_parent)(void), void (*in_child)(void), void *library),
	before, in_parent, in_child, library)
CALL(void *, dlopen, NULL, (const char *file, int mode), file, mode)
CALL(int, dl_iterate_phdr, 0, (int (*look)(struct dl_phdr_info *, size_t, void *), void *data),
	look, data)
CALL(int, _dl_find_object, -1, (void *at, struct dl_find_object *found), at, found)

long syscall(long number, ...)
{
	static void *kept;
	char name[32];
	long argument[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		argument[i] = va_arg(args, long);
	va_end(args);
	snprintf(name, sizeof(name), "call%ld", number);
	if (fails(name, __builtin_return_address(0)))
		return -1;
	return ((long (*)(long, ...))next("syscall", &kept))(number, argument[0], argument[1],
		argument[2], argument[3], argument[4], argument[5]);
}

int fcntl(int fd, int command, ...)
{
	static void *kept;
	va_list args;
	void *argument;

	va_start(args, command);
	argument = va_arg(args, void *);
	va_end(args);
	if (fails("fcntl", __builtin_return_address(0)))
		return -1;
	return ((int (*)(int, int, ...))next("fcntl", &kept))(fd, command, argument);
}

int ioctl(int fd, unsigned long request, ...)
{
	static void *kept;
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if (fails("ioctl", __builtin_return_address(0)))
		return -1;
	return ((int (*)(int, unsigned long, ...))next("ioctl", &kept))(fd, request, argument);
}

int prctl(int option, ...)
{
	static void *kept;
	va_list args;
	unsigned long argument;

	va_start(args, option);
	argument = va_arg(args, unsigned long);
	va_end(args);
	if (fails("prctl", __builtin_return_address(0)))
		return -1;
	return ((int (*)(int, ...))next("prctl", &kept))(option, argument);
}
