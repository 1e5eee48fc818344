/* SPDX-License-Identifier: Apache-2.0 */
/* Target constructs by their place in the source; see findings.h. */
#include <stdlib.h>

#include "src/findings/findings.h"

static int by_site(const void *left, const void *right)
{
	const struct findings_target *a = left, *b = right;
	int order = findings_compare_places(a->label, b->label);

	if (order != 0)
		return order;
	if (a->sum.device != b->sum.device)
		return a->sum.device < b->sum.device ? -1 : 1;
	if (a->region != b->region)
		return a->region < b->region ? -1 : 1;
	return a->sum.node < b->sum.node ? -1 : a->sum.node > b->sum.node;
}

static int by_time(const void *left, const void *right)
{
	const struct findings_target *a = left, *b = right;

	if (a->sum.whole.time_ns != b->sum.whole.time_ns)
		return a->sum.whole.time_ns > b->sum.whole.time_ns ? -1 : 1;
	if (a->sum.node != b->sum.node)
		return a->sum.node < b->sum.node ? -1 : 1;
	return (a->sum.device > b->sum.device) - (a->sum.device < b->sum.device);
}

static int is_same(const struct findings_target *a, const struct findings_target *b)
{
	return findings_compare_places(a->label, b->label) == 0 && a->sum.device == b->sum.device &&
	       a->region == b->region;
}

int findings_add_targets(struct findings *figures)
{
	const struct metrics *metrics = figures->metrics;
	struct findings_target *targets = calloc(metrics->n_targets + 1, sizeof(*targets));
	uint32_t *region = findings_find_regions(figures);
	size_t n = 0;

	figures->targets = targets;
	if (!targets || !region) {
		free(region);
		return -1;
	}
	for (size_t i = 0; i < metrics->n_targets; i++) {
		targets[i].sum = metrics->targets[i];
		targets[i].label = findings_label(figures, targets[i].sum.node);
		targets[i].region = region[targets[i].sum.node];
	}
	free(region);
	qsort(targets, metrics->n_targets, sizeof(*targets), by_site);
	for (size_t i = 0; i < metrics->n_targets; i++) {
		if (n && is_same(&targets[n - 1], &targets[i]))
			metrics_target_add(&targets[n - 1].sum, &targets[i].sum);
		else
			targets[n++] = targets[i];
	}
	qsort(targets, n, sizeof(*targets), by_time);
	figures->n_targets = n;
	return 0;
}
