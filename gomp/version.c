/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of a libgomp. It has no function that tells, so the functions that it has tell: each
 * GCC since 9 has brought new ones.
 */
#include "gomp/version.h"

#include <dlfcn.h>
#include <stdio.h>

void gomp_describe(char *name, size_t bytes, void *handle)
{
	static const struct {
		const char *function;
		int gcc; /* the first with the function */
	} news[] = {
		{ "GOMP_interop", 15 },
		{ "GOMP_target_map_indirect_ptr", 14 },
		{ "GOMP_taskwait_depend_nowait", 13 },
		{ "GOMP_teams4", 12 },
		{ "GOMP_alloc", 11 },
		{ "omp_alloc", 10 },
		{ "GOMP_loop_start", 9 },
	};

	snprintf(name, bytes, "GCC libgomp");
	for (size_t i = 0; i < sizeof(news) / sizeof(news[0]); i++) {
		if (!dlsym(handle, news[i].function))
			continue;
		snprintf(name, bytes, "GCC libgomp %d%s", news[i].gcc, i ? "" : " or later");
		return;
	}
}
