/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What preparing walker_cfi costs: for the objects of this process, and for some large libraries
 * that the system may have. Each in a process of its own that has not prepared it yet.
 */
#include "bench/walks.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

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
	double text_bytes = 0;
	uint64_t begin;
	double ns;

	if (library && !dlopen(library, RTLD_LAZY | RTLD_LOCAL))
		return;
	dl_iterate_phdr(add_text, &text_bytes);
	begin = walks_ticks();
	if (walker_cfi.init() != 0)
		return;
	ns = walks_ns(begin, walks_ticks());
	printf("%-24s %6.1f MB of code %9.2f ms, %6.3f ms a MB\n",
		library ? library : "this process", text_bytes / 1e6, ns / 1e6, ns / text_bytes);
}

void walks_objects(void)
{
	static const char *const libraries[] = { NULL, "libstdc++.so.6", "libopenblas.so.0",
		"libLLVM.so.19.1" };

	if (!walker_cfi.init)
		return;
	puts("\npreparing tables");
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
