/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --time: what all threads did together in a part of the run, and each thread; see view_slices.h.
 */
#include "src/views/view_slices.h"

#include "src/report/report_json.h"
#include "src/text/text.h"
#include "src/views/view_filter.h"
#include "src/views/view_json.h"
#include "src/views/view.h"

enum { FUNCTIONS = 8, WARNING_BYTES = 512 };

#define COLUMNS(X)                                                                                 \
	X(WORK, "work", "work", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                   \
	X(OVERHEAD, "overhead", "ovhd", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 1)            \
	X(IN_WAIT, "in_wait", "in wait", TABLE_SECONDS, TABLE_IN_CSV, 0)                           \
	X(BARRIER, "barrier", "barrier", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)           \
	X(TASKS, "task", "task", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 2)                   \
	X(MUTEX, "lock", "lock", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)                   \
	X(IDLE, "idle", "idle", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)                    \
	X(TARGET, "device", "device", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)              \
	X(REST, "rest", "rest", TABLE_SECONDS, TABLE_IN_BOTH, 3)                                   \
	X(TOTAL, "total", "total", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                \
	THREAD_COLUMNS(X)

enum part_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

/* Where a thread's time in the part went. */
struct part_times {
	uint64_t ns[PROFILE_N_TIMES]; /* as in its timeline */
	uint64_t rest_ns;             /* time of its life in no class */
	uint64_t total_ns;            /* its life in the part */
};

/* Whether IN_WAIT, samples in waits, is added: the times of measured waits contain it. */
static int counts_in_wait(const struct report *report)
{
	return !report->profile.waits;
}

static uint64_t sum_up(const struct report *report, const struct part_times *times)
{
	uint64_t sum = 0;

	for (int k = 0; k < PROFILE_N_TIMES; k++)
		if (k != PROFILE_TIME_IN_WAIT || counts_in_wait(report))
			sum += times->ns[k];
	return sum;
}

/* `i` is an index into profile.threads. */
static struct part_times part_of_thread(const struct report *report, size_t i)
{
	const struct profile *profile = &report->profile;
	const struct profile_timeline *timeline =
		profile->timelines ? &profile->timelines[i] : NULL;
	struct part_times times = { .total_ns = profile->threads[i].end_ns };
	uint64_t sum;

	for (size_t bucket = 0; timeline && timeline->ns && bucket < timeline->n; bucket++)
		for (int k = 0; k < PROFILE_N_TIMES; k++)
			times.ns[k] += timeline->ns[bucket][k];
	sum = sum_up(report, &times);
	/*
	 * Samples represent whole periods, so their sum can be more than the life. A life of 1 ns
	 * has no time in the part.
	 */
	if (times.total_ns <= 1 || times.total_ns < sum || !timeline || !timeline->ns)
		times.total_ns = sum;
	times.rest_ns = times.total_ns - sum;
	return times;
}

/* The sum over the threads that are shown. */
static struct part_times part_of_all(const struct report *report)
{
	struct part_times all = { .total_ns = 0 };

	for (size_t i = 0; i < report->profile.n_threads; i++) {
		struct part_times times;

		if (!report_shows(report->rows.threads, i))
			continue;
		times = part_of_thread(report, i);
		for (int k = 0; k < PROFILE_N_TIMES; k++)
			all.ns[k] += times.ns[k];
		all.rest_ns += times.rest_ns;
		all.total_ns += times.total_ns;
	}
	return all;
}

static void set_times(struct table_row *row, const struct part_times *times)
{
	for (int k = 0; k < PROFILE_N_TIMES; k++)
		table_set(row, k, times->ns[k]);
	table_set(row, REST, times->rest_ns);
	table_set(row, TOTAL, times->total_ns);
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct report *report = data;
	struct part_times times;

	if (index == report->profile.n_threads) {
		times = part_of_all(report);
		set_times(row, &times);
		table_set_text(row, NAME, "total");
		return;
	}
	times = part_of_thread(report, index);
	set_times(row, &times);
	view_set_thread(row, NAME, report, index);
	row->weight = times.total_ns;
	row->is_empty = times.total_ns == 0 || !report_shows(report->rows.threads, index);
}

static int put_threads(
	const struct report *report, const struct table_options *options, struct terminal *terminal)
{
	struct part_times all = part_of_all(report);
	struct table table = {
		.columns = columns,
		.title = "thread (in s)",
		.what = "thread",
		.together = "total",
		.unit = "s",
		.whole = all.total_ns,
		.n_rows = report->profile.n_threads,
		.fill = fill,
		.data = report,
		.has_total = 1,
	};

	return table_print(&table, options, terminal);
}

enum state_column { STATE_TIME, STATE_SHARE, STATE_NAME, STATE_BAR };

static const struct table_column state_columns[] = {
	[STATE_TIME] = { "time", "thread-s", TABLE_SECONDS, TABLE_IN_BOTH, 0 },
	[STATE_SHARE] = { "time%", "%", TABLE_SHARE, TABLE_IN_BOTH, 0 },
	[STATE_NAME] = { "name", "what the threads did", TABLE_NAME, TABLE_IN_BOTH, 0 },
	[STATE_BAR] = { "bar", "", TABLE_BAR, TABLE_IN_TEXT, 1 },
	{ .key = NULL },
};

struct states {
	const struct report *report;
	struct part_times all;
};

static void fill_state(const void *data, size_t index, struct table_row *row)
{
	static const char *const words[PROFILE_N_TIMES + 1] = { "work", "runtime overhead",
		"waiting", "waiting at barriers", "waiting for tasks", "waiting for locks",
		"idle outside of regions", "waiting for devices",
		"the rest: off cpu, or not sampled" };
	const struct states *states = data;
	uint64_t ns = index < PROFILE_N_TIMES ? states->all.ns[index] : states->all.rest_ns;

	table_set(row, STATE_TIME, ns);
	table_set_part(row, STATE_SHARE, ns, states->all.total_ns);
	table_set_part(row, STATE_BAR, ns, states->all.total_ns);
	table_set_text(row, STATE_NAME, words[index]);
	row->weight = ns;
	row->is_empty = (ns == 0 && index != PROFILE_TIME_WORK) ||
			(index == PROFILE_TIME_IN_WAIT && !counts_in_wait(states->report));
}

static int put_states(
	const struct report *report, const struct table_options *options, struct terminal *terminal)
{
	struct states states = { report, part_of_all(report) };
	struct table table = {
		.columns = state_columns,
		.title = "what the threads did",
		.what = "state",
		.whole = states.all.total_ns,
		.n_rows = PROFILE_N_TIMES + 1,
		.fill = fill_state,
		.data = &states,
	};

	return table_print(&table, options, terminal);
}

void part_put_line(struct terminal *terminal, const struct report *report)
{
	const struct profile_part *part = &report->profile.part;

	fprintf(terminal->out, "time: %.3f to %.3f s of %.3f s; ", (double)part->begin_ns / 1e9,
		(double)part->end_ns / 1e9, (double)part->whole_ns / 1e9);
	if (part->bucket_ns)
		fprintf(terminal->out, "timelines are exact to %.3f s\n",
			(double)part->bucket_ns / 1e9);
	else
		fputs("of the trace\n", terminal->out);
}

static void put_notes(struct terminal *terminal, const struct report *report)
{
	char text[WARNING_BYTES], clean[WARNING_BYTES];
	const char *warning;

	for (size_t i = 0; (warning = report_warning(report, i, text, sizeof(text))); i++) {
		text_clean(clean, sizeof(clean), warning);
		fprintf(terminal->out, "%swarning:%s %s\n", terminal_style(terminal, STYLE_WARNING),
			terminal_style(terminal, STYLE_NONE), clean);
	}
}

static int print_summary(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct view_options few = *options;
	int status = put_states(report, &options->table, terminal);

	if (options->table.is_csv)
		return status;
	fputc('\n', terminal->out);
	if (status == 0)
		status = put_threads(report, &options->table, terminal);
	few.table.n_rows = FUNCTIONS;
	if (status == 0 && report->profile.part.has_paths) {
		fputc('\n', terminal->out);
		status = view_flat.print(report, &few, terminal);
	}
	fputs("\nnote: causes, regions, blame and locks are only known for the whole run: ompprof "
	      "report\n",
		terminal->out);
	if (!report->profile.part.has_paths)
		fputs("note: call paths of a part of the run need a trace: ompprof run --trace\n",
			terminal->out);
	put_notes(terminal, report);
	return status;
}

static int print_threads(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	int status = put_threads(report, &options->table, terminal);

	if (!options->table.is_csv)
		put_notes(terminal, report);
	return status;
}

static const struct view summary = { .name = "time", .print = print_summary };

static const struct view threads = {
	.name = "by thread",
	VIEW_OF_TABLE(columns),
	.filters = FILTER_THREAD,
	.part = VIEW_OF_STATES,
	.print = print_threads,
};

const struct view *part_view(const struct view *asked)
{
	return !asked ? &summary : asked == &view_by_thread ? &threads : asked;
}

/* as JSON */

void part_json_cut(struct json *json, const struct report *report)
{
	const struct profile_part *part = &report->profile.part;

	json_object(json, "cut");
	json_numbers(json, "begin_s end_s wall_s", part->begin_ns, part->end_ns, part->whole_ns);
	json_string(json, "source", part->has_paths ? "trace" : "timeline");
	json_seconds(json, "bucket_s", part->bucket_ns);
	if (part->traced_ns && part->traced_ns != UINT64_MAX)
		json_seconds(json, "traced_s", part->traced_ns);
	json_number(json, "unknown_threads", part->n_unknown);
	json_end_object(json);
}

static void put_run(struct json *json, const struct report *report)
{
	const struct profile *profile = &report->profile;

	json_object(json, "run");
	json_list(json, "command", profile->args, profile->n_args);
	json_string(json, "host", profile->header.host);
	json_numbers(json, "pid wall_s threads", profile->header.pid, report->totals.wall_ns,
		profile->n_threads);
	json_strings(json, "clock clock_name", report_json_clock(profile->header.clock_kind),
		profile->header.clock_name);
	if (profile->part.has_paths)
		json_number(json, "samples", report->totals.all.samples);
	json_string(json, "runtime", profile->header.runtime);
	json_number(json, "cpus", profile->header.n_cpus);
	json_end_object(json);
}

static void put_times(struct json *json, const struct part_times *times)
{
	json_object(json, "times");
	for (int k = 0; k < PROFILE_N_TIMES; k++)
		json_seconds(json, view_json_time_words[k], times->ns[k]);
	json_end_object(json);
	json_numbers(json, "rest_s total_s", times->rest_ns, times->total_ns);
}

static void put_thread_json(struct json *json, const struct report *report, size_t i)
{
	const struct profile_thread *thread = &report->profile.threads[i];
	struct part_times times = part_of_thread(report, i);

	json_row(json);
	json_numbers(json, "thread tid", thread->index, thread->tid);
	view_json_owner(json, report, i);
	json_string(json, "type", report_thread_word(report, i));
	put_times(json, &times);
	json_end_object(json);
}

static int print_json(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct json json = { .out = terminal->out };
	struct part_times all = part_of_all(report);

	(void)options;
	view_json_begin(&json, report);
	part_json_cut(&json, report);
	view_json_filters(&json, report);
	put_run(&json, report);
	report_json_warnings(&json, report);
	put_times(&json, &all);
	json_array(&json, "threads");
	for (size_t i = 0; i < report->profile.n_threads; i++)
		if (report_shows(report->rows.threads, i))
			put_thread_json(&json, report, i);
	json_end_array(&json);
	if (report->profile.part.has_paths)
		view_json_nodes(&json, report);
	json_end_object(&json);
	fputc('\n', terminal->out);
	return 0;
}

const struct view view_part_json = { .name = "json", .filters = FILTER_ALL, .print = print_json };
