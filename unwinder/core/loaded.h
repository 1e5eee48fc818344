/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the loaded object at an address without a lock.
 *
 * From 2.35 on glibc has a function for this (_dl_find_object). Before, the loader's own list of
 * objects is searched (_r_debug, which debuggers read). Another thread may unload an object
 * meanwhile, so whatever can be unloaded is copied by the kernel (remote.h) and checked:
 *
 * - The loader appends an object when it is complete, and unlinks it before its entry is freed.
 *   Each is one store. An entry is believed only if the entry before it leads to it, and the
 *   object's program headers give the address of its dynamic section as the entry does.
 * - Objects up to the last that the executable needs were loaded with the program, and stay. They
 *   are read directly.
 * - If the kernel does not copy, later objects are not found. A search then says that there is
 *   no object; it does not fault.
 *
 * The search does not see other namespaces (dlmopen).
 */
#ifndef OMPPROF_UNWINDER_CORE_LOADED_H
#define OMPPROF_UNWINDER_CORE_LOADED_H

#include <link.h>
#include <stdint.h>

struct loaded {
	uint64_t lo, hi;   /* its mapping */
	uint64_t eh_frame; /* address of .eh_frame_hdr; 0: there is none */
	const struct link_map *link_map;
};

/* The result of _dl_find_object; old headers do not declare it. */
struct loaded_answer {
	unsigned long long flags;
	void *lo;
	void *hi;
	struct link_map *link_map;
	void *eh_frame;
	unsigned long long reserved[7];
};

/* Written as the library is loaded; last_kept also later, by unwinder/prepare. */
struct loaded_state {
	int (*ask)(void *address, struct loaded_answer *answer); /* _dl_find_object, or NULL */
	const struct link_map *last_kept; /* the entries up to this one stay */
	const ElfW(Phdr) *headers;        /* the executable's program headers */
	uint64_t n_headers;
};

extern struct loaded_state loaded_state;

/*
 * Finds the object whose mapping contains pc. Returns 0, or -1 if there is none, with *found
 * undefined. Signal-safe.
 */
int loaded_find(uint64_t pc, struct loaded *found);

#endif
