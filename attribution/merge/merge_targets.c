/* SPDX-License-Identifier: Apache-2.0 */
/* Target constructs and devices of several processes; see merge.h. A device's number is the same in all. */
#include "attribution/merge/merge_internal.h"

static int is_same_target(const void *left, const void *right)
{
	return metrics_by_target(left, right) == 0;
}

static void add_target(void *to, const void *from)
{
	metrics_target_add(to, from);
}

static int is_same_device(const void *left, const void *right)
{
	return metrics_by_device(left, right) == 0;
}

static void add_device(void *to, const void *from)
{
	metrics_device_add(to, from);
}

void merge_targets_fold(struct merge_figures *figures)
{
	static const struct merge_kind targets = { sizeof(struct metrics_target), metrics_by_target,
		is_same_target, add_target };
	static const struct merge_kind devices = { sizeof(struct metrics_device), metrics_by_device,
		is_same_device, add_device };

	merge_fold(&figures->targets, &targets);
	merge_fold(&figures->devices, &devices);
}

void merge_targets_finish(struct merge_figures *figures, struct metrics *metrics)
{
	metrics->targets = merge_hand_over(&figures->targets, &metrics->n_targets,
		sizeof(struct metrics_target), metrics_by_time);
	metrics->devices = merge_hand_over(&figures->devices, &metrics->n_devices,
		sizeof(struct metrics_device), metrics_by_device);
}
