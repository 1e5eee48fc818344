/* SPDX-License-Identifier: Apache-2.0 */
/* Threads' timelines as JSON; see view_json_timeline.h. */
#include "src/views/view_json_timeline.h"

const char *const view_json_time_words[PROFILE_N_TIMES] = { "work", "overhead", "in_wait",
	"barrier", "tasks", "mutex", "idle", "target" };

/* What is behind the last bucket that has something is left out. */
static void put_time(struct json *json, const struct profile_timeline *timeline, int time)
{
	size_t n = timeline->n;

	while (n > 0 && timeline->ns[n - 1][time] == 0)
		n--;
	if (n == 0)
		return;
	json_array(json, view_json_time_words[time]);
	for (size_t i = 0; i < n; i++)
		json_seconds(json, NULL, timeline->ns[i][time]);
	json_end_array(json);
}

void view_json_timeline(struct json *json, const struct report *report, size_t thread)
{
	const struct profile_timeline *timeline =
		report->profile.timelines ? &report->profile.timelines[thread] : NULL;

	if (!timeline || !timeline->ns)
		return;
	json_object(json, "timeline");
	json_seconds(json, "begin_s", timeline->begin_ns);
	json_share(json, "bucket_s", timeline->span_ns, PROFILE_TIMELINE_BUCKETS * 1000000000ULL);
	json_bool(json, "torn", timeline->is_torn);
	json_number(json, "dropped", timeline->n_dropped);
	json_object(json, "times");
	for (int time = 0; time < PROFILE_N_TIMES; time++)
		put_time(json, timeline, time);
	json_end_object(json);
	json_end_object(json);
}
