/* SPDX-License-Identifier: Apache-2.0 */
/* A part of the run as JSON: what is known of it, and no more; see view_slices.h. */
#include "src/report/report_json.h"
#include "src/views/view_filter.h"
#include "src/views/view_json.h"
#include "src/views/view_json_timeline.h"
#include "src/views/view_slices.h"

void part_json_cut(struct json *json, const struct report *report)
{
	const struct profile_part *part = &report->profile.part;

	json_object(json, "cut");
	json_seconds(json, "begin_s", part->begin_ns);
	json_seconds(json, "end_s", part->end_ns);
	json_seconds(json, "wall_s", part->whole_ns);
	json_string(json, "source", part->has_paths ? "trace" : "timeline");
	json_seconds(json, "bucket_s", part->bucket_ns);
	if (part->traced_ns && part->traced_ns != UINT64_MAX)
		json_seconds(json, "traced_s", part->traced_ns);
	json_number(json, "unknown_threads", part->n_unknown);
	json_end_object(json);
}

static void put_run(struct json *json, const struct report *report)
{
	const struct profile *profile = &report->profile;

	json_object(json, "run");
	json_array(json, "command");
	for (size_t i = 0; i < profile->n_args; i++)
		json_string(json, NULL, profile->args[i]);
	json_end_array(json);
	json_string(json, "host", profile->header.host);
	json_number(json, "pid", profile->header.pid);
	json_seconds(json, "wall_s", report->totals.wall_ns);
	json_number(json, "threads", profile->n_threads);
	json_string(json, "clock", report_json_clock(profile->header.clock_kind));
	json_string(json, "clock_name", profile->header.clock_name);
	if (profile->part.has_paths)
		json_number(json, "samples", report->totals.all.samples);
	json_string(json, "runtime", profile->header.runtime);
	json_number(json, "cpus", profile->header.n_cpus);
	json_end_object(json);
}

static void put_times(struct json *json, const struct part_times *times)
{
	json_object(json, "times");
	for (int k = 0; k < PROFILE_N_TIMES; k++)
		json_seconds(json, view_json_time_words[k], times->ns[k]);
	json_end_object(json);
	json_seconds(json, "rest_s", times->rest_ns);
	json_seconds(json, "total_s", times->total_ns);
}

static void put_thread(struct json *json, const struct report *report, size_t i)
{
	const struct profile_thread *thread = &report->profile.threads[i];
	const struct profile_process *process = profile_process_of(&report->profile, i);
	struct part_times times = part_of_thread(report, i);

	json_newline(json);
	json_object(json, NULL);
	json_number(json, "thread", thread->index);
	json_number(json, "tid", thread->tid);
	if (process)
		json_number(json, "pid", process->pid);
	if (process && process->rank)
		json_number(json, "rank", process->rank - 1);
	json_string(json, "type", report_thread_word(report, i));
	put_times(json, &times);
	json_end_object(json);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct json json = { .out = terminal->out };
	struct part_times all = part_of_all(report);

	(void)options;
	view_json_begin(&json, report);
	part_json_cut(&json, report);
	view_json_filters(&json, report);
	put_run(&json, report);
	report_json_warnings(&json, report);
	put_times(&json, &all);
	json_array(&json, "threads");
	for (size_t i = 0; i < report->profile.n_threads; i++)
		if (report_shows(report->rows.threads, i))
			put_thread(&json, report, i);
	json_end_array(&json);
	if (report->profile.part.has_paths)
		view_json_nodes(&json, report);
	json_end_object(&json);
	fputc('\n', terminal->out);
	return 0;
}

const struct view view_part_json = { .name = "json", .filters = FILTER_ALL, .print = print };
