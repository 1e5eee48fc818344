/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walks [PLUG-IN [NAME...]]: prints a table of what walks cost with each walker, in turns in one
 * run. PLUG-IN is the walker over libunwind. With NAMEs only these columns have figures.
 * `make bench-walks` runs it. It judges nothing.
 *
 *   BENCH_FACTOR   of the number of measurements (default 1)
 */
#include "bench/walks.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct walks walks = { .factor = 1 };

static const char *const names[N_CONTENDERS] = {
	[TABLES] = "tables",
	[MEMORY] = "memory",
	[IN_PLACE] = "in-place",
	[POINTERS] = "fp",
	[LIBUNWIND] = "libunwind",
	[UNW_BACKTRACE] = "unw_backtr",
	[BACKTRACE] = "backtrace",
};

int walks_takes_part(enum contender c, int has_frame_pointers)
{
	const struct contest *contest = &walks.contest[c];

	if (!contest->walker && !contest->list)
		return 0;
	if (walks.is_only[N_CONTENDERS] && !walks.is_only[c])
		return 0;
	return c != POINTERS || has_frame_pointers;
}

void times_init(struct times *times, size_t capacity)
{
	times->capacity = capacity;
	for (enum contender c = 0; c < N_CONTENDERS; c++) {
		times->n[c] = 0;
		times->ns[c] = calloc(capacity, sizeof(double));
		if (!times->ns[c])
			exit(1);
	}
}

void times_release(struct times *times)
{
	for (enum contender c = 0; c < N_CONTENDERS; c++)
		free(times->ns[c]);
}

void table_part(const char *title)
{
	printf("\n%-24s", title);
	for (enum contender c = 0; c < N_CONTENDERS; c++)
		printf("%*s", c == TABLES || c == MEMORY ? 7 : 13, names[c]);
	puts("      ");
}

static void print_cell(enum contender c, double value, double ours)
{
	double ratio = value / ours;

	if (isnan(value))
		printf("%7s", "-");
	else
		printf(value < 1000 ? "%7.1f" : "%7.0f", value);
	if (c == TABLES)
		return;
	if (isnan(ratio) || isinf(ratio))
		printf("%6s", "");
	else
		printf(ratio < 0.995 ? "%5.2fx" : ratio < 9.95 ? "%5.1fx" : "%5.0fx", ratio);
}

static void print_row(const char *label, const double value[N_CONTENDERS])
{
	printf("%-24s", label);
	for (enum contender c = 0; c < N_CONTENDERS; c++)
		print_cell(c, value[c], value[TABLES]);
	putchar('\n');
	fflush(stdout);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts the times of c. Returns whether there are any. */
static int sort_times(struct times *times, enum contender c)
{
	qsort(times->ns[c], times->n[c], sizeof(double), compare);
	return times->n[c] > 0;
}

double times_median(struct times *times, enum contender c)
{
	return sort_times(times, c) ? times->ns[c][times->n[c] / 2] : NAN;
}

void table_medians(const char *label, struct times *times)
{
	double median[N_CONTENDERS];

	for (enum contender c = 0; c < N_CONTENDERS; c++)
		median[c] = times_median(times, c);
	print_row(label, median);
}

void table_lowest(const char *label, struct times *times)
{
	double lowest[N_CONTENDERS];

	for (enum contender c = 0; c < N_CONTENDERS; c++)
		lowest[c] = sort_times(times, c) ? times->ns[c][0] : NAN;
	print_row(label, lowest);
}

void table_means(const char *label, struct times *times)
{
	double mean[N_CONTENDERS];

	for (enum contender c = 0; c < N_CONTENDERS; c++) {
		mean[c] = times->n[c] ? 0 : NAN;
		for (size_t i = 0; i < times->n[c]; i++)
			mean[c] += times->ns[c][i] / (double)times->n[c];
	}
	print_row(label, mean);
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure_clock(void)
{
	double begin_ns = now_ns();
	uint64_t begin = walks_ticks(), last = begin, now, least = UINT64_MAX;

	while (now_ns() < begin_ns + 5e7) {
		last = walks_ticks();
		now = walks_ticks();
		least = now - last < least ? now - last : least;
	}
	walks.ns_per_tick = (now_ns() - begin_ns) / (double)(walks_ticks() - begin);
	walks.reading_ticks = least;
}

static void find_stack(void)
{
	pthread_attr_t attributes;
	size_t size;
	void *lo;

	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		exit(1);
	pthread_attr_getstack(&attributes, &lo, &size);
	walks.stack = (struct walk_bounds){ .lo = (uintptr_t)lo, .hi = (uintptr_t)lo + size };
	pthread_attr_destroy(&attributes);
}

static void add(enum contender c, const struct walker *walker)
{
	if (walker && (c == MEMORY || !walker->init || walker->init() == 0))
		walks.contest[c].walker = walker;
	else
		printf("left out: %s\n", names[c]);
}

static void find_contenders(const char *plugin_path)
{
	void *plugin = plugin_path ? dlopen(plugin_path, RTLD_NOW | RTLD_LOCAL) : NULL;

	add(TABLES, &walker_cfi);
	add(MEMORY, walks.contest[TABLES].walker);
	add(IN_PLACE, &walker_cfi_in_place);
	add(POINTERS, &walker_fp);
	add(LIBUNWIND, plugin ? dlsym(plugin, "ompprof_walker") : NULL);
	if (plugin) /* or rather in libunwind, on which it depends */
		walks.contest[UNW_BACKTRACE].list = (address_lister)dlsym(plugin, "unw_backtrace");
	walks.contest[BACKTRACE].list = backtrace;
}

static void read_names(int n, char **name)
{
	for (int i = 0; i < n; i++)
		for (enum contender c = 0; c < N_CONTENDERS; c++)
			if (strcmp(name[i], names[c]) == 0)
				walks.is_only[c] = walks.is_only[N_CONTENDERS] = 1;
}

int main(int argc, char **argv)
{
	const char *factor = getenv("BENCH_FACTOR");

	if (factor && atof(factor) > 0)
		walks.factor = atof(factor);
	measure_clock();
	walks_objects(); /* before the walker is prepared here */
	find_contenders(argc > 1 ? argv[1] : NULL);
	read_names(argc > 2 ? argc - 2 : 0, argv + 2);
	find_stack();
	walks_calls();
	walks_cold();
	walks_threads();
	walks_sampled();
	puts("x: times what tables cost");
	return 0;
}
