/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the format firefox and their samples; see export_firefox_internal.h. */
#include <stdlib.h>
#include <string.h>

#include "src/export/export_firefox_internal.h"

/* For cpu_until(): must be asked for ascending times. */
struct cpu {
	const struct profile_timeline *timeline;
	uint64_t begin_ns, end_ns; /* of the thread's life */
	size_t bucket;
	uint64_t before; /* CPU time in the buckets before `bucket` */
};

static uint64_t sampled(const struct profile_timeline *timeline, size_t bucket)
{
	const uint64_t *ns = timeline->ns[bucket];

	return ns[PROFILE_TIME_WORK] + ns[PROFILE_TIME_OVERHEAD] + ns[PROFILE_TIME_IN_WAIT];
}

/* The CPU time up to `at_ns`. A bucket's time is spread over its part in which the thread lived. */
static uint64_t cpu_until(struct cpu *cpu, uint64_t at_ns)
{
	for (; cpu->bucket < cpu->timeline->n; cpu->bucket++) {
		uint64_t begin = profile_bucket_ns(cpu->timeline, cpu->bucket);
		uint64_t end = profile_bucket_ns(cpu->timeline, cpu->bucket + 1);
		uint64_t ns = sampled(cpu->timeline, cpu->bucket);

		begin = begin < cpu->begin_ns ? cpu->begin_ns : begin;
		end = end > cpu->end_ns ? cpu->end_ns : end;
		if (at_ns < end)
			return cpu->before +
			       (at_ns > begin ? (uint64_t)((unsigned __int128)ns * (at_ns - begin) /
							   (end - begin))
					      : 0);
		cpu->before += ns;
	}
	return cpu->before;
}

static void put_cpu(struct firefox *firefox, uint32_t thread, const struct export_moments *moments)
{
	struct cpu cpu = { .timeline = export_timeline(firefox->export, thread) };
	uint64_t before = 0;

	if (!cpu.timeline ||
		firefox->export->report->profile.header.clock_kind != PROFILE_CLOCK_CPU)
		return;
	export_life(firefox->export, thread, &cpu.begin_ns, &cpu.end_ns);
	json_array(&firefox->json, "threadCPUDelta");
	for (size_t i = 0; i < moments->n; i++) {
		uint64_t until = cpu_until(&cpu, moments->items[i].at_ns);

		json_number(&firefox->json, NULL, until - before);
		before = until;
	}
	json_end_array(&firefox->json);
}

static void put_samples(
	struct firefox *firefox, uint32_t thread, const struct export_moments *moments)
{
	struct json *json = &firefox->json;
	int is_time = strcmp(export_unit(firefox->export->metric), "ns") == 0;
	const struct export_moment *items = moments->items;
	size_t n = moments->n;

	json_object(json, "samples");
	json_array(json, "stack");
	for (size_t i = 0; i < n; i++) {
		uint32_t stack = firefox->stack_of[items[i].node];

		json_known(json, stack != EXPORT_NONE, NULL, stack);
	}
	json_end_array(json);
	json_array(json, "timeDeltas");
	for (size_t i = 0; i < n; i++)
		firefox_ms(json, NULL, items[i].at_ns - (i ? items[i - 1].at_ns : 0));
	json_end_array(json);
	json_array(json, "weight");
	for (size_t i = 0; i < n; i++) {
		if (is_time)
			firefox_ms(json, NULL, items[i].value);
		else
			json_number(json, NULL, items[i].value);
	}
	json_end_array(json);
	put_cpu(firefox, thread, moments);
	json_string(json, "weightType", is_time ? "tracing-ms" : "samples");
	json_number(json, "length", n);
	json_end_object(json);
}

static void put_process(struct firefox *firefox, uint32_t thread)
{
	const struct profile *profile = &firefox->export->report->profile;
	const struct profile_process *process =
		thread == EXPORT_NONE ? NULL : profile_process_of(profile, thread);
	char text[48];

	/* Ranks on different hosts can have the same pid. The format allows any text as pid. */
	if (process)
		names_process(text, sizeof(text), profile, thread);
	else
		snprintf(text, sizeof(text), "%u", profile->header.pid);
	json_string(&firefox->json, "pid", text);
	json_string(&firefox->json, "processName", process ? text : "");
}

static int put_thread(struct firefox *firefox, uint32_t thread)
{
	struct json *json = &firefox->json;
	struct export_moments moments;
	uint64_t begin_ns, end_ns;
	char name[EXPORT_THREAD_BYTES];
	int status = export_when(&firefox->threads, thread, firefox->export->metric, &moments);

	if (status == 0) {
		export_life(firefox->export, thread, &begin_ns, &end_ns);
		export_thread_name(name, firefox->export, thread);
		json_newline(json);
		json_object(json, NULL);
		json_string(json, "processType", "default");
		json_number(json, "processStartupTime", 0);
		json_null(json, "processShutdownTime");
		firefox_ms(json, "registerTime", begin_ns);
		firefox_ms(json, "unregisterTime", end_ns);
		json_array(json, "pausedRanges");
		json_end_array(json);
		json_string(json, "name", name);
		json_bool(json, "isMainThread", thread == 0);
		put_process(firefox, thread);
		json_number(json, "tid", thread == EXPORT_NONE ? 0 : thread + 1);
		put_samples(firefox, thread, &moments);
		firefox_markers(firefox, thread);
		json_end_object(json);
		for (size_t i = 0; i < EXPORT_N_KNOWN; i++)
			firefox->known[i] += moments.known[i];
	}
	free(moments.items);
	return status;
}

int firefox_threads(struct firefox *firefox)
{
	const struct export *export = firefox->export;
	size_t n_threads = export->report->profile.n_threads;
	int status = 0, has_other = n_threads == 0;

	for (size_t i = 0; i < export->n_nodes; i++)
		if (export->nodes[i].thread == EXPORT_NONE && export->nodes[i].self[export->metric])
			has_other = 1;
	json_array(&firefox->json, "threads");
	for (uint32_t i = 0; i < n_threads && status == 0; i++)
		status = put_thread(firefox, i);
	if (has_other && status == 0)
		status = put_thread(firefox, EXPORT_NONE);
	json_end_array(&firefox->json);
	return status;
}
