/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints what a walk costs, in nanoseconds a frame, at three depths: by each walker and by the C
 * library's backtrace(), in turns in one run, the best of many. The functions are called through a
 * pointer from different places and have frame pointers, so that walker_fp sees the same frames.
 * Argument: a walker's plug-in to be measured too.
 */
#include "unwinder/walk.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <time.h>

#define N_ROUNDS        40
#define WALKS_PER_ROUND 50
#define MAX_WALKERS     4

static struct walk_bounds bounds;
static struct walk_path path;
static const struct walker *walkers[MAX_WALKERS];
static unsigned int n_walkers;
static int keep;

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The best time of a walk, a frame, over all rounds; backtrace() where there is no walker. */
static double measure(const struct walker *walker, const struct walk_registers *start)
{
	keep = getenv("KEEP") != NULL;
	static void *addresses[WALK_MAX_FRAMES];
	double began = now_ns();
	int n = 0;

	for (int i = 0; i < WALKS_PER_ROUND; i++, path.n *= keep)
		n = walker ? (int)walker->walk(start, &bounds, UINT64_MAX, &path)
			   : backtrace(addresses, WALK_MAX_FRAMES);
	return (now_ns() - began) / WALKS_PER_ROUND / n;
}

static void report(int depth)
{
	struct walk_registers here;
	double best[MAX_WALKERS + 1];

	walk_registers_here(&here);
	for (unsigned int w = 0; w <= n_walkers; w++)
		best[w] = 1e9;
	for (int round = 0; round < N_ROUNDS; round++)
		for (unsigned int w = 0; w <= n_walkers; w++) {
			double ns = measure(w < n_walkers ? walkers[w] : NULL, &here);

			best[w] = ns < best[w] ? ns : best[w];
		}
	for (unsigned int w = 0; w <= n_walkers; w++)
		printf("%-10s depth %3d  %7.1f ns/frame\n",
			w < n_walkers ? walkers[w]->name : "backtrace", depth, best[w]);
}

typedef double (*level)(int depth, int left);
static double odd(int depth, int left);
static double even(int depth, int left);
static level volatile levels[2] = { even, odd };

static double even(int depth, int left)
{
	volatile double x[4] = { depth };

	if (left == 0)
		report(depth);
	return left ? levels[left & 1](depth, left - 1) + x[left & 3] : x[0];
}

/* With more saved registers than the other. */
static double odd(int depth, int left)
{
	double a = depth * 0.5, b = left * 0.25;
	int i = depth, j = left, k = depth + left;

	__asm__ volatile("" : "+r"(i), "+r"(j), "+r"(k) : : "rbx", "r12", "r13", "r14");
	if (left == 0)
		report(depth);
	else
		a += levels[left & 1](depth, left - 1) + b;
	return a + i + j + k;
}

int main(int argc, char **argv)
{
	static const int depths[] = { 10, 40, 100 };
	pthread_attr_t attributes;
	size_t size;
	void *lo, *plugin;

	walkers[n_walkers++] = &walker_cfi;
	walkers[n_walkers++] = &walker_cfi_in_place;
	walkers[n_walkers++] = &walker_fp;
	walker_cfi.init();
	plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	if (argc > 1 && !plugin)
		fprintf(stderr, "walk_cost: %s\n", dlerror());
	walkers[n_walkers] = plugin ? dlsym(plugin, "ompprof_walker") : NULL;
	if (walkers[n_walkers] && walkers[n_walkers]->init() == 0)
		n_walkers++;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return 1;
	pthread_attr_getstack(&attributes, &lo, &size);
	bounds = (struct walk_bounds){ .lo = (uintptr_t)lo, .hi = (uintptr_t)lo + size };
	for (int i = 0; i < 3; i++)
		levels[0](depths[i], depths[i] - 4);
	return 0;
}
