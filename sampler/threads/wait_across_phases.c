/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds waits, executions of tasks and idle times that may have begun in an earlier phase
 * (phase_is_spread). Each phase gets its part of the ticks, and the phase in which the interval
 * ends counts it. See wait.h and wait_internal.h. Not for the signal handler.
 */
#include <stddef.h>

#include "sampler/core/phase.h"
#include "sampler/core/timeline.h"
#include "sampler/threads/wait.h"
#include "sampler/threads/wait_internal.h"

/* The wait or the execution that the parts belong to. */
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

static void take_here(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;

	wait_add(thread, spread->key, spread->codeptr, n_of(spread, is_last), ticks, ticks);
}

static void take_in_context(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;

	wait_add_to_leaf(thread, wait_leaf_of(thread, spread->context, spread->key),
		n_of(spread, is_last), ticks, ticks);
}

static void take_stay(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;
	struct profile_node *own = wait_own_node(thread, spread->context);

	if (own)
		wait_add_to_node(own, n_of(spread, is_last), ticks, ticks);
}

void wait_add_span(struct thread *thread, uint64_t key, const void *codeptr_ra,
	const struct wait_span *span, uint32_t n, uint64_t longest)
{
	struct spread spread = { .key = key, .codeptr = codeptr_ra, .n = n };
	uint32_t leaf = 0;

	if (phase_is_spread(thread, span->begin))
		phase_spread(thread, span->begin, span->end, span->ticks, take_here, &spread);
	else
		leaf = wait_add(thread, key, codeptr_ra, n, span->ticks, longest);
	timeline_wait(thread, PROFILE_WAIT_KIND(key), leaf, span->begin, span->end, span->ticks);
}

void wait_spread(struct thread *thread, uint32_t context, uint64_t key,
	const struct wait_span *span, uint32_t n)
{
	struct spread spread = { .key = key, .context = context, .n = n };

	phase_spread(thread, span->begin, span->end, span->ticks, take_in_context, &spread);
}

void wait_add_stay(struct thread *thread, const struct task *task, const struct wait_span *span,
	uint32_t n, uint64_t longest)
{
	struct spread spread = { .context = task->context, .n = n };

	if (phase_is_spread(thread, span->begin))
		phase_spread(thread, span->begin, span->end, span->ticks, take_stay, &spread);
	else
		wait_add_to_node(task->own, n, span->ticks, longest);
}
