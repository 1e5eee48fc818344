/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which frames of a profile are the OpenMP runtime's and not the user's. Used by attribute.c,
 * which hides them in the user view. Pure; looks at addresses, modules and marks, never at names
 * of functions.
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_ELIDE_H
#define OMPPROF_ATTRIBUTION_TREE_ELIDE_H

#include "profile/reader/reader.h"

/* Whose code a module is. */
enum elide_role {
	ELIDE_USER,    /* the program and its libraries */
	ELIDE_SYSTEM,  /* C library, loader, vdso: acts for whoever calls it */
	ELIDE_RUNTIME, /* the OpenMP runtime, its helpers, ompprof's tool */
};

/*
 * By flags: vdso is the system's; the runtime that started the tool and the tool are the
 * runtime's, unless the runtime is part of the executable. Then by the file's base name up to a
 * '.' or '-': libc, libm, libmvec, libpthread, libdl, librt, libgcc_s, libffi, ld and linux-vdso are the
 * system's; libomp, libiomp5, libgomp, libomptarget, libarcher and libompprof the runtime's.
 */
enum elide_role elide_role(const struct profile_module *module);

/* By index into profile.nodes. */
struct elision {
	uint8_t *is_runtime; /* 1 for a frame that is the runtime's */
	uint32_t *module;    /* of frames, regions and tasks: index into profile.modules, or
				    UINT32_MAX if no module covers the address; of records
				    of the same object, which threads can make at the same
				    time, the first */
};

/*
 * Decides for every node. A frame is the runtime's if
 *  - its module is the runtime's; or
 *  - it is marked PROFILE_FRAME_RUNTIME. But a frame in a module of the user's that the mark
 *    covers is user code that the runtime called (a reduction's combiner), and so is what it
 *    calls, if the runtime has a module of its own; or
 *  - it is in a module of the system's and was called by a frame that is the runtime's, or
 *    is outermost on a worker thread, which the runtime started; or
 *  - it is outermost on a native thread and the C++ library's, which calls the program's function. What the tool calls belongs to the
 *    tool's caller: it stands between the program and the functions that create threads.
 * Returns 0, or -1 when out of memory. Release with elide_release.
 */
int elide(struct elision *elision, const struct profile *profile);

void elide_release(struct elision *elision);

#endif
