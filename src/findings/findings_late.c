/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks that came last to collective calls of MPI; see findings.h. */
#include <stdlib.h>

#include "src/findings/findings.h"
#include "src/findings/order.h"

static int compare(const struct findings_late *a, const struct findings_late *b)
{
	int order = ORDER({ a->process, b->process }, { !a->waits.call, !b->waits.call });

	return order || !a->waits.call ? order : findings_compare_calls(&a->waits, &b->waits);
}

static int by_call(const void *left, const void *right)
{
	const struct findings_late *a = left, *b = right;
	int order = compare(a, b);

	return order ? order
		     : ORDER({ b->waits.ns, a->waits.ns }, { a->waits.node, b->waits.node });
}

static int by_length(const void *left, const void *right)
{
	const struct findings_late *a = left, *b = right;

	return ORDER({ b->waits.ns, a->waits.ns }, { a->process, b->process },
		{ a->waits.node, b->waits.node });
}

/* Joins the entries of a rank that read the same. The node with the longest wait stays. */
static size_t join(struct findings_late *late, size_t n_late)
{
	size_t n = 0;

	qsort(late, n_late, sizeof(*late), by_call);
	for (size_t i = 0; i < n_late; i++) {
		if (!n || compare(&late[n - 1], &late[i]) != 0) {
			late[n++] = late[i];
			continue;
		}
		late[n - 1].waits.n += late[i].waits.n;
		metrics_add(&late[n - 1].waits.ns, late[i].waits.ns);
	}
	qsort(late, n, sizeof(*late), by_length);
	return n;
}

int findings_add_late(struct findings *figures)
{
	const struct metrics_ranks *ranks = &figures->metrics->ranks;

	figures->late = calloc(ranks->n_late + 1, sizeof(*figures->late));
	if (!figures->late)
		return -1;
	for (size_t i = 0; i < ranks->n_late; i++) {
		const struct metrics_late *from = &ranks->late[i];
		struct findings_late *to = &figures->late[i];

		to->process = from->process;
		to->waits = (struct findings_sleep){
			.wait = PROFILE_MPI, .n = from->n, .ns = from->wait_ns
		};
		findings_set_call(&to->waits, figures, from->node);
	}
	figures->n_late = join(figures->late, ranks->n_late);
	return 0;
}

const struct findings_late *findings_find_late(
	const struct findings *figures, const struct findings_sleep *sleep)
{
	for (size_t i = 0; i < figures->n_late; i++)
		if (figures->late[i].waits.call &&
			findings_compare_calls(&figures->late[i].waits, sleep) == 0)
			return &figures->late[i];
	return NULL;
}
