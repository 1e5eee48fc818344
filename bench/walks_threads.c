/* SPDX-License-Identifier: Apache-2.0 */
/* The first walk of a new thread, with a path in pages that were touched before, or never. */
#include "bench/walks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/walks_program.h"

#define N_THREADS 100 /* of each contender */
#define N_CALLS   7   /* of a thread, besides the C library's two */

struct first {
	struct times *times;
	enum contender contender;
	struct walk_bounds bounds;
	struct walk_path *path;
	int is_touched;
};

static void time_first(const struct walk_registers *here, void *argument)
{
	struct first *first = argument;
	uint64_t begin = walks_ticks();

	walks_walk(first->contender, here, &first->bounds, first->path);
	times_add(first->times, first->contender, walks_ns(begin, walks_ticks()));
}

static void *begin_thread(void *argument)
{
	struct first *first = argument;
	struct descent descent = { .visit = time_first, .argument = first, .variant = 0x5a5a5a5a };
	pthread_attr_t attributes;
	size_t size;
	void *lo;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return NULL;
	pthread_attr_getstack(&attributes, &lo, &size);
	pthread_attr_destroy(&attributes);
	first->bounds = (struct walk_bounds){ .lo = (uintptr_t)lo, .hi = (uintptr_t)lo + size };
	program_descend(&program_plain, &descent, N_CALLS);
	return NULL;
}

static void run_thread(struct first *first)
{
	pthread_t thread;

	first->path = mmap(NULL, sizeof(*first->path), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (first->path == MAP_FAILED)
		return;
	if (first->is_touched)
		memset(first->path, 0, sizeof(*first->path));
	if (pthread_create(&thread, NULL, begin_thread, first) == 0)
		pthread_join(thread, NULL);
	munmap(first->path, sizeof(*first->path));
}

static void report(const char *label, int is_touched)
{
	struct times times;
	struct first first = { .times = &times, .is_touched = is_touched };
	int n = (int)(walks.factor * N_THREADS) + 1;

	times_init(&times, (size_t)n);
	for (int i = 0; i < n; i++)
		for (first.contender = 0; first.contender < N_CONTENDERS; first.contender++)
			if (walks_takes_part(first.contender, 0))
				run_thread(&first);
	table_medians(label, &times);
	times_release(&times);
}

void walks_threads(void)
{
	table_part("first of a thread, ns");
	report("depth 10", 1);
	report("  in new pages", 0);
}
