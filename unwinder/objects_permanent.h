/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects nothing can unload. */
#ifndef OMPPROF_UNWINDER_OBJECTS_PERMANENT_H
#define OMPPROF_UNWINDER_OBJECTS_PERMANENT_H

#include <link.h>

/*
 * Finds the objects that the executable needs, and what those need. What is loaded later is not
 * among them. A callback of dl_iterate_phdr, so that the loader's list stays as it is; the arguments are
 * not used.
 * Not in a handler. Any thread.
 */
int objects_find_permanent(struct dl_phdr_info *info, size_t size, void *data);

/*
 * Whether the object is one of those, the executable, the loader or the vdso, or says of itself that
 * it cannot be unloaded (DF_1_NODELETE).
 * Not in a handler. Any thread.
 */
int objects_is_permanent(const struct link_map *object);

#endif
