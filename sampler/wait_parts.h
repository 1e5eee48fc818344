/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of wait.h share. Included by sampler/wait*.c only. */
#ifndef OMPPROF_SAMPLER_WAIT_PARTS_H
#define OMPPROF_SAMPLER_WAIT_PARTS_H

#include "sampler/thread.h"

/* The ticks from one moment to another, less those that went elsewhere. Signal-safe. */
static inline uint64_t wait_between(uint64_t begin, uint64_t end, uint64_t elsewhere)
{
	return end > begin + elsewhere ? end - begin - elsewhere : 0;
}

/*
 * Adds the wait of a closing barrier, cut at the region's end, to its WAIT leaf, which may be 0: then it is lost. The
 * thread must not be in an event, unless it is the calling one.
 * Any thread.
 */
void wait_end_closing(struct thread *thread, struct task *task, uint32_t leaf, uint64_t now);

#endif
