/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the objects that nothing can unload. */
#ifndef OMPPROF_UNWINDER_PREPARE_OBJECTS_PERMANENT_H
#define OMPPROF_UNWINDER_PREPARE_OBJECTS_PERMANENT_H

#include <link.h>

/*
 * Finds the objects that the executable needs, and the objects that those objects need; no object
 * that is loaded later. In objects_refresh.c. Not in a handler. Any thread.
 */
void objects_find_permanent(void);

/*
 * A callback of dl_iterate_phdr that does this. It uses no argument. Not in a handler. Any thread.
 */
int objects_take_permanent(struct dl_phdr_info *info, size_t size, void *data);

/*
 * Whether the object cannot be unloaded: one of the objects that were found, the executable, the
 * loader, the vdso, or an object with DF_1_NODELETE. Not in a handler. Any thread.
 */
int objects_is_permanent(const struct link_map *object);

#endif
