/* SPDX-License-Identifier: Apache-2.0 */
/* What the traces of devices say of each of them as a whole. */
#include <string.h>

#include "attribution/metrics/metrics_internal.h"

static struct metrics_device of_trace(const struct profile_device *trace)
{
	struct metrics_device device = {
		.number = trace->number,
		.flags = trace->flags,
		.n_procs = trace->n_procs,
		.traced_ns = trace->traced,
		.busy_ns = trace->busy,
		.n_records = trace->n_records,
	};

	for (size_t i = 0; i < METRICS_N_TRACED; i++)
		device.traced[i] = (struct metrics_ops){ trace->ops[i].n, trace->ops[i].bytes,
			trace->ops[i].time, trace->ops[i].longest };
	memcpy(device.lost, trace->lost, sizeof(device.lost));
	/* Cut where it is longer. */
	memcpy(device.type, trace->type, sizeof(device.type) - 1);
	return device;
}

void metrics_trace_add(struct metrics_device *to, const struct metrics_device *from)
{
	to->flags |= from->flags;
	to->traced_ns = settle_add(to->traced_ns, from->traced_ns);
	to->busy_ns = settle_add(to->busy_ns, from->busy_ns);
	to->n_records = settle_add(to->n_records, from->n_records);
	for (size_t i = 0; i < PROFILE_TRACE_N_LOSSES; i++)
		to->lost[i] = settle_add(to->lost[i], from->lost[i]);
	for (size_t i = 0; i < METRICS_N_TRACED; i++)
		metrics_ops_add(&to->traced[i], &from->traced[i]);
	if (to->n_procs < from->n_procs)
		to->n_procs = from->n_procs;
	if (!to->type[0])
		memcpy(to->type, from->type, sizeof(to->type));
}

void metrics_collect_traces(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;

	for (size_t i = 0; i < work->profile->n_devices; i++)
		metrics->devices[metrics->n_devices++] = of_trace(&work->profile->devices[i]);
}

_Static_assert(METRICS_N_TRACED == PROFILE_N_EVENTS - PROFILE_DEVICE_KERNEL, "a row for each");
