/* SPDX-License-Identifier: Apache-2.0 */
/* The attributed tree's container and its figures; see tree.h. */
#include "attribution/tree.h"

#include <stdlib.h>

void tree_release(struct tree *tree)
{
	free(tree->nodes);
	*tree = (struct tree){ 0 };
}

void tree_metrics_add(struct tree_metrics *to, const struct tree_metrics *from)
{
	to->samples += from->samples;
	for (int i = 0; i < PROFILE_N_CLASSES; i++)
		to->time_ns[i] += from->time_ns[i];
	to->events += from->events;
	to->blame_ns += from->blame_ns;
	to->n_executions += from->n_executions;
}

uint64_t tree_metrics_time(const struct tree_metrics *metrics)
{
	uint64_t time_ns = 0;

	for (int i = 0; i < PROFILE_N_CLASSES; i++)
		time_ns += metrics->time_ns[i];
	return time_ns;
}
