/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Firefox Profiler's processed format, version 66: newer readers upgrade it, older ones refuse it. Tables of stacks,
 * frames, functions and sources are shared by all threads; a stack of the table is a node of the export. What a thread
 * was at is the category of its samples; a sample's weight is in ms, or a count. When samples were is export_when.h's.
 */
#include <stdlib.h>
#include <string.h>

#include "src/export_frames.h"
#include "src/export_when.h"
#include "src/json.h"

struct writer {
	const struct export *export;
	struct json json;
	struct export_frames frames;
	uint32_t *stack_of; /* by node */
	uint32_t n_stacks;
	uint32_t n_sources;
};

/* The first is what the reader takes for a stack without one; the one called Idle it leaves out of shares. */
static const struct {
	const char *name, *color;
} categories[] = {
	{ "Other", "grey" },
	{ "Work", "green" },
	{ "Overhead", "yellow" },
	{ "Barrier", "red" },
	{ "Tasks", "magenta" },
	{ "Mutex", "orange" },
	{ "Device", "purple" },
	{ "Idle", "transparent" },
};

static unsigned category_of(const struct export_node *node)
{
	static const unsigned char of[PROFILE_N_CLASSES] = {
		[PROFILE_WORK] = 1,
		[PROFILE_OVERHEAD] = 2,
		[PROFILE_WAIT_BARRIER] = 3,
		[PROFILE_WAIT_TASKWAIT] = 4,
		[PROFILE_WAIT_TASKGROUP] = 4,
		[PROFILE_WAIT_LOCK] = 5,
		[PROFILE_WAIT_CRITICAL] = 5,
		[PROFILE_WAIT_ORDERED] = 5,
		[PROFILE_WAIT_ATOMIC] = 5,
		[PROFILE_WAIT_TARGET] = 6,
		[PROFILE_IDLE] = 7,
	};

	return node->class < PROFILE_N_CLASSES ? of[node->class] : 0;
}

/* A column of a table in which all rows are the same, or counted. */
static void put_same(struct json *json, const char *key, uint32_t n, const char *text)
{
	json_array(json, key);
	for (uint32_t i = 0; i < n; i++) {
		json_raw(json, NULL);
		fputs(text, json->out);
	}
	json_end_array(json);
}

static void put_ms(struct json *json, const char *key, uint64_t ns)
{
	json_raw(json, key);
	fprintf(json->out, "%llu.%06llu", (unsigned long long)(ns / 1000000),
		(unsigned long long)(ns % 1000000));
}

static void put_meta(struct writer *writer)
{
	struct json *json = &writer->json;
	const struct profile *profile = &writer->export->report->profile;
	const char *slash = strrchr(profile->exe, '/');

	json_object(json, "meta");
	json_number(json, "interval", 1);
	json_number(json, "startTime", 0);
	json_number(json, "processType", 0);
	json_string(json, "product", *profile->exe ? (slash ? slash + 1 : profile->exe) : "?");
	json_string(json, "importedFrom", "ompprof; moments of samples are spread, not measured");
	json_number(json, "stackwalk", 0);
	json_number(json, "version", 29);
	json_number(json, "preprocessedProfileVersion", 66);
	json_bool(json, "symbolicated", 1);
	json_bool(json, "symbolicationNotSupported", 1);
	json_bool(json, "usesOnlyOneStackType", 1);
	json_bool(json, "sourceCodeIsNotOnSearchfox", 1);
	json_array(json, "markerSchema");
	json_end_array(json);
	json_array(json, "categories");
	for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++) {
		json_object(json, NULL);
		json_string(json, "name", categories[i].name);
		json_string(json, "color", categories[i].color);
		json_array(json, "subcategories");
		json_string(json, NULL, "Other");
		json_end_array(json);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

/* The parent's stack, or EXPORT_NONE: threads are no frames. */
static uint32_t prefix(const struct writer *writer, uint32_t node)
{
	uint32_t parent = writer->export->nodes[node].parent;

	return parent == EXPORT_NONE ? EXPORT_NONE : writer->stack_of[parent];
}

static void number_stacks(struct writer *writer)
{
	for (uint32_t i = 0; i < writer->export->n_nodes; i++)
		writer->stack_of[i] =
			writer->frames.of[i] == EXPORT_NONE ? EXPORT_NONE : writer->n_stacks++;
}

/* One row for each stack: what a function of the node says. */
static void put_column(
	struct writer *writer, const char *key, void put(struct writer *writer, uint32_t node))
{
	json_array(&writer->json, key);
	for (uint32_t i = 0; i < writer->export->n_nodes; i++)
		if (writer->stack_of[i] != EXPORT_NONE)
			put(writer, i);
	json_end_array(&writer->json);
}

static void put_stack(struct writer *writer, uint32_t node)
{
	json_number(&writer->json, NULL, writer->stack_of[node]);
}

static void put_prefix(struct writer *writer, uint32_t node)
{
	uint32_t stack = prefix(writer, node);

	json_number(&writer->json, NULL, stack == EXPORT_NONE ? 0 : writer->stack_of[node] - stack);
}

static void put_inline_depth(struct writer *writer, uint32_t node)
{
	const struct export_node *nodes = writer->export->nodes;
	unsigned depth = 0;

	while (nodes[node].kind == NAME_INLINED && nodes[node].parent != EXPORT_NONE) {
		node = nodes[node].parent;
		depth++;
	}
	json_number(&writer->json, NULL, depth);
}

static void put_category(struct writer *writer, uint32_t node)
{
	json_number(&writer->json, NULL, category_of(&writer->export->nodes[node]));
}

static void put_func(struct writer *writer, uint32_t node)
{
	json_number(&writer->json, NULL, writer->frames.of[node]);
}

static void put_line(struct writer *writer, uint32_t node)
{
	uint32_t line = writer->export->nodes[node].line;

	if (line)
		json_number(&writer->json, NULL, line);
	else
		json_null(&writer->json, NULL);
}

static void put_stacks(struct writer *writer)
{
	struct json *json = &writer->json;
	uint32_t n = writer->n_stacks;

	json_object(json, "stackTable");
	put_column(writer, "frame", put_stack);
	put_column(writer, "prefixOffset", put_prefix);
	json_number(json, "length", n);
	json_end_object(json);
	json_newline(json);
	json_object(json, "frameTable");
	put_same(json, "address", n, "-1");
	put_column(writer, "inlineDepth", put_inline_depth);
	put_column(writer, "category", put_category);
	put_same(json, "subcategory", n, "0");
	put_column(writer, "func", put_func);
	put_same(json, "nativeSymbol", n, "null");
	put_same(json, "innerWindowID", n, "null");
	put_column(writer, "line", put_line);
	put_same(json, "column", n, "null");
	put_same(json, "originalLocation", n, "null");
	json_number(json, "length", n);
	json_end_object(json);
	json_newline(json);
}

static const struct export_node *frame_node(const struct writer *writer, uint32_t frame)
{
	return &writer->export->nodes[writer->frames.node[frame]];
}

/* Functions: string i is the name of function i, the files follow them, and source k is file k. */
static void put_functions(struct writer *writer)
{
	struct json *json = &writer->json;
	uint32_t n = writer->frames.n;

	json_object(json, "funcTable");
	json_array(json, "name");
	for (uint32_t i = 0; i < n; i++)
		json_number(json, NULL, i);
	json_end_array(json);
	put_same(json, "isJS", n, "false");
	put_same(json, "relevantForJS", n, "false");
	put_same(json, "resource", n, "-1");
	json_array(json, "source");
	for (uint32_t i = 0; i < n; i++) {
		if (*export_frame_file(frame_node(writer, i)))
			json_number(json, NULL, writer->n_sources++);
		else
			json_null(json, NULL);
	}
	json_end_array(json);
	json_array(json, "lineNumber");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t line = export_frame_line(frame_node(writer, i));

		if (line)
			json_number(json, NULL, line);
		else
			json_null(json, NULL);
	}
	json_end_array(json);
	put_same(json, "columnNumber", n, "null");
	put_same(json, "originalLocation", n, "null");
	json_number(json, "length", n);
	json_end_object(json);
	json_newline(json);
}

static void put_sources(struct writer *writer)
{
	struct json *json = &writer->json;
	uint32_t n = writer->n_sources;

	json_object(json, "sources");
	put_same(json, "id", n, "null");
	json_array(json, "filename");
	for (uint32_t i = 0; i < n; i++)
		json_number(json, NULL, writer->frames.n + i);
	json_end_array(json);
	put_same(json, "startLine", n, "1");
	put_same(json, "startColumn", n, "1");
	put_same(json, "sourceMapURL", n, "null");
	put_same(json, "content", n, "null");
	json_number(json, "length", n);
	json_end_object(json);
	json_array(json, "stringArray");
	for (uint32_t i = 0; i < writer->frames.n; i++)
		json_string(json, NULL, frame_node(writer, i)->name);
	for (uint32_t i = 0; i < writer->frames.n; i++)
		if (*export_frame_file(frame_node(writer, i)))
			json_string(json, NULL, export_frame_file(frame_node(writer, i)));
	json_end_array(json);
	json_newline(json);
}

/* A table without rows. */
static void put_empty(struct json *json, const char *key, const char *const *columns)
{
	json_object(json, key);
	for (; *columns; columns++)
		put_same(json, *columns, 0, "");
	json_number(json, "length", 0);
	json_end_object(json);
}

static void put_shared(struct writer *writer)
{
	static const char *const resources[] = { "lib", "name", "host", "type", NULL };
	static const char *const symbols[] = { "libIndex", "address", "name", "functionSize",
		NULL };
	static const char *const places[] = { "source", "line", "column", NULL };
	struct json *json = &writer->json;

	json_object(json, "shared");
	put_stacks(writer);
	put_functions(writer);
	put_sources(writer);
	put_empty(json, "resourceTable", resources);
	put_empty(json, "nativeSymbols", symbols);
	put_empty(json, "sourceLocationTable", places);
	json_end_object(json);
	json_newline(json);
}

static void put_samples(struct writer *writer, const struct export_moment *moments, size_t n)
{
	struct json *json = &writer->json;
	int is_time = strcmp(export_unit(writer->export->metric), "ns") == 0;

	json_object(json, "samples");
	json_array(json, "stack");
	for (size_t i = 0; i < n; i++) {
		uint32_t stack = writer->stack_of[moments[i].node];

		if (stack == EXPORT_NONE)
			json_null(json, NULL);
		else
			json_number(json, NULL, stack);
	}
	json_end_array(json);
	json_array(json, "timeDeltas");
	for (size_t i = 0; i < n; i++)
		put_ms(json, NULL, moments[i].at_ns - (i ? moments[i - 1].at_ns : 0));
	json_end_array(json);
	json_array(json, "weight");
	for (size_t i = 0; i < n; i++) {
		if (is_time)
			put_ms(json, NULL, moments[i].value);
		else
			json_number(json, NULL, moments[i].value);
	}
	json_end_array(json);
	json_string(json, "weightType", is_time ? "tracing-ms" : "samples");
	json_number(json, "length", n);
	json_end_object(json);
}

static void put_process(struct writer *writer, uint32_t thread)
{
	const struct profile *profile = &writer->export->report->profile;
	const struct profile_process *process =
		thread == EXPORT_NONE ? NULL : profile_process_of(profile, thread);
	char text[48];

	/* Ranks of different hosts can have the same pid; a pid is any text. */
	if (process)
		names_process(text, sizeof(text), profile, thread);
	else
		snprintf(text, sizeof(text), "%u", profile->header.pid);
	json_string(&writer->json, "pid", text);
	json_string(&writer->json, "processName", process ? text : "");
}

static int put_thread(struct writer *writer, uint32_t thread)
{
	static const char *const markers[] = { "data", "name", "startTime", "endTime", "phase",
		"category", NULL };
	struct json *json = &writer->json;
	struct export_moment *moments;
	uint64_t begin_ns, end_ns;
	char name[EXPORT_THREAD_BYTES];
	size_t n;

	if (export_when(writer->export, thread, &moments, &n) != 0)
		return -1;
	export_life(writer->export, thread, &begin_ns, &end_ns);
	export_thread_name(name, writer->export, thread);
	json_newline(json);
	json_object(json, NULL);
	json_string(json, "processType", "default");
	json_number(json, "processStartupTime", 0);
	json_null(json, "processShutdownTime");
	put_ms(json, "registerTime", begin_ns);
	put_ms(json, "unregisterTime", end_ns);
	json_array(json, "pausedRanges");
	json_end_array(json);
	json_string(json, "name", name);
	json_bool(json, "isMainThread", thread == 0);
	put_process(writer, thread);
	json_number(json, "tid", thread == EXPORT_NONE ? 0 : thread + 1);
	put_samples(writer, moments, n);
	put_empty(json, "markers", markers);
	json_end_object(json);
	free(moments);
	return 0;
}

static int put_threads(struct writer *writer)
{
	const struct export *export = writer->export;
	size_t n_threads = export->report->profile.n_threads;
	int status = 0, has_other = n_threads == 0;

	for (size_t i = 0; i < export->n_nodes; i++)
		if (export->nodes[i].thread == EXPORT_NONE && export->nodes[i].self[export->metric])
			has_other = 1;
	json_array(&writer->json, "threads");
	for (uint32_t i = 0; i < n_threads && status == 0; i++)
		status = put_thread(writer, i);
	if (has_other && status == 0)
		status = put_thread(writer, EXPORT_NONE);
	json_end_array(&writer->json);
	return status;
}

static int write_firefox(const struct export *export, FILE *out, struct diag *diag)
{
	struct writer writer = { .export = export, .json = { .out = out } };
	struct json *json = &writer.json;
	int status = -1;

	writer.stack_of = malloc((export->n_nodes + 1) * sizeof(*writer.stack_of));
	if (export_frames_init(&writer.frames, export) == 0 && writer.stack_of) {
		number_stacks(&writer);
		json_object(json, NULL);
		put_meta(&writer);
		json_newline(json);
		json_array(json, "libs");
		json_end_array(json);
		put_shared(&writer);
		status = put_threads(&writer);
		json_end_object(json);
		fputc('\n', out);
	}
	free(writer.stack_of);
	export_frames_release(&writer.frames);
	return status == 0 ? 0 : diag_set(diag, "cannot export the profile: out of memory");
}

const struct export_format export_firefox = {
	.name = "firefox",
	.suffix = ".firefox.json",
	.file = "ompprof.firefox.json",
	.summary = "the Firefox Profiler's JSON, for profiler.firefox.com",
	.takes = EXPORT_SINGLE_METRIC,
	.is_by_thread = 1,
	.write = write_firefox,
};
