/* SPDX-License-Identifier: Apache-2.0 */
/* The summary's table of what the threads did, with bars; see view_classes.h. */
#include "src/view_classes.h"

#include <stdlib.h>
#include <string.h>

#include "src/report_text.h"

enum {
	WAIT_ROWS = 4,
	BAR_AT = 54, /* columns before the bar */
	BAR_MOST = 24,
	UNSAMPLED_LEAST = 200, /* 1/200 of the whole */
};

/* The table under way. */
struct classes {
	const struct report *report;
	struct terminal *terminal;
	size_t n_lines; /* printed so far */
};

/* One line of the table of classes, with a bar. */
static void put_class(struct classes *classes, const char *name, uint64_t amount, uint64_t whole)
{
	struct terminal *terminal = classes->terminal;
	char number[TEXT_NUMBER_BYTES], percent[TEXT_NUMBER_BYTES], bar[64];
	size_t room = terminal->width - BAR_AT < BAR_MOST ? terminal->width - BAR_AT : BAR_MOST;
	size_t n = whole ? (size_t)((double)amount * (double)room / (double)whole + 0.5) : 0;

	memset(bar, '#', sizeof(bar));
	bar[n < room ? n : room] = '\0';
	if (classes->report->is_event)
		text_count(number, amount);
	else
		text_seconds(number, amount);
	fprintf(terminal->out, "  %-34s %8s %6s", name, number,
		text_percent(percent, amount, whole));
	if (bar[0] && amount < whole)
		fprintf(terminal->out, "  %s%s%s", terminal_style(terminal, STYLE_BAR), bar,
			terminal_style(terminal, STYLE_NONE));
	fputc('\n', terminal->out);
	classes->n_lines++;
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

	return report->profile.header.clock_kind == PROFILE_CLOCK_CPU ? spinning[class]
								      : any[class];
}

/* The waits of the run, largest first; the smallest together when there are many. */
static void put_waits(struct classes *classes, uint64_t whole)
{
	struct class_row rows[PROFILE_N_CLASSES];
	uint64_t rest = 0;
	size_t n = 0;

	for (unsigned i = PROFILE_WAIT_BARRIER; i < PROFILE_N_CLASSES; i++) {
		uint64_t amount = report_class(classes->report, i);
		if (amount)
			rows[n++] = (struct class_row){ class_name(classes->report, i), amount };
	}
	qsort(rows, n, sizeof(rows[0]), by_amount);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < WAIT_ROWS || n <= WAIT_ROWS)
			put_class(classes, rows[i].name, rows[i].amount, whole);
		else
			rest += rows[i].amount;
	}
	if (rest)
		put_class(classes, "other waits", rest, whole);
}

size_t view_put_classes(struct terminal *terminal, const struct report *report)
{
	struct classes classes = { .report = report, .terminal = terminal };
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
	put_class(&classes, "useful work", report_class(report, PROFILE_WORK), whole);
	put_waits(&classes, whole);
	if (report_class(report, PROFILE_OVERHEAD))
		put_class(&classes, "runtime overhead", report_class(report, PROFILE_OVERHEAD),
			whole);
	if (off_cpu)
		put_class(&classes, "not on a cpu (asleep or blocked)", off_cpu, whole);
	if (unsampled)
		put_class(&classes, "on a cpu, not sampled", unsampled, whole);
	put_class(&classes, "total", whole, whole);
	return classes.n_lines + 1;
}
