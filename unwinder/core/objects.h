/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loaded objects and their tables. Data flow:
 *
 * - objects_start and objects_refresh run outside the handler, one at a time. They list the loader's
 *   objects, compile new objects and publish a new list.
 * - A walk calls objects_enter and objects_leave. Between them it has the list of that moment, which
 *   stays.
 * - A walk calls objects_find for the object at an address, and objects_is_here to learn whether
 *   that is still the object from which the table was compiled.
 *
 * Invariants:
 * - A published list and its tables never change. One store replaces a list by a new list. The old
 *   list, and the tables that no other list has, are freed when every walk that may have seen the
 *   list has ended. For that, a walk counts itself in one of several counters before it loads the
 *   list, and each counter has to be seen at zero after the list was replaced.
 * - An object that nothing can unload (is_permanent: the executable, the objects that it needs, and
 *   the loader) needs no look at the loader. Any other object can go at any time, and another
 *   object can take its place. Before a walk uses the table of such an object, the loader has to
 *   name the same object at that address. Compared are the place, the link map, and the unwind
 *   data's own header and the build-id in memory, or the object's name if it has no build-id.
 * - An id is used for only one object in the life of the process.
 */
#ifndef OMPPROF_UNWINDER_CORE_OBJECTS_H
#define OMPPROF_UNWINDER_CORE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/table.h"

/* Tells an object from another object that lies at the same place later. */
struct object_identity {
	uint64_t lo, hi;   /* its mapping */
	uint64_t link_map; /* the loader's */
	uint64_t eh_frame; /* address of .eh_frame_hdr; 0: there is none */
	uint64_t data_lo,
		data_hi;    /* the end of its segment, as far as the segment is in the file; 0:
			       there is none */
	uint64_t header[2]; /* the first bytes there */
	uint64_t note;      /* address of the build-id, in the first page; 0: none */
	uint64_t build_id[2];
	uint64_t name_hash; /* if it has no build-id: hash of the loader's name for it */
};

struct object {
	struct table table;
	uint16_t id;               /* 1 or greater */
	uint8_t is_permanent;      /* cannot be unloaded */
	uint8_t is_tried;          /* an attempt was made to compile it at once */
	uint64_t code_lo, code_hi; /* the first and last address of its code */
	uint64_t text_lo, text_hi; /* its largest executable segment that is readable */
	struct object_identity identity;
};

/* In the order of their addresses. */
struct objects {
	uint32_t n;
	uint32_t room;
	uint64_t serial; /* differs from the number of every other list of the process; not 0 */
	uint64_t *lo;    /* of each object's mapping */
	struct object *object;
};

/* The cost of compiling since the start of the process. */
struct objects_cost {
	uint64_t n_objects;     /* objects that are compiled and in use */
	uint64_t n_rows;        /* their rows */
	uint64_t n_bytes;       /* their bytes */
	uint64_t build_ns;      /* CPU time of all compilations */
	uint64_t n_interpreted; /* objects whose call frame information is not compiled (yet) */
};

/*
 * The current list, or NULL before the first list exists. Pass *counter to objects_leave. *place is
 * 0 at a thread's first walk, and then belongs to the thread. Threads do not write to the same
 * counter, as long as there are not too many threads.
 * Signal-safe.
 */
const struct objects *objects_enter(uint32_t *place, unsigned int *counter);
void objects_leave(unsigned int counter);

/*
 * The object whose mapping contains pc, or NULL. The object may have been unloaded meanwhile.
 * Signal-safe.
 */
const struct object *objects_find(const struct objects *objects, uint64_t pc);

/*
 * Whether the object that is loaded at pc is `object`. pc must be in its mapping.
 * Signal-safe.
 */
int objects_is_here(const struct object *object, uint64_t pc);

/*
 * Notes that a walk has met an object without a table, so that the next objects_refresh looks for
 * it.
 * Signal-safe.
 */
void objects_missed(void);

/*
 * Compiles the loaded objects. Objects with more than 20 MB of code are compiled in a thread of its
 * own, which blocks all signals and ends when it is done. Returns 0, or -1 if nothing could be
 * listed. Called once in a process, and again in a child made by fork.
 * Not in a handler. Any thread.
 */
int objects_start(void);

/*
 * Compiles the objects that were loaded since, and drops the objects that were unloaded, if a walk
 * has met such an object and some time has passed since the last look. Cheap if not. Does nothing
 * while another thread does this.
 * Not in a handler. Any thread.
 */
void objects_refresh(void);

/* Reports the cost so far. Any thread. */
void objects_cost(struct objects_cost *cost);

#endif
