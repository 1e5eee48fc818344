/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library to preload. It ends the program if a thread looks for an object while it holds a mutex: before glibc 2.35
 * that took the loader's lock, which the constructor of a module has while it calls libgomp.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#if !__GLIBC_PREREQ(2, 35)
#error "this C library has no function that looks for objects"
#endif

typedef int mutex_function(pthread_mutex_t *mutex);
typedef int find_function(void *address, struct dl_find_object *result);

static __thread int n_held;

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int error = ((mutex_function *)dlsym(RTLD_NEXT, "pthread_mutex_lock"))(mutex);

	n_held += error == 0;
	return error;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	n_held--;
	return ((mutex_function *)dlsym(RTLD_NEXT, "pthread_mutex_unlock"))(mutex);
}

int _dl_find_object(void *address, struct dl_find_object *result)
{
	if (n_held > 0) {
		fputs("looks for an object under a mutex\n", stderr);
		_Exit(9);
	}
	return ((find_function *)dlsym(RTLD_NEXT, "_dl_find_object"))(address, result);
}
