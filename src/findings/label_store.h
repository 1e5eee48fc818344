/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The labels of a named tree's nodes, each once, however many nodes have it: a tree can have millions of nodes, and
 * the labels of a few functions. Used by names_store.c.
 */
#ifndef OMPPROF_SRC_FINDINGS_LABEL_STORE_H
#define OMPPROF_SRC_FINDINGS_LABEL_STORE_H

#include "src/findings/names.h"

/* Without any; NULL when out of memory. */
struct name_tree_labels *label_store_make(void);

/* The copy of a label, which stays where it is; NULL when out of memory. Its texts are compared by address. */
const struct name_label *label_store_intern(
	struct name_tree_labels *labels, const struct name_label *label);

/* NULL does no harm. */
void label_store_free(struct name_tree_labels *labels);

#endif
