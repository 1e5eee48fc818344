/* SPDX-License-Identifier: Apache-2.0 */
/* The summary's table of what the threads did, with bars; see view_classes.h. */
#include "src/views/view_classes.h"

#include <stdlib.h>
#include <string.h>

#include "src/text/text.h"

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

	return a->amount < b->amount ? 1 : a->amount > b->amount ? -1 : strcmp(a->name, b->name);
}

static const char *class_label(enum profile_class class)
{
	static const char *const labels[] = {
#define CLASS(NAME, value, word, label, ...) [value] = (label),
#include "profile/shared/classes.def"
	};

	return labels[class];
}

/* The CPU clock sees only waiting that burns CPU time; what sleeps has a row of its own. */
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

/* The waits of the run, largest first; the smallest together when there are many and not all are wanted. */
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

/* Threads that slept all their life waited for something to do, and lost nothing. */
static uint64_t off_cpu_ns(const struct report_totals *totals)
{
	return totals->off_cpu_ns > totals->asleep_off_ns
		       ? totals->off_cpu_ns - totals->asleep_off_ns
		       : 0;
}

/* How long threads were ready to run, at most the time that they were off the CPUs. Threads that slept are left out. */
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
		unsampled = 0; /* rounding: a thread's last period is seldom a whole one */
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
		put_class(classes, "off_cpu", "not on a cpu (asleep or blocked)",
			off_cpu - not_running);
	if (unsampled)
		put_class(classes, "unsampled", "on a cpu, not sampled", unsampled);
}
