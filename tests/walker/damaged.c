/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads a library and walks from the trap in its function `run`: damaged LIBRARY WHAT. It walks
 * without memory, with it, and with the memory of another walk. A path without the two callers,
 * which are known, must not say that it is complete; with WHAT = whole every path has to be
 * complete and have them. WHAT = in-place: no objects are listed. The first trap ends the program,
 * with status 0 or 1, after it has printed the paths.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unwinder/core/objects.h"
#include "unwinder/core/walk.h"

static struct {
	struct walk_bounds bounds;
	struct walk_path path, other;
	uint64_t cfa[2]; /* of the callers, the innermost first */
	int must_be_whole;
	int is_wrong;
} test;

static int has_callers(const struct walk_path *path)
{
	uint32_t n_found = 0;

	for (uint32_t i = 0; i < path->n && n_found < 2; i++)
		n_found += path->frame[i].cfa == test.cfa[n_found];
	return n_found == 2;
}

static void walk_once(
	const struct walk_registers *registers, struct walk_path *path, const char *name)
{
	int is_whole;

	walker_cfi.walk(registers, &test.bounds, UINT64_MAX, path);
	is_whole = has_callers(path) && path->end == WALK_COMPLETE;
	printf("%s: %u frames, end %u, guessed %u%s\n", name, path->n, path->end, path->n_guessed,
		is_whole ? ", whole" : "");
	if (is_whole)
		return;
	if (test.must_be_whole || path->end == WALK_COMPLETE || path->end > WALK_UNKNOWN_CODE ||
		path->n == 0)
		test.is_wrong = 1;
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
	struct walk_registers registers;

	(void)signal;
	(void)info;
	walk_registers_from_ucontext(&registers, context);
	walk_once(&registers, &test.path, "without memory");
	walk_once(&registers, &test.path, "with memory");
	walk_once(&registers, &test.other, "with other memory");
	fflush(stdout);
	_exit(test.is_wrong);
}

static __attribute__((noinline)) void call(void (*run)(void))
{
	test.cfa[0] = (uint64_t)(uintptr_t)__builtin_dwarf_cfa();
	run();
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
	pthread_attr_t attributes;
	struct walk_registers here;
	size_t size = 0;
	void *lo = NULL, *library, *run;
	const char *what = argc > 2 ? argv[2] : "";

	alarm(10);
	sigaction(SIGTRAP, &action, NULL);
	test.cfa[1] = (uint64_t)(uintptr_t)__builtin_dwarf_cfa();
	test.must_be_whole = strcmp(what, "whole") == 0;
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &lo, &size);
	test.bounds = (struct walk_bounds){ (uintptr_t)lo, (uintptr_t)lo + size };
	library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	run = library ? dlsym(library, "run") : NULL;
	if (!run || (strcmp(what, "in-place") != 0 && walker_cfi.init() != 0)) {
		printf("%s\n", library ? "no list of objects" : dlerror());
		return 2;
	}
	/* Memory of this function and what is outside of it. */
	walk_registers_here(&here);
	walker_cfi.walk(&here, &test.bounds, UINT64_MAX, &test.other);
	call((void (*)(void))run);
	return 2;
}
