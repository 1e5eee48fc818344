/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads modules that use OpenMP, as Python does: modules A B FUNCTION... calls functions of A, and
 * of B by A. "reload" loads A anew each time. "beside" calls A while another thread loads B; with
 * OpenMP the program itself enters a critical section then, after A was unloaded. "asked" is the
 * same, without a call or a dlclose before; B is loaded when the tool is asked. "load" only loads B.
 * "forked" calls A in a child, while a thread of the parent goes through the loader's objects.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int is_asked;            /* silent.c asks for B to be loaded */
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

#ifdef _OPENMP
static void *load_when_asked(void *path)
{
	for (int i = 0; i < 20 && !__atomic_load_n(&is_asked, __ATOMIC_ACQUIRE); i++)
		usleep(10000);
	return load(path);
}

static void asked(char *path)
{
	pthread_t thread;
	void *loaded;

	pthread_create(&thread, NULL, load_when_asked, path);
	pass();
	pthread_join(thread, &loaded);
	printf("%d\n", get(loaded));
}
#endif

static int stay(struct dl_phdr_info *info, size_t size, void *data)
{
	__atomic_store_n(&is_begun, 1, __ATOMIC_RELEASE);
	usleep(300000);
	return 1;
}

static void *go_through_objects(void *data)
{
	dl_iterate_phdr(stay, NULL);
	return NULL;
}

static void forked(const char *path)
{
	void *module = load(path);
	pthread_t thread;
	int status;

	pthread_create(&thread, NULL, go_through_objects, NULL);
	while (!__atomic_load_n(&is_begun, __ATOMIC_ACQUIRE))
		usleep(1000);
	if (fork() == 0) {
		alarm(20);
		((void (*)(void))find(module, "critical"))();
		_exit(0);
	}
	wait(&status);
	pthread_join(thread, NULL);
	printf("%d\n", status);
}

static int is_special(char **argv)
{
	if (strcmp(argv[3], "reload") == 0)
		reload(argv[1]);
	else if (strcmp(argv[3], "beside") == 0)
		beside(argv[1], argv[2]);
	else if (strcmp(argv[3], "forked") == 0)
		forked(argv[1]);
	else if (strcmp(argv[3], "load") == 0)
		printf("%d\n", get(load(argv[2])));
#ifdef _OPENMP
	else if (strcmp(argv[3], "asked") == 0)
		asked(argv[2]);
#endif
	else
		return 0;
	fflush(stdout);
	return 1;
}

int main(int argc, char **argv)
{
	void *a, *b;

	if (is_special(argv))
		return 0;
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
