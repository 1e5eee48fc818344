/* SPDX-License-Identifier: Apache-2.0 */
/* --by wait: what was waited for and, below each, the code that ran meanwhile; --reverse: code first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/names_sites.h"
#include "src/view_rows.h"
#include "src/view_table.h"

enum {
	DEFAULT_LIMIT_PERMYRIAD = 100,
	CAUSES_MOST = 5,         /* below each wait, or waits below each cause */
	ONE_THREAD_PERCENT = 80, /* from this share on its thread is named */
};

enum wait_column { SECONDS, SHARE };

/* The table under way. */
struct waits {
	const struct report *report;
	struct table table;
	struct table_limits limits;
	uint64_t whole_ns;
};

static void put_line(const struct waits *waits, struct table_row *row, uint64_t ns, uint64_t whole)
{
	text_seconds(row->cells[SECONDS], ns);
	text_percent(row->cells[SHARE], ns, whole);
	table_put(&waits->table, row);
}

static void name_wait(struct table_row *row, const struct figures_wait *wait)
{
	char place[256];

	if (wait->sum.kind >= PROFILE_IDLE_BEFORE) {
		snprintf(row->name, sizeof(row->name), "idle outside of regions");
	} else if (figures_is_mutex(wait->sum.kind)) {
		snprintf(row->name, sizeof(row->name), "%s", wait->name);
		if (wait->place.line)
			snprintf(row->place, sizeof(row->place), "%s:%u",
				names_base(wait->place.file), wait->place.line);
	} else {
		advice_place(place, sizeof(place), wait->label);
		snprintf(row->name, sizeof(row->name), "%s %s", wait->name, place);
		snprintf(row->place, sizeof(row->place), "%s", wait->label->function);
	}
}

static void name_cause(
	const struct waits *waits, struct table_row *row, const struct figures_cause *cause)
{
	const struct profile *profile = &waits->report->profile;
	const struct name_label *label = cause->label;
	struct name_node node = { .repeats = 1, .label = *label };

	if (node.label.kind == NAME_INLINED)
		node.label.kind = NAME_FUNCTION;
	rows_name(row->name, sizeof(row->name), &node);
	rows_place(row->place, sizeof(row->place), &node.label);
	if (profile->n_threads > 1 && cause->thread < profile->n_threads &&
		(double)cause->thread_ns * 100.0 >= (double)cause->ns * ONE_THREAD_PERCENT) {
		char process[48];

		names_process(process, sizeof(process), profile, cause->thread);
		snprintf(row->name + strlen(row->name), sizeof(row->name) - strlen(row->name),
			"%s%s, thread %u", process[0] ? ", " : "", process,
			profile->threads[cause->thread].index);
	}
}

/* What has no cause: of a mutex the time in which it went from one owner to the next. */
static void put_unblamed(
	const struct waits *waits, uint64_t ns, uint64_t whole, const char *prefix, int is_mutex)
{
	struct table_row row = { .prefix = prefix, .name = "(unblamed: no sample at work)" };

	if (is_mutex)
		strcpy(row.name, "(unblamed: nobody held it)");

	if (ns && (double)ns * 10000.0 >= (double)whole * waits->limits.permyriad)
		put_line(waits, &row, ns, whole);
}

static void put_wait(const struct waits *waits, const struct figures_wait *wait)
{
	const struct figures_cause *causes = waits->report->figures.causes + wait->first_cause;
	struct table_row row = { .prefix = NULL };
	uint64_t rest_ns = 0;
	size_t n_shown = 0;

	name_wait(&row, wait);
	put_line(waits, &row, wait->sum.wait_ns, waits->whole_ns);
	for (size_t i = 0; i < wait->n_causes; i++) {
		struct table_row cause = { .prefix = "  " };

		if (n_shown == CAUSES_MOST ||
			(double)causes[i].ns * 10000.0 <
				(double)wait->sum.wait_ns * waits->limits.permyriad) {
			rest_ns += causes[i].ns;
			continue;
		}
		name_cause(waits, &cause, &causes[i]);
		put_line(waits, &cause, causes[i].ns, wait->sum.wait_ns);
		n_shown++;
	}
	put_unblamed(waits, wait->sum.unblamed_ns, wait->sum.wait_ns, "  ",
		figures_is_mutex(wait->sum.kind));
	if (rest_ns) {
		struct table_row rest = { .prefix = "  " };

		snprintf(rest.name, sizeof(rest.name), "(%zu more)", wait->n_causes - n_shown);
		put_line(waits, &rest, rest_ns, wait->sum.wait_ns);
	}
}

static void print_waits(struct waits *waits)
{
	const struct figures *figures = &waits->report->figures;
	struct table_row total = { .name = "total" };
	size_t n_shown = 0;

	table_heading(&waits->table, "waiting for, and below it the code that ran meanwhile");
	for (size_t i = 0; i < figures->n_waits; i++) {
		const struct figures_wait *wait = &figures->waits[i];

		if (!table_shows(&waits->limits, n_shown, wait->sum.wait_ns, waits->whole_ns) ||
			wait->sum.wait_ns == 0)
			continue;
		put_wait(waits, wait);
		n_shown++;
	}
	put_line(waits, &total, waits->whole_ns, waits->whole_ns);
	table_end(&waits->table, waits->report, "wait", figures->n_waits - n_shown, &waits->limits);
}

/* A function and what it is blamed for: causes[first .. first + n - 1]. */
struct culprit {
	uint64_t ns;
	size_t first, n;
};

static const char *key_file(const struct name_label *label)
{
	return label->decl_line ? label->decl_file : label->file;
}

static uint32_t key_line(const struct name_label *label)
{
	return label->decl_line
		       ? label->decl_line
		       : (label->kind == NAME_REGION || label->kind == NAME_TASK ? label->line : 0);
}

/* Names are interned: where they are the same, so are their addresses. */
static int compare_labels(const struct name_label *a, const struct name_label *b)
{
	int order = a->name == b->name ? 0 : strcmp(a->name, b->name);

	if (order != 0)
		return order;
	if (key_line(a) != key_line(b))
		return key_line(a) < key_line(b) ? -1 : 1;
	if (key_line(a) && key_file(a) != key_file(b))
		return strcmp(key_file(a), key_file(b));
	return a->module == b->module ? 0 : strcmp(a->module, b->module);
}

static int by_label(const void *left, const void *right)
{
	const struct figures_cause *a = left, *b = right;
	int order = compare_labels(a->label, b->label);

	if (order != 0)
		return order;
	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->wait < b->wait ? -1 : a->wait > b->wait;
}

static int by_blame(const void *left, const void *right)
{
	const struct culprit *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static size_t find_culprits(
	struct culprit *culprits, const struct figures_cause *causes, size_t n_causes)
{
	size_t n = 0;

	for (size_t i = 0; i < n_causes; i++) {
		if (i == 0 || compare_labels(causes[i - 1].label, causes[i].label) != 0)
			culprits[n++] = (struct culprit){ .first = i };
		culprits[n - 1].ns += causes[i].ns;
		culprits[n - 1].n++;
	}
	qsort(culprits, n, sizeof(*culprits), by_blame);
	return n;
}

static void put_culprit(const struct waits *waits, const struct figures_cause *causes,
	const struct culprit *culprit)
{
	const struct figures *figures = &waits->report->figures;
	struct figures_cause whole = causes[culprit->first];
	struct table_row row = { .prefix = NULL };

	whole.thread_ns = 0; /* of one wait only */
	name_cause(waits, &row, &whole);
	put_line(waits, &row, culprit->ns, waits->whole_ns);
	for (size_t i = 0; i < culprit->n && i < CAUSES_MOST; i++) {
		const struct figures_cause *cause = &causes[culprit->first + i];
		struct table_row victim = { .prefix = "  " };

		name_wait(&victim, &figures->waits[cause->wait]);
		put_line(waits, &victim, cause->ns, culprit->ns);
	}
}

static int print_reverse(struct waits *waits)
{
	const struct figures *figures = &waits->report->figures;
	struct figures_cause *causes = calloc(figures->n_causes + 1, sizeof(*causes));
	struct culprit *culprits = calloc(figures->n_causes + 1, sizeof(*culprits));
	struct table_row total = { .name = "total" };
	size_t n_shown = 0, n = 0;
	uint64_t unblamed_ns;
	int status = causes && culprits ? 0 : -1;

	report_waiting(waits->report, &unblamed_ns);
	if (status == 0) {
		memcpy(causes, figures->causes, figures->n_causes * sizeof(*causes));
		qsort(causes, figures->n_causes, sizeof(*causes), by_label);
		n = find_culprits(culprits, causes, figures->n_causes);
		table_heading(&waits->table, "code that others waited for, and below it how");
		for (size_t i = 0; i < n; i++) {
			if (!table_shows(&waits->limits, n_shown, culprits[i].ns, waits->whole_ns))
				continue;
			put_culprit(waits, causes, &culprits[i]);
			n_shown++;
		}
		put_unblamed(waits, unblamed_ns, waits->whole_ns, NULL, 0);
		put_line(waits, &total, waits->whole_ns, waits->whole_ns);
		table_end(&waits->table, waits->report, "function", n - n_shown, &waits->limits);
	}
	free(causes);
	free(culprits);
	return status;
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	uint64_t unblamed_ns;
	struct waits waits = {
		.report = report,
		.table = { terminal, { { "thread-s", 8, 0 }, { "%", 6, 0 } } },
		.limits = table_limits(options, DEFAULT_LIMIT_PERMYRIAD),
		.whole_ns = report_waiting(report, &unblamed_ns),
	};

	if (options->is_reverse)
		return print_reverse(&waits);
	print_waits(&waits);
	return 0;
}

const struct view view_by_wait = {
	.name = "by wait",
	.takes = VIEW_TAKES_LIMITS,
	.is_of_user = 1,
	.filters = FILTER_REGION | FILTER_STATE,
	.print = print,
};
