/* SPDX-License-Identifier: Apache-2.0 */
/* Names of an export's nodes: clean text; constructs with their teams. For export_tree.c only. */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_NAMES_H
#define OMPPROF_SRC_EXPORT_EXPORT_NAMES_H

#include "src/export/export.h"

/* A construct: its name in the report, and its name in the export. */
struct export_construct {
	const char *label;    /* "[omp parallel @solve.c:142]" */
	const char *function; /* function that it is in */
	const char *name;     /* "solve_cg [omp parallel x8]" */
	uint32_t team;        /* threads of the largest team; 0 if not known */
};

struct export_names {
	struct export *export;
	struct export_construct *constructs; /* sorted by label and function */
	size_t n_constructs;
	char *buffer; /* scratch space */
};

/* Names all constructs. Returns 0, or -1 when out of memory. Release in either case. */
int export_names_init(struct export_names *names, struct export *export);
void export_names_release(struct export_names *names);

/* Fills the strings of *node. Returns 0, or -1 when out of memory. */
int export_names_fill(
	struct export_names *names, struct export_node *node, const struct name_label *label);

#endif
