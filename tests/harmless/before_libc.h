/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a library that is preloaded behind ompprof's and defines functions of the C library. When
 * ompprof's library asks dlsym for libc's own functions (sampler/tool/libc_bind.c), it gets the
 * functions of the library that includes this file.
 */
#ifndef OMPPROF_TESTS_HARMLESS_BEFORE_LIBC_H
#define OMPPROF_TESTS_HARMLESS_BEFORE_LIBC_H

#include <dlfcn.h>
#include <string.h>

typedef void *find_function(void *handle, const char *name);

static int is_in_ompprof(const void *caller)
{
	Dl_info info;

	return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "/libompprof.so");
}

static void *own_handle(void)
{
	static const char here;
	static void *own;
	Dl_info info;

	if (!own && dladdr(&here, &info))
		own = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	return own;
}

/* The others' call is passed on by a jump: what RTLD_NEXT is depends on where it returns to. */
void *dlsym(void *handle, const char *name)
{
	static find_function *find;
	void *own;

	if (!find)
		find = (find_function *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	own = is_in_ompprof(__builtin_return_address(0)) ? find(own_handle(), name) : NULL;
	return own ? own : find(handle, name);
}

#endif
