/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of claims; see claims.h. */
#include "bench/claims.h"

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/modules.h"
#include "sampler/threads/mutex_table.h"
#include "sampler/threads/private_memory.h"
#include "sampler/core/region.h"
#include "sampler/core/target.h"
#include "sampler/core/timeline.h"
#include "sampler/core/tool.h"
#include "unwinder/core/objects.h"

static uint32_t shared_counter __attribute__((aligned(128)));

static uint64_t nothing(struct worker *worker, uint32_t i)
{
	return (uint64_t)worker->number << 32 | (i + 1);
}

static uint64_t counter(struct worker *worker, uint32_t i)
{
	(void)worker;
	(void)i;
	return __atomic_add_fetch(&shared_counter, 1, __ATOMIC_RELAXED);
}

static uint64_t segment(struct worker *worker, uint32_t i)
{
	uint32_t number;

	(void)i;
	return writer_segment(
		       PROFILE_SEGMENT_NODES, PROFILE_NODE_BYTES, worker->number + 1, &number)
		       ? number
		       : 0;
}

static uint64_t node(struct worker *worker, uint32_t i)
{
	struct cct *cct = &worker->thread->cct;

	return cct_child(cct, cct->root, PROFILE_NODE_FRAME, 0, i + 1);
}

static uint64_t moment(struct worker *worker, uint32_t i)
{
	struct thread *thread = worker->thread;
	uint64_t before =
		thread->timeline.segment ? thread->timeline.segment->n_dropped : UINT64_MAX;

	timeline_wait(thread, PROFILE_LOCK, 0, tool.start_ticks + i, tool.start_ticks + i + 1, 1);
	if (!thread->timeline.segment || thread->timeline.segment->n_dropped != before)
		return 0;
	return (uintptr_t)thread->timeline.moments +
	       (uint64_t)thread->timeline.moments->used * PROFILE_MOMENT_BYTES;
}

static uint64_t mutex(struct worker *worker, uint32_t i)
{
	struct mutex_slot *slot = mutex_slot(
		worker->thread, PROFILE_LOCK, (nothing(worker, i) << 4) & 0xffffffffffff);

	return slot && slot != &worker->thread->mutexes.table.others ? (uintptr_t)slot->record : 0;
}

static uint64_t region(struct worker *worker, uint32_t i)
{
	struct cct *cct = &worker->thread->cct;
	struct thread_regions *regions = &worker->thread->regions;
	struct region *region;

	if (!regions->at)
		regions->at = private_memory(THREAD_MAX_REGIONS * sizeof(struct region));
	if (!regions->at)
		return 0;
	region = &regions->at[0];
	region->team.context = cct_child(cct, cct->root, PROFILE_NODE_REGION, 0, i + 1);
	region_find_record(worker->thread, region);
	return (uintptr_t)region->own.record;
}

/* A thread from its begin to its end: an initial one, as a worker's record would be used again. */
static uint64_t openmp_thread(struct worker *worker, uint32_t i)
{
	struct thread *thread = thread_register(ompt_thread_initial);
	uint64_t key = thread ? thread->record->index : 0;

	(void)i;
	thread_unregister();
	return thread ? key : 0;
}

/* Likewise a thread with a start function, whose record is used again. */
static uint64_t native_thread(struct worker *worker, uint32_t i)
{
	struct thread_start start = { .routine = 1, .stack_bytes = CLAIMS_STACK_BYTES };
	struct thread *thread = thread_reserve(&start);

	thread = thread ? thread_begin(thread) : NULL;
	thread_unregister();
	return thread ? nothing(worker, i) : 0;
}

static uint64_t object(struct worker *worker, uint32_t i)
{
	struct modules_cursor cursor = { 0 };

	(void)i;
	return modules_at(&cursor, (uint64_t)(uintptr_t)object) ? nothing(worker, i) : 0;
}

static uint64_t walk(struct worker *worker, uint32_t i)
{
	unsigned int counter;

	objects_enter(&worker->thread->path.place, &counter);
	objects_leave(counter);
	return nothing(worker, i);
}

/* A target region that others can end begins and ends. */
static uint64_t target(struct worker *worker, uint32_t i)
{
	uint64_t id = nothing(worker, i);

	return target_list(id, 1) && target_unlist(id) ? id : 0;
}

const struct kind claims_kinds[] = {
	{ .name = "nothing", .n = 262144, .claim = nothing },
	{ .name = "shared counter", .n = 262144, .claim = counter },
	{ .name = "segment", .n = 6144, .claim = segment },
	{ .name = "node", .n = 262144, .is_registered = 1, .claim = node },
	{ .name = "moment of a trace", .n = 262144, .is_registered = 1, .claim = moment },
	{ .name = "mutex", .n = 32768, .is_registered = 1, .claim = mutex },
	{ .name = "region", .n = 4096, .is_registered = 1, .claim = region },
	{ .name = "thread of OpenMP", .n = 1024, .claim = openmp_thread },
	{ .name = "native thread", .n = 4096, .claim = native_thread },
	{ .name = "object of a path", .n = 262144, .claim = object },
	{ .name = "walk", .n = 262144, .is_registered = 1, .claim = walk },
	{ .name = "target region", .n = 262144, .claim = target },
};

const int claims_n_kinds = sizeof(claims_kinds) / sizeof(claims_kinds[0]);
