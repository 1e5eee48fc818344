/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The labels for names.c: of the functions at every address of an attributed tree, each looked up
 * once; and of nodes that are no functions.
 */
#ifndef OMPPROF_SRC_FINDINGS_NAMES_LOOKUP_H
#define OMPPROF_SRC_FINDINGS_NAMES_LOOKUP_H

#include "src/findings/names.h"

/*
 * An address. Its labels are labels[first .. first + n - 1]: the function that has the code, then
 * the functions inlined there, from the outermost to the innermost.
 */
struct names_lookup_entry {
	uint64_t addr; /* in the process; of a call its return address minus 1 */
	uint32_t module;
	uint32_t first;
	uint32_t n;    /* at least 1 */
	uint32_t call; /* names_ambiguous.c: its number among the calls of constructs */
	/*
	 * of a call after which threads wait: the index of the entry of the function that it called
	 * and that ended with a jump into the runtime, or to a function that did; 0: none is known
	 */
	uint32_t tail;
	/* of a construct: the label that has its place; of other addresses the last label */
	uint32_t place;
	/* of a construct: how many are known to share its address; 1 or 0: one */
	uint32_t n_bodies;
	uint32_t twin; /* 1, 2, ... if several constructs have the same line; otherwise 0 */
};

struct names_lookup {
	struct names_lookup_entry *sites;
	size_t n_sites;
	struct name_label *labels;
	size_t n_labels;
	size_t labels_capacity;
	uint32_t *site_of; /* by node of the attributed tree: index into `sites`, or NAMES_NONE */
	/* by node: itself; of a frame of the runtime its nearest caller outside the runtime */
	uint32_t *caller_of;
	const char **modules; /* by module: its path, interned */
	size_t n_modules;
	const struct profile *profile;
	const char *empty;
};

/* Looks up every address of `tree`. Returns 0 or -1 (out of memory). Release in either case. */
int names_lookup_find(struct names_lookup *sites, struct name_tree *names, const struct tree *tree,
	const struct profile *profile, const struct names_options *options);
void names_lookup_release(struct names_lookup *sites);

/* The entry of node i of the attributed tree, which must be a frame or a construct. */
const struct names_lookup_entry *names_lookup_of(const struct names_lookup *sites, uint32_t i);

/*
 * The entry of the function that ended with a jump into the runtime, or to a function that did, and
 * in which node i of `tree` waits; NULL if none is known.
 */
const struct names_lookup_entry *names_tail_of(
	const struct names_lookup *sites, const struct tree *tree, uint32_t i);

/* The label of the function that has the code at node i. */
const struct name_label *names_lookup_function(const struct names_lookup *sites, uint32_t i);

/*
 * Fills *label for node i of `tree`, which must not be a frame. `parent` is the named node above
 * it. Returns 0 or -1 (out of memory).
 */
int names_label_node(struct name_label *label, struct name_tree *names,
	const struct names_lookup *sites, const struct tree *tree, uint32_t i, uint32_t parent);

/* Adds the label of a symbol in `module`. Returns 0 or -1 (out of memory). */
int names_lookup_add(struct names_lookup *sites, struct name_tree *names, const char *module,
	const struct symbol *symbol);

/*
 * Sets `place`, `n_bodies` and `twin` of constructs. Returns 0 or -1 (out of memory).
 *
 * A construct is where its call of the runtime is. In two cases it is where its outlined function
 * begins. Gcc gives the call the line of code before or after the construct. And after a tail call
 * the return address is another function's; several constructs can then share the address.
 *
 * Constructs that have the same line in one function and different bodies get numbers.
 */
int names_ambiguous_find(struct names_lookup *sites, struct name_tree *names,
	const struct tree *tree, const struct names_options *options);

/*
 * Sets `tail` of the calls in frames that contain waits of a team or for a mutex, and adds the
 * entries. Such a frame called the runtime, or a function that ended with a jump into the runtime
 * and so has no frame. Returns 0 or -1 (out of memory).
 */
int names_tails_find(struct names_lookup *sites, struct name_tree *names, const struct tree *tree,
	const struct names_options *options);

/* Looks up entry->addr and fills the entry. Returns 0 or -1 (out of memory). */
int names_lookup_entry_fill(struct names_lookup *sites, struct name_tree *names,
	struct names_lookup_entry *entry, const struct names_options *options,
	struct symbols_at *at);

/* Whether a module is the runtime that started the tool; 0 if it is also the executable. */
int names_is_runtime(const struct profile *profile, uint32_t module);

/* The part of a path behind its last slash. */
const char *names_base(const char *path);

#endif
