/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --by thread: where the time of each thread's life went.
 */
#include "src/views/view.h"
#include "src/views/view_counters.h"
#include "src/views/view_json.h"

enum { MARK_PERCENT = 110 };

#define COLUMNS(X)                                                                                 \
	X(USEFUL, "useful", "useful", TABLE_SECONDS, TABLE_IN_BOTH, 0)                             \
	X(BARRIER, "barrier", "barrier", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)           \
	X(LOCK, "lock", "lock", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)                    \
	X(TASK, "task", "task", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 2)                    \
	X(IDLE, "idle", "idle", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)                    \
	X(OVERHEAD, "overhead", "ovhd", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 1)            \
	X(NOT_RUNNING, "not_running", "no cpu", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 4)    \
	X(ASLEEP, "blocked", "asleep", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 5)             \
	X(MPI, "mpi", "mpi", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 6)                       \
	X(DEVICE, "device", "device", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)              \
	X(TOTAL, "total", "total", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                \
	X(BLAME, "blame", "blame", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 3)                 \
	COUNTER_COLUMNS(X, , TABLE_IN_BOTH)                                                        \
	X(ESTIMATED, "estimated%", "estimated%", TABLE_SHARE, TABLE_IN_CSV | TABLE_ABSENT, 0)      \
	X(OF_MEAN, "of_mean", "/mean", TABLE_RATIO, TABLE_IN_CSV, 0)                               \
	THREAD_COLUMNS(X)                                                                          \
	X(START, "start", "start", TABLE_NAME, TABLE_IN_CSV | TABLE_ABSENT, 0)                     \
	X(LIVES, "lives", "lives", TABLE_COUNT, TABLE_IN_CSV | TABLE_ABSENT, 0)                    \
	X(UNSAMPLED, "unsampled", "unsampled", TABLE_SECONDS, TABLE_IN_CSV | TABLE_ABSENT, 0)      \
	X(PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum thread_column { COLUMNS(TABLE_ENUM) N_FIGURES = BLAME + 1 };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

/* The figures in the order of the columns. */
static void list_figures(uint64_t figures[N_FIGURES], const struct metrics_thread *thread)
{
	const uint64_t list[N_FIGURES] = { thread->useful_ns, thread->barrier_ns, thread->lock_ns,
		thread->task_ns, thread->idle_ns, thread->overhead_ns, thread->not_running_ns,
		thread->blocked_ns, thread->mpi_ns, thread->device_ns, thread->total_ns,
		thread->blame_ns };

	for (size_t i = 0; i < N_FIGURES; i++)
		figures[i] = list[i];
}

static int is_openmp(const struct report *report, size_t i)
{
	const struct profile_thread *thread = &report->profile.threads[i];

	return i < report->profile.n_threads && (thread->type == 1 || thread->type == 2);
}

struct threads {
	const struct report *report;
	size_t n;
	uint64_t sums[N_FIGURES];
	uint64_t useful_ns; /* over OpenMP's threads; n_openmp is their number */
	size_t n_openmp;
	/*
	 * the OpenMP thread with most useful work, if it has more than MARK_PERCENT of the mean;
	 * else SIZE_MAX
	 */
	size_t most;
};

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

static struct threads sum_up(const struct report *report)
{
	struct threads threads = { .report = report, .n = report->metrics.n_threads };

	if (threads.n > report->profile.n_threads)
		threads.n = report->profile.n_threads;
	for (size_t i = 0; i < report->metrics.n_threads; i++) {
		uint64_t figures[N_FIGURES];

		list_figures(figures, &report->metrics.threads[i]);
		for (size_t k = 0; k < N_FIGURES && report_shows(report->rows.threads, i); k++)
			threads.sums[k] += figures[k];
		if (is_openmp(report, i)) {
			threads.useful_ns += figures[USEFUL];
			threads.n_openmp++;
		}
	}
	threads.most = find_most(&threads);
	return threads;
}

/*
 * "FUNCTION, 10x, not sampled": a native thread's start function, how many threads the row sums up,
 * and whether they lack samples. For other threads only how many: "10x", or "" for one.
 */
static const char *describe_start(const struct report *report, size_t i, struct table_row *row)
{
	const struct profile_thread *thread = &report->profile.threads[i];
	uint64_t n_unsampled =
		thread->lost[PROFILE_LOST_BLOCKED] + thread->lost[PROFILE_LOST_NO_ROOM];
	char many[32] = "";

	if (!profile_is_native(thread))
		return thread->n_lives > 1 ? table_print_text(row, "%ux", thread->n_lives) : "";
	if (thread->n_lives > 1)
		snprintf(many, sizeof(many), ", %ux", thread->n_lives);
	return table_print_text(
		row, "%s%s%s", report->starts[i], many, n_unsampled ? ", not sampled" : "");
}

static void set_identity(struct table_row *row, const struct report *report, size_t i)
{
	const struct profile_thread *thread = &report->profile.threads[i];

	view_set_thread(row, NAME, report, i);
	if (thread->n_lives > 1 || profile_is_native(thread))
		table_set(row, LIVES, thread->n_lives);
	if (profile_is_native(thread)) {
		table_set_text(row, START, report->starts[i]);
		table_set(row, UNSAMPLED, thread->unsampled_ns);
	}
}

/* Samples tell the time of tasks, which is taken out of the barriers below them. */
static void set_estimated(struct table_row *row, const struct metrics_thread *thread)
{
	uint64_t wait_ns = thread->barrier_ns + thread->task_ns;

	table_set_estimated(row, ESTIMATED,
		thread->unseen_ns < wait_ns ? thread->unseen_ns : wait_ns, wait_ns,
		1ULL << BARRIER | 1ULL << TASK);
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct threads *threads = data;
	const struct metrics_thread *thread;
	uint64_t figures[N_FIGURES];

	if (index == threads->n) {
		for (size_t k = 0; k < N_FIGURES; k++)
			table_set(row, k, threads->sums[k]);
		table_set_text(row, NAME, "total");
		return;
	}
	thread = &threads->report->metrics.threads[index];
	list_figures(figures, thread);
	view_set_counters(row, IPC, threads->report, &thread->work, &thread->sampled);
	for (size_t k = 0; k < N_FIGURES; k++)
		table_set(row, k, figures[k]);
	if (is_openmp(threads->report, index) && threads->n_openmp)
		table_set_part(
			row, OF_MEAN, figures[USEFUL] * threads->n_openmp, threads->useful_ns);
	set_estimated(row, thread);
	set_identity(row, threads->report, index);
	table_set_text(row, PLACE,
		index == threads->most ? "<- most" : describe_start(threads->report, index, row));
	row->weight = figures[TOTAL];
	row->is_empty = !report_shows(threads->report->rows.threads, index);
}

/* Buckets after the last bucket with time are left out of JSON. */
static void put_time(struct json *json, const struct profile_timeline *timeline, int time)
{
	size_t n = timeline->n;

	while (n > 0 && timeline->ns[n - 1][time] == 0)
		n--;
	if (n == 0)
		return;
	json_array(json, view_json_time_words[time]);
	for (size_t i = 0; i < n; i++)
		json_seconds(json, NULL, timeline->ns[i][time]);
	json_end_array(json);
}

static void put_timeline(struct json *json, const struct report *report, size_t thread)
{
	const struct profile_timeline *timeline =
		report->profile.timelines ? &report->profile.timelines[thread] : NULL;

	if (!timeline || !timeline->ns)
		return;
	json_object(json, "timeline");
	json_seconds(json, "begin_s", timeline->begin_ns);
	json_share(json, "bucket_s", timeline->span_ns, PROFILE_TIMELINE_BUCKETS * 1000000000ULL);
	json_bool(json, "torn", timeline->is_torn);
	json_number(json, "dropped", timeline->n_dropped);
	json_object(json, "times");
	for (int time = 0; time < PROFILE_N_TIMES; time++)
		put_time(json, timeline, time);
	json_end_object(json);
	json_end_object(json);
}

static void put_more(struct json *json, const void *data, size_t index, int nth)
{
	const struct threads *threads = data;

	if (nth == 0) {
		view_json_owner(json, threads->report, index);
		return;
	}
	view_put_counters(
		json, threads->report, threads->report->metrics.threads[index].sampled.counters);
	put_timeline(json, threads->report, index);
}

static void put_json(struct json *json, const struct report *report)
{
	const struct threads threads = sum_up(report);

	view_put_rows(json, &view_by_thread, &threads, threads.n, view_unused(report, MPI, DEVICE));
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct threads threads = sum_up(report);
	struct table table = {
		.columns = columns,
		.title = "thread (in s)",
		.what = "thread",
		.together = "total",
		.unit = "s",
		.whole = threads.sums[TOTAL],
		.n_rows = threads.n,
		.hidden = view_counters_hidden(report, IPC),
		.fill = fill,
		.data = &threads,
		.has_total = 1,
	};

	return view_put_table(&table, options, report, terminal);
}

const struct view view_by_thread = {
	.part = VIEW_OF_STATES,
	.name = "by thread",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_THREAD,
	.print = print,
	.json = "threads",
	.members =
		"thread tid * type team_number start lives unsampled useful overhead barrier task "
		"lock idle not_running blocked mpi device total blame estimated% *",
	.fill = fill,
	.put_more = put_more,
	.put_json = put_json,
};
