/* SPDX-License-Identifier: Apache-2.0 */
/* The attributed tree and its figures; see tree.h. */
#include "attribution/tree/tree.h"

#include <stdlib.h>

void tree_release(struct tree *tree)
{
	free(tree->nodes);
	free(tree->place);
	free(tree->kept);
	sparse_metrics_release(&tree->figures);
	scale_blame_release(&tree->blame_scale);
	*tree = (struct tree){ 0 };
}

int tree_metrics_any(const struct tree_metrics *metrics)
{
	return metrics->samples || metrics->sampled_ns || metrics->events || metrics->n_waits ||
	       metrics->blame_ns || tree_metrics_time(metrics);
}

void tree_metrics_add(struct tree_metrics *to, const struct tree_metrics *from)
{
	to->samples += from->samples;
	for (int i = 0; i < PROFILE_N_CLASSES; i++)
		to->time_ns[i] += from->time_ns[i];
	to->sampled_ns += from->sampled_ns;
	to->events += from->events;
	to->n_executions += from->n_executions;
	to->n_waits += from->n_waits;
	for (int i = 0; i < PROFILE_N_WAITS; i++) {
		to->wait_ns[i] += from->wait_ns[i];
		to->blame_wait_ns[i] += from->blame_wait_ns[i];
	}
	to->mpi_no_cpu_ns += from->mpi_no_cpu_ns;
	to->blame_ns += from->blame_ns;
	for (int i = 0; i < PROFILE_MOST_COUNTERS; i++)
		to->counters[i] += from->counters[i];
}

enum profile_class tree_wait_class(enum profile_wait wait)
{
	static const uint8_t classes[] = {
#define WAIT(NAME, value, script, label, word, class, ...) [value] = PROFILE_##class,
#include "profile/shared/waits.def"
	};

	return classes[wait];
}

int tree_is_measured(const struct profile *profile, enum profile_class class)
{
	if (class == PROFILE_WORK || class == PROFILE_OVERHEAD)
		return 0;
	for (unsigned wait = PROFILE_NO_WAIT + 1; wait < PROFILE_N_WAITS; wait++) {
		if (profile->waits & 1u << wait && tree_wait_class(wait) == class)
			return 1;
	}
	return 0;
}

uint64_t tree_metrics_time(const struct tree_metrics *metrics)
{
	uint64_t time_ns = 0;

	for (int i = 0; i < PROFILE_N_CLASSES; i++)
		time_ns += metrics->time_ns[i];
	return time_ns;
}
