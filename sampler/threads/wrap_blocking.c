/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the C library that can block. Where the library is preloaded, the program calls
 * the functions here, and each calls the next definition with the same arguments; see
 * sampler/threads/blocking.h. Builds that are linked without --wrap leave this file out, as their
 * own calls would come here.
 */
#undef _FORTIFY_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <string.h>
#include <unistd.h>

#include "sampler/core/region_timing.h"
#include "sampler/threads/blocking.h"

static int is_in_same_object(void *one, void *other)
{
	Dl_info objects[2];

	return dladdr(one, &objects[0]) && dladdr(other, &objects[1]) &&
	       objects[0].dli_fbase == objects[1].dli_fbase;
}

/*
 * The next definition of a function. Before glibc 2.36 dlsym finds the oldest version of the next
 * (glibc's bug 14932). Condition variables have two implementations, and lose wake-ups if both are
 * used. dlvsym alone would miss another library that defines the function without a version.
 */
static __attribute__((noinline, cold)) void *find(const char *name)
{
	int saved = errno;
	void *function = dlsym(RTLD_NEXT, name), *newer = NULL;

	if (strncmp(name, "pthread_cond_", strlen("pthread_cond_")) == 0)
		newer = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
	if (newer && is_in_same_object(newer, function))
		function = newer;
	errno = saved;
	return function;
}

#define BLOCKING(type, name, parameters, arguments)                                                \
	type name parameters;                                                                      \
	static __typeof__(name) *next_##name;                                                      \
	__attribute__((visibility("default"))) type name parameters                                \
	{                                                                                          \
		type value;                                                                        \
                                                                                                   \
		if (!LIKELY(switched_is_armed())) {                                                \
			if (!next_##name)                                                          \
				next_##name = (__typeof__(&name))find(#name);                      \
			blocking_look();                                                           \
		}                                                                                  \
		value = next_##name arguments;                                                     \
		if (!LIKELY(switched_is_armed()))                                                  \
			blocking_add(                                                              \
				(uint64_t)next_##name, (uint64_t)__builtin_return_address(0));     \
		return value;                                                                      \
	}
#include "sampler/threads/wrap_blocking.def"
#undef BLOCKING

/* A program may call some of these functions where it must not look up names. */
__attribute__((constructor(102))) static void find_all(void)
{
#define BLOCKING(type, name, ...)                                                                  \
	if (!next_##name)                                                                          \
		next_##name = (__typeof__(next_##name))find(#name);
#include "sampler/threads/wrap_blocking.def"
#undef BLOCKING
	switched_prepare();
}
