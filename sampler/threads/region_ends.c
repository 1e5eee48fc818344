/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the executions of a region ended, for other threads; see region.h. Not for the signal
 * handler.
 */
#include "sampler/core/region.h"

/*
 * region_n_ended after a place of `ends` was read: if the number is still below REGION_N_ENDS, the
 * place has not been used again.
 */
static uint32_t n_ended_again(const struct region *region, uint32_t generation)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return (__atomic_load_n(&region->generation, __ATOMIC_RELAXED) - generation) &
	       REGION_GENERATIONS;
}

/* When the execution ended; 0 unless smaller teams followed it. */
static uint64_t left_end(const struct region *region, uint32_t generation, uint32_t n_threads)
{
	const struct region_left *left = &region->left[n_threads % REGION_N_LEFT];
	uint64_t end = __atomic_load_n(&left->end, __ATOMIC_ACQUIRE);

	return __atomic_load_n(&left->generation, __ATOMIC_ACQUIRE) == generation ? end : 0;
}

uint64_t region_end_of(
	const struct region *region, uint32_t generation, uint32_t n_threads, uint32_t n_ended)
{
	uint64_t end;

	/* The next execution ends with this member, or without it: then it may end just now. */
	if (n_ended == 1)
		return __atomic_load_n(&region->last_end, __ATOMIC_RELAXED);
	end = __atomic_load_n(&region->ends[generation % REGION_N_ENDS].end, __ATOMIC_RELAXED);
	return n_ended_again(region, generation) < REGION_N_ENDS
		       ? end
		       : left_end(region, generation, n_threads);
}

uint64_t region_wall_of(
	const struct region *region, uint32_t generation, uint64_t now, uint32_t *n_all)
{
	uint32_t n_ended = region_n_ended(region, generation), n_then;
	uint32_t place = (n_ended ? generation : generation - 1) % REGION_N_ENDS;
	uint64_t wall = __atomic_load_n(&region->ends[place].wall, __ATOMIC_RELAXED);
	uint64_t begun = __atomic_load_n(&region->begun, __ATOMIC_RELAXED);

	n_then = n_ended_again(region, generation);
	*n_all = 1;
	if (n_ended == 0 && n_then == 0)
		return wall + (begun ? timing_between(begun, now) : 0);
	if (n_ended == 0) /* it has ended meanwhile */
		return region_wall_of(region, generation, now, n_all);
	if (n_then < REGION_N_ENDS)
		return wall;
	*n_all = n_ended;
	return __atomic_load_n(&region->wall, __ATOMIC_RELAXED);
}
