/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of struct thread that tells how long a call of the C library was blocked; blocking.h
 * says how it is used. Written by the thread between the program's own instructions.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_BLOCKING_H
#define OMPPROF_SAMPLER_CORE_THREAD_BLOCKING_H

#include <stdint.h>

/* A moment of the thread's life, by four clocks. */
struct blocking_moment {
	uint64_t ticks;
	uint32_t tid; /* of the thread: its struct may have been another thread's; 0: no moment */
	uint64_t ns;
	uint64_t cpu_ns;
	uint64_t delay_ns; /* its waiting for a CPU so far, as the kernel counts */
};

struct thread_blocking {
	struct blocking_moment latest;
	/* ticks: the call that is to end next began at or after this moment; 0: not known */
	uint64_t since;
};

#endif
