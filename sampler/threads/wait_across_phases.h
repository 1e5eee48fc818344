/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Additions of wait.c to the tree for an interval that began before the thread's present phase of
 * the program (phase_is_spread): each phase gets its part, and the phase in which the interval ends
 * counts it. Only wait_spread_other walks.
 */
#ifndef OMPPROF_SAMPLER_THREADS_WAIT_ACROSS_PHASES_H
#define OMPPROF_SAMPLER_THREADS_WAIT_ACROSS_PHASES_H

#include "sampler/core/phase.h"
#include "sampler/threads/wait.h"

/* The begin and end of an interval, and the ticks that it adds. */
struct wait_span {
	uint64_t begin, end, ticks;
};

/*
 * A closing barrier's wait since task->since. The thread must not be in an event, unless it is the
 * calling thread. Any thread.
 */
void wait_spread_closing(
	struct thread *thread, const struct task *task, uint32_t n, uint64_t ticks, uint64_t end);

/* Waits for something else, at the current path. Owning thread only. */
void wait_spread_other(struct thread *thread, uint64_t key, const void *codeptr_ra,
	const struct wait_span *span, uint32_t n);

/*
 * A wait that has not ended, with nothing known of its place but its context; 0: none. As
 * wait_spread_closing. Any thread.
 */
void wait_spread_open(
	struct thread *thread, uint32_t context, uint64_t key, const struct wait_span *span);

/*
 * Executions of a region's implicit tasks or of explicit tasks. As wait_spread_closing. Any thread.
 */
void wait_spread_stay(
	struct thread *thread, uint32_t context, const struct wait_span *span, uint32_t n);

/*
 * Times without a team: `kind` is the enum profile_wait. As wait_spread_closing. Any thread.
 */
void wait_spread_idle(
	struct thread *thread, uint32_t kind, uint64_t since, uint64_t now, uint32_t n);

#endif
