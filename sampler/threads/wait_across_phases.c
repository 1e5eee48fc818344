/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits, executions of tasks and idle times that lasted through several phases of the program; see
 * wait_across_phases.h. Not for the signal handler.
 */
#include "sampler/threads/wait_across_phases.h"

/* The wait, execution or idle time that the parts belong to. */
struct spread {
	uint64_t key;
	const void *codeptr;
	uint32_t context;
	uint32_t n; /* counted in the phase in which it ends */
};

static uint32_t n_of(const struct spread *spread, int is_last)
{
	return is_last ? spread->n : 0;
}

static void take_to_leaf(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;

	wait_add_to_leaf(thread, wait_open_leaf(thread, spread->context, spread->key),
		n_of(spread, is_last), ticks, ticks);
}

static void take_here(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;

	wait_add_in_phase(
		thread, spread->key, spread->codeptr, n_of(spread, is_last), ticks, ticks);
}

static void take_stay(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;
	struct profile_node *own = wait_own_node(thread, spread->context);

	if (own)
		wait_add_to_node(own, n_of(spread, is_last), ticks, ticks);
}

void wait_spread_to_leaf(struct thread *thread, uint32_t context, uint64_t key, uint32_t n,
	const struct wait_span *span)
{
	struct spread spread = { .key = key, .context = context, .n = n };

	phase_spread_all(thread, span->begin, span->end, span->ticks, take_to_leaf, &spread);
}

void wait_spread_here(struct thread *thread, uint64_t key, const void *codeptr_ra, uint32_t n,
	const struct wait_span *span)
{
	struct spread spread = { .key = key, .codeptr = codeptr_ra, .n = n };

	phase_spread_all(thread, span->begin, span->end, span->ticks, take_here, &spread);
}

void wait_spread_stay(
	struct thread *thread, uint32_t context, uint32_t n, const struct wait_span *span)
{
	struct spread spread = { .context = context, .n = n };

	phase_spread_all(thread, span->begin, span->end, span->ticks, take_stay, &spread);
}
