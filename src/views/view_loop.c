/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --by loop: loops and other constructs whose parts threads share, and each thread's share
 * (--events=work,dispatch).
 */
#include <stdio.h>
#include <stdlib.h>

#include "src/findings/event_labels.h"
#include "src/findings/names_lookup.h"
#include "src/findings/order.h"
#include "src/views/view.h"

enum { MOST_LOOPS = 20 };

#define COLUMNS(X)                                                                                 \
	X(DEPTH, "depth", "depth", TABLE_DEPTH, TABLE_IN_CSV, 0)                                   \
	X(PATH, "path", "path", TABLE_PATH, TABLE_IN_CSV, 0)                                       \
	X(ITERATIONS, "iterations", "iterations", TABLE_COUNT, TABLE_IN_BOTH, 0)                   \
	X(SHARE, "iterations%", "%", TABLE_SHARE, TABLE_IN_BOTH, 0)                                \
	X(PARTS, "chunks", "chunks", TABLE_COUNT, TABLE_IN_BOTH, 0)                                \
	X(PER_PART, "iterations_per_chunk", "mean", TABLE_RATIO, TABLE_IN_BOTH, 1)                 \
	X(BEGUN, "begun", "begun", TABLE_COUNT, TABLE_IN_BOTH, 3)                                  \
	X(SPACE, "space", "space", TABLE_COUNT, TABLE_IN_BOTH, 2)                                  \
	X(NAME, "name", "loop", TABLE_NAME, TABLE_IN_BOTH, 0)                                      \
	X(THREAD, "thread", "thread", TABLE_NUMBER, TABLE_IN_CSV, 0)                               \
	X(FUNCTION, "function", "function", TABLE_NAME, TABLE_IN_CSV, 0)                           \
	X(FILE_NAME, "file", "file", TABLE_NAME, TABLE_IN_CSV, 0)                                  \
	X(LINE, "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum loop_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

/* A row: a construct, or below it a thread that took part. */
struct line {
	const struct findings_event *event; /* of the construct */
	size_t parent;
	uint32_t thread; /* only of a thread's row: index into profile.threads */
	/* how often threads began the construct; its iterations, added up over these times */
	uint64_t begun, space;
	uint64_t parts, iterations;
};

/* The events of one construct: sorted[first .. first + n - 1]. */
struct group {
	size_t first, n;
	uint64_t iterations, begun;
};

struct loops {
	const struct report *report;
	/* events of constructs whose parts threads share, by place */
	const struct findings_event **sorted;
	size_t n_sorted;
	struct group *groups;
	size_t n_groups;
	struct line *lines;
	size_t n_lines;
	uint64_t iterations, parts; /* sums over all constructs */
};

static int compare_places(const struct findings_event *a, const struct findings_event *b)
{
	return ORDER(ORDER_STRINGS(a->place.file, b->place.file), { a->place.line, b->place.line },
		ORDER_STRINGS(a->label->name, b->label->name),
		ORDER_STRINGS(a->label->function, b->label->function), { a->region, b->region });
}

/* At one place PROFILE_EVENT_WORK comes before the hand-out of parts: it gives the name. */
static int by_place(const void *left, const void *right)
{
	const struct findings_event *a = *(const struct findings_event *const *)left;
	const struct findings_event *b = *(const struct findings_event *const *)right;
	int order = compare_places(a, b);

	return order ? order : ORDER({ a->event, b->event }, { a->detail, b->detail });
}

static int by_iterations(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	return ORDER(
		{ b->iterations, a->iterations }, { b->begun, a->begun }, { a->first, b->first });
}

static int by_thread(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	return ORDER({ a->thread, b->thread });
}

static void find_groups(struct loops *loops)
{
	const struct findings *figures = &loops->report->figures;

	for (size_t i = 0; i < figures->n_events; i++) {
		const struct findings_event *event = &figures->events[i];

		if (event_labels_is_loop(event->event, event->detail) &&
			report_shows(loops->report->rows.events, i))
			loops->sorted[loops->n_sorted++] = event;
	}
	qsort(loops->sorted, loops->n_sorted, sizeof(*loops->sorted), by_place);
	for (size_t i = 0; i < loops->n_sorted; i++) {
		const struct findings_event *event = loops->sorted[i];

		if (!i || compare_places(loops->sorted[i - 1], event) != 0)
			loops->groups[loops->n_groups++] = (struct group){ .first = i };
		loops->groups[loops->n_groups - 1].n++;
		if (event->event == PROFILE_EVENT_DISPATCH)
			loops->groups[loops->n_groups - 1].iterations += event->amount;
		else
			loops->groups[loops->n_groups - 1].begun += event->n;
	}
	qsort(loops->groups, loops->n_groups, sizeof(*loops->groups), by_iterations);
}

static void add_to(struct line *line, const struct line *more)
{
	line->begun += more->begun;
	line->space += more->space;
	line->parts += more->parts;
	line->iterations += more->iterations;
}

static struct line line_of(
	const struct findings_event *event, uint32_t thread, uint64_t n, uint64_t amount)
{
	if (event->event == PROFILE_EVENT_WORK)
		return (struct line){
			.event = event, .thread = thread, .begun = n, .space = amount
		};
	return (struct line){ .event = event, .thread = thread, .parts = n, .iterations = amount };
}

/* Joins rows of the same thread, from row `first` on. */
static void fold_threads(struct loops *loops, size_t first)
{
	size_t n = first;

	qsort(&loops->lines[first], loops->n_lines - first, sizeof(*loops->lines), by_thread);
	for (size_t i = first; i < loops->n_lines; i++) {
		if (n > first && loops->lines[n - 1].thread == loops->lines[i].thread)
			add_to(&loops->lines[n - 1], &loops->lines[i]);
		else
			loops->lines[n++] = loops->lines[i];
	}
	loops->n_lines = n;
}

static void list_group(struct loops *loops, const struct group *group)
{
	const struct findings *figures = &loops->report->figures;
	size_t parent = loops->n_lines++;
	struct line *top = &loops->lines[parent];

	*top = (struct line){ .event = loops->sorted[group->first], .parent = TABLE_NO_ROW };
	for (size_t i = 0; i < group->n; i++) {
		const struct findings_event *event = loops->sorted[group->first + i];
		const struct findings_event_thread *thread = &figures->event_threads[event->first];

		for (size_t k = 0; k < event->n_threads; k++, thread++) {
			struct line line =
				line_of(event, thread->thread, thread->n, thread->amount);

			line.parent = parent;
			add_to(top, &line);
			loops->lines[loops->n_lines++] = line;
		}
	}
	fold_threads(loops, parent + 1);
	loops->iterations += top->iterations;
	loops->parts += top->parts;
}

static void set_figures(struct table_row *row, const struct line *line, uint64_t whole)
{
	if (whole) {
		table_set(row, ITERATIONS, line->iterations);
		table_set_part(row, SHARE, line->iterations, whole);
		table_set(row, PARTS, line->parts);
	}
	if (line->parts)
		table_set_part(row, PER_PART, line->iterations, line->parts);
	if (line->begun) {
		table_set(row, BEGUN, line->begun);
		table_set(row, SPACE, line->space / line->begun);
	}
}

static void fill_loop(struct table_row *row, const struct findings_event *event)
{
	const char *function = view_events_function(event);
	char words[160];

	event_labels_detail(words, sizeof(words), event->event, event->detail);
	table_set_text(row, NAME,
		event->place.line ? table_print_text(row, "%s %s:%u", words,
					    names_base(event->place.file), event->place.line)
				  : table_print_text(row, "%s", words));
	table_set_text(row, FUNCTION, function);
	table_set_text(row, FILE_NAME, event->place.file);
	if (event->place.line)
		table_set(row, LINE, event->place.line);
	table_set_text(row, PLACE, function);
}

static void fill_thread(struct table_row *row, const struct report *report, uint32_t thread)
{
	uint32_t index = report->profile.threads[thread].index;
	char name[96];

	names_member(name, sizeof(name), &report->profile, thread);
	table_set_text(row, NAME, table_print_text(row, "%s", name));
	table_set(row, THREAD, index);
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct loops *loops = data;
	const struct line *line = &loops->lines[index];

	if (index == loops->n_lines) {
		const struct line all = { .iterations = loops->iterations, .parts = loops->parts };

		set_figures(row, &all, loops->iterations);
		table_set_text(row, NAME, "total");
		return;
	}
	row->parent = line->parent;
	if (line->parent == TABLE_NO_ROW) {
		row->identity = index + 1;
		fill_loop(row, line->event);
		set_figures(row, line, loops->iterations);
	} else {
		fill_thread(row, loops->report, line->thread);
		set_figures(row, line, loops->lines[line->parent].iterations);
		row->is_kept = 1;
	}
	row->weight = line->iterations;
}

static void put_notes(struct terminal *terminal, const struct report *report)
{
	uint64_t asked = report->profile.header.counted.asked;
	size_t n = 0;

	for (size_t i = 0; i < report->figures.n_events; i++) {
		const struct findings_event *event = &report->figures.events[i];

		n += (size_t)event_labels_is_loop(event->event, event->detail);
	}
	if (asked & 1ULL << PROFILE_EVENT_WORK && n == 0)
		fputs("(no loop called the runtime: static loops of gcc's code do not)\n",
			terminal->out);
	view_events_put_notes(terminal, report);
}

static int print_table(
	const struct loops *loops, const struct view_options *options, struct terminal *terminal)
{
	struct table table = {
		.columns = columns,
		.title = "loop (% of all), thread (% of it)",
		.what = "loop",
		.together = "iterations",
		.unit = "iterations",
		.n_most = MOST_LOOPS,
		.whole = loops->iterations,
		.n_rows = loops->n_lines,
		.fill = fill,
		.data = loops,
		.has_total = 1,
		.counts_top = 1,
	};

	return view_put_table_with(put_notes, &table, options, loops->report, terminal);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	size_t n = report->figures.n_events + 1;
	struct loops loops = {
		.report = report,
		.sorted = calloc(n, sizeof(*loops.sorted)),
		.groups = calloc(n, sizeof(*loops.groups)),
		/* A row for each construct, and at most one for each thread of each event. */
		.lines = calloc(n + report->metrics.n_events, sizeof(*loops.lines)),
	};
	int status = -1;

	if (loops.sorted && loops.groups && loops.lines) {
		find_groups(&loops);
		for (size_t i = 0; i < loops.n_groups; i++)
			list_group(&loops, &loops.groups[i]);
		status = print_table(&loops, options, terminal);
	}
	free(loops.sorted);
	free(loops.groups);
	free(loops.lines);
	return status;
}

const struct view view_by_loop = {
	.name = "by loop",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_REGION,
	.print = print,
};
