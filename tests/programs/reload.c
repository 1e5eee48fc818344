/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reload FACTOR ONE TWO: loads a library, calls it, closes it, and loads and calls another, which comes
 * to lie in the same place: one_kernel's work is as much as two_kernel's.
 * Needs: reload_one_kernel.c
 * Needs: reload_two_kernel.c
 * Flags: -ldl
 */
#include <dlfcn.h>

#include "work.h"

/* Returns where the library's function was. */
static NOINLINE void *call_library(const char *path, long unit)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fprintf(stderr, "dlopen: %s\n", dlerror());
		exit(2);
	}
	void *work = dlsym(library, "library_work");

	((void (*)(long))work)(100 * unit);
	dlclose(library);
	return work;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);

	if (argc != 4)
		return 2;
	void *one = call_library(argv[2], unit);
	void *two = call_library(argv[3], unit);

	return work_finish("reload", one == two, 1);
}
