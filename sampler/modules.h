/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records in the profile which object is loaded where. Objects are met in two ways: all that are
 * loaded when the tool starts, and later ones when a sample or a creation path first shows an
 * address in them; nothing needs to watch dlopen.
 */
#ifndef OMPPROF_SAMPLER_MODULES_H
#define OMPPROF_SAMPLER_MODULES_H

#include <stdint.h>

/*
 * Records the object that contains addr unless it is known. Finds it by _dl_find_object; an
 * address in no object is ignored. Bounded by the number of known objects.
 * Signal-safe.
 */
void modules_note(uint64_t addr);

/*
 * Notes every object that is loaded now.
 * Any thread.
 */
void modules_note_all(void);

/*
 * Marks the object that contains addr as the OpenMP runtime.
 * Any thread.
 */
void modules_mark_runtime(uint64_t addr);

/*
 * Forgets what is known, for a new profile; exe_path is the executable's path.
 * Owning thread only.
 */
void modules_clear(const char *exe_path);

#endif
