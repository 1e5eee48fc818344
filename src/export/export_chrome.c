/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chrome's trace events, which Perfetto also reads: what each thread did when, from
 * profile.timelines.
 *
 *   timelines[thread].ns ──► a slice for adjacent buckets with the same dominant state;
 *                       │    its args have the exact ns of all states
 *                       └──► a counter for each bucket: shares of the bucket by state
 *   moments (run --trace) ─► a slice for each wait, on a track of its own,
 *                       │    because waits begin and end within buckets
 *                       └──► samples: export_chrome_samples.c
 *
 * Slices of a track may nest but never overlap otherwise. Over the slices of a thread "ns" adds up
 * to the timeline's sums. IN_WAIT samples cover the same time as measured waits. In the dominant
 * state and in counters, IN_WAIT therefore is only its excess over the measured waits. Filters
 * change nothing, except the filter of threads.
 *
 * pid is the process's index + 1, and tid the thread's index + 1, because readers do not like the
 * number 0. Tracks of waits have the numbers after them.
 */
#include <stdlib.h>
#include <string.h>

#include "src/export/export_chrome_internal.h"
#include "src/text/text.h"
#include "src/views/view_json.h"

enum { NAME_BYTES = 20000 };

int chrome_shows(const struct chrome *chrome, size_t thread)
{
	return report_shows(chrome->export->report->rows.threads, thread);
}

static const struct profile_timeline *timeline_of(const struct chrome *chrome, size_t thread)
{
	const struct profile_timeline *timelines = chrome->profile->timelines;

	return timelines && timelines[thread].ns && chrome_shows(chrome, thread)
		       ? &timelines[thread]
		       : NULL;
}

uint64_t chrome_pid(const struct chrome *chrome, size_t thread)
{
	const struct profile_process *process = profile_process_of(chrome->profile, thread);

	return process ? (uint64_t)(process - chrome->profile->processes) + 1 : 1;
}

void chrome_us(struct json *json, const char *key, uint64_t ns)
{
	json_raw(json, key);
	fprintf(json->out, "%llu.%03llu", (unsigned long long)(ns / 1000),
		(unsigned long long)(ns % 1000));
}

/*
 * Writes a slice's time. It ends 1 ns early: readers add "ts" and "dur" in floating point, and a
 * sum that is rounded up would overlap the next slice.
 */
static void put_span(struct json *json, uint64_t begin_ns, uint64_t end_ns)
{
	chrome_us(json, "ts", begin_ns);
	chrome_us(json, "dur", end_ns > begin_ns ? end_ns - begin_ns - 1 : 0);
}

static void put_clean(struct json *json, const char *key, const char *name)
{
	static char clean[NAME_BYTES];

	text_clean(clean, sizeof(clean), name);
	json_string(json, key, clean);
}

void chrome_begin(
	struct chrome *chrome, const char *phase, const char *name, uint64_t pid, uint64_t tid)
{
	struct json *json = &chrome->json;

	json_newline(json);
	json_object(json, NULL);
	json_string(json, "ph", phase);
	json_string(json, "name", name);
	json_number(json, "pid", pid);
	json_number(json, "tid", tid);
}

static void put_name(
	struct chrome *chrome, const char *what, const char *name, uint64_t pid, uint64_t tid)
{
	chrome_begin(chrome, "M", what, pid, tid);
	json_object(&chrome->json, "args");
	put_clean(&chrome->json, "name", name);
	json_end_object(&chrome->json);
	json_end_object(&chrome->json);
}

/* The states of a bucket, with IN_WAIT less the measured waits. */
static void apart(const uint64_t *ns, uint64_t states[PROFILE_N_TIMES])
{
	uint64_t measured = 0;

	memcpy(states, ns, PROFILE_N_TIMES * sizeof(*states));
	for (int i = PROFILE_TIME_IN_WAIT + 1; i < PROFILE_N_TIMES; i++)
		measured += ns[i];
	states[PROFILE_TIME_IN_WAIT] -=
		measured < ns[PROFILE_TIME_IN_WAIT] ? measured : states[PROFILE_TIME_IN_WAIT];
}

/* The state with most time in a bucket; PROFILE_N_TIMES if the bucket is empty. */
static int dominant(const uint64_t *ns)
{
	uint64_t states[PROFILE_N_TIMES], most = 0;
	int state = PROFILE_N_TIMES;

	apart(ns, states);
	for (int i = 0; i < PROFILE_N_TIMES; i++)
		if (states[i] > most) {
			most = states[i];
			state = i;
		}
	return state;
}

/* Writes one slice for the buckets `first` to `end` - 1, which have the same dominant state. */
static void put_slice(struct chrome *chrome, size_t thread, size_t first, size_t end)
{
	const struct profile_timeline *timeline = &chrome->profile->timelines[thread];
	struct json *json = &chrome->json;
	uint64_t sums[PROFILE_N_TIMES] = { 0 };

	for (size_t i = first; i < end; i++)
		for (int k = 0; k < PROFILE_N_TIMES; k++)
			sums[k] += timeline->ns[i][k];
	chrome_begin(chrome, "X", view_json_time_words[dominant(timeline->ns[first])],
		chrome_pid(chrome, thread), thread + 1);
	json_string(json, "cat", "timeline");
	put_span(json, profile_bucket_ns(timeline, first), profile_bucket_ns(timeline, end));
	json_object(json, "args");
	json_object(json, "ns");
	for (int k = 0; k < PROFILE_N_TIMES; k++)
		if (sums[k])
			json_number(json, view_json_time_words[k], sums[k]);
	json_end_object(json);
	json_end_object(json);
	json_end_object(json);
}

static void put_slices(struct chrome *chrome, size_t thread)
{
	const struct profile_timeline *timeline = &chrome->profile->timelines[thread];
	size_t end;

	for (size_t first = 0; first < timeline->n; first = end) {
		int state = dominant(timeline->ns[first]);

		end = first + 1;
		while (end < timeline->n && dominant(timeline->ns[end]) == state)
			end++;
		if (state != PROFILE_N_TIMES)
			put_slice(chrome, thread, first, end);
	}
}

/*
 * Writes the bucket's share of each state that the thread ever has. After the last bucket all
 * shares are 0, so that the counters end there.
 */
static void put_shares(
	struct chrome *chrome, size_t thread, size_t bucket, const int has[PROFILE_N_TIMES])
{
	const struct profile_timeline *timeline = &chrome->profile->timelines[thread];
	struct json *json = &chrome->json;
	uint64_t begin_ns = profile_bucket_ns(timeline, bucket), states[PROFILE_N_TIMES] = { 0 };
	char name[EXPORT_THREAD_BYTES], text[EXPORT_THREAD_BYTES + 16];

	if (bucket < timeline->n)
		apart(timeline->ns[bucket], states);
	export_thread_name(name, chrome->export, (uint32_t)thread);
	snprintf(text, sizeof(text), "%s: states", name);
	chrome_begin(chrome, "C", text, chrome_pid(chrome, thread), thread + 1);
	chrome_us(json, "ts", begin_ns);
	json_object(json, "args");
	for (int k = 0; k < PROFILE_N_TIMES; k++)
		if (has[k])
			json_share(json, view_json_time_words[k], states[k],
				profile_bucket_ns(timeline, bucket + 1) - begin_ns);
	json_end_object(json);
	json_end_object(json);
}

static void put_counters(struct chrome *chrome, size_t thread)
{
	const struct profile_timeline *timeline = &chrome->profile->timelines[thread];
	int has[PROFILE_N_TIMES] = { 0 };

	for (size_t i = 0; i < timeline->n; i++) {
		uint64_t states[PROFILE_N_TIMES];

		apart(timeline->ns[i], states);
		for (int k = 0; k < PROFILE_N_TIMES; k++)
			has[k] |= states[k] != 0;
	}
	for (size_t i = 0; timeline->n && i <= timeline->n; i++)
		put_shares(chrome, thread, i, has);
}

/* The nearest region (is_construct) or function from a node upwards: its name, or NULL. */
static const char *name_above(const struct chrome *chrome, uint32_t node, int is_construct)
{
	const struct report *report = chrome->export->report;
	const struct name_tree *names = &report->names;

	if (node == UINT32_MAX || !report->tree.place || !names->node_of)
		return NULL;
	for (uint32_t i = names->node_of[report->tree.place[node]]; i != NAMES_NONE;
		i = names->nodes[i].parent) {
		uint8_t kind = names->nodes[i].label->kind;

		if (is_construct ? kind == NAME_REGION
				 : kind == NAME_FUNCTION || kind == NAME_INLINED)
			return names->nodes[i].label->name;
	}
	return NULL;
}

static uint64_t wait_track(const struct chrome *chrome, size_t thread)
{
	return chrome->profile->n_threads + thread + 1;
}

static int is_wait(const struct chrome *chrome, const struct profile_moment_record *moment)
{
	return moment->kind == PROFILE_MOMENT_WAIT && chrome_shows(chrome, moment->thread);
}

static void put_wait(struct chrome *chrome, const struct profile_moment_record *moment)
{
	const char *function = name_above(chrome, moment->node, 0);
	const char *region = name_above(chrome, moment->node, 1);
	struct json *json = &chrome->json;

	chrome_begin(chrome, "X", names_state_word(tree_wait_class(moment->what)),
		chrome_pid(chrome, moment->thread), wait_track(chrome, moment->thread));
	json_string(json, "cat", "trace");
	put_span(json, moment->begin_ns, moment->end_ns);
	json_object(json, "args");
	json_number(json, "counts_ns", moment->ns);
	if (function)
		put_clean(json, "function", function);
	if (region)
		put_clean(json, "region", region);
	json_end_object(json);
	json_end_object(json);
}

static void put_waits(struct chrome *chrome)
{
	for (size_t i = 0; i < chrome->profile->n_moments; i++)
		if (is_wait(chrome, &chrome->profile->moments[i]))
			put_wait(chrome, &chrome->profile->moments[i]);
}

static void put_process_name(struct chrome *chrome, size_t thread)
{
	const struct profile *profile = chrome->profile;
	const char *exe = *profile->program.exe ? basename(profile->program.exe) : "?";
	char text[48];

	names_process(text, sizeof(text), profile, thread);
	put_name(chrome, "process_name", *text ? text : exe, chrome_pid(chrome, thread), 0);
}

static void put_names(struct chrome *chrome)
{
	size_t n = chrome->profile->n_threads;
	char name[EXPORT_THREAD_BYTES], text[EXPORT_THREAD_BYTES + 16];

	if (n == 0)
		put_process_name(chrome, 0);
	for (size_t i = 0; i < n; i++) {
		uint64_t pid = chrome_pid(chrome, i);

		if (i == 0 || pid != chrome_pid(chrome, i - 1))
			put_process_name(chrome, i);
		if (!chrome_shows(chrome, i))
			continue;
		export_thread_name(name, chrome->export, (uint32_t)i);
		put_name(chrome, "thread_name", name, pid, i + 1);
		if (chrome->profile->n_moments == 0)
			continue;
		snprintf(text, sizeof(text), "%s: waits", name);
		put_name(chrome, "thread_name", text, pid, wait_track(chrome, i));
	}
}

static void put_about(struct chrome *chrome)
{
	struct json *json = &chrome->json;
	const struct profile *profile = chrome->profile;
	int has_any = 0;

	for (size_t i = 0; i < profile->n_threads; i++)
		has_any |= timeline_of(chrome, i) != NULL;
	json_object(json, "otherData");
	json_string(json, "exporter", "ompprof");
	json_string(json, "timeline",
		has_any ? "what most of a part of the run was; args have all of it"
			: "this profile has no timeline");
	json_end_object(json);
}

static int write_chrome(const struct export *export, FILE *out, struct diag *diag)
{
	struct chrome chrome = {
		.export = export,
		.profile = &export->report->profile,
		.json = { .out = out },
	};
	struct json *json = &chrome.json;

	if (chrome_find_samples(&chrome) != 0)
		return diag_set(diag, "cannot export the profile: out of memory");
	json_object(json, NULL);
	json_string(json, "displayTimeUnit", "ns");
	put_about(&chrome);
	chrome_stacks(&chrome);
	json_array(json, "traceEvents");
	put_names(&chrome);
	for (size_t i = 0; i < chrome.profile->n_threads; i++)
		if (timeline_of(&chrome, i)) {
			put_slices(&chrome, i);
			put_counters(&chrome, i);
		}
	put_waits(&chrome);
	chrome_samples(&chrome);
	json_end_array(json);
	json_end_object(json);
	fputc('\n', out);
	free(chrome.is_used);
	return 0;
}

const struct export_format export_chrome = {
	.name = "chrome",
	.suffix = ".trace.json",
	.file = "ompprof.trace.json",
	.summary = "Chrome's trace events: when each thread did what, for Perfetto",
	.takes = EXPORT_STATES,
	.is_by_thread = 1,
	.mark.begins = "{\"displayTimeUnit\":",
	.mark.holds = "\"exporter\":\"ompprof\"",
	.write = write_chrome,
};
