/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits, executions of tasks and idle times that lasted through several phases of the program; see
 * wait_across_phases.h. Not for the signal handler.
 */
#include "sampler/threads/wait_across_phases.h"

#include <stddef.h>

#include "sampler/threads/wait_internal.h"

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

static void take_closing(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;

	wait_add_to_leaf(thread, wait_closing_leaf(thread, spread->context), n_of(spread, is_last),
		ticks, ticks);
}

static void take_other(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;

	wait_add(thread, spread->key, spread->codeptr, n_of(spread, is_last), ticks, ticks);
}

static void take_open(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;

	wait_add_to_leaf(thread, wait_open_leaf(thread, spread->context, spread->key),
		n_of(spread, is_last), ticks, ticks);
}

static void take_stay(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;
	struct profile_node *own = wait_own_node(thread, spread->context);

	if (own)
		wait_add_to_node(own, n_of(spread, is_last), ticks, ticks);
}

static void take_idle(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	const struct spread *spread = data;

	wait_add_to_leaf(thread, wait_idle_leaf(thread, PROFILE_WAIT_KIND(spread->key)),
		n_of(spread, is_last), ticks, ticks);
}

void wait_spread_closing(
	struct thread *thread, const struct task *task, uint32_t n, uint64_t ticks, uint64_t end)
{
	struct spread spread = { .context = task->context, .n = n };

	phase_spread(thread, task->since, end, ticks, take_closing, &spread);
}

void wait_spread_other(struct thread *thread, uint64_t key, const void *codeptr_ra,
	const struct wait_span *span, uint32_t n)
{
	struct spread spread = { .key = key, .codeptr = codeptr_ra, .n = n };

	phase_spread(thread, span->begin, span->end, span->ticks, take_other, &spread);
}

void wait_spread_open(
	struct thread *thread, uint32_t context, uint64_t key, const struct wait_span *span)
{
	struct spread spread = { .key = key, .context = context, .n = 1 };

	phase_spread(thread, span->begin, span->end, span->ticks, take_open, &spread);
}

void wait_spread_stay(
	struct thread *thread, uint32_t context, const struct wait_span *span, uint32_t n)
{
	struct spread spread = { .context = context, .n = n };

	phase_spread(thread, span->begin, span->end, span->ticks, take_stay, &spread);
}

void wait_spread_idle(
	struct thread *thread, uint32_t kind, uint64_t since, uint64_t now, uint32_t n)
{
	struct spread spread = { .key = PROFILE_WAIT_KEY(kind, 0), .n = n };

	phase_spread(thread, since, now, timing_between(since, now), take_idle, &spread);
}
