/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The modules of a profile, and which of them covers an address. Mappings are divided into ranges
 * that do not overlap, each with the module that was loaded last.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"
#include "profile/shared/folder.h"

static int compare_modules(const void *a, const void *b)
{
	const struct profile_module *one = a, *other = b;

	if (one->generation != other->generation)
		return one->generation < other->generation ? -1 : 1;
	return (one->start > other->start) - (one->start < other->start);
}

static int read_module(
	struct profile *profile, struct reader_work *work, const unsigned char *bytes)
{
	struct profile_module *module = &profile->modules[profile->n_modules];
	char *up;

	(void)work;
	memcpy(module, bytes, sizeof(*module));
	module->path[sizeof(module->path) - 1] = '\0';
	up = strstr(module->path, PROFILE_WAY_UP "/");
	if (up)
		memmove(module->path, up + strlen(PROFILE_WAY_UP),
			strlen(up) + 1 - strlen(PROFILE_WAY_UP));
	if (module->build_id_bytes > sizeof(module->build_id))
		module->build_id_bytes = 0;
	profile->n_modules += module->start < module->end;
	return module->start < module->end;
}

/* The begin or the end of a module's mapping. */
struct edge {
	uint64_t addr;
	uint32_t module;
	uint32_t is_start;
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *one = a, *other = b;

	return (one->addr > other->addr) - (one->addr < other->addr);
}

/* A heap of module indices, the largest (the latest generation) on top. */
struct heap {
	uint32_t *at;
	size_t n;
};

static void heap_push(struct heap *heap, uint32_t module)
{
	size_t i = heap->n++;

	for (; i && heap->at[(i - 1) / 2] < module; i = (i - 1) / 2)
		heap->at[i] = heap->at[(i - 1) / 2];
	heap->at[i] = module;
}

static void heap_pop(struct heap *heap)
{
	uint32_t last = heap->at[--heap->n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < heap->n) {
		if (child + 1 < heap->n && heap->at[child + 1] > heap->at[child])
			child++;
		if (heap->at[child] < last)
			break;
		heap->at[i] = heap->at[child];
		i = child;
	}
	heap->at[i] = last;
}

static void add_range(struct profile *profile, uint64_t start, uint64_t end, uint32_t module)
{
	struct profile_range *last = profile->ranges + profile->n_ranges;

	if (start == end)
		return;
	if (profile->n_ranges && last[-1].module == module && last[-1].end == start)
		last[-1].end = end;
	else
		profile->ranges[profile->n_ranges++] =
			(struct profile_range){ .start = start, .end = end, .module = module };
}

/* From low to high; the heap's top is the module that covers the addresses up to the next edge. */
static void sweep(struct profile *profile, const struct edge *edges, struct heap *heap)
{
	size_t n = 2 * profile->n_modules;

	for (size_t i = 0; i < n; i++) {
		if (edges[i].is_start)
			heap_push(heap, edges[i].module);
		while (heap->n && profile->modules[heap->at[0]].end <= edges[i].addr)
			heap_pop(heap);
		if (heap->n)
			add_range(profile, edges[i].addr, edges[i + 1].addr, heap->at[0]);
	}
}

static int cut_ranges(struct profile *profile)
{
	size_t n = profile->n_modules;
	struct edge *edges = calloc(2 * n + 1, sizeof(*edges));
	struct heap heap = { .at = calloc(n + 1, sizeof(*heap.at)) };
	int status = -1;

	profile->ranges = calloc(2 * n + 1, sizeof(*profile->ranges));
	if (edges && heap.at && profile->ranges) {
		for (uint32_t i = 0; i < n; i++) {
			const struct profile_module *module = &profile->modules[i];

			edges[2 * i] = (struct edge){ module->start, i, 1 };
			edges[2 * i + 1] = (struct edge){ module->end, i, 0 };
		}
		qsort(edges, 2 * n, sizeof(*edges), compare_edges);
		sweep(profile, edges, &heap);
		status = 0;
	}
	free(heap.at);
	free(edges);
	return status;
}

int reader_read_modules(struct profile *profile, struct reader_work *work)
{
	profile->modules =
		reader_alloc(work->input, PROFILE_SEGMENT_MODULES, sizeof(*profile->modules), 0);
	if (!profile->modules)
		return -1;
	reader_each(profile, work, PROFILE_SEGMENT_MODULES, read_module);
	qsort(profile->modules, profile->n_modules, sizeof(*profile->modules), compare_modules);
	return cut_ranges(profile);
}

static int compare_range(const void *key, const void *item)
{
	uint64_t addr = *(const uint64_t *)key;
	const struct profile_range *range = item;

	return addr < range->start ? -1 : addr >= range->end;
}

const struct profile_module *profile_module_at(const struct profile *profile, uint64_t addr)
{
	const struct profile_range *range = NULL;

	if (profile->n_ranges)
		range = bsearch(
			&addr, profile->ranges, profile->n_ranges, sizeof(*range), compare_range);
	return range ? &profile->modules[range->module] : NULL;
}

const struct profile_module *profile_module_of(
	const struct profile *profile, uint32_t generation, uint64_t addr)
{
	size_t low = 0, high = profile->n_modules;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (profile->modules[middle].generation < generation)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < profile->n_modules && profile->modules[low].generation == generation &&
		addr >= profile->modules[low].start && addr < profile->modules[low].end)
		return &profile->modules[low];
	return profile_module_at(profile, addr);
}
