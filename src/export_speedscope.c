/* SPDX-License-Identifier: Apache-2.0 */
/*
 * speedscope's own JSON (file-format-schema.json in its package): a "sampled" profile for each thread and each metric
 * that the thread has figures of, one stack a sample, in the order of the tree. Frames are known by name, file and
 * declared line, so that its list of functions has one row for each. A profile has no place for the time of day.
 */
#include <stdlib.h>
#include <string.h>

#include "src/export_frames.h"
#include "src/json.h"

struct writer {
	const struct export *export;
	struct json json;
	struct export_frames frames;
	size_t n_profiles;
	size_t active; /* the first one of export->metric */
	int has_active;
};

static void put_frames(struct writer *writer)
{
	struct json *json = &writer->json;

	json_object(json, "shared");
	json_array(json, "frames");
	for (uint32_t i = 0; i < writer->frames.n; i++) {
		const struct export_node *node = &writer->export->nodes[writer->frames.node[i]];
		const char *file = export_frame_file(node);

		json_newline(json);
		json_object(json, NULL);
		json_string(json, "name", *node->name ? node->name : "?");
		if (*file)
			json_string(json, "file", file);
		if (*file && export_frame_line(node))
			json_number(json, "line", export_frame_line(node));
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

/* A node that counts for a thread (EXPORT_NONE: of none) in a metric. */
static int is_of(const struct export_node *node, uint32_t thread, int metric)
{
	return node->thread == thread && node->self[metric];
}

static void put_stack(struct writer *writer, uint32_t node)
{
	static uint32_t path[EXPORT_MOST_DEPTH + 1];
	size_t n = export_path(path, writer->export, node);

	json_array(&writer->json, NULL);
	for (size_t i = 0; i < n; i++)
		if (writer->frames.of[path[i]] != EXPORT_NONE)
			json_number(&writer->json, NULL, writer->frames.of[path[i]]);
	json_end_array(&writer->json);
}

static void put_name(struct writer *writer, uint32_t thread, int metric)
{
	char name[EXPORT_THREAD_BYTES], text[EXPORT_THREAD_BYTES + 32];

	export_thread_name(name, writer->export, thread);
	snprintf(text, sizeof(text), "%s: %s", name, export_metric_words[metric]);
	json_string(&writer->json, "name", text);
}

static void put_profile(struct writer *writer, uint32_t thread, int metric, uint64_t total)
{
	const struct export *export = writer->export;
	struct json *json = &writer->json;

	if (metric == (int)export->metric && !writer->has_active) {
		writer->active = writer->n_profiles;
		writer->has_active = 1;
	}
	writer->n_profiles++;
	json_newline(json);
	json_object(json, NULL);
	json_string(json, "type", "sampled");
	put_name(writer, thread, metric);
	json_string(json, "unit", strcmp(export_unit(metric), "ns") == 0 ? "nanoseconds" : "none");
	json_number(json, "startValue", 0);
	json_number(json, "endValue", total);
	json_array(json, "samples");
	for (uint32_t i = 0; i < export->n_nodes; i++)
		if (is_of(&export->nodes[i], thread, metric))
			put_stack(writer, i);
	json_end_array(json);
	json_array(json, "weights");
	for (uint32_t i = 0; i < export->n_nodes; i++)
		if (is_of(&export->nodes[i], thread, metric))
			json_number(json, NULL, export->nodes[i].self[metric]);
	json_end_array(json);
	json_end_object(json);
}

static void put_thread(struct writer *writer, uint32_t thread, const uint64_t *totals)
{
	static const int metrics[] = { EXPORT_TIME, EXPORT_WORK, EXPORT_WAIT, EXPORT_OVERHEAD,
		EXPORT_BLAME, EXPORT_EVENTS, EXPORT_SAMPLES };

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		if (totals[metrics[i]] && export_has(writer->export, metrics[i]))
			put_profile(writer, thread, metrics[i], totals[metrics[i]]);
}

/* totals: one array for each thread, and a last one for none. */
static void put_profiles(struct writer *writer, uint64_t (*totals)[EXPORT_N_METRICS])
{
	const struct export *export = writer->export;
	size_t n_threads = export->report->profile.n_threads;

	for (size_t i = 0; i < export->n_nodes; i++) {
		uint32_t thread = export->nodes[i].thread;

		for (size_t k = 0; k < EXPORT_N_METRICS; k++)
			totals[thread == EXPORT_NONE ? n_threads : thread][k] +=
				export->nodes[i].self[k];
	}
	json_array(&writer->json, "profiles");
	for (size_t i = 0; i <= n_threads; i++)
		put_thread(writer, i < n_threads ? (uint32_t)i : EXPORT_NONE, totals[i]);
	/* A file without a profile is refused. */
	if (writer->n_profiles == 0)
		put_profile(writer, EXPORT_NONE, EXPORT_TIME, 0);
	json_end_array(&writer->json);
}

static int write_speedscope(const struct export *export, FILE *out, struct diag *diag)
{
	struct writer writer = { .export = export, .json = { .out = out } };
	struct json *json = &writer.json;
	uint64_t(*totals)[EXPORT_N_METRICS] =
		calloc(export->report->profile.n_threads + 1, sizeof(*totals));
	int status = -1;

	if (totals && export_frames_init(&writer.frames, export) == 0) {
		json_object(json, NULL);
		json_string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
		put_frames(&writer);
		put_profiles(&writer, totals);
		json_string(json, "name",
			*export->report->profile.exe ? export->report->profile.exe : "?");
		json_number(json, "activeProfileIndex", writer.active);
		json_string(json, "exporter", "ompprof");
		json_end_object(json);
		fputc('\n', out);
		status = 0;
	}
	free(totals);
	export_frames_release(&writer.frames);
	return status == 0 ? 0 : diag_set(diag, "cannot export the profile: out of memory");
}

const struct export_format export_speedscope = {
	.name = "speedscope",
	.suffix = ".speedscope.json",
	.file = "ompprof.speedscope.json",
	.summary = "speedscope's JSON: a profile for each thread and metric",
	.viewer = "speedscope",
	.takes = EXPORT_FIRST_METRIC,
	.is_by_thread = 1,
	.write = write_speedscope,
};
