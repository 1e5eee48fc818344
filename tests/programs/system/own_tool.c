/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that has an OpenMP tool of its own, which says so. The linker exports what the runtime looks for.
 * Flags: -rdynamic
 */
#include <omp-tools.h>
#include <stdio.h>

static int begin(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)lookup;
	(void)device;
	(void)data;
	puts("tool");
	return 1;
}

static void end(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = { begin, end, { 0 } };

	(void)version;
	(void)runtime;
	return &result;
}

int main(void)
{
	int n = 0;

#pragma omp parallel num_threads(2) reduction(+ : n)
	n++;
	return n;
}
