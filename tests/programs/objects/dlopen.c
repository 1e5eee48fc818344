/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program without OpenMP that loads a library with OpenMP late, calls it, closes it and loads it
 * again. The library is the file of its own name with `_kernel` added. library_kernel's call path
 * begins in main.
 * Needs: dlopen_kernel.c
 * Flags: -fno-openmp -ldl
 */
#include <dlfcn.h>
#include <unistd.h>

#include "../work.h"

static long call_library(const char *path, long unit)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library) {
		fprintf(stderr, "dlopen: %s\n", dlerror());
		return -1;
	}
	long (*work)(long) = (long (*)(long))dlsym(library, "library_work");
	long threads = work ? work(unit) : -1;

	dlclose(library);
	return threads;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 8);

	if (length < 0)
		return 2;
	snprintf(path + length, sizeof(path) - (size_t)length, "_kernel");
	long first = call_library(path, unit), second = call_library(path, unit);

	return work_finish("dlopen", first > 0 && first == second, 1);
}
