/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OMPPROF_SAMPLER_THREADS_WAIT_INTERNAL_H
#define OMPPROF_SAMPLER_THREADS_WAIT_INTERNAL_H

#include "sampler/threads/wait.h"

/* The ticks from one moment to another, without the ticks that passed elsewhere. Signal-safe. */
static inline uint64_t wait_between(uint64_t begin, uint64_t end, uint64_t elsewhere)
{
	return end > begin + elsewhere ? end - begin - elsewhere : 0;
}

/*
 * The WAIT leaf of the key under a context, or under the tree's root for context 0; 0 without
 * space. The thread must not be in an event, unless it is the calling thread. Any thread.
 */
uint32_t wait_open_leaf(struct thread *thread, uint32_t context, uint64_t key);

/*
 * The leaf of the time without a team that the thread's next team ends; 0 without space.
 * Owning thread only.
 */
uint32_t wait_idle_leaf(struct thread *thread);

/*
 * Adds n waits to a WAIT leaf of the present phase. If the leaf is 0 they are lost. The same
 * restriction applies. Any thread.
 */
void wait_add_to_leaf(
	struct thread *thread, uint32_t leaf, uint32_t n, uint64_t ticks, uint64_t longest);

/* wait_add in the present phase. Owning thread only. */
uint32_t wait_add_in_phase(struct thread *thread, uint64_t key, const void *codeptr_ra, uint32_t n,
	uint64_t ticks, uint64_t longest);

/*
 * Whether a wait that was not chosen for timing, but met a sample, is added for itself; the wait
 * ends now. Any thread.
 */
int wait_is_long(const struct thread *thread, const struct task *task, uint64_t now);

/* How many waits this wait represents; 1 if it was not chosen for timing. Any thread. */
uint32_t wait_all_weight(const struct thread *thread, const struct task *task);

/*
 * Adds the wait of a closing barrier, cut at the region's end, to its WAIT leaf. It represents
 * `weight` waits. They are lost if the leaf is 0. The thread must not be in an event, unless it is
 * the calling thread. Any thread.
 */
void wait_end_closing(
	struct thread *thread, struct task *task, uint32_t leaf, uint32_t weight, uint64_t now);

#endif
