/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of events; see count.h. Not for the signal handler. */
#include "sampler/threads/count.h"

#include <stddef.h>
#include <string.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/capture.h"
#include "sampler/core/event_timing.h"
#include "sampler/core/tool.h"
#include "sampler/threads/private_memory.h"

void count_lose(struct thread *thread)
{
	thread->record->lost[PROFILE_LOST_EVENTS]++;
}

struct counts *count_make(struct thread *thread)
{
	struct counts *counts = private_memory(sizeof(*counts));

	if (!counts)
		return NULL;
	/* The generator would stay at 0. */
	counts->random = thread->record->index * 0x9e3779b97f4a7c15ULL | 1;
	thread->counts = counts;
	return counts;
}

void count_release(struct thread *thread)
{
	if (!thread->counts)
		return;
	munmap(thread->counts, sizeof(*thread->counts));
	__atomic_fetch_sub(
		&writer_header()->bytes_private, sizeof(*thread->counts), __ATOMIC_RELAXED);
	thread->counts = NULL;
}

void counts_forget(struct thread *thread)
{
	if (!thread->counts)
		return;
	memset(thread->counts->works, 0, sizeof(thread->counts->works));
	memset(thread->counts->notes, 0, sizeof(thread->counts->notes));
}

struct count_note *count_make_note(
	struct counts *counts, uint64_t key, uint64_t codeptr, uint32_t context)
{
	uint32_t set = count_set_of(key, codeptr, context);
	struct count_note *note = &counts->notes[set][counts->oldest[set]++ % COUNT_WAYS];

	*note = (struct count_note){
		.key = key,
		.codeptr = codeptr,
		.context = context,
		.every = 1,
		.since = tool_ticks(),
	};
	return note;
}

struct profile_node *count_leaf(struct thread *thread, uint32_t path, uint64_t key)
{
	uint32_t leaf = path ? cct_child(&thread->cct, path, PROFILE_NODE_EVENT, 0, key) : 0;

	return leaf ? writer_node(leaf) : NULL;
}

/* A random distance from 1 to 2 * every - 1, evenly distributed. */
static uint32_t next_distance(struct counts *counts, uint32_t every)
{
	uint64_t random = counts->random;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	counts->random = random;
	return 1 + (uint32_t)((random >> 32) * (2 * every - 1) >> 32);
}

/*
 * Begins a window. The last look of the previous window took `cost` ticks. Decides how often to
 * look in the new window.
 */
static void begin_window(struct count_note *note, uint64_t cost, uint64_t now)
{
	uint64_t least = cost > COUNT_LEAST_LOOK ? cost : COUNT_LEAST_LOOK;
	uint64_t ticks = timing_between(note->since, now), looks = least * COUNT_WINDOW;
	uint64_t others = ticks > looks ? ticks - looks : 1;
	uint64_t every = 1 + COUNT_BUDGET * least * note->n_window / others;

	note->every = every < COUNT_RAREST ? (uint32_t)every : COUNT_RAREST;
	note->since = now;
	note->n_looks = 0;
	note->n_window = 0;
}

void count_look(struct thread *thread, struct count_note *note)
{
	int is_last = ++note->n_looks == COUNT_WINDOW;
	uint64_t begin = is_last ? tool_ticks() : 0, now;
	uint32_t path = capture_here(thread, note->codeptr), distance;

	if (path != note->path)
		note->leaf = NULL;
	note->path = path;
	if (is_last) {
		now = tool_ticks();
		begin_window(note, timing_between(begin, now), now);
	}
	distance = next_distance(thread->counts, note->every);
	note->n_window += distance;
	note->left = distance - 1;
}

void count_under(struct thread *thread, uint64_t key, uint32_t path)
{
	struct counts *counts = thread->counts ? thread->counts : count_make(thread);
	struct count_note *note = counts ? count_find(counts, key, 0, path) : NULL;

	if (note)
		note->path = path;
	count_note(thread, note, 1, 0);
}

void count_begin_work(struct thread *thread, uint32_t path, uint32_t is_looked)
{
	struct count_work *work = count_work_of(thread);

	if (!work)
		return;
	if (work->path != path)
		work->leaf = NULL;
	work->data = count_task_data(thread);
	work->path = path;
	work->is_looked = is_looked;
}

void count_end_work(struct thread *thread)
{
	struct count_work *work = count_work_of(thread);

	if (work)
		work->data = NULL;
}

void count_first_part(struct thread *thread, uint64_t key, uint64_t amount)
{
	struct count_work *work = count_work_of(thread);

	/* The runtime did not report the loop. */
	if (!work || work->data != count_task_data(thread) || !work->path) {
		count_here(thread, key, NULL, amount);
		return;
	}
	work->key = key;
	work->leaf = count_leaf(thread, work->path, key);
	if (work->leaf)
		count_add(work->leaf, work->is_looked, amount);
	else
		count_lose(thread);
}
