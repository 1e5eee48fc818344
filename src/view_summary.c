/* SPDX-License-Identifier: Apache-2.0 */
/* The default view: one screen with what ran, where the time went and what to doubt. */
#include <stdlib.h>
#include <string.h>

#include "src/names_sites.h"
#include "src/report_text.h"
#include "src/view_flat.h"
#include "src/view_rows.h"

/* A screen of 24 lines: see lay_out for how its parts share them. */
enum {
	SCREEN_LINES = 24,
	WAIT_ROWS = 4,
	WARNINGS = 4,
	FUNCTIONS_MOST = 8,
	FUNCTIONS_LEAST = 3,
	REGIONS_MOST = 3,
	WARNING_BYTES = 512,
	UNSAMPLED_LEAST = 200, /* 1/200 of the whole */
};

/* How many lines each part gets. */
struct layout {
	size_t n_functions;
	size_t n_more_functions; /* not shown */
	size_t n_regions;
	size_t n_warnings; /* the last of them says how many more there are */
	int has_blanks;    /* lines between the parts */
};

struct summary {
	const struct report *report;
	struct terminal *terminal;
	struct flat flat;
	size_t n_lines; /* printed so far */
	size_t n_warnings;
	struct layout layout;
};

static const struct column function_columns[] = {
	{ "self%", 6, METRIC_TOTAL, 1, 1 },
	{ "self s", 7, METRIC_TOTAL, 1, 0 },
	{ .heading = NULL },
};

static const struct column function_event_columns[] = {
	{ "self%", 6, METRIC_TOTAL, 1, 1 },
	{ "events", 8, METRIC_TOTAL, 1, 0 },
	{ .heading = NULL },
};

static const struct column region_columns[] = {
	{ "total%", 6, METRIC_TOTAL, 0, 1 },
	{ "work s", 7, METRIC_WORK, 0, 0 },
	{ "wait s", 7, METRIC_WAIT, 0, 0 },
	{ .heading = NULL },
};

static const struct column region_event_columns[] = {
	{ "total%", 6, METRIC_TOTAL, 0, 1 },
	{ "events", 8, METRIC_TOTAL, 0, 0 },
	{ .heading = NULL },
};

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Takes the first `part` out of `text`: libomp says "LLVM OMP version: 5.0.20140926". */
static void cut_out(char *text, const char *part)
{
	char *at = strstr(text, part);

	if (at)
		memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
}

static void join_args(char *text, size_t text_bytes, const struct profile *profile)
{
	size_t to = 0;

	text[0] = '\0';
	for (size_t i = 0; i < profile->n_args && to + 2 < text_bytes; i++) {
		if (i)
			text[to++] = ' ';
		text_clean(text + to, text_bytes - to, profile->args[i]);
		to += strlen(text + to);
	}
	if (to == 0)
		text_clean(text, text_bytes, profile->exe ? names_base(profile->exe) : "");
}

/* "ompprof: ./cg -n 400     12.4 s wall, 8 threads, 8 cpus, LLVM OMP version: 5.0" */
static void put_run(struct summary *summary)
{
	const struct report *report = summary->report;
	const struct profile_header *header = &report->profile.header;
	size_t width = summary->terminal->width;
	char command[1024], facts[256], runtime[128], wall[TEXT_NUMBER_BYTES];

	text_clean(runtime, sizeof(runtime), header->runtime[0] ? header->runtime : "no OpenMP");
	cut_out(runtime, " version:");
	text_shorten(runtime, 24);
	snprintf(facts, sizeof(facts), "%s s wall, %zu thread%s, %u cpu%s, %s",
		text_seconds(wall, report->totals.wall_ns), report->profile.n_threads,
		plural(report->profile.n_threads), header->n_cpus, plural(header->n_cpus), runtime);
	join_args(command, sizeof(command), &report->profile);
	text_shorten(command, width - 12 - text_width(facts));
	fprintf(summary->terminal->out, "%sompprof: %s%s%*s%s\n",
		terminal_style(summary->terminal, STYLE_HEADING), command,
		terminal_style(summary->terminal, STYLE_NONE),
		(int)(width - 9 - text_width(command) - text_width(facts)), "", facts);
	summary->n_lines++;
}

static void put_sampling(struct summary *summary)
{
	const struct report *report = summary->report;
	const struct report_totals *totals = &report->totals;
	uint64_t samples = totals->all.samples, time_ns = tree_metrics_time(&totals->all);
	char count[TEXT_NUMBER_BYTES], lost[TEXT_NUMBER_BYTES], cost[TEXT_NUMBER_BYTES];
	char rate[64] = "", line[256], clock[32];

	text_clean(clock, sizeof(clock), report->profile.header.clock_name);
	if (report->is_event)
		snprintf(rate, sizeof(rate), " (clock %s)", clock);
	else if (time_ns)
		snprintf(rate, sizeof(rate), " (%.0f/s of %s time)",
			(double)samples * 1e9 / (double)time_ns,
			report->profile.header.clock_kind == PROFILE_CLOCK_WALL ? "wall" : "CPU");
	snprintf(line, sizeof(line), "%s sample%s%s, %s %% lost, cost %s%s",
		text_count(count, samples), plural(samples), rate,
		text_percent(lost, totals->n_lost, totals->n_lost + samples),
		totals->handler_ns ? text_percent(cost, totals->handler_ns, totals->cpu_ns)
				   : "not known",
		totals->handler_ns ? " % of CPU time" : "");
	text_cut(line, summary->terminal->width);
	fprintf(summary->terminal->out, "%s\n\n", line);
	summary->n_lines += 2;
}

/* One line of the table of classes, with a bar. */
static void put_class(struct summary *summary, const char *name, uint64_t amount, uint64_t whole)
{
	struct terminal *terminal = summary->terminal;
	char number[TEXT_NUMBER_BYTES], percent[TEXT_NUMBER_BYTES], bar[64];
	size_t n = whole ? (size_t)((double)amount * 24.0 / (double)whole + 0.5) : 0;

	memset(bar, '#', sizeof(bar));
	bar[n < 24 ? n : 24] = '\0';
	if (summary->report->is_event)
		text_count(number, amount);
	else
		text_seconds(number, amount);
	fprintf(terminal->out, "  %-34s %8s %6s", name, number,
		text_percent(percent, amount, whole));
	if (bar[0] && amount < whole)
		fprintf(terminal->out, "  %s%s%s", terminal_style(terminal, STYLE_BAR), bar,
			terminal_style(terminal, STYLE_NONE));
	fputc('\n', terminal->out);
	summary->n_lines++;
}

struct class_row {
	const char *name;
	uint64_t amount;
};

static int by_amount(const void *left, const void *right)
{
	const struct class_row *a = left, *b = right;

	return a->amount < b->amount ? 1 : a->amount > b->amount ? -1 : strcmp(a->name, b->name);
}

static const char *class_name(const struct report *report, enum profile_class class)
{
	/* The CPU clock sees only waiting that burns CPU time; what sleeps has a row of its own. */
	static const char *const spinning[PROFILE_N_CLASSES] = {
		[PROFILE_WAIT_BARRIER] = "barrier wait, spinning",
		[PROFILE_WAIT_TASKWAIT] = "taskwait, spinning",
		[PROFILE_WAIT_TASKGROUP] = "taskgroup wait, spinning",
		[PROFILE_WAIT_LOCK] = "lock wait, spinning",
		[PROFILE_WAIT_CRITICAL] = "critical wait, spinning",
		[PROFILE_WAIT_ORDERED] = "ordered wait, spinning",
		[PROFILE_WAIT_ATOMIC] = "atomic wait, spinning",
		[PROFILE_WAIT_TARGET] = "target wait, spinning",
		[PROFILE_IDLE] = "idle, spinning",
	};
	static const char *const any[PROFILE_N_CLASSES] = { NULL, NULL, "barrier wait", "taskwait",
		"taskgroup wait", "lock wait", "critical wait", "ordered wait", "atomic wait",
		"target wait", "idle" };

	return report->profile.header.clock_kind == PROFILE_CLOCK_WALL ? any[class]
								       : spinning[class];
}

/* The waits of the run, largest first; the smallest together when there are many. */
static void put_waits(struct summary *summary, uint64_t whole)
{
	struct class_row rows[PROFILE_N_CLASSES];
	uint64_t rest = 0;
	size_t n = 0;

	for (unsigned i = PROFILE_WAIT_BARRIER; i < PROFILE_N_CLASSES; i++) {
		uint64_t amount = report_class(summary->report, i);
		if (amount)
			rows[n++] = (struct class_row){ class_name(summary->report, i), amount };
	}
	qsort(rows, n, sizeof(rows[0]), by_amount);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < WAIT_ROWS || n <= WAIT_ROWS)
			put_class(summary, rows[i].name, rows[i].amount, whole);
		else
			rest += rows[i].amount;
	}
	if (rest)
		put_class(summary, "other waits", rest, whole);
}

static void put_classes(struct summary *summary)
{
	const struct report *report = summary->report;
	struct terminal *terminal = summary->terminal;
	uint64_t off_cpu = report->is_event ? 0 : report->totals.off_cpu_ns;
	uint64_t unsampled = report->is_event ? 0 : report->totals.unsampled_ns;
	uint64_t whole = report_metric(report, &report->totals.all, METRIC_TOTAL) + off_cpu;

	if (unsampled * UNSAMPLED_LEAST < whole)
		unsampled = 0; /* rounding: a thread's last period is seldom a whole one */
	whole += unsampled;

	fprintf(terminal->out, "%s  %-34s %8s %6s%s\n", terminal_style(terminal, STYLE_HEADING),
		report->is_event ? "Where the events were counted" : "Where the time went",
		report->is_event ? "events" : "thread-s", "%",
		terminal_style(terminal, STYLE_NONE));
	put_class(summary, "useful work", report_class(report, PROFILE_WORK), whole);
	put_waits(summary, whole);
	if (report_class(report, PROFILE_OVERHEAD))
		put_class(
			summary, "runtime overhead", report_class(report, PROFILE_OVERHEAD), whole);
	if (off_cpu)
		put_class(summary, "not on a cpu (asleep or blocked)", off_cpu, whole);
	if (unsampled)
		put_class(summary, "on a cpu, not sampled", unsampled, whole);
	put_class(summary, "total", whole, whole);
	summary->n_lines++;
}

static int is_place(const struct name_label *label)
{
	return label->kind == NAME_FUNCTION || label->kind == NAME_REGION ||
	       label->kind == NAME_TASK;
}

/* Prints the first functions by their own time, and how many there are besides. */
static void put_functions(struct summary *summary)
{
	const struct flat *flat = &summary->flat;
	const struct report *report = summary->report;
	const struct column *columns = report->is_event ? function_event_columns : function_columns;
	size_t n = 0;

	if (summary->layout.n_functions == 0)
		return;
	if (summary->layout.has_blanks)
		fputc('\n', summary->terminal->out);
	rows_heading(summary->terminal, columns, "top functions (ompprof report --flat)");
	for (size_t i = 0; i < flat->n_order && n < summary->layout.n_functions; i++) {
		const struct name_node *node = &flat->names.nodes[flat->order[i]];
		struct row row = { .self = &node->self, .node = node };

		if (!is_place(&node->label) || node->self.samples == 0)
			continue;
		rows_put(summary->terminal, report, columns, &row);
		n++;
	}
	if (summary->layout.n_more_functions)
		fprintf(summary->terminal->out, "(%zu more function%s)\n",
			summary->layout.n_more_functions, plural(summary->layout.n_more_functions));
}

static size_t count_functions(const struct flat *flat)
{
	size_t n = 0;

	for (size_t i = 0; i < flat->n_order; i++) {
		const struct name_node *node = &flat->names.nodes[flat->order[i]];
		n += is_place(&node->label) && node->self.samples > 0;
	}
	return n;
}

/* The regions with most time in all, largest first, into `best`. Returns how many there are. */
static size_t find_regions(const struct summary *summary, uint32_t best[REGIONS_MOST])
{
	const struct flat *flat = &summary->flat;
	size_t n = 0, n_best = 0;

	for (uint32_t i = 1; i < flat->names.n_nodes; i++) {
		uint64_t amount = report_metric(summary->report, &flat->totals[i], METRIC_TOTAL);
		size_t at = n_best;

		if (flat->names.nodes[i].label.kind != NAME_REGION || amount == 0)
			continue;
		n++;
		for (; at > 0 && amount > report_metric(summary->report,
						  &flat->totals[best[at - 1]], METRIC_TOTAL);
			at--)
			if (at < REGIONS_MOST)
				best[at] = best[at - 1];
		if (at < REGIONS_MOST)
			best[at] = i;
		n_best = n_best < REGIONS_MOST ? n_best + 1 : n_best;
	}
	return n;
}

static void put_regions(struct summary *summary, const uint32_t *best)
{
	const struct report *report = summary->report;
	const struct column *columns = report->is_event ? region_event_columns : region_columns;

	if (summary->layout.n_regions == 0)
		return;
	if (summary->layout.has_blanks)
		fputc('\n', summary->terminal->out);
	rows_heading(summary->terminal, columns, "top regions (ompprof report --tree)");
	for (size_t i = 0; i < summary->layout.n_regions; i++) {
		struct row row = {
			.total = &summary->flat.totals[best[i]],
			.self = &summary->flat.names.nodes[best[i]].self,
			.node = &summary->flat.names.nodes[best[i]],
		};
		rows_put(summary->terminal, report, columns, &row);
	}
}

static void put_warnings(struct summary *summary)
{
	size_t n_shown = summary->layout.n_warnings;
	size_t width = summary->terminal->width - strlen("warning: ");
	char text[WARNING_BYTES], clean[WARNING_BYTES];

	for (size_t i = 0; i < n_shown; i++) {
		if (i + 1 == n_shown && summary->n_warnings > n_shown)
			snprintf(clean, sizeof(clean), "and %zu more", summary->n_warnings - i);
		else
			text_clean(clean, sizeof(clean),
				report_warning(summary->report, i, text, sizeof(text)));
		/* What follows a semicolon says what comes of it, and can be spared. */
		if (text_width(clean) > width && strstr(clean, "; "))
			*strstr(clean, "; ") = '\0';
		text_cut(clean, width);
		fprintf(summary->terminal->out, "%swarning:%s %s\n",
			terminal_style(summary->terminal, STYLE_WARNING),
			terminal_style(summary->terminal, STYLE_NONE), clean);
	}
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Shares the lines below the table of classes out: a few for each part, then what each wants. */
static void lay_out(struct summary *summary, size_t n_regions)
{
	struct layout *layout = &summary->layout;
	size_t n_functions = count_functions(&summary->flat);
	/* Less the headings and a line that says how many more functions there are. */
	size_t space = SCREEN_LINES - summary->n_lines - 1 - (n_functions > 0) - (n_regions > 0);

	layout->n_functions = least(n_functions, FUNCTIONS_LEAST);
	layout->n_regions = least(n_regions, REGIONS_MOST);
	layout->n_warnings = least(summary->n_warnings, WARNINGS);
	while (layout->n_functions + layout->n_regions + layout->n_warnings > space)
		(*(layout->n_regions > 1 ? &layout->n_regions : &layout->n_warnings))--;
	space -= layout->n_functions + layout->n_regions + layout->n_warnings;
	if (space >= 2) {
		layout->has_blanks = 1;
		space -= 2;
	}
	while (space > 0 && layout->n_functions < least(n_functions, FUNCTIONS_MOST)) {
		layout->n_functions++;
		space--;
	}
	layout->n_more_functions = n_functions - layout->n_functions;
	layout->n_warnings = least(summary->n_warnings, layout->n_warnings + space);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct summary summary = { .report = report, .terminal = terminal };
	uint32_t best[REGIONS_MOST];
	char text[WARNING_BYTES];

	(void)options;
	if (flat_make(&summary.flat, report, SORT_SELF) != 0) {
		flat_release(&summary.flat);
		return -1;
	}
	while (report_warning(report, summary.n_warnings, text, sizeof(text)))
		summary.n_warnings++;
	put_run(&summary);
	put_sampling(&summary);
	put_classes(&summary);
	lay_out(&summary, find_regions(&summary, best));
	put_functions(&summary);
	put_regions(&summary, best);
	put_warnings(&summary);
	flat_release(&summary.flat);
	return 0;
}

const struct view view_summary = { .name = "summary", .print = print };
