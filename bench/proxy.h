/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a program that is an OMPT tool itself, and loads another tool (libompprof.so), which the
 * runtime's calls are handed on to. Later the program can take away that tool's callbacks, replace
 * them by callbacks that return at once, and put them back. So places of threads and memory, which
 * differ between processes, are the same with and without them. Whatever the runtime keeps for a
 * tool it keeps all the time. Included by one file of a program.
 */
#ifndef OMPPROF_BENCH_PROXY_H
#define OMPPROF_BENCH_PROXY_H

#include <dlfcn.h>
#include <omp-tools.h>
#include <stddef.h>

enum { PROXY_N_EVENTS = 64 };
enum proxy_way { PROXY_WITHOUT, PROXY_IGNORED, PROXY_PROFILED };

static struct {
	const char *path; /* of the library: set it before the first region */
	ompt_start_tool_result_t *result;
	ompt_data_t data;
	ompt_set_callback_t set;
	ompt_get_callback_t get;
	ompt_callback_t callback[PROXY_N_EVENTS];
} proxy;

static void proxy_nothing(void)
{
}

static int proxy_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)data;
	proxy.set = (ompt_set_callback_t)lookup("ompt_set_callback");
	proxy.get = (ompt_get_callback_t)lookup("ompt_get_callback");
	return proxy.result->initialize(lookup, device, &proxy.data);
}

static void proxy_finalize(ompt_data_t *data)
{
	(void)data;
	proxy.result->finalize(&proxy.data);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = { proxy_initialize, proxy_finalize, { 0 } };
	ompt_start_tool_result_t *(*start)(unsigned int, const char *);
	void *library = proxy.path ? dlopen(proxy.path, RTLD_NOW | RTLD_LOCAL) : NULL;

	if (!library)
		return NULL;
	*(void **)&start = dlsym(library, "ompt_start_tool");
	proxy.result = start ? start(version, runtime) : NULL;
	return proxy.result ? &result : NULL;
}

/*
 * Remembers the library's callbacks, except for the begin and end of a thread. Returns NULL, or why
 * nothing can be switched.
 */
static const char *proxy_find(void)
{
	int n = 0;

	if (!proxy.result)
		return "the library is no tool here";
	for (int event = 1; proxy.get && event < PROXY_N_EVENTS; event++) {
		ompt_callback_t found = NULL;

		if (event == ompt_callback_thread_begin || event == ompt_callback_thread_end ||
			proxy.get((ompt_callbacks_t)event, &found) != 1 || !found)
			continue;
		proxy.callback[event] = found;
		n++;
	}
	return n ? NULL : "the runtime gives no callbacks away";
}

/* While no region is executed. */
static void proxy_go_over_to(enum proxy_way way)
{
	ompt_callback_t instead = way == PROXY_WITHOUT ? NULL : (ompt_callback_t)proxy_nothing;

	for (int event = 1; event < PROXY_N_EVENTS; event++) {
		if (proxy.callback[event])
			proxy.set((ompt_callbacks_t)event,
				way == PROXY_PROFILED ? proxy.callback[event] : instead);
	}
}

#endif
