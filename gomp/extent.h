/* SPDX-License-Identifier: Apache-2.0 */
/* Where the object that contains an address is mapped. */
#ifndef OMPPROF_GOMP_EXTENT_H
#define OMPPROF_GOMP_EXTENT_H

#include <stdint.h>

struct extent {
	uintptr_t lo, hi;
};

/*
 * Returns 0, or -1 if no loaded object contains the address. Another thread must not unload the
 * object meanwhile. Takes no lock from glibc 2.35 on; before, the loader's. Any thread.
 */
int gomp_find_extent(const void *address, struct extent *extent);

#endif
