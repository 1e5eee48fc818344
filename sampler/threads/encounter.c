/* SPDX-License-Identifier: Apache-2.0 */
/* The struct region of a construct; see encounter.h. Not for the signal handler. */
#include "sampler/threads/encounter.h"

#include <stddef.h>

#include "profile/core/writer.h"
#include "sampler/core/capture.h"
#include "sampler/core/tool.h"
#include "sampler/threads/construct.h"
#include "sampler/threads/private_memory.h"

/*
 * The struct of the construct, or THREAD_MAX_REGIONS. First looks at the construct that came after
 * the thread's latest construct the last time.
 */
static inline uint32_t find(
	struct thread *thread, const ompt_frame_t *frame, int flags, uint64_t codeptr_ra)
{
	const struct thread_regions *regions = &thread->regions;
	uint32_t i = regions->at[regions->latest].own.next, next = 0;

	for (; frame && i < THREAD_MAX_REGIONS; i = next++) {
		if (regions->codeptr[i] == codeptr_ra &&
			encounter_is_again(thread, i, frame, flags, codeptr_ra))
			return i;
	}
	return THREAD_MAX_REGIONS;
}

/*
 * Chooses a struct for a construct that was not found: a struct of the same construct that knows no
 * path, else the next in turn. Structs of open regions are left out.
 */
static uint32_t choose(struct thread_regions *regions, uint64_t codeptr_ra)
{
	uint32_t i;

	for (i = 0; i < THREAD_MAX_REGIONS; i++) {
		if (regions->codeptr[i] == codeptr_ra && !regions->at[i].path.codeptr_ra &&
			!encounter_is_open(regions, i))
			return i;
	}
	do
		i = regions->oldest++ % THREAD_MAX_REGIONS;
	while (encounter_is_open(regions, i));
	return i;
}

/* Finds the region's context and record. */
static __attribute__((noinline)) void describe(struct thread *thread, uint32_t i,
	const ompt_frame_t *frame, int flags, uint64_t codeptr_ra)
{
	struct region *region = &thread->regions.at[i];
	uint8_t node_flags = flags & ompt_parallel_league ? PROFILE_REGION_LEAGUE : 0;
	struct walk_registers here;
	struct creation creation = { 0 };
	uint32_t context;
	uint8_t is_within;

	walk_registers_here(&here);
	capture(thread, codeptr_ra, frame, &here, &creation);
	context = construct_region(thread, &creation, node_flags, &is_within);
	__atomic_store_n(&region->team.is_within, is_within, __ATOMIC_RELAXED);
	region->team.epoch = tool.epoch;
	region->team.is_users = !capture_is_doubtful(codeptr_ra);
	region->team.base_cfa = creation.base_cfa;
	region->team.codeptr = codeptr_ra;
	region->team.node = region->team.is_within || !context ? NULL : writer_node(context);
	region->own.flags = flags;
	region->own.closing = 0;
	thread->regions.codeptr[i] = codeptr_ra;
	if (region->team.node && creation.cached_path)
		region->path = *creation.cached_path;
	else
		region->path.codeptr_ra = 0;
	__atomic_store_n(&region->team.context, context, __ATOMIC_RELAXED);
	region_find_record(thread, region);
}

/* As find. Comparing the stack's words takes the place of a capture, and is timed as a capture. */
static inline uint32_t find_timed(
	struct thread *thread, const ompt_frame_t *frame, int flags, uint64_t codeptr_ra)
{
	struct profile_thread *record = thread->record;
	uint64_t n = record->n_captures, weight = capture_weight(n);
	uint64_t begin = weight ? tool_ticks() : 0;
	uint32_t i = find(thread, frame, flags, codeptr_ra);

	if (i == THREAD_MAX_REGIONS)
		return i;
	record->n_captures++;
	if (weight) {
		tool_add_ticks(&record->capture_ticks, n, begin, weight);
		capture_prepare();
	}
	return i;
}

/* Begins an execution of the i-th struct's region, whose construct may be another than before. */
static inline uint64_t begin(struct thread *thread, uint32_t i, int is_other)
{
	struct thread_regions *regions = &thread->regions;
	struct region *region = &regions->at[i];

	regions->open[regions->n - 1] = (uint8_t)i;
	regions->at[regions->latest].own.next = (uint8_t)i;
	regions->latest = (uint8_t)i;
	if (region->team.node)
		construct_count_region(region->team.node);
	region_begin(thread, region);
	return region_pack(region, region->generation,
		(region->weight ? REGION_TIMED : 0) | (is_other ? REGION_OTHER : 0));
}

uint64_t encounter_begin(
	struct thread *thread, const ompt_frame_t *frame, int flags, uint64_t codeptr_ra)
{
	const struct region_team *team;
	uint64_t codeptr_before;
	uint32_t i, context_before;

	if (!thread->regions.at)
		thread->regions.at = private_memory(THREAD_MAX_REGIONS * sizeof(struct region));
	if (thread->regions.n++ >= THREAD_MAX_REGIONS || !thread->regions.at) {
		construct_lose(thread);
		return 0;
	}
	i = find_timed(thread, frame, flags, codeptr_ra);
	if (i < THREAD_MAX_REGIONS)
		return begin(thread, i, 0);
	i = choose(&thread->regions, codeptr_ra);
	team = &thread->regions.at[i].team;
	codeptr_before = team->codeptr;
	context_before = team->context;
	describe(thread, i, frame, flags, codeptr_ra);
	return begin(thread, i, team->context != context_before || team->codeptr != codeptr_before);
}
