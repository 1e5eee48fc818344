/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of what counters counted; see view_counters.h. */
#include "src/views/view_counters.h"

#include <stdio.h>
#include <string.h>

#include "src/text/text.h"

enum counter_column { COUNTER_COLUMNS(TABLE_ENUM, , 0) N_COLUMNS };

static const struct table_column columns[] = { COUNTER_COLUMNS(TABLE_COLUMN, , 0) };

/* A figure: a number of events if `whole` is 1. */
struct figure {
	int is_known;
	double part, whole;
};

int view_has_counters(const struct report *report)
{
	return report->profile.header.counters.n > 0 && !report->profile.part.is_cut;
}

/* The number of a counter that was counted, or -1. */
static int find(const struct report *report, const char *name)
{
	const struct profile_counters *counters = &report->profile.header.counters;

	for (uint32_t i = 0; view_has_counters(report) && i < counters->n; i++)
		if (counters->counted >> i & 1 && strcmp(counters->names[i], name) == 0)
			return (int)i;
	return -1;
}

/* The first of the counters that the run counted, as a number of events or of ns. */
static struct figure count_of(const struct report *report, const struct metrics_counts *counts,
	const char *name, const char *other)
{
	int at = find(report, name);

	if (at < 0 && other)
		at = find(report, other);
	if (at < 0)
		return (struct figure){ 0 };
	return (struct figure){ 1, (double)counts->counters[at], 1 };
}

static struct figure ratio(struct figure part, struct figure whole, double factor)
{
	if (!part.is_known || !whole.is_known)
		return (struct figure){ 0 };
	return (struct figure){ 1, part.part * factor, whole.part };
}

/* Faults of both kinds, if they were not counted together. */
static struct figure faults_of(const struct report *report, const struct metrics_counts *counts)
{
	struct figure all = count_of(report, counts, "page-faults", NULL);
	struct figure minor = count_of(report, counts, "minor-faults", NULL);
	struct figure major = count_of(report, counts, "major-faults", NULL);

	if (all.is_known || !minor.is_known || !major.is_known)
		return all;
	minor.part += major.part;
	return minor;
}

/* CPU time. It includes the kernel's: there is no frequency if cycles do not. */
static struct figure time_of(const struct report *report, const struct metrics_counts *counts)
{
	const struct profile_header *header = &report->profile.header;
	struct figure clock = count_of(report, counts, "task-clock", "cpu-clock");

	if (header->counters.is_user_only)
		return (struct figure){ 0 };
	if (clock.is_known)
		return clock;
	return (struct figure){ header->clock_kind == PROFILE_CLOCK_CPU, (double)counts->ns, 1 };
}

static void find_figures(struct figure figures[N_COLUMNS], const struct report *report,
	const struct metrics_counts *work, const struct metrics_counts *all)
{
	struct figure cycles = count_of(report, work, "cycles", NULL);
	struct figure instructions = count_of(report, work, "instructions", NULL);
	struct figure misses = count_of(report, work, "LLC-load-misses", "cache-misses");
	struct figure stalled = count_of(report, work, "stalled-cycles-backend", NULL);

	figures[IPC] = ratio(instructions, cycles, 1);
	figures[GHZ] = ratio(cycles, time_of(report, work), 1);
	figures[MISSES] = ratio(misses, instructions, 1000);
	figures[STALLED] = ratio(stalled, cycles, 1);
	figures[FAULTS] = faults_of(report, all);
	figures[SWITCHES] = count_of(report, all, "context-switches", NULL);
	figures[MOVES] = count_of(report, all, "cpu-migrations", NULL);
}

uint64_t view_counters_hidden(const struct report *report, int first)
{
	static const struct metrics_counts none;
	struct figure figures[N_COLUMNS];
	uint64_t hidden = 0;

	find_figures(figures, report, &none, &none);
	for (int i = 0; i < N_COLUMNS; i++)
		if (!figures[i].is_known)
			hidden |= (uint64_t)1 << (first + i);
	return hidden;
}

void view_set_counters(struct table_row *row, int first, const struct report *report,
	const struct metrics_counts *work, const struct metrics_counts *all)
{
	struct figure figures[N_COLUMNS];

	find_figures(figures, report, work, all);
	for (int i = 0; i < N_COLUMNS; i++) {
		if (!figures[i].is_known || figures[i].whole <= 0)
			continue;
		if (columns[i].kind == TABLE_COUNT)
			table_set(row, first + i, (uint64_t)figures[i].part);
		else
			table_set_part(row, first + i, (uint64_t)figures[i].part,
				(uint64_t)figures[i].whole);
	}
}

void view_counters_fields(char *fields, size_t bytes, const struct report *report)
{
	uint64_t hidden = view_counters_hidden(report, 0);

	for (int i = 0; i < N_COLUMNS; i++)
		if (!(hidden >> i & 1) && strlen(fields) + strlen(columns[i].key) + 2 < bytes)
			strcat(strcat(fields, ","), columns[i].key);
}

static int is_any(const uint64_t *counters)
{
	for (int i = 0; i < PROFILE_MOST_COUNTERS; i++)
		if (counters[i])
			return 1;
	return 0;
}

void view_put_counters(struct json *json, const struct report *report, const uint64_t *counters)
{
	const struct profile_counters *header = &report->profile.header.counters;

	if (!view_has_counters(report) || !is_any(counters))
		return;
	json_object(json, "counters");
	for (uint32_t i = 0; i < header->n; i++)
		if (header->counted >> i & 1)
			json_number(json, header->names[i], counters[i]);
	json_end_object(json);
}

/* Sums over all threads. */
static void add_up(
	const struct report *report, struct metrics_counts *work, struct metrics_counts *all)
{
	*work = *all = (struct metrics_counts){ .ns = 0 };
	for (size_t i = 0; i < report->metrics.n_threads; i++) {
		metrics_counts_add(work, &report->metrics.threads[i].work);
		metrics_counts_add(all, &report->metrics.threads[i].sampled);
	}
}

void view_describe_counters(char *text, size_t bytes, const struct report *report)
{
	static const char *const formats[N_COLUMNS] = {
		[IPC] = "IPC %.2f",
		[GHZ] = "%.2f GHz",
		[MISSES] = "%.2f misses/k",
		[STALLED] = "%.1f %% stalled",
	};
	static const char *const words[N_COLUMNS] = {
		[FAULTS] = "fault", [SWITCHES] = "switch", [MOVES] = "migration"
	};
	struct figure figures[N_COLUMNS];
	struct metrics_counts work, all;
	char count[TEXT_NUMBER_BYTES];

	add_up(report, &work, &all);
	find_figures(figures, report, &work, &all);
	text[0] = '\0';
	for (int i = 0; i < N_COLUMNS; i++) {
		size_t used = strlen(text);
		double value = figures[i].whole > 0 ? figures[i].part / figures[i].whole : 0;

		if (!figures[i].is_known || figures[i].whole <= 0)
			continue;
		used += (size_t)snprintf(text + used, bytes - used, "%s", used ? ", " : "");
		if (formats[i])
			snprintf(text + used, bytes - used, formats[i],
				i == STALLED ? 100 * value : value);
		else
			snprintf(text + used, bytes - used, "%s %s%s",
				text_count(count, (uint64_t)value), words[i],
				i == SWITCHES && value != 1 ? "es" : text_plural((uint64_t)value));
	}
}
