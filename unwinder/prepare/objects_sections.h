/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information and symbols in an object's file that cannot be found from its loaded
 * segments.
 */
#ifndef OMPPROF_UNWINDER_PREPARE_OBJECTS_SECTIONS_H
#define OMPPROF_UNWINDER_PREPARE_OBJECTS_SECTIONS_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/cfi.h"
#include "unwinder/prepare/objects_functions.h"

struct objects_sections {
	void *file; /* the file's mapping */
	size_t n_bytes;
	int has_eh_frame, has_debug_frame;
	struct cfi_image eh_frame;      /* as it lies in the object's own memory */
	struct cfi_image debug_frame;   /* in the file */
	struct objects_symbols symbols; /* in the file; none if it is stripped */
};

/*
 * Looks for .eh_frame, an uncompressed .debug_frame and .symtab in the file of the loaded object at
 * lo. Returns 0, or -1 if the file is not readable or is not the file that was loaded. After 0 the
 * caller calls objects_sections_close. Not in a handler. Any thread.
 */
int objects_sections_open(
	struct objects_sections *sections, uint64_t lo, const struct link_map *object);

/* Unmaps the file, to which the images and symbols refer. Any thread. */
void objects_sections_close(struct objects_sections *sections);

#endif
