/* SPDX-License-Identifier: Apache-2.0 */
/* Dependences between tasks; see depend.h. Not for the signal handler. */
#include "sampler/core/depend.h"

#include <stddef.h>

#include "sampler/core/event_timing.h"
#include "sampler/core/task_data.h"
#include "sampler/core/tool.h"
#include "sampler/threads/count.h"
#include "sampler/threads/private_memory.h"
#include "sampler/threads/wait.h"

enum {
	FIRST_PLACES = 64, /* 4 KB */
	LOOKED_AT = 4,
	MAX_THREADS = 4096,
};

/* The places of each thread, by the index of its record. They stay when the thread ends. */
static struct depend_place *tables[MAX_THREADS];

/* Gives the thread memory for its places. Returns 0, or -1. */
static int make_table(struct thread *thread)
{
	struct depend_table *table = &thread->depend;

	if (!table->places) {
		table->places = private_memory((DEPEND_PLACES + 1) * sizeof(*table->places));
		if (!table->places)
			return -1;
		table->n = FIRST_PLACES;
	}
	__atomic_store_n(&tables[thread->record->index], table->places, __ATOMIC_RELEASE);
	return 0;
}

static int is_free(const struct depend_place *place)
{
	return !place->context || __atomic_load_n(&place->ended, __ATOMIC_ACQUIRE);
}

/* The number of a free place; 0 if no free place is near. */
static uint32_t find_free(struct depend_table *table)
{
	for (int i = 0; i < LOOKED_AT; i++) {
		table->next = table->next % table->n + 1;
		if (is_free(&table->places[table->next]))
			return table->next;
	}
	if (table->n == DEPEND_PLACES)
		return 0;
	table->next = table->n + 1;
	table->n = 2 * table->n < DEPEND_PLACES ? 2 * table->n : DEPEND_PLACES;
	return table->next;
}

uint64_t depend_create(struct thread *thread, uint32_t context)
{
	struct depend_table *table = &thread->depend;
	struct depend_place *place;
	uint32_t n = 0;

	if (!context || thread->record->index >= MAX_THREADS)
		return 0;
	if ((table->places && tables[thread->record->index] == table->places) ||
		make_table(thread) == 0)
		n = find_free(table);
	if (!n) {
		table->n_skipped++;
		return 0;
	}
	place = &table->places[n];
	__atomic_store_n(&place->number, (uint16_t)(place->number + 1), __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&place->n_sinks, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&place->ended, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&place->context, context, __ATOMIC_RELAXED);
	place->n_sources = 0;
	place->weight = 1 + table->n_skipped;
	place->created = tool_time();
	table->n_skipped = 0;
	return (uint64_t)n << DEPEND_NODE_BITS;
}

struct depend_place *depend_find(uint64_t value)
{
	uint32_t index = value >> 32 & 0xfffff;
	struct depend_place *places;

	/* In a child made by fork, a task that was created before the fork has another epoch. */
	if (!tasks_has_place(value) || index >= MAX_THREADS || value >> 52 != (tool.epoch & 0xfff))
		return NULL;
	places = __atomic_load_n(&tables[index], __ATOMIC_ACQUIRE);
	return places ? &places[tasks_number(value)] : NULL;
}

static uint64_t pack(const struct depend_place *place)
{
	return (uint64_t)(uintptr_t)place << 16 | __atomic_load_n(&place->number, __ATOMIC_RELAXED);
}

void depend_on(uint64_t source_value, uint64_t sink_value)
{
	struct depend_place *source = depend_find(source_value), *sink = depend_find(sink_value);
	uint8_t n_sinks;

	if (!source)
		return;
	n_sinks = __atomic_load_n(&source->n_sinks, __ATOMIC_RELAXED);
	if (n_sinks < UINT8_MAX)
		__atomic_store_n(&source->n_sinks, (uint8_t)(n_sinks + 1), __ATOMIC_RELAXED);
	if (!sink || sink->n_sources == UINT8_MAX)
		return;
	sink->source[sink->n_sources % DEPEND_SOURCES] = pack(source);
	sink->n_sources++;
}

/* When the noted task ended, and its context; 0: not known, or the task has not ended. */
static uint64_t end_of(uint64_t packed, uint32_t *context)
{
	const struct depend_place *place = (const struct depend_place *)(uintptr_t)(packed >> 16);
	uint64_t ended = __atomic_load_n(&place->ended, __ATOMIC_ACQUIRE);

	*context = __atomic_load_n(&place->context, __ATOMIC_RELAXED);
	/*
	 * If a later task has got the place, its number has changed: it was stored before the
	 * context.
	 */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (__atomic_load_n(&place->number, __ATOMIC_RELAXED) != (packed & UINT16_MAX))
		return 0;
	return ended;
}

static void add_wait(struct thread *thread, const struct task *task, uint32_t source,
	uint64_t ticks, uint32_t weight)
{
	struct profile_node *node = count_leaf(thread, wait_note(thread, task->context)->node,
		PROFILE_EVENT_KEY(PROFILE_EVENT_AWAITED_TASK, source));

	if (!node)
		return;
	__atomic_store_n(&node->n, node->n + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&node->time_ns, node->time_ns + ticks * weight, __ATOMIC_RELAXED);
	if (ticks > node->blame_ns)
		__atomic_store_n(&node->blame_ns, ticks, __ATOMIC_RELAXED);
	__atomic_store_n(&node->spare, node->spare + weight - 1, __ATOMIC_RELAXED);
}

void depend_begin(struct thread *thread, const struct task *task)
{
	struct depend_place *place = task->depend;
	uint32_t n = place->n_sources < DEPEND_SOURCES ? place->n_sources : DEPEND_SOURCES;
	uint32_t context, last = 0;
	uint64_t end = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t ended = end_of(place->source[i], &context);

		if (ended > end) {
			end = ended;
			last = context;
		}
	}
	/* A task that moves to another thread begins again, but waited only once. */
	place->n_sources = 0;
	if (end && last)
		add_wait(thread, task, last, timing_between(place->created, end), place->weight);
}

void depend_end(struct depend_place *place)
{
	__atomic_store_n(&place->ended, tool_time(), __ATOMIC_RELEASE);
}
