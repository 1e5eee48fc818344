/* SPDX-License-Identifier: Apache-2.0 */
/* ompprof info --format json, described in ompprof-json(5); see info.h. */
#include <stdio.h>

#include "profile/shared/event_names.h"
#include "src/info/info.h"
#include "src/report/report_json.h"
#include "src/findings/report_runtime.h"

/* NULL (written as null) for "". */
static const char *known(const char *text)
{
	return text && text[0] ? text : NULL;
}

static void put_file(struct json *json, const struct info *info)
{
	static const char *const kinds[] = { "free", "text", "threads", "modules", "nodes",
		"regions", "mutexes", "devices", "phases", "timelines", "trace", "collectives" };
	_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == PROFILE_SEGMENT_N_KINDS,
		"a word for each kind");
	const struct profile *profile = info->profile;

	json_string(json, "path", info->path);
	json_numbers(json, "bytes format_version", profile->file_bytes, profile->header.version);
	json_string(json, "tool", profile->header.tool);
	json_numbers(json, "truncated? dropped", profile->is_truncated, profile->n_dropped);
	json_array(json, "sections");
	for (size_t i = 0; i < PROFILE_SEGMENT_N_KINDS; i++) {
		json_object(json, NULL);
		json_string(json, "kind", kinds[i]);
		json_numbers(json, "bytes used_bytes records",
			profile->sections[i].n_segments * PROFILE_SEGMENT_BYTES,
			profile->sections[i].used_bytes, profile->sections[i].n_records);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_place(struct json *json, const struct info *info)
{
	const struct profile *profile = info->profile;
	const struct profile_header *header = &profile->header;

	json_list(json, "command", profile->args, profile->n_args);
	json_strings(json, "executable folder host", known(profile->program.exe),
		known(profile->program.cwd), header->host);
	json_number(json, "pid", header->pid);
	json_known(json, header->around.rank != 0, "rank", header->around.rank - 1);
	json_known(json, header->around.n_ranks != 0, "ranks", header->around.n_ranks);
	json_number(json, "cpus", header->n_cpus);
}

static void put_time(struct json *json, const struct info *info)
{
	const struct profile_header *header = &info->profile->header;

	json_numbers(json, "begin_s wall_s complete? space_out? cpu_before_s",
		header->start_realtime_ns, info->report.totals.wall_ns,
		header->flags & PROFILE_COMPLETE, header->flags & PROFILE_SPACE_OUT,
		header->cpu_before_ns);
	if (header->usage.peak_bytes)
		json_numbers(json, "system_s page_faults peak_bytes", header->usage.system_ns,
			header->usage.n_faults, header->usage.peak_bytes);
}

static void put_runtime(struct json *json, const struct info *info)
{
	const struct profile_header *header = &info->profile->header;

	json_bool(json, "openmp", (header->flags & PROFILE_OMPT_STARTED) != 0);
	json_strings(json, "runtime runtime_path libgomp_path", known(header->runtime),
		known(report_runtime_path(info->profile)), known(report_libgomp(info->profile)));
	json_bool(json, "for_libgomp", report_is_exchanged(info->profile));
}

static void put_clock(struct json *json, const struct info *info)
{
	const struct profile_header *header = &info->profile->header;
	int is_event = header->clock_kind == PROFILE_CLOCK_EVENT;

	json_strings(json, "clock clock_name", report_json_clock(header->clock_kind),
		header->clock_name);
	json_numbers(json,
		is_event ? "frequency_hz period_events signal" : "frequency_hz period_s signal",
		report_json_frequency_hz(header), header->period, header->signal);
	json_strings(json, "walker note", header->walker, header->note);
	if (header->n_pauses)
		json_numbers(json, "pauses paused_s", header->n_pauses, header->paused_ns);
}

static void put_thread(struct json *json, const struct profile_thread *thread)
{
	uint64_t cpu_ns = thread->cpu_last_ns > thread->cpu_start_ns
				  ? thread->cpu_last_ns - thread->cpu_start_ns
				  : 0;

	json_row(json);
	json_numbers(json, "index tid", thread->index, thread->tid);
	json_strings(json, "kind name", info_thread_type(thread), thread->name);
	json_numbers(json, "lives life_s cpu_s samples lost truncated ended?",
		thread->n_lives > 1 ? thread->n_lives : 1, profile_life_ns(thread, thread->last_ns),
		cpu_ns, thread->n_samples, info_sum(thread->lost, PROFILE_N_LOSSES),
		info_sum(thread->ends + 1, PROFILE_WALK_N_ENDS - 1), thread->flags & 1);
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
	json_numbers(json, "not_walked guessed", cost->n_same, cost->n_guessed);
}

static void put_cost(struct json *json, const struct info *info)
{
	const struct profile_header *header = &info->profile->header;
	const struct info_cost *cost = &info->cost;
	const struct own_cost *own = &cost->own;

	json_object(json, "cost");
	json_numbers(json,
		"known? own_s own_is_least? longer_s most_s handler_s delivery_s signals capture_s "
		"captures "
		"cpu_s callbacks",
		header->ticks_per_s, own_cost_ns(own), own_cost_is_least(own), own->longer_ns,
		own->most_ns, own->handler_ns, own->delivery_ns, own->n_signals, own->capture_ns,
		cost->n_captures, own->cpu_ns, own->n_callbacks);
	if (header->clock_kind == PROFILE_CLOCK_CPU)
		json_seconds(json, "callback_s", own->callback_ns);
	else
		json_null(json, "callback_s");
	json_seconds(json, "announce_s", own->announce_ns);
	json_numbers(json, "callbacks_met frames overruns nodes paths memory_bytes", own->n_met,
		cost->n_frames, cost->n_overruns, info->profile->n_nodes, info->n_paths,
		header->bytes_private);
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

static void put_module(struct json *json, const struct profile_module *module)
{
	char id[2 * sizeof(module->build_id) + 1] = "";

	for (uint32_t i = 0; i < module->build_id_bytes && i < sizeof(module->build_id); i++)
		snprintf(id + 2 * i, 3, "%02x", module->build_id[i]);
	json_row(json);
	json_string(json, "path", module->path);
	json_address(json, "start", module->start);
	json_address(json, "end", module->end);
	json_strings(json, "build_id", known(id));
	json_numbers(json, "executable? runtime? tool?", module->flags & PROFILE_MODULE_MAIN,
		module->flags & PROFILE_MODULE_RUNTIME, module->flags & PROFILE_MODULE_TOOL);
	json_end_object(json);
}

void info_put_json(struct json *json, const struct info *info)
{
	const struct profile *profile = info->profile;

	json_row(json);
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
	json_list(json, "environment", profile->env, profile->n_env);
	json_end_object(json);
}

void info_put_problem(struct json *json, const char *path, const char *problem)
{
	json_row(json);
	json_strings(json, "path problem", path, problem);
	json_end_object(json);
}
