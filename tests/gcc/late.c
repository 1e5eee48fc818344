/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program without OpenMP that loads libraries with it: late LIBRARY... calls work_kernel of each,
 * in their order, and prints its results.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		long (*kernel)(long) =
			library ? (long (*)(long))dlsym(library, "work_kernel") : NULL;

		if (!kernel) {
			printf("%s\n", dlerror());
			return 1;
		}
		printf("%ld\n", kernel(100000000));
	}
	return 0;
}
