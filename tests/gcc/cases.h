/* SPDX-License-Identifier: Apache-2.0 */
/* A program of named cases: without an argument it prints their names, with one it runs that case. */
#ifndef OMPPROF_TESTS_GCC_CASES_H
#define OMPPROF_TESTS_GCC_CASES_H

#include <stdio.h>
#include <string.h>

struct gcc_case {
	const char *name; /* NULL: the end */
	void (*run)(void);
};

static int run_cases(const struct gcc_case *cases, int argc, char **argv)
{
	for (; cases->name; cases++) {
		if (argc < 2)
			printf("%s\n", cases->name);
		else if (strcmp(argv[1], cases->name) == 0)
			cases->run();
	}
	return 0;
}

#endif
