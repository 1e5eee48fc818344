/* SPDX-License-Identifier: Apache-2.0 */
/* Efficiency, causes and advice in the summary; see view_causes.h. */
#include "src/view_causes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report_text.h"

enum {
	BAR_AT = 54, /* columns before the bar */
	BAR_MOST = 24,
	LINE_LEAST_PERMILLE = 1, /* a cause that is less is not worth a line */
	TEXT_AT = 5,             /* columns before a sentence */
};

static uint64_t sum_causes(const struct metrics *metrics)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		sum += metrics->cause_ns[i];
	return sum;
}

void view_cause_name(
	char *text, size_t text_bytes, const struct metrics *metrics, enum metrics_cause cause)
{
	static const char *const names[METRICS_N_CAUSES] = {
		[METRICS_USEFUL] = "useful work",
		[METRICS_SERIAL] = "serial code",
		[METRICS_IMBALANCE] = "load imbalance (barriers)",
		[METRICS_LOCK] = "lock wait",
		[METRICS_TASK] = "task starvation",
		[METRICS_OVERHEAD] = "runtime overhead",
		[METRICS_SHORT_TEAM] = "short teams",
		[METRICS_NOT_RUNNING] = "ready, but not running",
		[METRICS_BLOCKED] = "asleep or blocked",
		[METRICS_MPI] = "in MPI",
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
		       (double)sum_causes(metrics) * LINE_LEAST_PERMILLE + 1.0;
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
	uint64_t useful_ns = metrics->cause_ns[METRICS_USEFUL], whole_ns = sum_causes(metrics);
	uint32_t n = metrics->n_slots ? metrics->n_slots : 1;
	uint64_t tenths =
		whole_ns ? (uint64_t)((double)useful_ns * 10.0 * n / (double)whole_ns + 0.5) : 0;
	uint64_t percent =
		whole_ns ? (uint64_t)((double)useful_ns * 100.0 / (double)whole_ns + 0.5) : 0;
	char ideal[TEXT_NUMBER_BYTES], text[256];

	snprintf(text, sizeof(text),
		"Parallel efficiency %llu %%   (%u thread%s did the work of %llu.%llu)   "
		"ideal: %s s",
		(unsigned long long)percent, n, n == 1 ? "" : "s", (unsigned long long)tenths / 10,
		(unsigned long long)tenths % 10,
		text_seconds(ideal, metrics_gain(metrics, useful_ns)));
	text_cut(text, terminal->width);
	fprintf(terminal->out, "%s%s%s\n", terminal_style(terminal, STYLE_HEADING), text,
		terminal_style(terminal, STYLE_NONE));
}

static void put_cause(struct terminal *terminal, const struct metrics *metrics, const char *name,
	uint64_t ns, uint64_t whole_ns)
{
	char number[TEXT_NUMBER_BYTES], percent[TEXT_NUMBER_BYTES], bar[BAR_MOST + 1];
	size_t room = terminal->width - BAR_AT < BAR_MOST ? terminal->width - BAR_AT : BAR_MOST;
	size_t length = whole_ns ? (size_t)((double)ns * (double)room / (double)whole_ns + 0.5) : 0;

	memset(bar, '#', BAR_MOST);
	bar[length < room ? length : room] = '\0';
	fprintf(terminal->out, "  %-34s %8s %6s%s%s%s%s\n", name,
		text_seconds(number, metrics_gain(metrics, ns)),
		text_percent(percent, ns, whole_ns), bar[0] ? "  " : "",
		bar[0] ? terminal_style(terminal, STYLE_BAR) : "", bar,
		bar[0] ? terminal_style(terminal, STYLE_NONE) : "");
}

struct cause_row {
	enum metrics_cause cause;
	uint64_t ns;
};

static int by_loss(const void *left, const void *right)
{
	const struct cause_row *a = left, *b = right;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return (int)a->cause - (int)b->cause;
}

void view_put_causes(struct terminal *terminal, const struct metrics *metrics, size_t n_rows)
{
	uint64_t whole_ns = sum_causes(metrics), rest_ns = 0;
	struct cause_row rows[METRICS_N_CAUSES];
	size_t n_losses = 0;
	char name[64];

	fprintf(terminal->out, "%s  %-34s %8s %6s%s\n", terminal_style(terminal, STYLE_HEADING),
		"Where the time went", "wall s", "%", terminal_style(terminal, STYLE_NONE));
	for (size_t i = METRICS_USEFUL + 1; i < METRICS_N_CAUSES; i++)
		if (is_worth_a_line(metrics, i))
			rows[n_losses++] = (struct cause_row){ i, metrics->cause_ns[i] };
	qsort(rows, n_losses, sizeof(rows[0]), by_loss);
	put_cause(terminal, metrics, "useful work", metrics->cause_ns[METRICS_USEFUL], whole_ns);
	for (size_t i = 0; i < n_losses; i++) {
		if (i + 2 >= n_rows && n_losses + 1 > n_rows) {
			rest_ns += rows[i].ns;
			continue;
		}
		view_cause_name(name, sizeof(name), metrics, rows[i].cause);
		put_cause(terminal, metrics, name, rows[i].ns, whole_ns);
	}
	if (rest_ns)
		put_cause(terminal, metrics, "other", rest_ns, whole_ns);
}

static void put_entry(struct terminal *terminal, size_t rank, const struct advice *advice)
{
	char gain[TEXT_NUMBER_BYTES], number[64], line[128], text[512],
		raw[2 * ADVICE_NAME_BYTES + 8];

	snprintf(raw, sizeof(raw), "%s%s%s", advice->place,
		advice->place[0] && advice->name[0] ? "  " : "", advice->name);
	text_clean(text, sizeof(text), raw);
	snprintf(number, sizeof(number), "-%s s", text_seconds(gain, advice->gain_ns));
	snprintf(line, sizeof(line), "  %zu  %-8s  %-11s  ", rank, number,
		advice_word(advice->cause));
	text_shorten(text, terminal->width - strlen(line));
	fprintf(terminal->out, "%s%s\n", line, text);
	text_clean(text, sizeof(text), advice->text);
	text_cut(text, terminal->width - TEXT_AT);
	fprintf(terminal->out, "%*s%s\n", TEXT_AT, "", text);
}

static void put_all(struct terminal *terminal, const struct report *report, size_t n)
{
	const struct metrics *metrics = &report->metrics;
	uint64_t gain_ns = 0, left_ns, hundredths;
	char seconds[TEXT_NUMBER_BYTES], text[128];
	static const char next[] = "next: ompprof report --by region";
	int gap;

	for (size_t i = 0; i < n; i++)
		gain_ns += report->advice.entries[i].gain_ns;
	left_ns = metrics->wall_ns > gain_ns ? metrics->wall_ns - gain_ns : 0;
	hundredths =
		left_ns ? (uint64_t)((double)metrics->wall_ns * 100.0 / (double)left_ns + 0.5) : 0;
	text_seconds(seconds, left_ns);
	if (n == 1)
		snprintf(text, sizeof(text), "  Without it: at best %s s", seconds);
	else if (n == 2)
		snprintf(text, sizeof(text), "  Both: at best %s s", seconds);
	else
		snprintf(text, sizeof(text), "  All %zu: at best %s s", n, seconds);
	/* More than the slots could win means that the same time was lost twice. */
	if (hundredths && hundredths <= 100ull * metrics->n_slots)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " (%llu.%02llux)",
			(unsigned long long)hundredths / 100, (unsigned long long)hundredths % 100);
	gap = terminal->width - (int)(strlen(text) + strlen(next));
	if (gap >= 2)
		fprintf(terminal->out, "%s%*s%s\n", text, gap, "", next);
	else
		fprintf(terminal->out, "%s\n", text);
}

void view_put_advice(struct terminal *terminal, const struct report *report, size_t n)
{
	const struct metrics *metrics = &report->metrics;
	uint64_t whole_ns = sum_causes(metrics);
	char percent[TEXT_NUMBER_BYTES];

	if (report->advice.n == 0) {
		fprintf(terminal->out, "  Nothing stands out; efficiency %s %%\n",
			text_percent(percent, metrics->cause_ns[METRICS_USEFUL], whole_ns));
		return;
	}
	fprintf(terminal->out, "%s  Fix first (most you could gain)%s\n",
		terminal_style(terminal, STYLE_HEADING), terminal_style(terminal, STYLE_NONE));
	for (size_t i = 0; i < n; i++)
		put_entry(terminal, i + 1, &report->advice.entries[i]);
	put_all(terminal, report, n);
}
