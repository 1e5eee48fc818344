/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What names.c works with: for every address of an attributed tree, looked up once, the labels of
 * the functions there; and the labels of nodes that are not functions.
 */
#ifndef OMPPROF_SRC_FINDINGS_NAMES_LOOKUP_H
#define OMPPROF_SRC_FINDINGS_NAMES_LOOKUP_H

#include "src/findings/names.h"

/* One address: labels[first .. first + n - 1], the physical function before those inlined. */
struct names_lookup_entry {
	uint64_t addr; /* as looked up: run-time address */
	uint32_t module;
	uint32_t first;
	uint32_t n;    /* at least 1 */
	uint32_t call; /* for names_ambiguous.c */
	uint32_t twin; /* 1, 2, ... where several constructs have the same line; or 0 */
};

struct names_lookup {
	struct names_lookup_entry *sites;
	size_t n_sites;
	struct name_label *labels;
	size_t n_labels;
	size_t labels_capacity;
	uint32_t *site_of; /* by node of the attributed tree, or NAMES_NONE */
	uint32_t *
		caller_of; /* by node: itself, or of a runtime's frame the first one out that is not */
	const char **modules; /* interned path by module */
	size_t n_modules;
	const struct profile *profile;
	const char *empty;
};

/* Looks every address of `tree` up. Returns 0 or -1 (out of memory). */
int names_lookup_find(struct names_lookup *sites, struct name_tree *names, const struct tree *tree,
	const struct profile *profile, const struct names_options *options);
void names_lookup_release(struct names_lookup *sites);

/* The site of node i of the attributed tree, which must have one (a frame, region or task). */
const struct names_lookup_entry *names_lookup_of(const struct names_lookup *sites, uint32_t i);

/* Label of the physical function at node i. */
const struct name_label *names_lookup_function(const struct names_lookup *sites, uint32_t i);

/*
 * Fills *label for node i of `tree`, which is not a frame. `parent` is the named node above it.
 * Returns 0 or -1 (out of memory).
 */
int names_label_node(struct name_label *label, struct name_tree *names,
	const struct names_lookup *sites, const struct tree *tree, uint32_t i, uint32_t parent);

/*
 * Numbers the constructs of one function that have the same line, by address: gcc gives the calls
 * that begin them the line of whatever came before. Returns 0 or -1 (out of memory).
 */
int names_ambiguous_find(struct names_lookup *sites, const struct tree *tree);

/* Whether a module is a runtime of its own. */
int names_is_runtime(const struct profile *profile, uint32_t module);

/* What follows the last slash of a path. */
const char *names_base(const char *path);

#endif
