/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callbacks LIBRARY: prints the events that an OMPT tool asks for, a line each, as a runtime that has them all. No event
 * comes. Status 1, with a reason, if it is no tool.
 */
#include <dlfcn.h>
#include <omp-tools.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	static const struct {
		const char *name;
		int number;
	} events[] = {
#define EVENT(name, type, number) { #name, number },
		FOREACH_OMPT_EVENT(EVENT)
	};

	for (size_t i = 0; callback && i < sizeof(events) / sizeof(events[0]); i++) {
		if (events[i].number == (int)event)
			printf("%s\n", events[i].name + strlen("ompt_callback_"));
	}
	return ompt_set_always;
}

static ompt_interface_fn_t look_up(const char *name)
{
	return strcmp(name, "ompt_set_callback") == 0 ? (ompt_interface_fn_t)set_callback : NULL;
}

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	ompt_start_tool_result_t *(*start)(unsigned int, const char *) = NULL;
	ompt_start_tool_result_t *result;

	if (library)
		*(void **)&start = dlsym(library, "ompt_start_tool");
	result = start ? start(202011, "none") : NULL;
	if (!result || !result->initialize(look_up, 0, &result->tool_data)) {
		fprintf(stderr, "callbacks: no tool: %s\n", argc > 1 ? argv[1] : "");
		return 1;
	}
	result->finalize(&result->tool_data);
	return 0;
}
