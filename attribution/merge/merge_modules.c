/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of several processes; see merge_internal.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"
#include "profile/shared/array.h"

#define NONE UINT32_MAX

/* above every address of a process, and within a wait key's id */
#define FIRST_FREE ((uint64_t)1 << 52)
#define PAGE_BYTES 4096
#define MOST_BYTES ((uint64_t)1 << 48)

static int is_same(const struct profile_module *a, const struct profile_module *b)
{
	if (a->build_id_bytes != b->build_id_bytes)
		return 0;
	if (a->build_id_bytes)
		return memcmp(a->build_id, b->build_id, a->build_id_bytes) == 0;
	return a->path[0] && strcmp(a->path, b->path) == 0 &&
	       a->end - a->start == b->end - b->start;
}

static int has_room(const struct merge_modules *modules, const struct profile_module *module)
{
	for (size_t i = 0; i < modules->n; i++)
		if (module->start < modules->modules[i].end &&
			modules->modules[i].start < module->end)
			return 0;
	return 1;
}

/* Moves an object to free addresses. */
static void move(struct merge_modules *modules, struct profile_module *module)
{
	uint64_t bytes = module->end - module->start, offset = module->start % PAGE_BYTES;
	uint64_t start;

	if (bytes > MOST_BYTES)
		bytes = MOST_BYTES;
	if (!modules->next_free)
		modules->next_free = FIRST_FREE;
	start = modules->next_free + offset;
	modules->next_free = (start + bytes + PAGE_BYTES) / PAGE_BYTES * PAGE_BYTES;
	module->bias += start - module->start;
	module->start = start;
	module->end = start + bytes;
}

static uint32_t find(const struct merge_modules *modules, const struct profile_module *module)
{
	for (uint32_t i = 0; i < modules->n; i++)
		if (is_same(&modules->modules[i], module))
			return i;
	return NONE;
}

static uint32_t add(struct merge_modules *modules, const struct profile_module *module)
{
	struct profile_module *added;

	if (ARRAY_GROW(modules->modules, modules->n, modules->capacity) != 0)
		return NONE;
	added = &modules->modules[modules->n];
	*added = *module;
	added->generation = (uint32_t)modules->n + 1;
	if (added->end < added->start)
		added->end = added->start;
	if (!has_room(modules, added))
		move(modules, added);
	return (uint32_t)modules->n++;
}

int merge_modules_add(struct merge_modules *modules, const struct profile *profile)
{
	uint32_t *place =
		realloc(modules->place, (profile->n_modules + 1) * sizeof(*modules->place));

	if (!place)
		return -1;
	modules->place = place;
	modules->n_place = profile->n_modules;
	modules->profile = profile;
	for (size_t i = 0; i < profile->n_modules; i++) {
		place[i] = find(modules, &profile->modules[i]);
		if (place[i] == NONE)
			place[i] = add(modules, &profile->modules[i]);
		if (place[i] == NONE)
			return -1;
		modules->modules[place[i]].flags |= profile->modules[i].flags;
	}
	return 0;
}

uint32_t merge_modules_index(const struct merge_modules *modules, uint32_t module)
{
	return module < modules->n_place ? modules->place[module] : NONE;
}

uint64_t merge_modules_addr(const struct merge_modules *modules, uint32_t module, uint64_t addr)
{
	uint32_t place = merge_modules_index(modules, module);

	if (place == NONE)
		return addr;
	return addr - modules->profile->modules[module].bias + modules->modules[place].bias;
}

uint64_t merge_modules_any(const struct merge_modules *modules, uint64_t addr)
{
	const struct profile_module *module = profile_module_at(modules->profile, addr);

	if (!addr || !module)
		return addr;
	return merge_modules_addr(modules, (uint32_t)(module - modules->profile->modules), addr);
}

static int compare_ranges(const void *left, const void *right)
{
	const struct profile_range *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

int merge_modules_finish(struct merge_modules *modules, struct profile *profile)
{
	struct profile_range *ranges = calloc(modules->n + 1, sizeof(*ranges));

	if (!ranges)
		return -1;
	for (uint32_t i = 0; i < modules->n; i++)
		ranges[i] = (struct profile_range){ modules->modules[i].start,
			modules->modules[i].end, i };
	qsort(ranges, modules->n, sizeof(*ranges), compare_ranges);
	profile->ranges = ranges;
	profile->n_ranges = modules->n;
	profile->modules = modules->modules;
	profile->n_modules = modules->n;
	modules->modules = NULL;
	modules->n = 0;
	return 0;
}

void merge_modules_release(struct merge_modules *modules)
{
	free(modules->modules);
	free(modules->place);
	*modules = (struct merge_modules){ 0 };
}
