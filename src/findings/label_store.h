/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The labels of a named tree's nodes. Each label is stored once, even if many nodes have it: a tree
 * can have millions of nodes, and the labels of few functions. Used by names_store.c.
 */
#ifndef OMPPROF_SRC_FINDINGS_LABEL_STORE_H
#define OMPPROF_SRC_FINDINGS_LABEL_STORE_H

#include "src/findings/names.h"

/* Makes an empty store. Returns NULL when out of memory. */
struct name_tree_labels *label_store_make(void);

/*
 * Returns the store's copy of a label, which never moves, or NULL when out of memory. Texts are
 * compared by address.
 */
const struct name_label *label_store_intern(
	struct name_tree_labels *labels, const struct name_label *label);

/* Does nothing with NULL. */
void label_store_free(struct name_tree_labels *labels);

#endif
