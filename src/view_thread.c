/* SPDX-License-Identifier: Apache-2.0 */
/* --by thread: what each thread's life went into. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report_text.h"
#include "src/view_table.h"

enum { MARK_PERCENT = 110, N_FIGURES = 9, TOTAL = 9 };

/* A thread's figures in the order of the columns. */
static void list_figures(uint64_t figures[TABLE_COLUMNS], const struct metrics_thread *thread)
{
	const uint64_t list[TABLE_COLUMNS] = { thread->useful_ns, thread->barrier_ns,
		thread->lock_ns, thread->task_ns, thread->idle_ns, thread->overhead_ns,
		thread->not_running_ns, thread->blocked_ns, thread->mpi_ns, thread->total_ns,
		thread->blame_ns };

	memcpy(figures, list, sizeof(list));
}

static int is_openmp(const struct report *report, size_t i)
{
	const struct profile_thread *thread = &report->profile.threads[i];

	return i < report->profile.n_threads && (thread->type == 1 || thread->type == 2);
}

struct threads {
	const struct report *report;
	struct table table;
	uint64_t sums[TABLE_COLUMNS];
	uint64_t useful_ns; /* of OpenMP's threads, and how many they are */
	size_t n_openmp;
};

static struct threads sum_up(const struct report *report, struct terminal *terminal)
{
	struct threads threads = { .report = report,
		.table = {
			terminal, { { "useful", 6, 0 }, { "barrier", 7, 0 }, { "lock", 5, 0 },
					  { "task", 5, 0 }, { "idle", 5, 0 }, { "ovrhd", 5, 0 },
					  { "no cpu", 6, 0 }, { "asleep", 6, 0 }, { "mpi", 5, 0 },
					  { "total", 5, 0 }, { "blame", 5, 0 } } } };

	for (size_t i = 0; i < report->metrics.n_threads; i++) {
		uint64_t figures[TABLE_COLUMNS];

		list_figures(figures, &report->metrics.threads[i]);
		for (size_t k = 0; k < TABLE_COLUMNS; k++)
			threads.sums[k] += figures[k];
		if (is_openmp(report, i)) {
			threads.useful_ns += figures[0];
			threads.n_openmp++;
		}
	}
	for (size_t k = 1; k < N_FIGURES; k++)
		threads.table.columns[k].is_hidden = threads.sums[k] == 0;
	return threads;
}

static void put_figures(
	const struct threads *threads, struct table_row *row, const uint64_t figures[TABLE_COLUMNS])
{
	for (size_t k = 0; k < TABLE_COLUMNS; k++)
		table_seconds(row->cells[k], figures[k]);
	table_put(&threads->table, row);
}

/* "function, 10x": the start function of a native thread, and of how many with it the row is. */
static void put_start(const struct report *report, size_t i, char *text, size_t text_bytes)
{
	const struct profile_thread *thread = &report->profile.threads[i];
	uint64_t n_unsampled =
		thread->lost[PROFILE_LOST_BLOCKED] + thread->lost[PROFILE_LOST_NO_ROOM];
	char clean[256], many[32] = "";

	text[0] = '\0';
	if (!profile_is_native(thread))
		return;
	text_clean(clean, sizeof(clean), report->starts[i]);
	if (thread->n_lives > 1)
		snprintf(many, sizeof(many), ", %ux", thread->n_lives);
	snprintf(text, text_bytes, "%s%s%s", clean, many, n_unsampled ? ", not sampled" : "");
}

static void put_thread(const struct threads *threads, size_t i, int is_most)
{
	const struct profile_thread *thread = &threads->report->profile.threads[i];
	uint64_t figures[TABLE_COLUMNS];
	struct table_row row = { .prefix = NULL };
	char process[48];

	list_figures(figures, &threads->report->metrics.threads[i]);
	names_process(process, sizeof(process), &threads->report->profile, i);
	snprintf(row.name, sizeof(row.name), "%s%s%u %s", process, process[0] ? ": " : "",
		thread->index, report_thread_word(threads->report, i));
	if (is_most)
		snprintf(row.place, sizeof(row.place), "<- most");
	else
		put_start(threads->report, i, row.place, sizeof(row.place));
	put_figures(threads, &row, figures);
}

/* The thread with most work, if that is well above the mean; else SIZE_MAX. */
static size_t find_most(const struct threads *threads)
{
	const struct metrics *metrics = &threads->report->metrics;
	size_t most = SIZE_MAX;

	for (size_t i = 0; i < metrics->n_threads; i++) {
		uint64_t ns = metrics->threads[i].useful_ns;

		if (is_openmp(threads->report, i) &&
			(double)ns * 100.0 * (double)threads->n_openmp >
				(double)threads->useful_ns * MARK_PERCENT &&
			(most == SIZE_MAX || ns > metrics->threads[most].useful_ns))
			most = i;
	}
	return threads->n_openmp > 1 ? most : SIZE_MAX;
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	const struct metrics *metrics = &report->metrics;
	struct threads threads = sum_up(report, terminal);
	struct table_limits limits = table_limits(options, 0);
	struct table_row total = { .name = "total" };
	size_t n_shown = 0, most = find_most(&threads);

	table_heading(&threads.table, "thread (in s)");
	for (size_t i = 0; i < metrics->n_threads && i < report->profile.n_threads; i++) {
		if (!table_shows(
			    &limits, n_shown, metrics->threads[i].total_ns, threads.sums[TOTAL]))
			continue;
		put_thread(&threads, i, i == most);
		n_shown++;
	}
	put_figures(&threads, &total, threads.sums);
	table_end(&threads.table, report, "thread", metrics->n_threads - n_shown, &limits);
	return 0;
}

const struct view view_by_thread = {
	.name = "by thread",
	.takes = VIEW_TAKES_LIMITS,
	.is_of_user = 1,
	.filters = FILTER_THREAD,
	.print = print,
};
