/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loaded objects and their tables. Data flow:
 *
 *   objects_start, objects_refresh       outside the handler, one at a time: list what the loader
 *                                        has, compile what is new, publish a new list
 *   objects_enter .. objects_leave       in a walk: the list of that moment, which stays until then
 *   objects_find, objects_is_here        in a walk: the object at an address, and whether it is still
 *                                        the one that the table was compiled from
 *
 * Invariants:
 * - A published list and its tables never change. A new list takes its place by one store; the old
 *   one, and the tables that only it has, are given back when every walk that may have seen it has
 *   ended: a walk counts itself in one of some counters before it loads the list, and each counter has
 *   been seen at zero after the list was replaced.
 * - An object that nothing can unload (is_permanent: the executable, what it needs, and the loader)
 *   needs no look at the loader. Any other can go at any time, and another come to its place: before
 *   its table is used in a walk, the loader has to name the same object at that address, by place,
 *   link map, and by the unwind data's own header and the build-id in memory, or its name without one.
 * - An id is used for one object in the life of the process.
 */
#ifndef OMPPROF_UNWINDER_CORE_OBJECTS_H
#define OMPPROF_UNWINDER_CORE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/table.h"

/* What tells an object from another that lies at the same place later. */
struct object_identity {
	uint64_t lo, hi;   /* its mapping */
	uint64_t link_map; /* the loader's */
	uint64_t eh_frame; /* address of .eh_frame_hdr; 0: none */
	uint64_t data_lo,
		data_hi;    /* the segment that it is in, as far as it is in the file; 0: none */
	uint64_t header[2]; /* the first bytes there */
	uint64_t note;      /* address of the build-id, in the first page; 0: none */
	uint64_t build_id[2];
	uint64_t name_hash; /* without a build-id: of the loader's name for it */
};

struct object {
	struct table table;
	uint16_t id;               /* 1 .. */
	uint8_t is_permanent;      /* cannot be unloaded */
	uint8_t is_tried;          /* compiling it at once has been tried */
	uint64_t code_lo, code_hi; /* from the first to the last of its code */
	uint64_t text_lo, text_hi; /* the largest executable segment that can be read */
	struct object_identity identity;
};

/* In the order of their addresses. */
struct objects {
	uint32_t n;
	uint32_t room;
	uint64_t serial; /* no other list of the process has it; not 0 */
	uint64_t *lo;    /* of each object's mapping */
	struct object *object;
};

/* What compiling took since the start of the process. */
struct objects_cost {
	uint64_t n_objects;     /* compiled and in use */
	uint64_t n_rows;        /* of those */
	uint64_t n_bytes;       /* of those */
	uint64_t build_ns;      /* CPU time of all compilations */
	uint64_t n_interpreted; /* objects with call frame information that is not compiled (yet) */
};

/*
 * The current list, or NULL before the first; *counter is for objects_leave. *place is 0 at a thread's first
 * walk, and then the thread's own: threads do not write to the same counters, as long as there are not too
 * many of them.
 * Signal-safe.
 */
const struct objects *objects_enter(uint32_t *place, unsigned int *counter);
void objects_leave(unsigned int counter);

/*
 * The object whose mapping contains pc, or NULL. It need not be loaded any more.
 * Signal-safe.
 */
const struct object *objects_find(const struct objects *objects, uint64_t pc);

/*
 * Whether the object that is loaded at pc, which is in its mapping, is this one.
 * Signal-safe.
 */
int objects_is_here(const struct object *object, uint64_t pc);

/*
 * Says that a walk has met an object without a table: the next objects_refresh will look.
 * Signal-safe.
 */
void objects_missed(void);

/*
 * Compiles what is loaded; objects with more than 20 MB of code in a thread of its own, which blocks
 * all signals and ends when it is done. Returns 0, or -1 if nothing could be listed. Once a process, and
 * again in a child made by fork.
 * Not in a handler. Any thread.
 */
int objects_start(void);

/*
 * Does what objects_start does for objects that came since, and drops those that went, if a walk has
 * met one and some time has passed since the last look. Cheap if not. Does nothing while another thread
 * is at it.
 * Not in a handler. Any thread.
 */
void objects_refresh(void);

/* What it took so far. Any thread. */
void objects_cost(struct objects_cost *cost);

#endif
