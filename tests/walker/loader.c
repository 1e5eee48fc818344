/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of objects while the loader, other threads and forks are at work: loader CASE LIBRARY...
 * Each case is a function below. Ends with status 0, 1 if something was wrong, 77 if the case did
 * not come about, or 2 if it could not begin; writes what it saw.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unwinder/core/objects.h"
#include "unwinder/core/walk.h"

enum {
	N_FORKS = 200,
	LOOK_AFTER_US = 25000, /* an earlier look would be left out */
};

static struct {
	struct walk_bounds bounds;
	struct walk_path path;
	uint64_t stop;
	uint64_t main_cfa;
	int is_wrong;
} test;

static void look_again(void)
{
	usleep(LOOK_AFTER_US);
	objects_missed();
	objects_refresh();
}

static __attribute__((noinline)) void walk(void)
{
	struct walk_registers here;

	walk_registers_here(&here);
	walker_cfi.walk(&here, &test.bounds, test.stop, &test.path);
}

/* Called by a library's `run`, whose frame is to be the outermost. Walks twice. */
static __attribute__((noinline)) void walk_to_library(void)
{
	test.stop = (uint64_t)(uintptr_t)__builtin_dwarf_cfa();
	walk();
	printf("%u frames, end %u, kept %u", test.path.n, test.path.end, test.path.n_kept);
	test.is_wrong |= test.path.n < 3 || test.path.n_kept > 0;
	walk();
	printf(", then %u\n", test.path.n_kept);
}

/* Two libraries come to one place in turn: a path to one is none of the other's. */
static int replaced(char **library, int must_look)
{
	void *place = NULL;

	for (int i = 0; i < 6; i++) {
		void *opened = dlopen(library[i % 2], RTLD_NOW);
		void (*run)(void (*)(void)) =
			opened ? (void (*)(void (*)(void)))dlsym(opened, "run") : NULL;

		if (!run || (place && place != (void *)run))
			return 77;
		place = (void *)run;
		if (must_look)
			look_again();
		run(walk_to_library);
		dlclose(opened);
	}
	return test.is_wrong;
}

static int replaced_unlisted(char **library)
{
	return replaced(library, 0);
}

static int replaced_listed(char **library)
{
	return replaced(library, 1);
}

static void *open_library(void *name)
{
	return dlopen(name, RTLD_NOW);
}

static int is_named(struct dl_phdr_info *info, size_t size, void *name)
{
	(void)size;
	return strcmp(info->dlpi_name, name) == 0;
}

/* A look while the loader is not ready with a library does not make later ones leave it out. */
static int slow(char **library)
{
	struct dl_find_object found;
	const struct objects *objects;
	unsigned int counter;
	uint32_t place = 0;
	pthread_t thread;
	int is_listed = 0, n_seen = 0;
	void *opened, *run;

	usleep(LOOK_AFTER_US);
	pthread_create(&thread, NULL, open_library, library[0]);
	while (!n_seen && pthread_tryjoin_np(thread, &opened) != 0) {
		usleep(1000);
		n_seen = dl_iterate_phdr(is_named, library[0]);
	}
	if (!n_seen)
		return 77;
	objects_missed();
	objects_refresh();
	if (pthread_tryjoin_np(thread, &opened) == 0)
		return 77;
	pthread_join(thread, &opened);
	run = opened ? dlsym(opened, "run") : NULL;
	if (!run || _dl_find_object(run, &found) != 0)
		return 77;
	for (int i = 0; i < 5 && !is_listed; i++) {
		look_again();
		objects = objects_enter(&place, &counter);
		is_listed = objects_find(objects, (uint64_t)(uintptr_t)run) != NULL;
		objects_leave(counter);
	}
	printf("listed: %d\n", is_listed);
	return !is_listed;
}

static int see_nothing(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)info;
	(void)size;
	(void)data;
	return 1;
}

static volatile int is_ended;

static void *start_again(void *unused)
{
	objects_start();
	return unused;
}

static void *look_all_the_time(void *unused)
{
	while (!is_ended) {
		usleep(200);
		objects_missed();
		objects_refresh();
	}
	return unused;
}

/* A child of a fork, which must be able to use the loader and to list its objects. */
static int is_child_well(const char *name)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		alarm(5);
		dl_iterate_phdr(see_nothing, NULL);
		if (!dlopen(name, RTLD_NOW))
			_exit(2);
		_exit(objects_start() == 0 ? 0 : 3);
	}
	waitpid(child, &status, 0);
	if (status != 0)
		printf("child of fork: status %x\n", (unsigned int)status);
	return status == 0;
}

/* Forks while another thread refreshes the list. Only this one opens libraries: no fork meets that. */
static int fork_refresh(char **library)
{
	pthread_t thread;
	void *opened;
	int n_bad = 0;

	pthread_create(&thread, NULL, look_all_the_time, NULL);
	for (int i = 0; i < N_FORKS && !n_bad; i++) {
		opened = dlopen(library[0], RTLD_NOW);
		n_bad += !is_child_well(library[1]);
		if (opened)
			dlclose(opened);
	}
	is_ended = 1;
	pthread_join(thread, NULL);
	printf("%d of %d children failed\n", n_bad, N_FORKS);
	return n_bad > 0;
}

/* Forks while another thread lists the objects, as it may once in each process. */
static int fork_start(char **library)
{
	int n_bad = 0, status;

	for (int i = 0; i < N_FORKS && !n_bad; i++) {
		pid_t child = fork();

		if (child == 0) {
			pthread_t thread;

			alarm(8);
			pthread_create(&thread, NULL, start_again, NULL);
			usleep((useconds_t)(i * 37 % 2000));
			_exit(!is_child_well(library[1]));
		}
		waitpid(child, &status, 0);
		n_bad += status != 0;
		if (status != 0)
			printf("fork %d: status %x\n", i, (unsigned int)status);
	}
	printf("%d of %d children failed\n", n_bad, N_FORKS);
	return n_bad > 0;
}

/* Bytes of address space in use. */
static unsigned long used_bytes(void)
{
	unsigned long n_pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file || fscanf(file, "%lu", &n_pages) != 1)
		n_pages = 0;
	if (file)
		fclose(file);
	return n_pages * 4096;
}

static __attribute__((noinline)) int start_with(unsigned long left)
{
	struct rlimit limit;
	int failure, is_whole = 0;

	limit.rlim_cur = limit.rlim_max = used_bytes() + left;
	if (setrlimit(RLIMIT_AS, &limit) != 0)
		return 77;
	failure = objects_start();
	test.stop = UINT64_MAX;
	for (int i = 0; i < 2; i++) {
		walk();
		for (uint32_t k = 0; k < test.path.n; k++)
			is_whole += test.path.frame[k].cfa == test.main_cfa;
	}
	printf("%lu bytes left: start %d, %u frames, end %u\n", left, failure, test.path.n,
		test.path.end);
	fflush(stdout);
	return (failure != 0 && failure != -1) || is_whole != 2 || test.path.end != WALK_COMPLETE;
}

/* Without memory nothing is listed, or not all is compiled; the walks are the same. */
static int memory(char **library)
{
	int n_bad = 0, status = 0;

	(void)library;
	for (unsigned long left = 0; left <= 8 << 20; left = left ? 2 * left : 4096) {
		pid_t child = fork();

		if (child == 0) {
			alarm(5);
			_exit(start_with(left));
		}
		waitpid(child, &status, 0);
		n_bad += status != 0;
		if (status != 0)
			printf("%lu bytes left: status %x\n", left, (unsigned int)status);
	}
	return n_bad > 0;
}

static const struct loader_case {
	const char *name;
	int (*run)(char **library);
	int is_unlisted; /* starts without a list */
} cases[] = {
	{ "replaced", replaced_unlisted, 0 },
	{ "replaced-listed", replaced_listed, 0 },
	{ "slow", slow, 0 },
	{ "fork-refresh", fork_refresh, 0 },
	{ "fork-start", fork_start, 0 },
	{ "memory", memory, 1 },
};

int main(int argc, char **argv)
{
	pthread_attr_t attributes;
	size_t size = 0;
	void *lo = NULL;

	alarm(30);
	setvbuf(stdout, NULL, _IOLBF, 0);
	test.main_cfa = (uint64_t)(uintptr_t)__builtin_dwarf_cfa();
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &lo, &size);
	test.bounds = (struct walk_bounds){ (uintptr_t)lo, (uintptr_t)lo + size };
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strcmp(argv[1], cases[i].name) != 0)
			continue;
		if (!cases[i].is_unlisted && walker_cfi.init() != 0)
			return 2;
		return cases[i].run(argv + 2);
	}
	return 2;
}
