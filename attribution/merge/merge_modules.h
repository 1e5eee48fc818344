/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loaded objects of several processes in one list, in which each object has an address of its
 * own. Used by merge_internal.h only.
 */
#ifndef OMPPROF_ATTRIBUTION_MERGE_MERGE_MODULES_H
#define OMPPROF_ATTRIBUTION_MERGE_MERGE_MODULES_H

#include "profile/reader/reader.h"

struct merge_modules {
	struct profile_module *modules;
	size_t n, capacity;
	uint64_t next_free; /* address for an object whose own address range another object has */
	/* About the process that is being added: */
	const struct profile *profile;
	uint32_t *place; /* by index into its modules: index into `modules` */
	size_t n_place;
};

/*
 * Adds the objects of a process that are not known yet. The functions below then translate for this
 * process. Returns 0, or -1 when out of memory.
 */
int merge_modules_add(struct merge_modules *modules, const struct profile *profile);

/*
 * Translate a process' index of a module, and an address in it, into the list's. UINT32_MAX stays
 * as it is.
 */
uint32_t merge_modules_index(const struct merge_modules *modules, uint32_t module);
uint64_t merge_modules_addr(const struct merge_modules *modules, uint32_t module, uint64_t addr);

/*
 * Translates an address of the process that may be in an object or not, such as the address of a
 * mutex.
 */
uint64_t merge_modules_any(const struct merge_modules *modules, uint64_t addr);

/*
 * Gives the list to *profile, with the ranges that profile_module_at uses. Returns 0, or -1 when
 * out of memory.
 */
int merge_modules_finish(struct merge_modules *modules, struct profile *profile);

void merge_modules_release(struct merge_modules *modules);

#endif
