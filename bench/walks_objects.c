/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much it costs to prepare walker_cfi for the objects of this process, and for large libraries
 * that the system may have. Each has a process of its own, in which nothing is prepared before.
 */
#include "bench/walks.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unwinder/core/objects.h"

#define MAX_WAITS 500 /* of 10 ms, for what is compiled in the background */

static int add_text(struct dl_phdr_info *info, size_t size, void *data)
{
	double *bytes = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X)
			*bytes += (double)info->dlpi_phdr[i].p_memsz;
	return 0;
}

static void prepare_and_print(const char *library)
{
	double text_bytes = 0, mb;
	struct objects_cost cost;
	uint64_t begin, end;

	if (library && !dlopen(library, RTLD_LAZY | RTLD_LOCAL))
		return;
	dl_iterate_phdr(add_text, &text_bytes);
	begin = walks_ticks();
	if (walker_cfi.init() != 0)
		return;
	end = walks_ticks();
	objects_cost(&cost);
	for (int i = 0; i < MAX_WAITS && cost.n_interpreted > 0; i++) {
		usleep(10000);
		objects_cost(&cost);
	}
	mb = text_bytes / 1e6;
	printf("%-24s %7.1f %7.2f %10.2f %7.3f %10.2f %10.0f %10.0f %6d\n",
		library ? library : "this process", mb, walks_ns(begin, end) / 1e6,
		(double)cost.build_ns / 1e6, (double)cost.build_ns / 1e6 / mb,
		(double)cost.n_bytes / 1e6, (double)cost.n_bytes / 1e3 / mb,
		(double)cost.n_rows / mb, (int)cost.n_interpreted);
}

void walks_objects(void)
{
	static const char *const libraries[] = { NULL, "libstdc++.so.6", "libopenblas.so.0",
		"libLLVM.so.19.1" };

	printf("\n%-24s %7s %7s %10s %7s %10s %10s %10s %6s\n", "tables of", "MB code", "ms",
		"CPU ms", "a MB", "MB", "KB a MB", "rows a MB", "left");
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		fflush(stdout);
		pid_t child = fork();

		if (child == 0) {
			prepare_and_print(libraries[i]);
			fflush(stdout);
			_exit(0);
		}
		if (child > 0)
			waitpid(child, NULL, 0);
	}
}
