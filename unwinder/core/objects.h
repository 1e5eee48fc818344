/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loaded objects and their tables.
 *
 * - objects_start and objects_refresh run outside the handler, one at a time. They list the
 *   loader's objects, compile new objects and publish a new list.
 * - A walk calls objects_enter and objects_leave. Between them it has the list of that moment. It
 *   calls objects_find for the object at an address, and objects_is_here before it uses the table.
 * - A published list and its tables never change. The old list, and the tables that no other list
 *   has, are freed when each walk that may have seen the list has ended. For that, a walk counts
 *   itself in the counter of its thread before it loads the list, and each counter has to be seen
 *   at zero after the list was replaced.
 * - An object that nothing can unload (is_permanent: the executable, the objects that it needs, and
 *   a few others, see objects_is_permanent) needs no look at the loader. Any other object can go at
 *   any time, and another object can take its place. So the loader has to name the same object at
 *   that address, and the header of the unwind data and the build-id (or else the name) have to be
 *   the same in memory.
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
	/* the segment that has .eh_frame_hdr, as far as it is in the file; data_hi 0: none */
	uint64_t data_lo, data_hi;
	uint64_t header[2]; /* the first bytes of .eh_frame_hdr */
	uint64_t note;      /* address of the build-id, in the first page; 0: none */
	uint64_t build_id[2];
	uint64_t name_hash; /* hash of the loader's name for it; 0 with a build-id */
};

struct object {
	struct table table;
	uint16_t id;          /* 1 or greater; 0: no id was left, so it gets no table */
	uint8_t is_permanent; /* cannot be unloaded */
	uint8_t is_tried;     /* build_permanent has compiled it, or failed */
	/* [lo, hi) contains its executable segments; text is the largest that is readable */
	struct table_code code;
	struct object_identity identity;
};

/* The objects of one moment, sorted by address. */
struct objects {
	uint32_t n;
	uint32_t room;
	uint64_t serial; /* differs from the number of every other list of the process; not 0 */
	uint64_t *lo;    /* lo[i] is object[i].identity.lo, for the search */
	struct object *object;
};

/* The cost of tables: of the tables of the current list, and the time for all tables. */
struct objects_cost {
	uint64_t n_objects; /* objects that have a table */
	uint64_t n_rows;
	uint64_t n_bytes;
	/* CPU time of all compilations so far; in a child made by fork its parent's, too */
	uint64_t build_ns;
	uint64_t n_interpreted; /* objects whose call frame information is not compiled (yet) */
};

/*
 * The current list, or NULL before the first list exists. The caller passes *counter to
 * objects_leave. *place is 0 at a thread's first walk, and then belongs to the thread. More than
 * OBJECTS_COUNTERS threads share counters. Signal-safe.
 */
const struct objects *objects_enter(uint32_t *place, unsigned int *counter);
void objects_leave(unsigned int counter);

/*
 * The object whose mapping contains pc, or NULL. The object may have been unloaded meanwhile.
 * Signal-safe.
 */
const struct object *objects_find(const struct objects *objects, uint64_t pc);

/* Whether `object` is still loaded at pc, which must be in its mapping. Signal-safe. */
int objects_is_here(const struct object *object, uint64_t pc);

/*
 * Notes that a walk has met an object that is not in the list: objects_refresh looks for it then.
 * Signal-safe.
 */
void objects_missed(void);

/*
 * Compiles the loaded objects. A thread of its own, which blocks all signals and ends when it is
 * done, compiles objects with more than 20 MB of code. Returns 0, or -1 if nothing could be listed.
 * Called once in a process, and again in a child made by fork, which keeps its parent's tables. Not
 * in a handler. Any thread.
 */
int objects_start(void);

/*
 * Compiles objects that were loaded since the last look, and drops objects that were unloaded. Does
 * so only if a walk has met an object that is not in the list, and the last look was some time ago;
 * else it is cheap. Does nothing while another thread does this. Not in a handler. Any thread.
 */
void objects_refresh(void);

/* Reports the cost so far; only build_ns while another thread compiles for long. Any thread. */
void objects_cost(struct objects_cost *cost);

#endif
