/* SPDX-License-Identifier: Apache-2.0 */
/* Moments of stacks; see export_when.h. */
#include "src/export_when.h"

#include <stdlib.h>

void export_life(const struct export *export, uint32_t thread, uint64_t *begin_ns, uint64_t *end_ns)
{
	const struct report *report = export->report;
	uint64_t wall = report->totals.wall_ns;

	*begin_ns = 0;
	*end_ns = wall;
	if (thread == EXPORT_NONE)
		return;
	const struct profile_thread *record = &report->profile.threads[thread];
	if (record->start_ns < wall)
		*begin_ns = record->start_ns;
	if (record->end_ns > *begin_ns && record->end_ns < wall)
		*end_ns = record->end_ns;
}

static uint64_t n_parts(uint64_t value, uint64_t total)
{
	uint64_t n = (uint64_t)((unsigned __int128)value * EXPORT_WHEN_PARTS / total);

	return n ? n : 1;
}

/* Adds the parts of a node: all but the last one are equal. */
static void add_parts(struct export_moment *moments, uint32_t node, uint64_t value, uint64_t n,
	uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t life = end_ns - begin_ns;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t before = (uint64_t)((unsigned __int128)value * i / n);
		uint64_t after = (uint64_t)((unsigned __int128)value * (i + 1) / n);

		moments[i].at_ns =
			begin_ns + (uint64_t)((unsigned __int128)life * (2 * i + 1) / (2 * n));
		moments[i].value = after - before;
		moments[i].node = node;
	}
}

static int compare(const void *a, const void *b)
{
	const struct export_moment *one = a, *other = b;

	if (one->at_ns != other->at_ns)
		return one->at_ns < other->at_ns ? -1 : 1;
	return (one->node > other->node) - (one->node < other->node);
}

int export_when(const struct export *export, uint32_t thread, struct export_moment **moments,
	size_t *n_moments)
{
	uint64_t total = 0, begin_ns, end_ns;
	size_t n = 0;

	*n_moments = 0;
	*moments = NULL;
	export_life(export, thread, &begin_ns, &end_ns);
	for (size_t i = 0; i < export->n_nodes; i++)
		if (export->nodes[i].thread == thread)
			total += export->nodes[i].self[export->metric];
	for (size_t i = 0; i < export->n_nodes; i++)
		if (export->nodes[i].thread == thread && export->nodes[i].self[export->metric])
			n += n_parts(export->nodes[i].self[export->metric], total);
	*moments = malloc((n + 1) * sizeof(**moments));
	if (!*moments)
		return -1;
	for (uint32_t i = 0; i < export->n_nodes; i++) {
		uint64_t value = export->nodes[i].self[export->metric], parts;

		if (export->nodes[i].thread != thread || !value)
			continue;
		parts = n_parts(value, total);
		add_parts(*moments + *n_moments, i, value, parts, begin_ns, end_ns);
		*n_moments += parts;
	}
	qsort(*moments, n, sizeof(**moments), compare);
	return 0;
}
