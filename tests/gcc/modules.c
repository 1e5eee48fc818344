/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads modules that use OpenMP, as Python does: modules A B FUNCTION... calls functions of A, and
 * of B by A. "reload" loads A anew each time.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *find(void *module, const char *name)
{
	void *function = dlsym(module, name);

	if (!function) {
		fprintf(stderr, "%s\n", dlerror());
		exit(99);
	}
	return function;
}

static void *load(const char *path)
{
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!module) {
		fprintf(stderr, "%s\n", dlerror());
		exit(99);
	}
	return module;
}

static int get(void *module)
{
	return ((int (*)(void))find(module, "get"))();
}

static void reload(const char *path)
{
	for (int i = 0; i < 3; i++) {
		void *module = load(path);

		printf("%d\n", get(module));
		dlclose(module);
	}
}

int main(int argc, char **argv)
{
	void *a, *b;

	if (strcmp(argv[3], "reload") == 0) {
		reload(argv[1]);
		return 0;
	}
	a = load(argv[1]);
	b = load(argv[2]);
	for (int i = 3; i < argc; i++) {
		((void (*)(void))find(a, argv[i]))();
		((void (*)(void (*)(void)))find(a, "call"))((void (*)(void))find(b, argv[i]));
	}
	printf("%d %d\n", get(a), get(b));
	fflush(stdout);
	return 0;
}
