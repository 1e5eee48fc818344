/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tools that use libompprof-gomp.so, the OMPT provider for GCC's libgomp. In such a program the
 * runtime's code lies in several objects: the provider, and each libgomp that the program has
 * loaded. lookup("ompprof_runtime_code") returns a function without parameters that returns the
 * list of their mappings, a struct ompprof_runtime_code. It returns NULL from another runtime.
 */
#ifndef OMPPROF_GOMP_CODE_H
#define OMPPROF_GOMP_CODE_H

#include <stdint.h>

#define OMPPROF_RUNTIME_CODES 18

/* Grows only: `n` is written, with release, after the mapping is complete. */
struct ompprof_runtime_code {
	uint32_t n;
	struct {
		uint64_t lo; /* the mapping of an object, [lo, hi) */
		uint64_t hi;
	} at[OMPPROF_RUNTIME_CODES];
};

/*
 * Called when a thread begins to wait in `ordered depend(sink: ...)` (ompt_scope_begin), and when
 * its wait is over (ompt_scope_end): OMPT has no event for the begin. codeptr_ra is the return
 * address of the call. It is not called in a loop nest that has more dimensions than the machine has
 * registers for arguments. lookup("ompprof_set_doacross") returns a function that
 * takes a pointer to such a function, or NULL from another runtime. A tool sets it while it is
 * initialized.
 */
typedef void ompprof_doacross_t(int endpoint, const void *codeptr_ra);

#endif
