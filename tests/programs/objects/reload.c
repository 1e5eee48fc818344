/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reload FACTOR ONE TWO [TURNS]: loads a library, calls it, closes it, and loads and calls another, which
 * comes to lie in the same place, from the same call site; 2 times or TURNS, in turn. one_kernel's work is
 * as much as two_kernel's.
 * Needs: reload_one_kernel.c
 * Needs: reload_two_kernel.c
 * Needs: reload_one_bare.c
 * Needs: reload_two_bare.c
 * Flags: -ldl
 */
#include <dlfcn.h>

#include "../work.h"

/* Returns where the library's function was. */
static NOINLINE void *call_library(const char *path, long unit)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fprintf(stderr, "dlopen: %s\n", dlerror());
		exit(2);
	}
	void *work = dlsym(library, "library_work");

	((void (*)(long))work)(unit);
	dlclose(library);
	return work;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);

	if (argc != 4 && argc != 5)
		return 2;
	long turns = argc == 5 ? strtol(argv[4], NULL, 10) : 2;
	void *first = NULL;
	int is_same = 1;

	for (long turn = 0; turn < turns; turn++) {
		void *work = call_library(argv[2 + turn % 2], 200 * unit / turns);

		if (!first)
			first = work;
		is_same &= work == first;
	}
	return work_finish("reload", is_same, 1);
}
