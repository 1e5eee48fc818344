/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls each function that the provider exports, on the library of fake.c, and names the functions
 * in which that library does not see this program as its caller.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern const void *fake_caller;
extern long fake_sum;
extern unsigned fake_n_calls;
extern const char __executable_start, etext;

typedef void function(long, long, long, long, long, long, long, long, long, long, long, long);

static unsigned n_tried;

static int is_of_the_provider(void *at)
{
	Dl_info info;

	return dladdr(at, &info) && strstr(info.dli_fname, "libompprof-gomp");
}

static void try(const char *name, const char *version)
{
	void *at = version ? dlvsym(RTLD_DEFAULT, name, version) : dlsym(RTLD_DEFAULT, name);

	if (!at || !is_of_the_provider(at))
		return;
	n_tried++;
	fake_n_calls = 0;
	fake_caller = NULL;
	((function *)at)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	if (fake_n_calls == 0 || (const char *)fake_caller < &__executable_start ||
		(const char *)fake_caller >= &etext)
		printf("%s %s\n", name, version ? version : "");
}

/* A function with any number of arguments gets all of them, also those on the stack. */
static void try_variadic(const char *name)
{
	void *at = dlsym(RTLD_DEFAULT, name);
	long sum = 1;

	if (!at || !is_of_the_provider(at))
		return;
	for (long i = 2; i <= 12; i++)
		sum = sum * 3 + i;
	try(name, NULL);
	((void (*)(long, ...))at)(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
	if (fake_sum != sum)
		printf("%s loses arguments\n", name);
}

int main(void)
{
#define FUNCTION(returns, name, parameters)         try(#name, NULL);
#define VERSION_OMP_1_0                             "OMP_1.0"
#define VERSION_OMP_3_0                             "OMP_3.0"
#define VERSION(returns, name, version, parameters) try(#name, VERSION_##version);
#define VARIADIC(name, type)                        try_variadic(#name);
#include "gomp/functions.def"
	printf("%u\n", n_tried);
	return 0;
}
