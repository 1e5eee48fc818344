/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --by event: counted events (--events) by place, with the least, mean and largest count of a
 * thread.
 */
#include "profile/shared/event_names.h"
#include "src/findings/event_labels.h"
#include "src/findings/names_lookup.h"
#include "src/views/view.h"
#include "src/views/view_json.h"

/* No share is too small to show: one kind can have a million times as many events as another. */
enum { MOST_EVENTS = 50 };

#define COLUMNS(X)                                                                                 \
	X(COUNT, "count", "count", TABLE_COUNT, TABLE_IN_BOTH, 0)                                  \
	X(AMOUNT, "amount", "amount", TABLE_COUNT, TABLE_IN_BOTH | TABLE_IF_ANY, 0)                \
	X(LEAST, "thread_min", "min", TABLE_COUNT, TABLE_IN_BOTH, 2)                               \
	X(MEAN, "thread_mean", "mean", TABLE_RATIO, TABLE_IN_CSV, 0)                               \
	X(MOST, "thread_max", "max", TABLE_COUNT, TABLE_IN_BOTH, 3)                                \
	X(THREADS, "threads", "threads", TABLE_COUNT, TABLE_IN_BOTH, 1)                            \
	X(LOOKED, "looked%", "looked%", TABLE_SHARE, TABLE_IN_CSV, 0)                              \
	X(EVENT, "event", "event", TABLE_WORD, TABLE_IN_CSV, 0)                                    \
	X(DETAIL, "detail", "detail", TABLE_NAME, TABLE_IN_CSV, 0)                                 \
	X(NAME, "name", "event", TABLE_NAME, TABLE_IN_TEXT, 0)                                     \
	X(FUNCTION, "function", "function", TABLE_NAME, TABLE_IN_CSV, 0)                           \
	X(FILE_NAME, "file", "file", TABLE_NAME, TABLE_IN_CSV, 0)                                  \
	X(LINE, "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum event_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

struct events {
	const struct report *report;
	uint64_t n, n_looked;
};

static void set_threads(
	struct table_row *row, const struct findings *figures, const struct findings_event *event)
{
	const struct findings_event_thread *threads = &figures->event_threads[event->first];
	uint64_t least = event->n_threads < event->n_members ? 0 : UINT64_MAX, most = 0;

	table_set(row, THREADS, event->n_threads);
	for (size_t i = 0; i < event->n_threads; i++) {
		least = threads[i].n < least ? threads[i].n : least;
		most = threads[i].n > most ? threads[i].n : most;
	}
	table_set(row, LEAST, least);
	table_set_part(row, MEAN, event->n, event->n_members);
	table_set(row, MOST, most);
}

static void fill_event(
	struct table_row *row, const struct findings *figures, const struct findings_event *event)
{
	char words[160];

	table_set(row, COUNT, event->n);
	if (event_labels_amount(event->event, event->detail))
		table_set(row, AMOUNT, event->amount);
	row->cells[AMOUNT].value = event->amount;
	set_threads(row, figures, event);
	table_set_part(row, LOOKED, event->n_looked, event->n);
	event_labels_detail(words, sizeof(words), event->event, event->detail);
	table_set_text(row, DETAIL, table_print_text(row, "%s", words));
	table_set_text(row, EVENT, event_name(event->event));
	event_labels_name(words, sizeof(words), event->event, event->detail);
	table_set_text(row, NAME, table_print_text(row, "%s", words));
	row->cells[NAME].json = event->label->name;
	table_set_text(row, FUNCTION, view_events_function(event));
	row->cells[FUNCTION].json = view_json_function(event->label);
	table_set_text(row, FILE_NAME, event->place.file);
	if (event->place.line) {
		table_set(row, LINE, event->place.line);
		table_set_text(row, PLACE,
			table_print_text(row, "%s %s:%u", view_events_function(event),
				names_base(event->place.file), event->place.line));
	} else if (view_events_function(event)[0]) {
		table_set_text(row, PLACE, view_events_function(event));
	}
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct events *events = data;

	if (index == events->report->figures.n_events) {
		table_set(row, COUNT, events->n);
		table_set_part(row, LOOKED, events->n_looked, events->n);
		table_set_text(row, NAME, "total");
		return;
	}
	fill_event(row, &events->report->figures, &events->report->figures.events[index]);
	row->weight = events->report->figures.events[index].n;
	row->is_empty = !report_shows(events->report->rows.events, index);
	row->identity = index + 1;
}

static void put_threads(
	struct json *json, const struct report *report, const struct findings_event *event)
{
	const struct findings_event_thread *thread = &report->figures.event_threads[event->first];

	json_array(json, "threads");
	for (size_t i = 0; i < event->n_threads; i++, thread++) {
		json_object(json, NULL);
		json_number(json, "thread", view_json_thread(report, thread->thread));
		view_json_owner(json, report, thread->thread);
		json_numbers(json, "count amount", thread->n, thread->amount);
		json_end_object(json);
	}
	json_end_array(json);
}

static void put_more(struct json *json, const void *data, size_t index, int nth)
{
	const struct events *events = data;
	const struct findings_event *event = &events->report->figures.events[index];

	if (nth == 0) {
		view_json_node(json, report_node(events->report, event->node));
	} else if (nth == 1) {
		json_number(json, "value", event->detail);
	} else if (nth == 2) {
		json_number(json, "looked", event->n_looked);
	} else {
		json_number(json, "members", event->n_members);
		put_threads(json, events->report, event);
	}
}

static void put_json(struct json *json, const struct report *report)
{
	const struct events events = { .report = report };

	if (report->profile.header.counted.asked)
		view_put_rows(json, &view_by_event, &events, report->figures.n_events, 0);
}

const char *view_events_function(const struct findings_event *event)
{
	const struct name_label *label = event->label;

	if (names_is_construct(label->kind))
		return label->function;
	return label->kind == NAME_ROOT ? "" : label->name;
}

/* Prints for each such kind "(flush: call paths of 1.2 % of them looked at)". */
static void put_thinned(struct terminal *terminal, const struct report *report)
{
	uint64_t n[PROFILE_N_EVENTS] = { 0 }, n_looked[PROFILE_N_EVENTS] = { 0 };

	for (size_t i = 0; i < report->metrics.n_events; i++) {
		const struct metrics_event *event = &report->metrics.events[i];

		n[event->event] += event->n;
		n_looked[event->event] += event->n_looked;
	}
	for (uint32_t k = 0; k < PROFILE_N_EVENTS; k++) {
		double percent = n[k] ? 100.0 * (double)n_looked[k] / (double)n[k] : 0;

		if (n_looked[k] == n[k])
			continue;
		fprintf(terminal->out, "(%s: call paths of %.2g %% of them looked at)\n",
			event_name(k), percent < 99 ? percent : 99);
	}
}

static void put_never(struct terminal *terminal, uint64_t never)
{
	for (uint32_t k = 0; k < 64; k++)
		if (never >> k & 1 && event_name(k))
			fprintf(terminal->out, "(%s: never reported by this OpenMP runtime)\n",
				event_name(k));
}

void view_events_put_notes(struct terminal *terminal, const struct report *report)
{
	const struct profile_header *header = &report->profile.header;

	if (!header->counted.asked)
		fputs("(none were asked for: see 'ompprof run --events')\n", terminal->out);
	put_thinned(terminal, report);
	put_never(terminal, header->counted.never);
	view_put_incomplete(terminal, report);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct findings *figures = &report->figures;
	struct events events = { .report = report };
	struct table table = {
		.columns = columns,
		.title = "event (min, max: of a thread)",
		.what = "event",
		.order = "count",
		.together = "count",
		.n_most = MOST_EVENTS,
		.n_rows = figures->n_events,
		.fill = fill,
		.data = &events,
		.has_total = 1,
	};

	for (size_t i = 0; i < figures->n_events; i++) {
		if (!report_shows(report->rows.events, i))
			continue;
		events.n += figures->events[i].n;
		events.n_looked += figures->events[i].n_looked;
	}
	table.whole = events.n;
	return view_put_table_with(view_events_put_notes, &table, options, report, terminal);
}

const struct view view_by_event = {
	.name = "by event",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_REGION,
	.print = print,
	.json = "events",
	.members = "* event detail * name file line function count * amount *",
	.fill = fill,
	.put_more = put_more,
	.put_json = put_json,
};
