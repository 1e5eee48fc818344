/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which frames of a profile are the OpenMP runtime's and not the user's. Used by attribute.c, which
 * hides these frames in the user view. Pure; reads addresses, modules and marks, never the names of
 * functions.
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_ELIDE_H
#define OMPPROF_ATTRIBUTION_TREE_ELIDE_H

#include "profile/reader/reader.h"

/* The owner of a module's code. */
enum elide_role {
	ELIDE_USER,    /* the program and its libraries */
	ELIDE_SYSTEM,  /* C library, loader, vdso and the like: code that acts for its caller */
	ELIDE_RUNTIME, /* the OpenMP runtime, its helpers, ompprof's tool */
};

/*
 * The role of a module, first by its flags. Python functions are the user's, and so is the
 * executable, even if the runtime is part of it. The runtime that started the tool, and the tool,
 * are the runtime's, and the vdso is the system's. Then by the file's base name up to a '.' or '-'.
 * The system's are libc, libm, libmvec, libpthread, libdl, librt, libgcc_s, libffi, ld and
 * linux-vdso. The runtime's are libomp, libiomp5, libgomp, libomptarget, libarcher and libompprof.
 * All other modules are the user's.
 */
enum elide_role elide_role(const struct profile_module *module);

/* Whether the file is the MPI library: work in it, and in functions that it calls, is MPI's. */
int elide_is_mpi(const char *path);

/* By index into profile.nodes. */
struct elision {
	uint8_t *is_runtime; /* 1 for a frame that is the runtime's */
	/* 1 for a frame that the MPI library called, but for code of the executable */
	uint8_t *is_in_mpi;
	/*
	 * of frames and constructs: index into profile.modules, or UINT32_MAX if no module covers
	 * the address; UINT32_MAX for other nodes. Several threads can make a record of the same
	 * object at the same time; then it is the first of these records
	 */
	uint32_t *module;
};

/*
 * Decides for every node. A frame is the runtime's in these cases:
 *
 * - Its module is the runtime's.
 * - It is marked PROFILE_FRAME_RUNTIME. But if the runtime has a module of its own, a marked frame
 *   in a module of the user's is user code that the runtime called (a reduction's combiner), and so
 *   is the system's code that it calls.
 * - It is in a module of the system's, and a frame that is the runtime's called it.
 * - It is in a module of the system's and is the outermost frame of a worker or a hidden helper, or
 *   of a context there unless it is PROFILE_FRAME_EXACT. The runtime started these threads.
 * - It is in the C++ library and is outermost on a native thread. The C++ library calls the
 *   program's function.
 *
 * A frame of the system's that the tool called is decided by the tool's caller: the tool is between
 * the program and the functions that create threads.
 *
 * Returns 0, or -1 when out of memory. Release with elide_release.
 */
int elide(struct elision *elision, const struct profile *profile);

void elide_release(struct elision *elision);

#endif
