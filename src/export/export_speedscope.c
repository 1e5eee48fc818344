/* SPDX-License-Identifier: Apache-2.0 */
/*
 * speedscope's own JSON (file-format-schema.json in its package): a "sampled" profile for each
 * thread and each metric of which the thread has figures, with one sample for each stack, in the
 * order of the tree. Frames are known by name, file and declared line, so that speedscope's list of
 * functions has one row for each function. A thread with a trace has one more profile, of its time
 * in order. There, gaps without a stack keep the next stack at its moment.
 */
#include <stdlib.h>
#include <string.h>

#include "src/export/export_frames.h"
#include "src/export/export_when.h"
#include "src/text/json.h"

struct writer {
	const struct export *export;
	struct json json;
	struct export_frames frames;
	struct export_threads threads;
	size_t n_profiles;
	size_t active; /* the first profile of export->metric */
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

static void begin_profile(
	struct writer *writer, uint32_t thread, const char *what, const char *unit)
{
	char name[EXPORT_THREAD_BYTES], text[EXPORT_THREAD_BYTES + 32];

	writer->n_profiles++;
	json_newline(&writer->json);
	json_object(&writer->json, NULL);
	json_string(&writer->json, "type", "sampled");
	export_thread_name(name, writer->export, thread);
	snprintf(text, sizeof(text), "%s: %s", name, what);
	json_string(&writer->json, "name", text);
	json_string(&writer->json, "unit", strcmp(unit, "ns") == 0 ? "nanoseconds" : "none");
	json_number(&writer->json, "startValue", 0);
}

static void put_profile(struct writer *writer, uint32_t thread, int metric, uint64_t total)
{
	const struct export *export = writer->export;
	uint32_t number = export_thread_number(&writer->threads, thread);
	const uint32_t *node = writer->threads.node;
	size_t first = writer->threads.first_node[number];
	size_t end = writer->threads.first_node[number + 1];
	struct json *json = &writer->json;

	if (metric == (int)export->metric && !writer->has_active) {
		writer->active = writer->n_profiles;
		writer->has_active = 1;
	}
	begin_profile(writer, thread, export_metric_words[metric], export_unit(metric));
	json_number(json, "endValue", total);
	json_array(json, "samples");
	for (size_t i = first; i < end; i++)
		if (export->nodes[node[i]].self[metric])
			put_stack(writer, node[i]);
	json_end_array(json);
	json_array(json, "weights");
	for (size_t i = first; i < end; i++)
		if (export->nodes[node[i]].self[metric])
			json_number(json, NULL, export->nodes[node[i]].self[metric]);
	json_end_array(json);
	json_end_object(json);
}

/* The gap between `at_ns`, the previous moment's end, and this moment's begin, or 0. */
static uint64_t gap(const struct export_moment *moment, uint64_t at_ns)
{
	uint64_t begin = moment->at_ns > moment->value ? moment->at_ns - moment->value : 0;

	return begin > at_ns ? begin - at_ns : 0;
}

static void put_in_order(
	struct writer *writer, uint32_t thread, const struct export_moments *moments)
{
	struct json *json = &writer->json;
	uint64_t at_ns = 0;

	begin_profile(writer, thread, "time in order", "ns");
	json_array(json, "samples");
	for (size_t i = 0; i < moments->n; i++) {
		uint64_t before = gap(&moments->items[i], at_ns);

		if (before) {
			json_array(json, NULL);
			json_end_array(json);
		}
		put_stack(writer, moments->items[i].node);
		at_ns += before + moments->items[i].value;
	}
	json_end_array(json);
	json_number(json, "endValue", at_ns);
	at_ns = 0;
	json_array(json, "weights");
	for (size_t i = 0; i < moments->n; i++) {
		uint64_t before = gap(&moments->items[i], at_ns);

		if (before)
			json_number(json, NULL, before);
		json_number(json, NULL, moments->items[i].value);
		at_ns += before + moments->items[i].value;
	}
	json_end_array(json);
	json_end_object(json);
}

/*
 * Writes the profile "time in order" if a trace has moments of the thread. Returns 0, or -1 when
 * out of memory.
 */
static int put_trace(struct writer *writer, uint32_t thread)
{
	struct export_moments moments;
	int status;

	if (thread == EXPORT_NONE ||
		writer->threads.first_moment[thread] == writer->threads.first_moment[thread + 1])
		return 0;
	status = export_when(&writer->threads, thread, EXPORT_TIME, &moments);
	if (status == 0 && moments.known[EXPORT_BY_TRACE])
		put_in_order(writer, thread, &moments);
	free(moments.items);
	return status;
}

static void put_thread(struct writer *writer, uint32_t thread, const uint64_t *totals)
{
	static const int metrics[] = { EXPORT_TIME, EXPORT_WORK, EXPORT_WAIT, EXPORT_OVERHEAD,
		EXPORT_BLAME, EXPORT_EVENTS, EXPORT_SAMPLES };

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		if (totals[metrics[i]] && export_has(writer->export, metrics[i]))
			put_profile(writer, thread, metrics[i], totals[metrics[i]]);
}

/* totals: an array for each thread, and one for no thread. Returns 0, or -1 when out of memory. */
static int put_profiles(struct writer *writer, uint64_t (*totals)[EXPORT_N_METRICS])
{
	const struct export *export = writer->export;
	size_t n_threads = export->report->profile.n_threads;
	int status = 0;

	for (size_t i = 0; i < export->n_nodes; i++) {
		uint32_t thread = export->nodes[i].thread;

		for (size_t k = 0; k < EXPORT_N_METRICS; k++)
			totals[thread == EXPORT_NONE ? n_threads : thread][k] +=
				export->nodes[i].self[k];
	}
	json_array(&writer->json, "profiles");
	for (size_t i = 0; i <= n_threads && status == 0; i++) {
		uint32_t thread = i < n_threads ? (uint32_t)i : EXPORT_NONE;

		put_thread(writer, thread, totals[i]);
		status = put_trace(writer, thread);
	}
	/* speedscope refuses a file without a profile. */
	if (writer->n_profiles == 0)
		put_profile(writer, EXPORT_NONE, EXPORT_TIME, 0);
	json_end_array(&writer->json);
	return status;
}

static int write_speedscope(const struct export *export, FILE *out, struct diag *diag)
{
	struct writer writer = { .export = export, .json = { .out = out } };
	struct json *json = &writer.json;
	uint64_t(*totals)[EXPORT_N_METRICS] =
		calloc(export->report->profile.n_threads + 1, sizeof(*totals));
	int status = -1;

	if (totals && export_frames_init(&writer.frames, export) == 0 &&
		export_threads_init(&writer.threads, export) == 0) {
		json_object(json, NULL);
		json_string(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
		json_string(json, "exporter", "ompprof");
		put_frames(&writer);
		status = put_profiles(&writer, totals);
		json_string(json, "name",
			*export->report->profile.program.exe ? export->report->profile.program.exe
							     : "?");
		json_number(json, "activeProfileIndex", writer.active);
		json_end_object(json);
		fputc('\n', out);
	}
	free(totals);
	export_frames_release(&writer.frames);
	export_threads_release(&writer.threads);
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
	.mark.begins = "{\"$schema\":\"https://www.speedscope.app/",
	.mark.holds = "\"exporter\":\"ompprof\"",
	.write = write_speedscope,
};
