/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of doacross loops: in `ordered depend(sink: ...)` a thread waits until other threads are
 * done with the iterations that it names. OMPT has an event for the end of this wait only. The
 * begin is known all the same:
 *
 *   libomp     wrap_doacross.c defines the function that waits, where the library is preloaded
 *   libgomp    libompprof-gomp.so tells (include/ompprof-gomp.h)
 *
 * Both call doacross_on_wait. The wait is a wait for a turn, PROFILE_ORDERED, and the members of
 * the team that do not wait are to blame for it. Nothing is held after it.
 */
#ifndef OMPPROF_SAMPLER_THREADS_DOACROSS_H
#define OMPPROF_SAMPLER_THREADS_DOACROSS_H

#include "include/ompprof-gomp.h"

/* A wait of the calling thread begins or ends. Any thread. */
ompprof_doacross_t doacross_on_wait;

#endif
