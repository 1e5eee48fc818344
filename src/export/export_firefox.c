/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Firefox Profiler's processed format, version 66: newer readers upgrade it, older readers
 * refuse it. All threads share the tables of stacks, frames, functions and sources; a stack of the
 * table is a node of the export. A sample's category is its thread's state; its weight is in ms, or
 * a count. export_when.h gives the times of samples. The file ends with how much of these times is
 * known in which way, which the reader shows with its information on the profile.
 */
#include <stdlib.h>
#include <string.h>

#include "src/export/export_firefox_internal.h"

static void put_entry(struct firefox *firefox, const char *label, uint64_t amount)
{
	struct json *json = &firefox->json;
	int is_time = strcmp(export_unit(firefox->export->metric), "ns") == 0;

	json_object(json, NULL);
	json_string(json, "label", label);
	json_string(json, "format", is_time ? "duration" : "integer");
	if (is_time)
		firefox_ms(json, "value", amount);
	else
		json_number(json, "value", amount);
	json_end_object(json);
}

static void put_known(struct firefox *firefox)
{
	static const char *const labels[EXPORT_N_KNOWN] = {
		[EXPORT_BY_TRACE] = "At its own moments, by a trace",
		[EXPORT_BY_TIMELINE] = "In its part of the run; which stack of a state, and when "
				       "in the part, is not known",
		[EXPORT_BY_LIFE] = "Spread over its thread's life: its moments are not known",
	};
	struct json *json = &firefox->json;

	json_array(json, "extra");
	json_object(json, NULL);
	json_string(json, "label", "When samples were");
	json_array(json, "entries");
	for (size_t i = 0; i < EXPORT_N_KNOWN; i++)
		put_entry(firefox, labels[i], firefox->known[i]);
	json_end_array(json);
	json_end_object(json);
	json_end_array(json);
}

static void put_meta(struct firefox *firefox)
{
	struct json *json = &firefox->json;
	const struct profile *profile = &firefox->export->report->profile;

	json_object(json, "meta");
	json_number(json, "interval", 1);
	json_number(json, "startTime", 0);
	json_number(json, "processType", 0);
	json_string(json, "product", *profile->program.exe ? basename(profile->program.exe) : "?");
	json_string(json, "importedFrom", "ompprof");
	json_number(json, "stackwalk", 0);
	json_number(json, "version", 29);
	json_number(json, "preprocessedProfileVersion", 66);
	json_bool(json, "symbolicated", 1);
	json_bool(json, "symbolicationNotSupported", 1);
	json_bool(json, "usesOnlyOneStackType", 1);
	json_bool(json, "sourceCodeIsNotOnSearchfox", 1);
	json_object(json, "sampleUnits");
	json_string(json, "time", "ms");
	json_string(json, "eventDelay", "ms");
	json_string(json, "threadCPUDelta", "ns");
	json_end_object(json);
	firefox_marker_schema(firefox);
	firefox_categories(firefox);
	put_known(firefox);
	json_end_object(json);
}

static void number_stacks(struct firefox *firefox)
{
	for (uint32_t i = 0; i < firefox->export->n_nodes; i++)
		firefox->stack_of[i] =
			firefox->frames.of[i] == EXPORT_NONE ? EXPORT_NONE : firefox->n_stacks++;
}

static int write_firefox(const struct export *export, FILE *out, struct diag *diag)
{
	struct firefox firefox = { .export = export, .json = { .out = out } };
	struct json *json = &firefox.json;
	int status = -1;

	firefox.stack_of = malloc((export->n_nodes + 1) * sizeof(*firefox.stack_of));
	if (export_frames_init(&firefox.frames, export) == 0 &&
		export_threads_init(&firefox.threads, export) == 0 && firefox.stack_of) {
		number_stacks(&firefox);
		json_object(json, NULL);
		json_string(json, "exporter", "ompprof");
		json_array(json, "libs");
		json_end_array(json);
		firefox_shared(&firefox);
		status = firefox_threads(&firefox);
		json_newline(json);
		put_meta(&firefox);
		json_end_object(json);
		fputc('\n', out);
	}
	free(firefox.stack_of);
	export_frames_release(&firefox.frames);
	export_threads_release(&firefox.threads);
	return status == 0 ? 0 : diag_set(diag, "cannot export the profile: out of memory");
}

const struct export_format export_firefox = {
	.name = "firefox",
	.suffix = ".firefox.json",
	.file = "ompprof.firefox.json",
	.summary = "the Firefox Profiler's JSON, for profiler.firefox.com",
	.takes = EXPORT_SINGLE_METRIC,
	.is_by_thread = 1,
	.mark.begins = "{\"exporter\":\"ompprof\",",
	.write = write_firefox,
};
