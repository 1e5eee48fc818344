/* SPDX-License-Identifier: Apache-2.0 */
/* The filters of a report and its repeated runs, in words and as JSON; see view_filter.h. */
#include "src/views/view_filter.h"

#include <stdio.h>

#include "src/text/message.h"
#include "src/report/phases.h"
#include "src/text/text.h"

enum { LINE_BYTES = 4096, INDENT = 2 };

#define NOTE "note: lists of functions and regions are filtered; the rest is of the whole run"

int view_has_filters(const struct report *report)
{
	return report->filter && report->filter->given;
}

/* Prints a line. `terminal` is NULL for CSV, in which the line has no place: it goes to stderr. */
static void put_line(struct terminal *terminal, const char *line)
{
	char clean[LINE_BYTES];

	if (!terminal) {
		message("%s", line);
		return;
	}
	text_clean(clean, sizeof(clean), line);
	text_put(terminal->out, clean, (struct text_lines){ terminal->width, 0, INDENT });
}

/* Writes "12.3" (seconds), or events as "1.20M". */
static void put_amount(char text[TEXT_NUMBER_BYTES], const struct report *report,
	const struct tree_metrics *figures)
{
	uint64_t amount = report_metric(report, figures, METRIC_TOTAL);

	if (report->is_event)
		text_count(text, amount);
	else
		text_seconds(text, amount);
}

static void describe_left(char line[LINE_BYTES], const struct report *report)
{
	const struct tree_metrics *shown = &report->totals.shown, *all = &report->totals.all;
	const char *unit = report->is_event ? "events" : "thread-s";
	char left[TEXT_NUMBER_BYTES], whole[TEXT_NUMBER_BYTES], percent[TEXT_NUMBER_BYTES];
	char filters[LINE_BYTES / 2];

	filter_describe(filters, sizeof(filters), report->filter);
	put_amount(left, report, shown);
	put_amount(whole, report, all);
	text_percent(percent, report_metric(report, shown, METRIC_TOTAL),
		report_metric(report, all, METRIC_TOTAL));
	if (shown->samples || shown->n_waits)
		snprintf(line, LINE_BYTES, "filtered: %s of %s %s left (%s %%) by %s", left, whole,
			unit, percent, filters);
	else
		snprintf(line, LINE_BYTES, "filtered: nothing of %s %s is left by %s", whole, unit,
			filters);
}

static void put_notes(
	struct terminal *terminal, const struct report *report, const struct view *view)
{
	const struct report_rows *rows = &report->rows;
	char line[LINE_BYTES];

	if (view == &view_summary)
		put_line(terminal, NOTE);
	if ((view == &view_by_wait || view == &view_by_construct) && rows->n_uncut) {
		snprintf(line, sizeof(line),
			"note: %zu mutex%s left out: waits for them are not known by region",
			rows->n_uncut, rows->n_uncut == 1 ? " is" : "es are");
		put_line(terminal, line);
	}
	if (view->filters & FILTER_REGION && view->is_of_user && rows->n_mixed) {
		snprintf(line, sizeof(line),
			"note: %zu region%s counted with what %s elsewhere, too", rows->n_mixed,
			rows->n_mixed == 1 ? " is" : "s are",
			rows->n_mixed == 1 ? "it took" : "they took");
		put_line(terminal, line);
	}
}

/* "phases: 1.2 of 3.4 s wall are left by --phase 'x'" */
static void describe_phases(char line[LINE_BYTES], const struct report *report)
{
	char left[TEXT_NUMBER_BYTES], whole[TEXT_NUMBER_BYTES];
	const char *text;
	size_t used;

	text_seconds(left, report->totals.wall_ns);
	text_seconds(whole, report->totals.wall_ns + report->profile.cut_ns);
	used = (size_t)snprintf(
		line, LINE_BYTES, "phases: %s of %s s wall are left by", left, whole);
	for (size_t i = 0;
		(text = filter_text(report->phases, FILTER_PHASE, i)) && used < LINE_BYTES; i++)
		used += (size_t)snprintf(line + used, LINE_BYTES - used, " --phase '%s'", text);
}

/* "median of 5 runs: 1.23 s wall, all 1.20 to 1.31 s". Returns 0 if there is one run. */
static int describe_runs(char line[LINE_BYTES], const struct report *report)
{
	const struct profile_list *list = &report->job.of;
	char wall[TEXT_NUMBER_BYTES], least[TEXT_NUMBER_BYTES], most[TEXT_NUMBER_BYTES];

	if (list->n_runs < 2)
		return 0;
	snprintf(line, LINE_BYTES, "median of %zu runs: %s s wall, all %s to %s s", list->n_runs,
		text_seconds(wall, list->runs[(list->n_runs - 1) / 2].wall_ns),
		text_seconds(least, list->runs[0].wall_ns),
		text_seconds(most, list->runs[list->n_runs - 1].wall_ns));
	return 1;
}

void view_put_runs(struct terminal *terminal, const struct report *report)
{
	char line[LINE_BYTES];

	if (describe_runs(line, report))
		put_line(terminal, line);
}

void view_put_filters(
	struct terminal *terminal, const struct report *report, const struct view *view)
{
	char line[LINE_BYTES];

	if (terminal)
		view_put_runs(terminal, report);
	if (terminal && phases_are_given(report->phases)) {
		describe_phases(line, report);
		put_line(terminal, line);
	}
	if (!view_has_filters(report))
		return;
	if (terminal) {
		describe_left(line, report);
		put_line(terminal, line);
	}
	put_notes(terminal, report, view);
}

static size_t count_lines(const char *line, const struct terminal *terminal)
{
	char clean[LINE_BYTES];

	text_clean(clean, sizeof(clean), line);
	return text_put(NULL, clean, (struct text_lines){ terminal->width, 0, INDENT });
}

size_t view_count_filters(const struct report *report, const struct terminal *terminal)
{
	char line[LINE_BYTES];
	size_t n = 0;

	if (describe_runs(line, report))
		n += count_lines(line, terminal);
	if (phases_are_given(report->phases)) {
		describe_phases(line, report);
		n += count_lines(line, terminal);
	}
	if (view_has_filters(report)) {
		describe_left(line, report);
		n += count_lines(line, terminal) + count_lines(NOTE, terminal);
	}
	return n;
}

void view_json_runs(struct json *json, const struct report *report)
{
	const struct profile_list *list = &report->job.of;

	if (list->n_runs < 2)
		return;
	json_array(json, "walls_s");
	for (size_t i = 0; i < list->n_runs; i++)
		json_seconds(json, NULL, list->runs[i].wall_ns);
	json_end_array(json);
}

void view_json_phases(struct json *json, const struct report *report)
{
	const char *text;

	if (!phases_are_given(report->phases))
		return;
	json_object(json, "cut");
	json_array(json, "phase");
	for (size_t i = 0; (text = filter_text(report->phases, FILTER_PHASE, i)); i++)
		json_string(json, NULL, text);
	json_end_array(json);
	json_seconds(json, "wall_s", report->totals.wall_ns + report->profile.cut_ns);
	json_end_object(json);
}

static void put_texts(struct json *json, const struct report *report)
{
	for (unsigned kind = 1; kind < FILTER_ALL; kind *= 2) {
		const char *text;

		json_array(json, filter_word(kind));
		for (size_t i = 0; (text = filter_text(report->filter, kind, i)); i++)
			json_string(json, NULL, text);
		json_end_array(json);
	}
}

static void put_effect(struct json *json, const char *key, const struct report *report,
	const struct tree_metrics *figures)
{
	json_object(json, key);
	json_number(json, "samples", figures->samples);
	json_seconds(json, "time_s", tree_metrics_time(figures));
	json_seconds(json, "blame_s", figures->blame_ns);
	if (report->is_event)
		json_number(json, "events", figures->events);
	json_end_object(json);
}

static void put_cut(struct json *json, const char *key, unsigned kinds)
{
	json_array(json, key);
	for (unsigned kind = 1; kind < FILTER_ALL; kind *= 2)
		if (kinds & kind)
			json_string(json, NULL, filter_word(kind));
	json_end_array(json);
}

/* The rows of "targets" add up to the sums of "devices". */
void view_json_filters(struct json *json, const struct report *report)
{
	static const struct {
		const char *key;
		const struct view *view;
	} tables[] = { { "regions", &view_by_region }, { "waits", &view_by_wait },
		{ "threads", &view_by_thread }, { "locks", &view_by_lock },
		{ "tasks", &view_by_task }, { "targets", &view_by_target },
		{ "devices", &view_by_target }, { "events", &view_by_event },
		{ "nodes", &view_tree } };

	if (!view_has_filters(report))
		return;
	json_object(json, "filters");
	put_texts(json, report);
	put_effect(json, "whole", report, &report->totals.all);
	put_effect(json, "left", report, &report->totals.shown);
	json_object(json, "cut_by");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		put_cut(json, tables[i].key, report->filter->given & tables[i].view->filters);
	json_end_object(json);
	json_number(json, "mixed_regions", report->rows.n_mixed);
	json_number(json, "mutexes_left_out", report->rows.n_uncut);
	json_end_object(json);
}
