/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to preload behind ompprof's: when ompprof installs its signal handler, a trampoline goes
 * in its place that marks the thread as being in the handler. Functions that must not be called
 * there are defined here and count such calls. At the end of the process the number of handler runs
 * goes to the file named by INTERPOSE_OUT; with a bad call, so do the functions' names, and the
 * process ends with status 86.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/harmless/before_libc.h"

enum { BAD_STATUS = 86 };

#define NAMES(X)                                                                                   \
	X(malloc)                                                                                  \
	X(free)                                                                                    \
	X(calloc)                                                                                  \
	X(realloc)                                                                                 \
	X(posix_memalign)                                                                          \
	X(aligned_alloc)                                                                           \
	X(dl_iterate_phdr)                                                                         \
	X(dlopen)                                                                                  \
	X(pthread_mutex_lock)                                                                      \
	X(pthread_mutex_trylock)                                                                   \
	X(fwrite)                                                                                  \
	X(fputs)                                                                                   \
	X(puts)                                                                                    \
	X(printf)                                                                                  \
	X(fprintf)                                                                                 \
	X(vfprintf)

#define ENUMERATE(name) CALL_##name,
#define QUOTE(name)     #name,

enum call { NAMES(ENUMERATE) N_CALLS };

static const char *const call_names[] = { NAMES(QUOTE) };

static __thread int in_handler __attribute__((tls_model("initial-exec")));
static atomic_ulong n_runs, n_calls[N_CALLS];
static void (*handler)(int, siginfo_t *, void *);

extern void *__libc_malloc(size_t bytes);
extern void __libc_free(void *at);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *at, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern int __pthread_mutex_lock(pthread_mutex_t *mutex);
extern int __pthread_mutex_trylock(pthread_mutex_t *mutex);
extern int __sigaction(int signal, const struct sigaction *action, struct sigaction *old);

static void note(enum call call)
{
	if (in_handler)
		atomic_fetch_add(&n_calls[call], 1);
}

static void trampoline(int signal, siginfo_t *info, void *ucontext)
{
	in_handler++;
	handler(signal, info, ucontext);
	in_handler--;
	atomic_fetch_add(&n_runs, 1);
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction replacement;
	int status;

	if (action && action->sa_flags & SA_SIGINFO && is_in_ompprof(__builtin_return_address(0))) {
		handler = action->sa_sigaction;
		replacement = *action;
		replacement.sa_sigaction = trampoline;
		action = &replacement;
	}
	status = __sigaction(signal, action, old);
	/* The tool looks whether its handler is still there. */
	if (status == 0 && old && old->sa_flags & SA_SIGINFO && old->sa_sigaction == trampoline)
		old->sa_sigaction = handler;
	return status;
}

void *malloc(size_t bytes)
{
	note(CALL_malloc);
	return __libc_malloc(bytes);
}

void free(void *at)
{
	note(CALL_free);
	__libc_free(at);
}

void *calloc(size_t n, size_t bytes)
{
	note(CALL_calloc);
	return __libc_calloc(n, bytes);
}

void *realloc(void *at, size_t bytes)
{
	note(CALL_realloc);
	return __libc_realloc(at, bytes);
}

int posix_memalign(void **at, size_t alignment, size_t bytes)
{
	note(CALL_posix_memalign);
	*at = __libc_memalign(alignment, bytes);
	return *at ? 0 : 12;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	note(CALL_aligned_alloc);
	return __libc_memalign(alignment, bytes);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	note(CALL_pthread_mutex_lock);
	return __pthread_mutex_lock(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	note(CALL_pthread_mutex_trylock);
	return __pthread_mutex_trylock(mutex);
}

/* The next definition, looked up once; a race looks it up twice. */
static void *next(const char *name, void **kept)
{
	if (!*kept)
		*kept = dlsym(RTLD_NEXT, name);
	return *kept;
}

#define NEXT(type, name, ...)                                                                      \
	static void *kept;                                                                         \
	note(CALL_##name);                                                                         \
	return ((type)next(#name, &kept))(__VA_ARGS__)

int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *data)
{
	NEXT(int (*)(int (*)(struct dl_phdr_info *, size_t, void *), void *), dl_iterate_phdr,
		callback, data);
}

void *dlopen(const char *file, int mode)
{
	NEXT(void *(*)(const char *, int), dlopen, file, mode);
}

size_t fwrite(const void *data, size_t bytes, size_t n, FILE *file)
{
	NEXT(size_t(*)(const void *, size_t, size_t, FILE *), fwrite, data, bytes, n, file);
}

int fputs(const char *text, FILE *file)
{
	NEXT(int (*)(const char *, FILE *), fputs, text, file);
}

int puts(const char *text)
{
	NEXT(int (*)(const char *), puts, text);
}

static int print(FILE *file, const char *format, va_list args)
{
	static void *kept;

	return ((int (*)(FILE *, const char *, va_list))next("vfprintf", &kept))(
		file, format, args);
}

int vfprintf(FILE *file, const char *format, va_list args)
{
	note(CALL_vfprintf);
	return print(file, format, args);
}

int printf(const char *format, ...)
{
	va_list args;
	int n;

	note(CALL_printf);
	va_start(args, format);
	n = print(stdout, format, args);
	va_end(args);
	return n;
}

int fprintf(FILE *file, const char *format, ...)
{
	va_list args;
	int n;

	note(CALL_fprintf);
	va_start(args, format);
	n = print(file, format, args);
	va_end(args);
	return n;
}

static void say(int fd, const char *name, unsigned long n)
{
	char line[128];
	int bytes = snprintf(line, sizeof(line), "%s %lu\n", name, n);

	if (write(fd, line, (size_t)bytes) != bytes)
		_exit(BAD_STATUS);
}

__attribute__((destructor)) static void report(void)
{
	const char *path = getenv("INTERPOSE_OUT");
	int fd, is_bad = 0;

	if (!path || atomic_load(&n_runs) == 0)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		_exit(BAD_STATUS);
	say(fd, "runs", atomic_load(&n_runs));
	for (int i = 0; i < N_CALLS; i++) {
		if (atomic_load(&n_calls[i]) == 0)
			continue;
		say(fd, call_names[i], atomic_load(&n_calls[i]));
		is_bad = 1;
	}
	close(fd);
	if (is_bad)
		_exit(BAD_STATUS);
}
