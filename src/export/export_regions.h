/* SPDX-License-Identifier: Apache-2.0 */
/* Maps an export's nodes to rows of the table of regions. */
#ifndef OMPPROF_SRC_EXPORT_EXPORT_REGIONS_H
#define OMPPROF_SRC_EXPORT_EXPORT_REGIONS_H

#include "src/export/export.h"

/*
 * Returns by node the index into report->figures.regions of the region whose path the node is.
 * EXPORT_NONE: the node is no such path, or filters leave the region out. Returns NULL when out of
 * memory. The caller frees the array.
 */
uint32_t *export_regions(const struct export *export);

#endif
