/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines of several processes' threads, on one clock; see merge.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"
#include "attribution/tree/scale_blame.h"

/* A copy with no more buckets than have something. Returns 0, or -1 when out of memory. */
static int copy(struct profile_timeline *to, const struct profile_timeline *from, uint64_t begin_ns)
{
	*to = *from;
	to->ns = NULL;
	if (!from->ns)
		return 0;
	to->begin_ns = settle_add(begin_ns, from->begin_ns);
	to->ns = malloc((from->n + 1) * sizeof(*to->ns));
	if (!to->ns)
		return -1;
	memcpy(to->ns, from->ns, from->n * sizeof(*to->ns));
	return 0;
}

int merge_timelines_add(struct merge_timelines *timelines, const struct profile *profile)
{
	static const struct profile_timeline none;
	uint64_t begin_ns = settle_add(profile->header.start_realtime_ns, 0);

	if (timelines->list.n == 0 || begin_ns < timelines->first_ns)
		timelines->first_ns = begin_ns;
	for (size_t i = 0; i < profile->n_threads; i++) {
		struct profile_timeline timeline;

		if (copy(&timeline, profile->timelines ? &profile->timelines[i] : &none,
			    begin_ns) != 0)
			return -1;
		timelines->has_any |= timeline.ns != NULL;
		if (merge_append(&timelines->list, &timeline, sizeof(timeline)) != 0) {
			free(timeline.ns);
			return -1;
		}
	}
	return 0;
}

void merge_timelines_finish(struct merge_timelines *timelines, struct profile *profile)
{
	struct profile_timeline *all = timelines->list.items;

	if (!timelines->has_any || timelines->list.n != profile->n_threads)
		return;
	for (size_t i = 0; i < timelines->list.n; i++)
		if (all[i].ns)
			all[i].begin_ns -= timelines->first_ns;
	profile->timelines = all;
	*timelines = (struct merge_timelines){ { 0 }, 0, 0 };
}

void merge_timelines_release(struct merge_timelines *timelines)
{
	struct profile_timeline *all = timelines->list.items;

	for (size_t i = 0; i < timelines->list.n; i++)
		free(all[i].ns);
	free(all);
	*timelines = (struct merge_timelines){ { 0 }, 0, 0 };
}
