/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walker_cfi at a wrong return address: one in a plugin that another thread opens and closes all the
 * time. Such a path may end anywhere and be anything, but the object's unwind data can go while the
 * walker looks at it.
 *
 *   dl_race SECONDS PLUGIN PLUGIN
 *
 * It writes how many walks there were and how they ended, by enum walk_end.
 */
#include "unwinder/core/walk.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WALKS_PER_LOOK  1000
#define LOOKS_PER_SWEEP 64
#define SWEEP_BYTES     16 /* between the wrong return addresses that follow each other */

/* Calls the function, and says meanwhile that it will return to `address`. */
void lie(void (*function)(void), const void *address);

__asm__(".text\n"
	".type lie, @function\n"
	"lie:\n"
	".cfi_startproc\n"
	"pushq %rbx\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset rbx, -16\n"
	"movq %rsi, %rbx\n"
	".cfi_remember_state\n"
	".cfi_register rip, rbx\n"
	"call *%rdi\n"
	".cfi_restore_state\n"
	"popq %rbx\n"
	".cfi_def_cfa_offset 8\n"
	".cfi_restore rbx\n"
	"ret\n"
	".cfi_endproc\n"
	".size lie, . - lie\n");

static struct walk_bounds bounds;
static struct walk_path path;
static long n_walks, n_ends[WALK_UNKNOWN_CODE + 1];
static atomic_int is_over;
static char *plugin[2];

static void walk(void)
{
	struct walk_registers here;

	walk_registers_here(&here);
	walker_cfi.walk(&here, &bounds, UINT64_MAX, &path);
	n_ends[path.end]++;
	n_walks++;
}

static void *open_and_close(void *unused)
{
	for (int i = 0; !is_over; i = 1 - i) {
		void *object = dlopen(plugin[i], RTLD_NOW | RTLD_LOCAL);

		if (object)
			dlclose(object);
	}
	return unused;
}

/* Where the first plugin's code is now, and will be again. */
static const char *find_code(void)
{
	void *object = dlopen(plugin[0], RTLD_NOW | RTLD_LOCAL);
	const char *code = object ? dlsym(object, "stress_run") : NULL;

	if (object)
		dlclose(object);
	return code;
}

static void find_bounds(void)
{
	pthread_attr_t attributes;
	size_t size;
	void *lo;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &lo, &size);
	pthread_attr_destroy(&attributes);
	bounds = (struct walk_bounds){ .lo = (uintptr_t)lo, .hi = (uintptr_t)lo + size };
}

int main(int argc, char **argv)
{
	pthread_t thread;
	const char *code;
	time_t end;

	if (argc < 4 || (walker_cfi.init && walker_cfi.init() != 0))
		return 2;
	plugin[0] = argv[2];
	plugin[1] = argv[3];
	find_bounds();
	code = find_code();
	end = time(NULL) + atoi(argv[1]);
	if (!code || pthread_create(&thread, NULL, open_and_close, NULL) != 0)
		return 2;
	for (int i = 0; time(NULL) <= end; i++) {
		for (int k = 0; k < WALKS_PER_LOOK; k++)
			lie(walk, code + (ptrdiff_t)(i % LOOKS_PER_SWEEP) * SWEEP_BYTES);
		if (walker_cfi.refresh)
			walker_cfi.refresh();
	}
	is_over = 1;
	pthread_join(thread, NULL);
	printf("walks %ld, ends", n_walks);
	for (int i = 0; i <= WALK_UNKNOWN_CODE; i++)
		printf(" %ld", n_ends[i]);
	printf("\n");
	return 0;
}
