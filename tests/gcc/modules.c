/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads modules that use OpenMP, as Python does: modules A B FUNCTION... calls functions of A, and
 * of B by A. "reload" loads A anew each time. "beside" calls A while another thread loads B; with
 * OpenMP the program itself enters a critical section then, after A was unloaded.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int is_begun, is_passed; /* the constructor of B waits; the program has passed its call */

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

static void *load_in_thread(void *path)
{
	return load(path);
}

#ifdef _OPENMP
static void pass(void)
{
#pragma omp critical
	is_passed++;
}
#endif

static void beside(const char *path, char *other)
{
	void *module = load(path), *loaded;
	pthread_t thread;
#ifdef _OPENMP
	void (*call)(void) = pass;

	call();
	dlclose(module);
	is_passed = 0;
#else
	void (*call)(void) = (void (*)(void))find(module, "critical");
#endif

	pthread_create(&thread, NULL, load_in_thread, other);
	while (!__atomic_load_n(&is_begun, __ATOMIC_ACQUIRE))
		usleep(1000);
	call();
	pthread_join(thread, &loaded);
	printf("%d\n", get(loaded));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	void *a, *b;

	if (strcmp(argv[3], "reload") == 0) {
		reload(argv[1]);
		return 0;
	}
	if (strcmp(argv[3], "beside") == 0) {
		beside(argv[1], argv[2]);
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
