/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON that report and info share; see report_json.h. */
#include "src/report/report_json.h"

const char *report_json_clock(uint32_t kind)
{
	return kind == PROFILE_CLOCK_CPU ? "cpu" : kind == PROFILE_CLOCK_WALL ? "wall" : "event";
}

int report_json_is_by_frequency(const struct profile_header *header)
{
	/* Older profiles also have a frequency for events with a period of their own. */
	return header->frequency_hz &&
	       (header->clock_kind != PROFILE_CLOCK_EVENT || !header->period);
}

uint64_t report_json_frequency_hz(const struct profile_header *header)
{
	if (report_json_is_by_frequency(header))
		return header->frequency_hz;
	if (header->clock_kind == PROFILE_CLOCK_EVENT || !header->period)
		return 0;
	return (1000000000 + header->period / 2) / header->period;
}

void report_json_lost(struct json *json, const struct report_totals *totals)
{
	static const char *const words[PROFILE_N_LOSSES] = {
		[PROFILE_LOST_NO_SPACE] = "no_space",
		[PROFILE_LOST_UNREGISTERED] = "unregistered",
		[PROFILE_LOST_NESTED] = "nested",
		[PROFILE_LOST_CONTEXT] = "context",
		[PROFILE_LOST_THREADS] = "threads",
		[PROFILE_LOST_MODULES] = "modules",
		[PROFILE_LOST_HANDLER] = "handler",
		[PROFILE_LOST_STACK] = "small_stack",
		[PROFILE_LOST_REGIONS] = "regions",
		[PROFILE_LOST_LOCKS] = "locks",
		[PROFILE_LOST_WAITS] = "waits",
		[PROFILE_LOST_BLOCKED] = "blocked",
		[PROFILE_LOST_NO_ROOM] = "no_room",
		[PROFILE_LOST_EVENTS] = "events",
		[PROFILE_LOST_TRACE_BUFFERS] = "trace_buffers",
		[PROFILE_LOST_TRACE_RECORDS] = "trace_records",
	};

	json_object(json, "lost");
	for (size_t i = 0; i < PROFILE_N_LOSSES; i++)
		if (totals->lost[i])
			json_number(json, words[i], totals->lost[i]);
	json_end_object(json);
}

void report_json_captures(struct json *json, const struct report_totals *totals)
{
	json_object(json, "creation_paths");
	json_numbers(json, "walked truncated guessed", totals->n_captures, totals->n_cut_captures,
		totals->n_guessed_captures);
	json_end_object(json);
}

void report_json_tables(struct json *json, const struct profile_header *header)
{
	json_object(json, "tables");
	json_numbers(json, "objects rows bytes build_s missing", header->tables.objects,
		header->tables.rows, header->tables.bytes, header->tables.build_ns,
		header->tables.missing);
	json_end_object(json);
}

void report_json_warnings(struct json *json, const struct report *report)
{
	char text[4096];

	json_array(json, "warnings");
	for (size_t i = 0; report_warning(report, i, text, sizeof(text)); i++)
		json_string(json, NULL, text);
	json_end_array(json);
}
