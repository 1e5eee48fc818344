/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by diff_places*.c, which list a run's places. */
#ifndef OMPPROF_SRC_COMPARE_DIFF_PLACES_H
#define OMPPROF_SRC_COMPARE_DIFF_PLACES_H

#include "src/compare/diff_run.h"
#include "src/views/view_flat.h"

struct diff_collector {
	struct diff_run *run;
	const struct report *report;
	struct name_tree *strings;
	double slots;
	const struct profile_module **modules; /* sorted by path */
	uint32_t first_function;               /* index of the first place of the flat names */
	int is_out_of_memory;
};

/* Appends a place with the texts of its label, unless that is NULL. The caller has made room. */
struct diff_place *diff_places_add(
	struct diff_collector *collector, enum diff_kind kind, const struct name_label *label);

/* Orders the constructs of one line: the address in the object; 0 if there is no such node. */
uint64_t diff_places_order(const struct diff_collector *collector, uint32_t tree_node);

/*
 * Adds functions and the bodies of constructs, with useful work and serial time. Returns 0, or -1
 * when out of memory.
 */
int diff_places_add_code(struct diff_collector *collector, const struct flat *flat);

/*
 * Makes run->paths; the functions' places are there. Returns 0, or -1 when out of memory.
 */
int diff_paths_make(const struct diff_collector *collector, const struct flat *flat);

#endif
