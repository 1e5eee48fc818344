/* SPDX-License-Identifier: Apache-2.0 */
/* Efficiency, causes and advice in the summary; see view_causes.h. */
#include "src/views/view_causes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/findings/order.h"
#include "src/text/text.h"

enum {
	LINE_LEAST_PERMILLE = 1, /* of all time; a smaller cause is left out */
	TEXT_AT = 5,             /* blanks before a sentence */
	ALL_COLUMNS = 36,        /* of what all entries together could gain, at most */
	COMMAND_BYTES = 2 * 4096,
};

void view_cause_name(
	char *text, size_t text_bytes, const struct metrics *metrics, enum metrics_cause cause)
{
	static const char *const names[] = {
#define CAUSE(NAME, word, label, ...) [METRICS_##NAME] = (label),
#include "attribution/metrics/causes.def"
	};

	if (cause == METRICS_SERIAL && metrics->n_processes)
		snprintf(text, text_bytes, "serial code (other threads idle)");
	else if (cause == METRICS_SERIAL && metrics->n_slots > 1)
		snprintf(text, text_bytes, "serial code (%u thread%s idle)", metrics->n_slots - 1,
			metrics->n_slots == 2 ? "" : "s");
	else
		snprintf(text, text_bytes, "%s", names[cause]);
}

static int is_worth_a_line(const struct metrics *metrics, size_t cause)
{
	return cause == METRICS_USEFUL ||
	       (double)metrics->cause_ns[cause] * 1000.0 >=
		       (double)findings_sum_causes(metrics->cause_ns) * LINE_LEAST_PERMILLE + 1.0;
}

size_t view_count_causes(const struct metrics *metrics)
{
	size_t n = 0;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		n += is_worth_a_line(metrics, i);
	return n;
}

void view_put_efficiency(struct terminal *terminal, const struct metrics *metrics)
{
	uint64_t useful_ns = metrics->cause_ns[METRICS_USEFUL];
	uint64_t whole_ns = findings_sum_causes(metrics->cause_ns);
	uint32_t n = metrics->n_slots ? metrics->n_slots : 1;
	uint64_t tenths =
		whole_ns ? (uint64_t)((double)useful_ns * 10.0 * n / (double)whole_ns + 0.5) : 0;
	uint64_t percent =
		whole_ns ? (uint64_t)((double)useful_ns * 100.0 / (double)whole_ns + 0.5) : 0;
	char ideal[TEXT_NUMBER_BYTES], text[256];

	snprintf(text, sizeof(text),
		"Parallel efficiency %llu %%   (%u thread%s did the work of %llu.%llu)   "
		"ideal: %s s",
		(unsigned long long)percent, n, text_plural(n), (unsigned long long)tenths / 10,
		(unsigned long long)tenths % 10, text_seconds(ideal, metrics_ideal(metrics)));
	text_cut(text, terminal->width);
	fprintf(terminal->out, "%s%s%s\n", terminal_style(terminal, STYLE_HEADING), text,
		terminal_style(terminal, STYLE_NONE));
}

enum cause_column { NAME, WORD, WALL, TIME, EVENTS, SHARE, BAR };

const struct table_column cause_columns[] = {
	[WORD] = { "cause", "cause", TABLE_WORD, TABLE_IN_CSV, 0, 0 },
	[NAME] = { "name", "name", TABLE_NAME, TABLE_IN_CSV, 0, 34 },
	[WALL] = { "wall", "wall s", TABLE_SECONDS, TABLE_IN_CSV, 0, 8 },
	[TIME] = { "thread", "thread-s", TABLE_SECONDS, TABLE_IN_CSV, 0, 8 },
	[EVENTS] = { "events", "events", TABLE_COUNT, TABLE_IN_CSV, 0, 8 },
	[SHARE] = { "share", "%", TABLE_SHARE, TABLE_IN_CSV, 0, 6 },
	[BAR] = { "bar", "", TABLE_BAR, 0, 0, 0 },
	{ .key = NULL },
};

static int by_loss(const void *left, const void *right)
{
	const struct cause_row *a = left, *b = right;

	return ORDER({ b->amount, a->amount }, { a->order, b->order });
}

static void add_cause(
	struct cause_rows *causes, const char *word, const char *name, uint64_t thread_ns)
{
	struct cause_row *row = &causes->rows[causes->n++];

	*row = (struct cause_row){ .word = word,
		.order = causes->n,
		.amount = thread_ns,
		.wall_ns = metrics_gain(&causes->report->metrics, thread_ns) };
	snprintf(row->name, sizeof(row->name), "%s", name);
}

void view_list_causes(struct cause_rows *causes, const struct report *report, size_t n_rows)
{
	const struct metrics *metrics = &report->metrics;
	uint64_t rest_ns = 0;
	char name[64];

	*causes = (struct cause_rows){ .report = report,
		.whole = findings_sum_causes(metrics->cause_ns) };
	for (size_t i = METRICS_USEFUL; i < METRICS_N_CAUSES; i++) {
		if (!is_worth_a_line(metrics, i) && n_rows != SIZE_MAX)
			continue;
		view_cause_name(name, sizeof(name), metrics, i);
		add_cause(causes, report_cause_word(i), name, metrics->cause_ns[i]);
	}
	qsort(causes->rows + 1, causes->n - 1, sizeof(causes->rows[0]), by_loss);
	if (causes->n <= n_rows)
		return;
	while (causes->n >= n_rows && causes->n > 1)
		rest_ns += causes->rows[--causes->n].amount;
	add_cause(causes, "other", "other", rest_ns);
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct cause_rows *causes = data;
	struct cause_row total = {
		.word = "total", .name = "total", .amount = causes->whole, .wall_ns = UINT64_MAX
	};
	const struct cause_row *cause = index == causes->n ? &total : &causes->rows[index];

	table_set_text(row, WORD, cause->word);
	table_set_text(row, NAME, table_print_text(row, "%s", cause->name));
	if (cause->wall_ns != UINT64_MAX)
		table_set(row, WALL, cause->wall_ns);
	table_set(
		row, causes->report->is_event && causes->has_total ? EVENTS : TIME, cause->amount);
	table_set_part(row, SHARE, cause->amount, causes->whole);
	if (cause->amount < causes->whole || !causes->has_total)
		table_set_part(row, BAR, cause->amount, causes->whole);
	row->weight = cause->amount;
}

int view_print_causes(const struct cause_rows *causes, const struct table_options *options,
	struct terminal *terminal)
{
	int is_event = causes->report->is_event;
	int has_time = !is_event || !causes->has_total;
	struct table table = {
		.columns = cause_columns,
		.hidden = (uint64_t)1 << (has_time ? EVENTS : TIME),
		.fields = !causes->has_total ? "name,wall,share,bar"
			  : is_event         ? "name,events,share,bar"
					     : "name,thread,share,bar",
		.title = causes->has_total && is_event ? "Where the events were counted"
						       : "Where the time went",
		.what = "cause",
		.whole = causes->whole,
		.n_rows = causes->n,
		.fill = fill,
		.data = causes,
		.has_total = causes->has_total,
		.is_bare = 1,
		.indent = 2,
	};

	return table_print(&table, options, terminal);
}

void view_put_entry(struct terminal *terminal, size_t rank, const struct advice *advice)
{
	char gain[TEXT_NUMBER_BYTES], error[TEXT_NUMBER_BYTES], number[64], line[128], text[512],
		raw[2 * ADVICE_NAME_BYTES + 8];
	const char *sign = advice->is_repeated ? " +-" : "";

	snprintf(raw, sizeof(raw), "%s%s%s", advice->place,
		advice->place[0] && advice->name[0] ? "  " : "", advice->name);
	text_clean(text, sizeof(text), raw);
	snprintf(number, sizeof(number), "-%s%s%s s", text_seconds(gain, advice->gain_ns), sign,
		sign[0] ? text_seconds(error, advice->error_ns) : "");
	snprintf(line, sizeof(line), "  %zu  %-*s  %-11s  ", rank, sign[0] ? 16 : 8, number,
		advice_word(advice->cause));
	text_shorten(text, terminal->width - strlen(line));
	fprintf(terminal->out, "%s%s\n", line, text);
	text_clean(text, sizeof(text), advice->text);
	text_cut(text, terminal->width - TEXT_AT);
	fprintf(terminal->out, "%*s%s\n", TEXT_AT, "", text);
}

/* "next: ompprof why", which explains the first entry. */
static void make_next(char *text, size_t text_bytes, const struct report *report)
{
	size_t used = (size_t)snprintf(text, text_bytes, "next: ");

	report_command_of(text + used, text_bytes - used, report, "why", NULL);
}

size_t view_count_advice(const struct report *report, const struct terminal *terminal, size_t n)
{
	char next[COMMAND_BYTES];

	if (n == 0)
		return 1;
	make_next(next, sizeof(next), report);
	return 2 + 2 * n + (text_width(next) + ALL_COLUMNS > (size_t)terminal->width);
}

static void put_all(struct terminal *terminal, const struct report *report, size_t n)
{
	const struct metrics *metrics = &report->metrics;
	uint64_t gain_ns = 0, left_ns, hundredths, ideal_ns = metrics_ideal(metrics);
	char seconds[TEXT_NUMBER_BYTES], text[128];
	char next[COMMAND_BYTES];
	int gap;

	for (size_t i = 0; i < n; i++)
		gain_ns += report->advice.entries[i].gain_ns;
	left_ns = metrics->wall_ns > gain_ns ? metrics->wall_ns - gain_ns : 0;
	if (left_ns < ideal_ns)
		left_ns = ideal_ns;
	hundredths =
		left_ns ? (uint64_t)((double)metrics->wall_ns * 100.0 / (double)left_ns + 0.5) : 0;
	text_seconds(seconds, left_ns);
	if (n == 1)
		snprintf(text, sizeof(text), "  Without it: at best %s s", seconds);
	else if (n == 2)
		snprintf(text, sizeof(text), "  Both: at best %s s", seconds);
	else
		snprintf(text, sizeof(text), "  All %zu: at best %s s", n, seconds);
	/* A larger speed-up than the slots allow means that gains overlap. */
	if (hundredths && hundredths <= 100ull * metrics->n_slots)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " (%llu.%02llux)",
			(unsigned long long)hundredths / 100, (unsigned long long)hundredths % 100);
	make_next(next, sizeof(next), report);
	gap = terminal_edge(terminal) - (int)(strlen(text) + text_width(next));
	if (text_width(next) + ALL_COLUMNS <= (size_t)terminal->width)
		fprintf(terminal->out, "%s%*s%s\n", text, gap > 2 ? gap : 2, "", next);
	else
		fprintf(terminal->out, "%s\n  %s\n", text, next);
}

static void put_too_few(struct terminal *terminal, const struct report *report)
{
	uint32_t hz = report->profile.header.frequency_hz;

	fprintf(terminal->out, "  Too few samples to rank losses: run it longer%s\n",
		hz < 1000 ? ", or with -F 1000" : "");
}

void view_put_advice(struct terminal *terminal, const struct report *report, size_t n)
{
	const struct metrics *metrics = &report->metrics;
	char percent[TEXT_NUMBER_BYTES];

	if (!report_can_rank(report)) {
		put_too_few(terminal, report);
		return;
	}
	if (report->advice.n == 0) {
		fprintf(terminal->out, "  Nothing stands out; efficiency %s %%\n",
			text_percent(percent, metrics->cause_ns[METRICS_USEFUL],
				findings_sum_causes(metrics->cause_ns)));
		return;
	}
	fprintf(terminal->out, "%s  Fix first (most you could gain)%s\n",
		terminal_style(terminal, STYLE_HEADING), terminal_style(terminal, STYLE_NONE));
	for (size_t i = 0; i < n; i++)
		view_put_entry(terminal, i + 1, &report->advice.entries[i]);
	put_all(terminal, report, n);
}

/* without measured waits: what the threads did, by class */

enum { WAIT_ROWS = 4, UNSAMPLED_LEAST = 200 /* 1/200 of the whole */ };

static void put_class(
	struct cause_rows *classes, const char *word, const char *name, uint64_t amount)
{
	struct cause_row *row = &classes->rows[classes->n++];

	*row = (struct cause_row){ .word = word, .amount = amount, .wall_ns = UINT64_MAX };
	snprintf(row->name, sizeof(row->name), "%s", name);
}

struct class_row {
	const char *word, *name;
	uint64_t amount;
};

static int by_amount(const void *left, const void *right)
{
	const struct class_row *a = left, *b = right;

	int order = ORDER({ b->amount, a->amount });

	return order ? order : strcmp(a->name, b->name);
}

static const char *class_label(enum profile_class class)
{
	static const char *const labels[] = {
#define CLASS(NAME, value, word, label, ...) [value] = (label),
#include "profile/shared/classes.def"
	};

	return labels[class];
}

/* The CPU clock only sees waits that take CPU time; time asleep is "off cpu". */
static const char *wait_label(const struct report *report, enum profile_class class)
{
	static const char *const spinning[] = {
#define CLASS(NAME, value, word, label, ...) [value] = label ", spinning",
#include "profile/shared/classes.def"
	};

	return report->profile.header.clock_kind == PROFILE_CLOCK_CPU ? spinning[class]
								      : class_label(class);
}

static void put_of_class(struct cause_rows *classes, enum profile_class class)
{
	put_class(classes, report_class_word(class), class_label(class),
		report_class(classes->report, class));
}

/*
 * Lists the run's waits, largest first, in at most WAIT_ROWS rows: if there are more kinds, the
 * smallest share the last row. With wants_all, lists all.
 */
static void put_waits(struct cause_rows *classes, int wants_all)
{
	struct class_row rows[PROFILE_N_CLASSES];
	uint64_t rest = 0;
	size_t n = 0;

	for (unsigned i = PROFILE_WAIT_BARRIER; i < PROFILE_N_CLASSES; i++) {
		uint64_t amount = report_class(classes->report, i);
		if (amount)
			rows[n++] = (struct class_row){ report_wait_word(i),
				wait_label(classes->report, i), amount };
	}
	qsort(rows, n, sizeof(rows[0]), by_amount);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < WAIT_ROWS || n <= WAIT_ROWS || wants_all)
			put_class(classes, rows[i].word, rows[i].name, rows[i].amount);
		else
			rest += rows[i].amount;
	}
	if (rest)
		put_class(classes, "other", "other waits", rest);
}

/* Without native threads that slept: they waited for something to do, and lost nothing. */
static uint64_t off_cpu_ns(const struct report_totals *totals)
{
	return totals->off_cpu_ns > totals->asleep_off_ns
		       ? totals->off_cpu_ns - totals->asleep_off_ns
		       : 0;
}

/*
 * The time that threads were ready without a CPU, without native threads that slept; at most
 * most_ns.
 */
static uint64_t not_running_ns(const struct report *report, uint64_t most_ns)
{
	uint64_t sum_ns = 0, asleep_ns = report->totals.asleep_delay_ns;

	for (size_t i = 0; i < report->metrics.n_threads; i++)
		sum_ns += report->metrics.threads[i].not_running_ns;
	sum_ns -= sum_ns < asleep_ns ? sum_ns : asleep_ns;
	return sum_ns < most_ns ? sum_ns : most_ns;
}

void view_list_classes(struct cause_rows *classes, const struct report *report, int wants_all)
{
	uint64_t off_cpu = report->is_event ? 0 : off_cpu_ns(&report->totals);
	uint64_t unsampled = report->is_event ? 0 : report->totals.unsampled_ns;
	uint64_t whole = report_metric(report, &report->totals.all, METRIC_TOTAL) + off_cpu;
	uint64_t not_running = not_running_ns(report, off_cpu);
	char name[64];

	if (unsampled * UNSAMPLED_LEAST < whole)
		unsampled = 0; /* a thread's last period is seldom a whole period */
	*classes =
		(struct cause_rows){ .report = report, .whole = whole + unsampled, .has_total = 1 };
	put_of_class(classes, PROFILE_WORK);
	put_waits(classes, wants_all);
	if (report_class(report, PROFILE_OVERHEAD))
		put_of_class(classes, PROFILE_OVERHEAD);
	if (not_running) {
		view_cause_name(name, sizeof(name), &report->metrics, METRICS_NOT_RUNNING);
		put_class(classes, report_cause_word(METRICS_NOT_RUNNING), name, not_running);
	}
	if (off_cpu > not_running)
		put_class(classes, "off_cpu", "off cpu (asleep or blocked)", off_cpu - not_running);
	if (unsampled)
		put_class(classes, "unsampled", "on a cpu, not sampled", unsampled);
}
