/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrivals at collective calls of MPI. The ranks of a job call collectives on MPI_COMM_WORLD in one
 * order, so the number of a call tells which calls of other ranks it meets. wrap_mpi.c calls
 * collective_begin before and collective_end after each. The profile keeps begin and end of the
 * calls, or of a part of them (profile_is_kept). Readers compare ranks of one host, whose ticks are
 * readings of one counter.
 *
 * The records are in COLLECTIVES segments, of which there are 8 at most. When these are full the
 * level rises: half of the records are not kept any more, and new records take their places. All
 * calls are counted, also before the profile begins and in pauses.
 */
#ifndef OMPPROF_SAMPLER_THREADS_COLLECTIVE_H
#define OMPPROF_SAMPLER_THREADS_COLLECTIVE_H

#include <stdint.h>

struct collective {
	uint32_t number; /* 0: it is part of another call, or on another communicator */
	uint64_t begin;  /* ticks; 0: it is not kept */
	uint32_t root;   /* as in struct profile_collective; the caller sets it */
};

/*
 * A collective call on MPI_COMM_WORLD begins; `frame` is an address in the frame of the caller of
 * this. A call within such a call is part of it. Any thread.
 */
struct collective collective_begin(uint64_t frame);

/*
 * The call ends, and returns to the address `caller`. It gets a record if it is_timed, so that it
 * is part of the measured time in MPI. Any thread.
 */
void collective_end(const struct collective *collective, int is_timed, const void *caller);

#endif
