/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects nothing can unload. */
#ifndef OMPPROF_UNWINDER_PREPARE_OBJECTS_PERMANENT_H
#define OMPPROF_UNWINDER_PREPARE_OBJECTS_PERMANENT_H

#include <link.h>

/*
 * Finds the objects that the executable needs, and what those need. What is loaded later is not
 * among them. In objects_refresh.c.
 * Not in a handler. Any thread.
 */
void objects_find_permanent(void);

/* Does that as a callback of dl_iterate_phdr, of which it uses no argument. Not in a handler. Any thread. */
int objects_take_permanent(struct dl_phdr_info *info, size_t size, void *data);

/*
 * Whether the object is one of those, the executable, the loader or the vdso, or says of itself that
 * it cannot be unloaded (DF_1_NODELETE).
 * Not in a handler. Any thread.
 */
int objects_is_permanent(const struct link_map *object);

#endif
