/* SPDX-License-Identifier: Apache-2.0 */
/* Call frame information and symbols that an object's file has and its loaded segments do not lead to. */
#ifndef OMPPROF_UNWINDER_PREPARE_OBJECTS_SECTIONS_H
#define OMPPROF_UNWINDER_PREPARE_OBJECTS_SECTIONS_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/cfi.h"
#include "unwinder/prepare/objects_functions.h"

struct objects_sections {
	void *file; /* its mapping */
	size_t n_bytes;
	int has_eh_frame, has_debug_frame;
	struct cfi_image eh_frame;      /* as it lies in the object's own memory */
	struct cfi_image debug_frame;   /* in the file */
	struct objects_symbols symbols; /* in the file; none: it is stripped */
};

/*
 * Looks into the file of the loaded object at lo for its .eh_frame, an uncompressed .debug_frame
 * and .symtab.
 * Returns 0, or -1 if the file cannot be read or is not the one that was loaded. What was opened is to be
 * closed. Not in a handler. Any thread.
 */
int objects_sections_open(
	struct objects_sections *sections, uint64_t lo, const struct link_map *object);

/* Unmaps the file: the images are gone. Any thread. */
void objects_sections_close(struct objects_sections *sections);

#endif
