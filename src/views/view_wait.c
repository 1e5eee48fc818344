/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --by wait: what was waited for and, below each wait, the code that ran meanwhile. With --reverse
 * the code comes first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/findings/order.h"
#include "src/views/view.h"
#include "src/views/view_json.h"
#include "src/views/view_nodes.h"

enum {
	LIMIT_PERMYRIAD = 100,
	/* as text: the most causes below a wait, or waits below a cause */
	CAUSES_MOST = 5,
	ONE_THREAD_PERCENT = 80, /* of a cause; a thread with this share is named */
};

#define COLUMNS(X)                                                                                 \
	X(DEPTH, "depth", "depth", TABLE_DEPTH, TABLE_IN_CSV, 0)                                   \
	X(PATH, "path", "path", TABLE_PATH, TABLE_IN_CSV, 0)                                       \
	X(SECONDS, "wait", "thread-s", TABLE_SECONDS, TABLE_IN_BOTH, 0)                            \
	X(SHARE, "wait%", "%", TABLE_SHARE, TABLE_IN_BOTH, 0)                                      \
	X(WAITS, "waits", "waits", TABLE_COUNT, TABLE_IN_CSV, 0)                                   \
	X(ESTIMATED, "estimated%", "estimated%", TABLE_SHARE, TABLE_IN_CSV, 0)                     \
	X(KIND, "kind", "kind", TABLE_WORD, TABLE_IN_CSV, 0)                                       \
	X(NAME, "name", "name", TABLE_NAME, TABLE_IN_BOTH, 0)                                      \
	X(THREAD, "thread", "thread", TABLE_NUMBER, TABLE_IN_CSV, 0)                               \
	X(FUNCTION, "function", "function", TABLE_NAME, TABLE_IN_CSV, 0)                           \
	X(FILE_NAME, "file", "file", TABLE_NAME, TABLE_IN_CSV, 0)                                  \
	X(LINE, "line", "line", TABLE_NUMBER, TABLE_IN_CSV, 0)                                     \
	X(PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum wait_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

enum line_kind { OF_WAIT, OF_CAUSE, OF_CULPRIT, OF_UNBLAMED, OF_UNHELD, OF_MORE };

struct line {
	enum line_kind kind;
	/*
	 * of OF_WAIT at the top into figures.waits, of OF_MORE the number of rows left out, else
	 * into waits.causes
	 */
	size_t index;
	size_t parent;
	uint64_t ns, whole_ns;
};

struct waits {
	const struct report *report;
	const struct findings_cause *causes; /* sorted by wait, or with --reverse by function */
	struct line *lines;
	size_t n_lines;
	uint32_t limit_permyriad;
	size_t most_below;
	uint64_t left_ns;  /* the time of all waits that filters leave, whatever limits cut */
	uint64_t whole_ns; /* 100 % of the rows that are below no other row */
};

/* A function and the sum of its blame, causes[first .. first + n - 1]. */
struct blamed {
	uint64_t ns;
	size_t first, n;
};

/* A function's declaration, or the line of a construct. */
static const char *blamed_file(const struct name_label *label)
{
	return label->decl_line ? label->decl_file : label->file;
}

static uint32_t blamed_line(const struct name_label *label)
{
	return label->decl_line ? label->decl_line
				: (names_is_construct(label->kind) ? label->line : 0);
}

/* Orders by text: addresses of interned names would change the order from run to run. */
static int compare_labels(const struct name_label *a, const struct name_label *b)
{
	int order = a->name == b->name ? 0 : strcmp(a->name, b->name);

	if (!order)
		order = ORDER({ blamed_line(a), blamed_line(b) });
	if (order)
		return order;
	if (blamed_line(a) && blamed_file(a) != blamed_file(b))
		return strcmp(blamed_file(a), blamed_file(b));
	return a->module == b->module ? 0 : strcmp(a->module, b->module);
}

static int by_label(const void *left, const void *right)
{
	const struct findings_cause *a = left, *b = right;
	int order = compare_labels(a->label, b->label);

	return order ? order : ORDER({ b->ns, a->ns }, { a->wait, b->wait });
}

static int by_blame(const void *left, const void *right)
{
	const struct blamed *a = left, *b = right;

	return ORDER({ b->ns, a->ns }, { a->first, b->first });
}

/*
 * Sorts the causes by function, and lists the functions, most blamed first. Returns their number,
 * at most n_causes.
 */
static size_t find_blamed(struct blamed *functions, struct findings_cause *causes, size_t n_causes)
{
	size_t n = 0;

	qsort(causes, n_causes, sizeof(*causes), by_label);
	for (size_t i = 0; i < n_causes; i++) {
		if (i == 0 || compare_labels(causes[i - 1].label, causes[i].label) != 0)
			functions[n++] = (struct blamed){ .first = i };
		functions[n - 1].ns += causes[i].ns;
		functions[n - 1].n++;
	}
	qsort(functions, n, sizeof(*functions), by_blame);
	return n;
}

static size_t add_line(struct waits *waits, struct line line)
{
	waits->lines[waits->n_lines] = line;
	return waits->n_lines++;
}

static int is_small(const struct waits *waits, uint64_t ns, uint64_t whole_ns)
{
	return (double)ns * 10000.0 < (double)whole_ns * waits->limit_permyriad;
}

/*
 * Adds the rows below row `parent`: for each of the n causes from group[0].index on a row of
 * group[0].kind, and for unblamed_ns a row of group[1].kind. Small rows are joined into one row, so
 * that the sum is that of `parent`.
 */
static void add_below(struct waits *waits, size_t parent, const struct line *group, size_t n,
	uint64_t unblamed_ns)
{
	uint64_t whole_ns = waits->lines[parent].ns, rest_ns = 0;
	size_t n_shown = 0, n_rest = 0;
	int is_unblamed_shown = unblamed_ns && !is_small(waits, unblamed_ns, whole_ns);

	for (size_t i = 0; i < n; i++) {
		uint64_t ns = waits->causes[group->index + i].ns;

		if (n_shown == waits->most_below || is_small(waits, ns, whole_ns)) {
			rest_ns += ns;
			n_rest++;
			continue;
		}
		add_line(waits,
			(struct line){ group->kind, group->index + i, parent, ns, whole_ns });
		n_shown++;
	}
	if (is_unblamed_shown)
		add_line(waits, (struct line){ group[1].kind, 0, parent, unblamed_ns, whole_ns });
	else if (unblamed_ns) {
		rest_ns += unblamed_ns;
		n_rest++;
	}
	if (n_rest)
		add_line(waits, (struct line){ OF_MORE, n_rest, parent, rest_ns, whole_ns });
}

static void list_waits(struct waits *waits)
{
	const struct findings *figures = &waits->report->figures;

	for (size_t i = 0; i < figures->n_waits; i++) {
		const struct findings_wait *wait = &figures->waits[i];
		const struct line below[] = { { .kind = OF_CAUSE, .index = wait->first_cause },
			{ .kind = findings_is_mutex(wait->sum.kind) ? OF_UNHELD : OF_UNBLAMED } };
		size_t parent;

		if (wait->sum.wait_ns == 0 || !report_shows(waits->report->rows.waits, i))
			continue;
		parent = add_line(waits, (struct line){ OF_WAIT, i, TABLE_NO_ROW, wait->sum.wait_ns,
						 waits->whole_ns });
		add_below(waits, parent, below, wait->n_causes, wait->sum.unblamed_ns);
	}
}

/* The part of a wait that is an estimate: by samples, or of acquisitions not looked at. */
static uint64_t estimated_of(const struct findings *figures, const struct metrics_wait *wait)
{
	const struct metrics_lock *lock;
	uint32_t at;

	if (!findings_is_mutex(wait->kind))
		return wait->unseen_ns;
	at = findings_find_lock(figures, wait->kind, wait->wait_id);
	lock = at == UINT32_MAX ? NULL : &figures->metrics->locks[at];
	return lock && lock->n_acquired
		       ? (uint64_t)((double)wait->wait_ns * (double)lock->n_estimated /
				    (double)lock->n_acquired)
		       : 0;
}

/* Sums up the waits that filters leave; *unblamed_ns is the part that nobody is blamed for. */
static uint64_t sum_waits(const struct report *report, uint64_t *unblamed_ns)
{
	const struct findings *figures = &report->figures;
	uint64_t wait_ns = 0;

	*unblamed_ns = 0;
	for (size_t i = 0; i < figures->n_waits; i++) {
		if (!report_shows(report->rows.waits, i))
			continue;
		wait_ns += figures->waits[i].sum.wait_ns;
		*unblamed_ns += figures->waits[i].sum.unblamed_ns;
	}
	return wait_ns;
}

/* Copies the causes of the waits that filters leave. Returns their number. */
static size_t list_causes(struct findings_cause *causes, const struct report *report)
{
	const struct findings *figures = &report->figures;
	size_t n = 0;

	for (size_t i = 0; i < figures->n_causes; i++)
		if (report_shows(report->rows.waits, figures->causes[i].wait))
			causes[n++] = figures->causes[i];
	return n;
}

static void list_culprits(
	struct waits *waits, const struct blamed *functions, size_t n, uint64_t unblamed_ns)
{
	for (size_t i = 0; i < n; i++) {
		const struct line below[] = { { .kind = OF_WAIT, .index = functions[i].first },
			{ .kind = OF_UNBLAMED } };
		size_t parent =
			add_line(waits, (struct line){ OF_CULPRIT, functions[i].first, TABLE_NO_ROW,
						functions[i].ns, waits->whole_ns });

		add_below(waits, parent, below, functions[i].n, 0);
	}
	if (unblamed_ns)
		add_line(waits, (struct line){ OF_UNBLAMED, 0, TABLE_NO_ROW, unblamed_ns,
					waits->whole_ns });
}

static void set_place(struct table_row *row, const char *function, struct name_place place)
{
	table_set_text(row, FUNCTION, function);
	table_set_text(row, FILE_NAME, place.file);
	if (place.line)
		table_set(row, LINE, place.line);
}

static void fill_wait(struct table_row *row, const struct findings_wait *wait)
{
	char place[4096];

	table_set_text(row, KIND, findings_wait_word(wait->sum.kind));
	table_set(row, WAITS, wait->sum.n);
	if (profile_wait_is(wait->sum.kind, PROFILE_TIME_IDLE)) {
		table_set_text(row, NAME, "idle outside of regions");
		return;
	}
	if (wait->sum.has_site) {
		set_place(row, findings_wait_function(wait), wait->place);
		table_set_text(row, NAME, wait->name);
		if (wait->place.line)
			table_set_text(row, NAME,
				table_print_text(row, "%s %s:%u", wait->name,
					names_base(wait->place.file), wait->place.line));
		table_set_text(row, PLACE, findings_wait_function(wait));
		return;
	}
	if (findings_is_mutex(wait->sum.kind)) {
		set_place(row, wait->label ? wait->label->name : "", wait->place);
		table_set_text(row, NAME, wait->name);
		if (wait->place.line)
			table_set_text(row, PLACE,
				table_print_text(row, "%s:%u", names_base(wait->place.file),
					wait->place.line));
		return;
	}
	set_place(row, wait->label->function, wait->place);
	advice_place(place, sizeof(place), wait->label);
	table_set_text(row, NAME,
		wait->place.line ? table_print_text(row, "%s %s", wait->name, place) : wait->name);
	table_set_text(row, PLACE, wait->label->function);
}

/* Adds ", team's thread 3" if that thread has ONE_THREAD_PERCENT of the cause's blame. */
static void name_thread(
	struct table_row *row, const struct profile *profile, const struct findings_cause *cause)
{
	const char *after = row->cells[NAME].after;
	char thread[96];

	if (profile->n_threads < 2 || cause->thread >= profile->n_threads ||
		(double)cause->thread_ns * 100.0 < (double)cause->ns * ONE_THREAD_PERCENT)
		return;
	names_member(thread, sizeof(thread), profile, cause->thread);
	row->cells[NAME].after = table_print_text(row, "%s, %s", after, thread);
	table_set(row, THREAD, profile->threads[cause->thread].index);
}

static void fill_cause(struct table_row *row, const struct findings_cause *cause)
{
	struct name_label label = *cause->label;
	struct name_node node = { .repeats = 1, .label = &label };

	if (label.kind == NAME_INLINED)
		label.kind = NAME_FUNCTION;
	node_set_name(row, NAME, PLACE, &node, 0);
	set_place(row, label.function[0] ? label.function : label.name,
		(struct name_place){ blamed_file(&label), blamed_line(&label) });
}

static const struct findings_wait *wait_of(const struct waits *waits, const struct line *line)
{
	const struct findings_wait *all = waits->report->figures.waits;

	return line->parent == TABLE_NO_ROW ? &all[line->index]
					    : &all[waits->causes[line->index].wait];
}

/* Marks the row of n waits, from `first` on, that filters leave. */
static void set_estimated(struct table_row *row, const struct waits *waits,
	const struct findings_wait *first, size_t n)
{
	const struct findings *figures = &waits->report->figures;
	uint64_t part = 0, whole = 0;

	for (size_t i = 0; i < n; i++) {
		if (!report_shows(waits->report->rows.waits, (size_t)(first + i - figures->waits)))
			continue;
		metrics_add(&part, estimated_of(figures, &first[i].sum));
		metrics_add(&whole, first[i].sum.wait_ns);
	}
	table_set_estimated(row, ESTIMATED, part, whole, 1ULL << SECONDS | 1ULL << SHARE);
}

static void fill_line(struct table_row *row, const struct waits *waits, const struct line *line)
{
	const struct findings_cause *cause = &waits->causes[line->index];

	switch (line->kind) {
	case OF_WAIT:
		fill_wait(row, wait_of(waits, line));
		break;
	case OF_CAUSE:
		fill_cause(row, cause);
		name_thread(row, &waits->report->profile, cause);
		break;
	case OF_CULPRIT:
		fill_cause(row, cause);
		break;
	case OF_UNBLAMED:
		table_set_text(row, NAME,
			line->parent == TABLE_NO_ROW ? "(unblamed: no known cause)"
						     : "(unblamed: no sample at work)");
		break;
	case OF_UNHELD:
		/* The mutex passed from one owner to the next, or its holds were not measured. */
		table_set_text(row, NAME, "(unblamed: no known holder)");
		break;
	case OF_MORE:
		table_set_text(row, NAME, table_print_text(row, "(%zu more)", line->index));
		break;
	}
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct waits *waits = data;
	struct line line = {
		.ns = waits->left_ns, .parent = TABLE_NO_ROW, .whole_ns = waits->whole_ns
	};

	if (index == waits->n_lines) {
		table_set_text(row, NAME, "total");
	} else {
		line = waits->lines[index];
		fill_line(row, waits, &line);
		row->parent = line.parent;
		row->is_kept = line.parent != TABLE_NO_ROW || line.kind == OF_UNBLAMED;
		row->identity = line.kind == OF_WAIT ? 0 : line.kind;
	}
	table_set(row, SECONDS, line.ns);
	table_set_part(row, SHARE, line.ns, line.whole_ns);
	if (index == waits->n_lines)
		set_estimated(
			row, waits, waits->report->figures.waits, waits->report->figures.n_waits);
	else if (line.kind == OF_WAIT)
		set_estimated(row, waits, wait_of(waits, &line), 1);
	row->weight = line.ns;
	row->whole = line.parent == TABLE_NO_ROW ? waits->left_ns : line.whole_ns;
}

static int print_lines(
	const struct waits *waits, const struct view_options *options, struct terminal *terminal)
{
	struct table table = {
		.columns = columns,
		.title = options->is_reverse ? "code waited for (% of all), how (% of it)"
					     : "waiting for (% of all), its causes (% of it)",
		.what = options->is_reverse ? "function" : "wait",
		.together = "wait",
		.unit = "thread-s",
		.limit_permyriad = LIMIT_PERMYRIAD,
		.whole = waits->left_ns,
		.n_rows = waits->n_lines,
		.fill = fill,
		.data = waits,
		.has_total = 1,
		.counts_top = 1,
	};

	return view_put_table(&table, options, waits->report, terminal);
}

static int print_waits(
	struct waits *waits, const struct view_options *options, struct terminal *terminal)
{
	waits->causes = waits->report->figures.causes;
	list_waits(waits);
	return print_lines(waits, options, terminal);
}

static int print_reverse(
	struct waits *waits, const struct view_options *options, struct terminal *terminal)
{
	const struct findings *figures = &waits->report->figures;
	struct findings_cause *causes = calloc(figures->n_causes + 1, sizeof(*causes));
	struct blamed *functions = calloc(figures->n_causes + 1, sizeof(*functions));
	uint64_t unblamed_ns;
	int status = -1;

	sum_waits(waits->report, &unblamed_ns);
	if (causes && functions) {
		size_t n = list_causes(causes, waits->report);

		waits->causes = causes;
		list_culprits(waits, functions, find_blamed(functions, causes, n), unblamed_ns);
		status = print_lines(waits, options, terminal);
	}
	free(causes);
	free(functions);
	return status;
}

static void put_causes(
	struct json *json, const struct report *report, const struct metrics_wait *wait)
{
	json_array(json, "causes");
	for (size_t k = 0; k < wait->n_causes; k++) {
		const struct metrics_blame *blame = &wait->causes[k];
		const struct name_label *label =
			findings_cause_label(&report->figures, blame->node);

		json_row(json);
		view_json_place(json, label ? label->name : "", label,
			findings_place(&report->figures, blame->node));
		json_seconds(json, "blame_s", blame->ns);
		json_number(json, "thread", view_json_thread(report, blame->thread));
		view_json_owner(json, report, blame->thread);
		view_json_node(json, report_node(report, blame->node));
		json_end_object(json);
	}
	json_end_array(json);
}

/*
 * Writes one wait of the metrics, with its causes inside. The table joins waits that read the same.
 */
static void put_wait(struct json *json, const struct report *report, size_t i)
{
	const struct metrics_wait *wait = &report->metrics.waits[i];
	const struct findings *figures = &report->figures;
	uint32_t node = findings_wait_node(wait);

	json_row(json);
	json_string(json, "kind", findings_wait_word(wait->kind));
	view_json_place(json, figures->wait_names[i], findings_label(figures, node),
		findings_wait_place(figures, wait));
	view_json_node(json, report_node(report, node));
	json_numbers(json, "waits wait_s", wait->n, wait->wait_ns);
	if (estimated_of(figures, wait))
		json_share(json, "estimated_share", estimated_of(figures, wait), wait->wait_ns);
	put_causes(json, report, wait);
	json_seconds(json, "unblamed_s", wait->unblamed_ns);
	json_end_object(json);
}

static void put_json(struct json *json, const struct report *report)
{
	json_array(json, "waits");
	for (size_t i = 0; i < report->metrics.n_waits; i++)
		if (report_shows(report->rows.metrics_waits, i))
			put_wait(json, report, i);
	json_end_array(json);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct findings *figures = &report->figures;
	uint32_t limit = options->table.limit_permyriad;
	uint64_t unblamed_ns;
	struct waits waits = {
		.report = report,
		.limit_permyriad = options->table.is_csv    ? 0
				   : limit != TABLE_DEFAULT ? limit
							    : LIMIT_PERMYRIAD,
		.most_below = options->table.is_csv ? SIZE_MAX : CAUSES_MOST,
		.left_ns = sum_waits(report, &unblamed_ns),
	};
	int status = -1;

	waits.whole_ns = report->filter && report->filter->is_relative
				 ? waits.left_ns
				 : report_waiting(report, &unblamed_ns);

	/* A row for each wait or function, for each cause, and two more rows below each. */
	waits.lines = calloc(3 * (figures->n_waits + figures->n_causes) + figures->n_causes + 1,
		sizeof(*waits.lines));
	if (waits.lines)
		status = options->is_reverse ? print_reverse(&waits, options, terminal)
					     : print_waits(&waits, options, terminal);
	free(waits.lines);
	return status;
}

const struct view view_by_wait = {
	.name = "by wait",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_REGION | FILTER_STATE,
	.print = print,
	.put_json = put_json,
};
