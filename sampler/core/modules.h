/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records in the profile which object is loaded where. All objects that are loaded when the tool
 * starts are recorded then. A later object is recorded when a sample or a creation path first shows
 * an address in it. So nothing needs to watch dlopen.
 */
#ifndef OMPPROF_SAMPLER_CORE_MODULES_H
#define OMPPROF_SAMPLER_CORE_MODULES_H

#include <stdint.h>

enum {
	MODULES_CURSOR = 4,
	/* objects; more are counted as lost. Larger generations are of Python functions */
	MODULES_MOST = 4096,
};

/* The objects of the latest addresses that were asked for; { 0 } at first. */
struct modules_cursor {
	struct {
		uint64_t start;
		uint64_t end; /* 0: no object */
		uint16_t generation;
		uint8_t stays; /* it cannot be unloaded */
	} object[MODULES_CURSOR];
	uint32_t oldest;
};

/* Facts about the process that the loader does not know. Texts that are too long are cut. */
struct modules_process {
	char exe[1024];
	char cwd[1024]; /* names of objects can be relative to it */
	uint64_t vdso;  /* address of the vDSO, 0 without */
};

/*
 * Makes the cursor forget objects that can be unloaded. Needed whenever other code may have run
 * since the cursor was last used: so for each path. Signal-safe.
 */
void modules_begin(struct modules_cursor *cursor);

/*
 * The generation (struct profile_module) of the object that contains addr now. The object is
 * recorded unless it is known. It is found by loaded_find and recognised by its place, the
 * address of its unwind data and its name: so another object at the same place is told apart. 0 for
 * an address in no object, or if the object could not be recorded. An object that the cursor knows
 * is not searched. Bounded by the number of known objects. Signal-safe.
 */
uint16_t modules_at(struct modules_cursor *cursor, uint64_t addr);

/* The working folder of the process at the begin of the profile; "" if not known. Signal-safe. */
const char *modules_folder(void);

/* modules_at for a single address. Signal-safe. */
uint16_t modules_note(uint64_t addr);

/*
 * Records every object that is loaded now, and which of them stay; in a child made by fork, the
 * objects that its parent recorded so, 256 at most. Before threads are sampled. Owning thread only.
 */
void modules_note_all(void);

/*
 * Marks the object that contains addr as permanent: nothing can unload it. Before threads are
 * sampled. Owning thread only.
 */
void modules_mark_permanent(uint64_t addr);

/* Marks the object that contains addr as the OpenMP runtime. Any thread. */
void modules_mark_runtime(uint64_t addr);

/*
 * Marks the object that contains addr, the OpenMP runtime, as found by the name libgomp.so.1.
 * `path`, its file's own path, takes the place of the recorded path. Any thread.
 */
void modules_mark_for_libgomp(uint64_t addr, const char *path);

/*
 * Records the file's own path for a runtime that was found by the name libgomp.so.1 but is not
 * GCC's. The name is a link, which may lead elsewhere when the profile is read. Makes system calls,
 * so not in the handler. Any thread.
 */
void modules_name_runtime(uint64_t addr);

/*
 * Forgets the objects that are known, for a new profile of this process. `now` describes the
 * process. Owning thread only.
 */
void modules_forget(const struct modules_process *now);

/*
 * As modules_forget, but finds out about the process itself. exe_path: the executable's path.
 * Owning thread only.
 */
void modules_clear(const char *exe_path);

#endif
