/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loaded objects of several processes as one list, in which each object has one address. Used by
 * merge_internal.h only.
 */
#ifndef OMPPROF_ATTRIBUTION_MERGE_MERGE_MODULES_H
#define OMPPROF_ATTRIBUTION_MERGE_MERGE_MODULES_H

#include "profile/reader/reader.h"

struct merge_modules {
	struct profile_module *modules;
	size_t n, capacity;
	uint64_t next_free; /* address for an object whose own place another object has */
	/* Of the process that is being added: */
	const struct profile *profile;
	uint32_t *place; /* by index into its modules: index into `modules` */
	size_t n_place;
};

/* Adds the objects of a process that are not known yet, and makes it the one that is translated. 0 or -1. */
int merge_modules_add(struct merge_modules *modules, const struct profile *profile);

/* A process' index of a module and an address in it in terms of the list; UINT32_MAX stays as it is. */
uint32_t merge_modules_index(const struct merge_modules *modules, uint32_t module);
uint64_t merge_modules_addr(const struct merge_modules *modules, uint32_t module, uint64_t addr);

/* An address of the process that may be in an object or not, as that of a mutex. */
uint64_t merge_modules_any(const struct merge_modules *modules, uint64_t addr);

/* Gives the list to *profile, with the ranges that profile_module_at looks into. Returns 0 or -1. */
int merge_modules_finish(struct merge_modules *modules, struct profile *profile);

void merge_modules_release(struct merge_modules *modules);

#endif
