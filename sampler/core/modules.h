/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records in the profile which object is loaded where. Objects are met in two ways: all that are
 * loaded when the tool starts, and later ones when a sample or a creation path first shows an
 * address in them; nothing needs to watch dlopen.
 */
#ifndef OMPPROF_SAMPLER_CORE_MODULES_H
#define OMPPROF_SAMPLER_CORE_MODULES_H

#include <stdint.h>

enum { MODULES_CURSOR = 4 };

/* The objects of the latest addresses asked for; { 0 } at first. */
struct modules_cursor {
	struct {
		uint64_t start;
		uint64_t end; /* 0: none */
		uint16_t generation;
		uint8_t stays; /* it cannot be unloaded */
	} object[MODULES_CURSOR];
	uint32_t oldest;
};

/* What the loader does not know of the process; texts are cut where they are too long. */
struct modules_process {
	char exe[1024];
	char cwd[1024]; /* names of objects can be relative to it */
	uint64_t vdso;  /* address of the vDSO, 0 without */
};

/*
 * Makes the cursor forget objects that can be unloaded. Due whenever something may have run since it was
 * used last: so for each path.
 * Signal-safe.
 */
void modules_begin(struct modules_cursor *cursor);

/*
 * The generation (struct profile_module) of the object that contains addr now, which is recorded
 * unless it is known. Finds it by _dl_find_object, and knows it again by its place and its name:
 * another one at a place that was free again is told apart. 0 for an address in no object or if it
 * could not be recorded. Bounded by the number of known objects. One that the cursor knows is not looked
 * for.
 * Signal-safe.
 */
uint16_t modules_at(struct modules_cursor *cursor, uint64_t addr);

/*
 * Records the object that contains addr, if any.
 * Signal-safe.
 */
void modules_note(uint64_t addr);

/*
 * Notes every object that is loaded now, and which of them stay. Before threads are sampled.
 * Owning thread only.
 */
void modules_note_all(void);

/*
 * Marks the object that contains addr as one that nothing can unload. Before threads are sampled.
 * Owning thread only.
 */
void modules_mark_permanent(uint64_t addr);

/*
 * Marks the object that contains addr as the OpenMP runtime.
 * Any thread.
 */
void modules_mark_runtime(uint64_t addr);

/*
 * Marks the object that contains addr, the OpenMP runtime, as one that was found as libgomp.so.1, and records its own
 * path.
 * Any thread.
 */
void modules_mark_for_libgomp(uint64_t addr, const char *path);

/*
 * Records the file's own path for a runtime that was found as libgomp.so.1 but is none of GCC's: that is a link
 * which may be gone when the profile is read, as the one that `ompprof run` makes. Makes system
 * calls, so not in the handler.
 * Any thread.
 */
void modules_name_runtime(uint64_t addr);

/*
 * Forgets the objects that are known, for a new profile of this process.
 * Owning thread only.
 */
void modules_forget(const struct modules_process *now);

/*
 * Likewise, and finds out about the process; exe_path is the executable's path.
 * Owning thread only.
 */
void modules_clear(const char *exe_path);

#endif
