/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info --format json, described in ompprof-json(5); see info.h. */
#include <inttypes.h>
#include <stdio.h>

#include "profile/shared/event_names.h"
#include "src/info/info.h"
#include "src/report/report_json.h"
#include "src/findings/report_runtime.h"

/* null for "" */
static void put_text(struct json *json, const char *key, const char *text)
{
	if (text && text[0])
		json_string(json, key, text);
	else
		json_null(json, key);
}

static void put_file(struct json *json, const struct info *info)
{
	static const char *const kinds[] = { "free", "text", "threads", "modules", "nodes",
		"regions", "mutexes", "devices", "phases", "timelines", "trace" };
	_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == PROFILE_SEGMENT_N_KINDS,
		"a word for each kind");
	const struct profile *profile = info->profile;

	json_string(json, "path", info->path);
	json_number(json, "bytes", profile->file_bytes);
	json_number(json, "format_version", profile->header.version);
	json_string(json, "tool", profile->header.tool);
	json_bool(json, "truncated", profile->is_truncated);
	json_number(json, "dropped", profile->n_dropped);
	json_array(json, "sections");
	for (size_t i = 0; i < PROFILE_SEGMENT_N_KINDS; i++) {
		json_object(json, NULL);
		json_string(json, "kind", kinds[i]);
		json_number(json, "bytes", profile->sections[i].n_segments * PROFILE_SEGMENT_BYTES);
		json_number(json, "used_bytes", profile->sections[i].used_bytes);
		json_number(json, "records", profile->sections[i].n_records);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_strings(struct json *json, const char *key, char *const *strings, size_t n)
{
	json_array(json, key);
	for (size_t i = 0; i < n; i++)
		json_string(json, NULL, strings[i]);
	json_end_array(json);
}

static void put_place(struct json *json, const struct info *info)
{
	const struct profile *profile = info->profile;
	const struct profile_header *header = &profile->header;

	put_strings(json, "command", profile->args, profile->n_args);
	put_text(json, "executable", profile->exe);
	put_text(json, "folder", profile->cwd);
	json_string(json, "host", header->host);
	json_number(json, "pid", header->pid);
	if (header->rank)
		json_number(json, "rank", header->rank - 1);
	else
		json_null(json, "rank");
	if (header->n_ranks)
		json_number(json, "ranks", header->n_ranks);
	else
		json_null(json, "ranks");
	json_number(json, "cpus", header->n_cpus);
}

static void put_time(struct json *json, const struct info *info)
{
	const struct profile_header *header = &info->profile->header;

	json_seconds(json, "begin_s", header->start_realtime_ns);
	json_seconds(json, "wall_s", info->report.totals.wall_ns);
	json_bool(json, "complete", (header->flags & PROFILE_COMPLETE) != 0);
	json_bool(json, "space_out", (header->flags & PROFILE_SPACE_OUT) != 0);
	json_seconds(json, "cpu_before_s", header->cpu_before_ns);
}

static void put_runtime(struct json *json, const struct info *info)
{
	const struct profile_header *header = &info->profile->header;

	json_bool(json, "openmp", (header->flags & PROFILE_OMPT_STARTED) != 0);
	put_text(json, "runtime", header->runtime);
	put_text(json, "runtime_path", info_runtime_path(info->profile));
	put_text(json, "libgomp_path", report_libgomp(info->profile));
	json_bool(json, "for_libgomp", report_is_exchanged(info->profile));
}

static void put_clock(struct json *json, const struct info *info)
{
	const struct profile_header *header = &info->profile->header;

	json_string(json, "clock", report_json_clock(header->clock_kind));
	json_string(json, "clock_name", header->clock_name);
	json_number(json, "frequency_hz", report_json_frequency_hz(header));
	if (header->clock_kind == PROFILE_CLOCK_EVENT)
		json_number(json, "period_events", header->period);
	else
		json_seconds(json, "period_s", header->period);
	json_number(json, "signal", header->signal);
	json_string(json, "walker", header->walker);
	json_string(json, "note", header->note);
	if (header->n_pauses) {
		json_number(json, "pauses", header->n_pauses);
		json_seconds(json, "paused_s", header->paused_ns);
	}
}

static uint64_t sum(const uint64_t *numbers, size_t n)
{
	uint64_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += numbers[i];
	return total;
}

static void put_thread(struct json *json, const struct profile_thread *thread)
{
	json_newline(json);
	json_object(json, NULL);
	json_number(json, "index", thread->index);
	json_number(json, "tid", thread->tid);
	json_string(json, "kind", info_thread_type(thread));
	json_string(json, "name", thread->name);
	json_number(json, "lives", thread->n_lives > 1 ? thread->n_lives : 1);
	json_seconds(json, "life_s", profile_life_ns(thread, thread->last_ns));
	json_seconds(json, "cpu_s",
		thread->cpu_last_ns > thread->cpu_start_ns
			? thread->cpu_last_ns - thread->cpu_start_ns
			: 0);
	json_number(json, "samples", thread->n_samples);
	json_number(json, "lost", sum(thread->lost, PROFILE_N_LOSSES));
	json_number(json, "truncated", sum(thread->ends + 1, PROFILE_WALK_N_ENDS - 1));
	json_bool(json, "ended", (thread->flags & 1) != 0);
	json_end_object(json);
}

static void put_walks(struct json *json, const struct info_cost *cost)
{
	static const char *const ends[PROFILE_WALK_N_ENDS] = { "complete", "no_cfi", "bad_cfi",
		"off_stack", "no_progress", "limit", "unknown_code" };

	json_object(json, "walks");
	for (size_t i = 0; i < PROFILE_WALK_N_ENDS; i++) {
		if (cost->ends[i])
			json_number(json, ends[i], cost->ends[i]);
	}
	json_end_object(json);
	json_number(json, "not_walked", cost->n_same);
	json_number(json, "guessed", cost->n_guessed);
}

static void put_cost(struct json *json, const struct info *info)
{
	const struct profile_header *header = &info->profile->header;
	const struct info_cost *cost = &info->cost;
	const struct own_cost *own = &cost->own;

	json_object(json, "cost");
	json_bool(json, "known", header->ticks_per_s != 0);
	json_seconds(json, "own_s", own_cost_ns(own));
	json_bool(json, "own_is_least", own_cost_is_least(own));
	json_seconds(json, "handler_s", own->handler_ns);
	json_number(json, "signals", own->n_signals);
	json_seconds(json, "capture_s", own->capture_ns);
	json_number(json, "captures", cost->n_captures);
	json_seconds(json, "cpu_s", own->cpu_ns);
	json_number(json, "callbacks", own->n_callbacks);
	if (header->clock_kind == PROFILE_CLOCK_CPU)
		json_seconds(json, "callback_s", own_cost_callback_ns(own));
	else
		json_null(json, "callback_s");
	json_number(json, "callbacks_met", own->n_met);
	json_number(json, "frames", cost->n_frames);
	json_number(json, "overruns", cost->n_overruns);
	json_number(json, "nodes", info->profile->n_nodes);
	json_number(json, "paths", info->n_paths);
	json_number(json, "memory_bytes", header->bytes_private);
	json_end_object(json);
	report_json_tables(json, header);
}

static void put_events(struct json *json, const char *key, uint64_t events)
{
	json_array(json, key);
	for (uint32_t k = 0; k < 64; k++)
		if (events >> k & 1 && event_name(k))
			json_string(json, NULL, event_name(k));
	json_end_array(json);
}

static void put_counted(struct json *json, const struct profile_header *header)
{
	json_object(json, "counted");
	put_events(json, "events", header->counted.asked);
	put_events(json, "never", header->counted.never);
	put_events(json, "sometimes", header->counted.sometimes);
	json_end_object(json);
}

static void put_address(struct json *json, const char *key, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_string(json, key, text);
}

static void put_module(struct json *json, const struct profile_module *module)
{
	char id[2 * sizeof(module->build_id) + 1] = "";

	for (uint32_t i = 0; i < module->build_id_bytes && i < sizeof(module->build_id); i++)
		snprintf(id + 2 * i, 3, "%02x", module->build_id[i]);
	json_newline(json);
	json_object(json, NULL);
	json_string(json, "path", module->path);
	put_address(json, "start", module->start);
	put_address(json, "end", module->end);
	put_text(json, "build_id", id);
	json_bool(json, "executable", (module->flags & PROFILE_MODULE_MAIN) != 0);
	json_bool(json, "runtime", (module->flags & PROFILE_MODULE_RUNTIME) != 0);
	json_bool(json, "tool", (module->flags & PROFILE_MODULE_TOOL) != 0);
	json_end_object(json);
}

void info_put_json(struct json *json, const struct info *info)
{
	const struct profile *profile = info->profile;

	json_newline(json);
	json_object(json, NULL);
	put_file(json, info);
	put_place(json, info);
	put_time(json, info);
	put_runtime(json, info);
	put_clock(json, info);
	put_counted(json, &profile->header);
	report_json_warnings(json, &info->report);
	json_number(json, "samples", info->cost.n_samples);
	json_array(json, "threads");
	for (size_t i = 0; i < profile->n_threads; i++)
		put_thread(json, &profile->threads[i]);
	json_end_array(json);
	info_put_states(json, profile);
	report_json_lost(json, &info->report.totals);
	put_walks(json, &info->cost);
	report_json_captures(json, &info->report.totals);
	put_cost(json, info);
	json_array(json, "modules");
	for (size_t i = 0; i < profile->n_modules; i++)
		put_module(json, &profile->modules[i]);
	json_end_array(json);
	put_strings(json, "environment", profile->env, profile->n_env);
	json_end_object(json);
}

void info_put_problem(struct json *json, const char *path, const char *problem)
{
	json_newline(json);
	json_object(json, NULL);
	json_string(json, "path", path);
	json_string(json, "problem", problem);
	json_end_object(json);
}
