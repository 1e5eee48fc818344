/* SPDX-License-Identifier: Apache-2.0 */
/* Target constructs by their place in the source; see findings.h. */
#include <stdlib.h>

#include "src/findings/findings.h"
#include "src/findings/order.h"

static int compare_sites(const struct findings_target *a, const struct findings_target *b)
{
	int order = findings_compare_places(a->label, b->label);

	return order ? order : ORDER({ a->sum.device, b->sum.device }, { a->region, b->region });
}

static int by_site(const void *left, const void *right)
{
	const struct findings_target *a = left, *b = right;
	int order = compare_sites(a, b);

	return order ? order : ORDER({ a->sum.node, b->sum.node });
}

static int by_time(const void *left, const void *right)
{
	const struct findings_target *a = left, *b = right;

	return ORDER({ b->sum.whole.time_ns, a->sum.whole.time_ns }, { a->sum.node, b->sum.node },
		{ a->sum.device, b->sum.device });
}

int findings_add_targets(struct findings *figures)
{
	const struct metrics *metrics = figures->metrics;
	struct findings_target *targets = calloc(metrics->n_targets + 1, sizeof(*targets));
	size_t n = 0;

	figures->targets = targets;
	if (!targets)
		return -1;
	for (size_t i = 0; i < metrics->n_targets; i++) {
		targets[i].sum = metrics->targets[i];
		targets[i].label = findings_label(figures, targets[i].sum.node);
		targets[i].region = figures->region_of[targets[i].sum.node];
	}
	qsort(targets, metrics->n_targets, sizeof(*targets), by_site);
	for (size_t i = 0; i < metrics->n_targets; i++) {
		if (n && compare_sites(&targets[n - 1], &targets[i]) == 0)
			metrics_target_add(&targets[n - 1].sum, &targets[i].sum);
		else
			targets[n++] = targets[i];
	}
	qsort(targets, n, sizeof(*targets), by_time);
	figures->n_targets = n;
	return 0;
}
