/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The labels of a named tree's nodes, each stored once: millions of nodes can share the labels of
 * few functions. Used by names_store.c.
 */
#ifndef OMPPROF_SRC_FINDINGS_LABEL_STORE_H
#define OMPPROF_SRC_FINDINGS_LABEL_STORE_H

#include "src/findings/names.h"

struct name_tree_labels *label_store_make(void);

/*
 * Returns the stored label with the same members, which never moves; NULL when out of memory.
 * Strings are compared by address: they must be interned.
 */
const struct name_label *label_store_intern(
	struct name_tree_labels *labels, const struct name_label *label);

void label_store_free(struct name_tree_labels *labels);

#endif
