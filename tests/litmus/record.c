/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder; see record.h. */
#include <stdlib.h>
#include <string.h>

#include "tests/litmus/internal.h"

struct litmus litmus;

uint64_t litmus_load(int place)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)litmus.place[place].at, litmus.place[place].bytes);
	return value;
}

void litmus_store(int place, uint64_t value)
{
	memcpy((void *)litmus.place[place].at, &value, litmus.place[place].bytes);
}

static int place_of(volatile void *at, size_t bytes)
{
	int i = 0;

	while (i < litmus.n_places && litmus.place[i].at != at)
		i++;
	if (i == litmus.n_places) {
		litmus.place[litmus.n_places].bytes = bytes;
		litmus.place[litmus.n_places++].at = at;
	}
	return i;
}

uint64_t litmus_result(const struct litmus_op *op, uint64_t old)
{
	switch (op->kind) {
	case LITMUS_STORE:
		return op->value;
	case LITMUS_ADD:
		return old + op->value;
	case LITMUS_SWAP:
		return old == op->expected ? op->value : old;
	default:
		return old;
	}
}

uint64_t litmus_do(enum litmus_kind kind, const volatile void *at, size_t bytes, uint64_t value,
	uint64_t expected, int order)
{
	int place = at ? place_of((volatile void *)(uintptr_t)at, bytes) : -1;
	struct litmus_op op = { kind, place, order, value, expected };
	uint64_t old = at ? litmus_load(place) : 0;

	if (!litmus.now)
		return old;
	if (litmus.replayed) {
		const struct litmus_op *was = &litmus.now->op[litmus.next];

		if (litmus.next >= litmus.now->n || was->kind != kind || was->place != place)
			litmus.is_other_way = 1;
		return litmus.is_other_way ? old : litmus.replayed[litmus.next++];
	}
	if (litmus.now->n == LITMUS_MOST_OPS || litmus.n_places == LITMUS_MOST_PLACES)
		abort();
	litmus.now->op[litmus.now->n++] = op;
	litmus.now->has_loads |= kind != LITMUS_STORE && kind != LITMUS_FENCE;
	if (at)
		litmus_store(place, litmus_result(&op, old));
	return old;
}

/* Drops the operations on places that only one thread uses: they cannot be seen. */
static void drop_private(void)
{
	int users[LITMUS_MOST_PLACES] = { 0 };

	for (int t = 0; t < litmus.n_threads; t++)
		for (int k = 0; k < litmus.thread[t].n; k++)
			if (litmus.thread[t].op[k].place >= 0)
				users[litmus.thread[t].op[k].place] |= 1 << t;
	for (int t = 0; t < litmus.n_threads; t++) {
		struct litmus_thread *thread = &litmus.thread[t];
		int n = 0;

		for (int k = 0; k < thread->n; k++) {
			int place = thread->op[k].place;

			if (place < 0 || (users[place] & (users[place] - 1)) || thread->has_loads)
				thread->op[n++] = thread->op[k];
		}
		thread->n = n;
	}
}

void litmus_record(const struct litmus_case *one)
{
	memset(&litmus, 0, sizeof(litmus));
	litmus.one = one;
	one->reset();
	for (; litmus.n_threads < LITMUS_MOST_THREADS && one->thread[litmus.n_threads];
		litmus.n_threads++) {
		litmus.now = &litmus.thread[litmus.n_threads];
		one->thread[litmus.n_threads]();
	}
	litmus.now = NULL;
	drop_private();
}

int litmus_replay(const uint64_t (*read)[LITMUS_MOST_OPS])
{
	litmus.is_other_way = 0;
	for (int t = 0; t < litmus.n_threads; t++) {
		litmus.now = &litmus.thread[t];
		litmus.replayed = read[t];
		litmus.next = 0;
		if (litmus.now->has_loads)
			litmus.one->thread[t]();
	}
	litmus.now = NULL;
	litmus.replayed = NULL;
	return !litmus.is_other_way;
}
