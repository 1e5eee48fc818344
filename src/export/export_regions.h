/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of the table of regions an export's nodes are paths to. */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_REGIONS_H
#define OMPPROF_SRC_EXPORT_EXPORT_REGIONS_H

#include "src/export/export.h"

/*
 * By node: the index into report->figures.regions of the place that it is a path to, or EXPORT_NONE: of none, or of
 * one that filters leave out. NULL when out of memory; the caller frees it.
 */
uint32_t *export_regions(const struct export *export);

#endif
