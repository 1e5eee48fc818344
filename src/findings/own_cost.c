/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of ompprof itself; see own_cost.h. */
#include "src/findings/own_cost.h"

static uint64_t ns_of(const struct profile_header *header, uint64_t ticks)
{
	double ns = header->ticks_per_s ? (double)ticks * 1e9 / (double)header->ticks_per_s : 0;

	return ns < (double)PROFILE_MOST_NS ? (uint64_t)ns : PROFILE_MOST_NS;
}

static void add_thread(struct own_cost *cost, const struct profile_header *header,
	const struct profile_thread *thread)
{
	cost->handler_ns += ns_of(header, thread->handler_ticks);
	cost->capture_ns += ns_of(header, thread->capture_ticks);
	if (thread->cpu_last_ns > thread->cpu_start_ns)
		cost->cpu_ns += thread->cpu_last_ns - thread->cpu_start_ns;
	cost->n_signals += thread->n_signals;
	cost->n_met += thread->lost[PROFILE_LOST_NESTED];
	cost->n_callbacks += thread->n_callbacks;
}

/* Whether a node is of code in ompprof's library. */
static int is_own_code(const struct profile *profile, const struct profile_tree_node *node)
{
	const struct profile_module *module;

	if (node->kind != PROFILE_NODE_FRAME)
		return 0;
	module = profile_module_of(profile, node->module, node->addr);
	return module && module->flags & PROFILE_MODULE_TOOL;
}

/*
 * Counts samples in the library at the begin and end of a callback, where the handler is not kept
 * out.
 */
static uint64_t count_at_own_code(const struct profile *profile)
{
	uint64_t n = 0;

	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		if (node->kind == PROFILE_NODE_SAMPLES && node->parent < i &&
			is_own_code(profile, &profile->nodes[node->parent]))
			n += node->n;
	}
	return n;
}

void own_cost_make(struct own_cost *cost, const struct profile *profile)
{
	const struct profile_header *header = &profile->header;

	*cost = (struct own_cost){ 0 };
	for (size_t i = 0; i < profile->n_threads; i++)
		add_thread(cost, header, &profile->threads[i]);
	cost->n_met += count_at_own_code(profile);
	if (header->clock_kind != PROFILE_CLOCK_CPU)
		cost->n_unseen = cost->n_callbacks;
	else if (header->ticks_per_s && cost->n_signals && cost->n_met <= cost->n_signals)
		cost->met_ns = (uint64_t)((long double)cost->cpu_ns * (long double)cost->n_met /
					  (long double)cost->n_signals);
}

void own_cost_add(struct own_cost *to, const struct own_cost *from)
{
	to->handler_ns += from->handler_ns;
	to->capture_ns += from->capture_ns;
	to->met_ns += from->met_ns;
	to->cpu_ns += from->cpu_ns;
	to->n_signals += from->n_signals;
	to->n_met += from->n_met;
	to->n_callbacks += from->n_callbacks;
	to->n_unseen += from->n_unseen;
}

uint64_t own_cost_callback_ns(const struct own_cost *cost)
{
	return cost->met_ns > cost->capture_ns ? cost->met_ns : cost->capture_ns;
}

uint64_t own_cost_ns(const struct own_cost *cost)
{
	return cost->handler_ns + own_cost_callback_ns(cost);
}

int own_cost_is_least(const struct own_cost *cost)
{
	return own_cost_callback_ns(cost) > cost->handler_ns || cost->n_unseen > cost->n_signals;
}
