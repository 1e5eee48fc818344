/* SPDX-License-Identifier: Apache-2.0 */
/* The calls in which the program's OpenMP threads slept, and calls of MPI; see findings.h. */
#include <stdlib.h>

#include "attribution/tree/elide.h"
#include "src/findings/findings.h"
#include "src/findings/order.h"

int findings_compare_calls(const struct findings_sleep *a, const struct findings_sleep *b)
{
	int order = ORDER({ a->wait, b->wait });

	if (!order)
		order = findings_compare_places(a->caller, b->caller);
	return order ? order
		     : ORDER(ORDER_STRINGS(a->caller->file, b->caller->file),
			       { a->caller->line, b->caller->line },
			       ORDER_STRINGS(a->call->name, b->call->name));
}

static int by_call(const void *left, const void *right)
{
	const struct findings_sleep *a = left, *b = right;
	int order = findings_compare_calls(a, b);

	return order ? order : ORDER({ b->ns, a->ns }, { a->node, b->node });
}

static int by_length(const void *left, const void *right)
{
	const struct findings_sleep *a = left, *b = right;

	return ORDER({ b->ns, a->ns }, { a->node, b->node });
}

int findings_set_call(struct findings_sleep *sleep, const struct findings *figures, uint32_t node)
{
	const struct name_node *nodes = figures->names->nodes;
	uint32_t call = findings_node(figures, node);

	if (!call)
		return 0;
	sleep->call = nodes[call].label;
	sleep->node = nodes[call].parent ? nodes[call].parent : call;
	sleep->caller = nodes[sleep->node].label;
	return 1;
}

/*
 * A measured sleep hangs under the function that slept. If no function but start-up code is known,
 * the view has no node for it. Native threads are in no cause.
 */
int findings_sleep_at(struct findings_sleep *sleep, const struct findings *figures, uint32_t i)
{
	const struct tree *tree = figures->tree;
	const struct tree_metrics self = tree_self(tree, i);
	uint32_t at = tree->nodes[i].kind == TREE_WAIT ? tree->nodes[i].parent : i;
	int is_call = self.wait_ns[PROFILE_MPI] || self.mpi_no_cpu_ns;
	uint8_t wait = is_call ? PROFILE_MPI : PROFILE_BLOCKED;

	if ((!is_call && !self.wait_ns[wait]) || tree->nodes[at].kind != TREE_FRAME ||
		tree->nodes[at].flags & TREE_FRAME_NATIVE)
		return 0;
	*sleep = (struct findings_sleep){
		.wait = wait,
		.n = self.n_waits,
		.ns = self.wait_ns[wait],
		.no_cpu_ns = self.mpi_no_cpu_ns,
	};
	if (figures->region_of[i] == UINT32_MAX)
		sleep->serial_ns = sleep->ns;
	if (!findings_set_call(sleep, figures, at))
		return 0;
	/* How many calls slept so often is not known. */
	if (wait == PROFILE_BLOCKED && elide_is_mpi(sleep->call->module)) {
		sleep->wait = PROFILE_MPI;
		sleep->n = 0;
	}
	return 1;
}

/* Joins the sleeps that read the same. The node with most of it stays. */
static size_t merge(struct findings_sleep *sleeps, size_t n_sleeps)
{
	size_t n = 0;

	qsort(sleeps, n_sleeps, sizeof(*sleeps), by_call);
	for (size_t i = 0; i < n_sleeps; i++) {
		struct findings_sleep *last = n ? &sleeps[n - 1] : NULL;

		if (!last || findings_compare_calls(last, &sleeps[i]) != 0) {
			sleeps[n++] = sleeps[i];
			continue;
		}
		last->n += sleeps[i].n;
		last->ns += sleeps[i].ns;
		last->serial_ns += sleeps[i].serial_ns;
		last->no_cpu_ns += sleeps[i].no_cpu_ns;
	}
	qsort(sleeps, n, sizeof(*sleeps), by_length);
	return n;
}

int findings_add_sleeps(struct findings *figures)
{
	struct findings_sleep sleep;
	size_t n = 0;

	for (uint32_t i = 0; i < figures->tree->n_nodes; i++)
		n += (size_t)findings_sleep_at(&sleep, figures, i);
	figures->sleeps = calloc(n + 1, sizeof(*figures->sleeps));
	if (!figures->sleeps)
		return -1;
	for (uint32_t i = 0; i < figures->tree->n_nodes; i++) {
		if (!findings_sleep_at(&sleep, figures, i))
			continue;
		figures->sleeps[figures->n_sleeps++] = sleep;
		*(sleep.wait == PROFILE_MPI ? &figures->mpi_ns : &figures->sleep_ns) += sleep.ns;
	}
	figures->n_sleeps = merge(figures->sleeps, n);
	return 0;
}
