/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer; see explore.h. */
#include <stdio.h>
#include <string.h>

#include "tests/litmus/internal.h"

enum { MEMO = 1 << 20 };

/* A moment of an execution. It is compared as bytes. */
struct state {
	uint64_t memory[LITMUS_MOST_PLACES];
	uint64_t read[LITMUS_MOST_THREADS][LITMUS_MOST_OPS];
	uint32_t has_read[LITMUS_MOST_THREADS], done[LITMUS_MOST_THREADS];
};

/* The hashes of the states that were met; 0: free. */
static uint64_t memo[MEMO];
static int is_found;

static int is_load(const struct litmus_op *op)
{
	return op->kind != LITMUS_STORE && op->kind != LITMUS_FENCE;
}

static int is_store(const struct litmus_op *op)
{
	return op->kind != LITMUS_LOAD && op->kind != LITMUS_FENCE;
}

static int acquires(const struct litmus_op *op)
{
	return op->order == __ATOMIC_ACQUIRE || op->order == __ATOMIC_ACQ_REL ||
	       op->order == __ATOMIC_SEQ_CST;
}

static int releases(const struct litmus_op *op)
{
	return op->order == __ATOMIC_RELEASE || op->order == __ATOMIC_ACQ_REL ||
	       op->order == __ATOMIC_SEQ_CST;
}

/* How far an earlier operation must be before a later operation, or a part of it, takes place. */
enum { NOT_BEFORE, READ_BEFORE, ALL_BEFORE };

static int by_fence(const struct litmus_op *fence, const struct litmus_op *first, int is_write)
{
	if (fence->kind != LITMUS_FENCE || fence->order == __ATOMIC_RELAXED)
		return NOT_BEFORE;
	if (fence->order == __ATOMIC_SEQ_CST || (releases(fence) && is_write))
		return ALL_BEFORE;
	return acquires(fence) && is_load(first) ? READ_BEFORE : NOT_BEFORE;
}

/* The same for operation i of a thread and the read or write of operation k, later in the code. */
static int before(const struct litmus_thread *thread, int i, int k, int is_write)
{
	const struct litmus_op *first = &thread->op[i], *then = &thread->op[k];
	int most = is_load(first) && acquires(first) ? READ_BEFORE : NOT_BEFORE;

	if (is_write && releases(then))
		return ALL_BEFORE;
	if (!is_write && is_store(first) && first->order == __ATOMIC_SEQ_CST &&
		then->order == __ATOMIC_SEQ_CST)
		return ALL_BEFORE;
	if (first->place == then->place &&
		!(first->kind == LITMUS_STORE && then->kind == LITMUS_LOAD))
		return ALL_BEFORE;
	for (int f = i + 1; f < k; f++) {
		int order = by_fence(&thread->op[f], first, is_write);

		most = order > most ? order : most;
	}
	return most;
}

/*
 * Whether the read or write of operation k can take place now; *own: the thread's own store whose
 * value it reads, or -1.
 */
static int is_ready(const struct state *state, int t, int k, int is_write, int *own)
{
	const struct litmus_thread *thread = &litmus.thread[t];

	*own = -1;
	for (int i = 0; i < k; i++) {
		int order = before(thread, i, k, is_write);

		if (thread->op[i].kind == LITMUS_FENCE || state->done[t] >> i & 1)
			continue;
		if (order == ALL_BEFORE || (order == READ_BEFORE && !(state->has_read[t] >> i & 1)))
			return 0;
		if (thread->op[i].place == thread->op[k].place)
			*own = i;
	}
	return 1;
}

/* Whether another thread is between the read and the write of one operation on this place. */
static int is_held(const struct state *state, int t, int place)
{
	for (int other = 0; other < litmus.n_threads; other++) {
		for (int k = 0; other != t && k < litmus.thread[other].n; k++) {
			const struct litmus_op *op = &litmus.thread[other].op[k];

			if (op->place == place && is_store(op) &&
				(state->has_read[other] & ~state->done[other]) >> k & 1)
				return 1;
		}
	}
	return 0;
}

/* Lets the next part of operation k take place, if it can. Returns whether it did. */
static int step(struct state *state, int t, int k)
{
	const struct litmus_op *op = &litmus.thread[t].op[k];
	int is_write = !is_load(op) || state->has_read[t] >> k & 1, own;

	if (op->kind == LITMUS_FENCE || state->done[t] >> k & 1 ||
		!is_ready(state, t, k, is_write, &own) ||
		(is_store(op) && is_held(state, t, op->place)))
		return 0;
	if (is_write) {
		state->memory[op->place] = litmus_result(op, state->read[t][k]);
	} else {
		state->read[t][k] =
			own < 0 ? state->memory[op->place] : litmus.thread[t].op[own].value;
		state->has_read[t] |= 1u << k;
	}
	if (is_write || !is_store(op))
		state->done[t] |= 1u << k;
	return 1;
}

/* Whether the state is met for the first time. */
static int is_new(const struct state *state)
{
	const unsigned char *bytes = (const unsigned char *)state;
	uint64_t hash = 1469598103934665603u;
	size_t at;

	for (size_t i = 0; i < sizeof(*state); i++)
		hash = (hash ^ bytes[i]) * 1099511628211u;
	hash |= 1;
	for (at = hash >> 20 & (MEMO - 1); memo[at]; at = (at + 1) & (MEMO - 1)) {
		if (memo[at] == hash)
			return 0;
	}
	memo[at] = hash;
	return 1;
}

/* All operations have taken place. */
static void judge(const struct state *state)
{
	for (int i = 0; i < litmus.n_places; i++)
		litmus_store(i, state->memory[i]);
	is_found |= litmus_replay(state->read) && litmus.one->is_forbidden();
}

static void explore(const struct state *state)
{
	int n_steps = 0;

	for (int t = 0; t < litmus.n_threads; t++) {
		for (int k = 0; k < litmus.thread[t].n && !is_found; k++) {
			struct state next = *state;

			if (!step(&next, t, k))
				continue;
			n_steps++;
			if (is_new(&next))
				explore(&next);
		}
	}
	if (!n_steps && !is_found)
		judge(state);
}

static int is_possible(void)
{
	struct state state;

	memset(&state, 0, sizeof(state));
	memset(memo, 0, sizeof(memo));
	is_found = 0;
	litmus.one->reset();
	for (int i = 0; i < litmus.n_places; i++)
		state.memory[i] = litmus_load(i);
	explore(&state);
	return is_found;
}

/* The outcomes without each order in turn. Returns how many orders are not needed. */
static int take_away(int number, int *n_orders)
{
	int n_spare = 0;

	for (int t = 0; t < litmus.n_threads; t++) {
		for (int k = 0; k < litmus.thread[t].n; k++) {
			struct litmus_op *op = &litmus.thread[t].op[k], was = *op;

			if (was.order == __ATOMIC_RELAXED)
				continue;
			++*n_orders;
			op->order = __ATOMIC_RELAXED;
			if (!is_possible()) {
				printf("# %d: thread %d does not need the order of operation %d\n",
					number, t, k);
				n_spare++;
			}
			*op = was;
		}
	}
	return n_spare;
}

int litmus_check(const struct litmus_case *one, int number)
{
	int n_orders = 0, n_spare;

	litmus_record(one);
	printf("%s %d - %s: the outcome is impossible\n", is_possible() ? "not ok" : "ok", number,
		one->name);
	n_spare = take_away(number, &n_orders);
	printf("%s %d - %s: possible without any of %d orders\n",
		n_orders > n_spare && n_spare == one->n_spare ? "ok" : "not ok", number + 1,
		one->name, n_orders - n_spare);
	return 2;
}
