/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --by process, --by rank: what each process of the run did with the time of its slots.
 */
#include <stdio.h>
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/views/view.h"
#include "src/views/view_late.h"

enum { MARK_PERCENT = 110 };

#define COLUMNS(X)                                                                                 \
	X(WALL, "wall", "wall s", TABLE_SECONDS, TABLE_IN_BOTH, 2)                                 \
	X(THREADS, "threads", "threads", TABLE_COUNT, TABLE_IN_BOTH, 1)                            \
	X(USEFUL, "useful", "useful", TABLE_SECONDS, TABLE_IN_BOTH, 0)                             \
	X(MPI, "mpi", "mpi", TABLE_SECONDS, TABLE_IN_BOTH | TABLE_IF_ANY, 0)                       \
	X(WAIT, "wait", "wait", TABLE_SECONDS, TABLE_IN_BOTH, 0)                                   \
	X(NO_CPU, "no_cpu", "no cpu", TABLE_SECONDS, TABLE_IN_TEXT | TABLE_IF_ANY, 0)              \
	X(ASLEEP, "asleep", "asleep", TABLE_SECONDS, TABLE_IN_TEXT | TABLE_IF_ANY, 0)              \
	X(REST, "rest", "rest", TABLE_SECONDS, TABLE_IN_TEXT, 0)                                   \
	X(OTHER, "other", "other", TABLE_SECONDS, TABLE_IN_CSV, 0)                                 \
	X(CAPACITY, "capacity", "capacity", TABLE_SECONDS, TABLE_IN_CSV, 0)                        \
	X(EFFICIENCY, "efficiency", "eff%", TABLE_SHARE, TABLE_IN_BOTH, 0)                         \
	X(OF_MEAN, "of_mean", "/mean", TABLE_RATIO, TABLE_IN_BOTH | TABLE_IF_ANY, 0)               \
	X(NAME, "name", "process", TABLE_NAME, TABLE_IN_TEXT, 0)                                   \
	X(RANK, "rank", "rank", TABLE_NUMBER, TABLE_IN_CSV | TABLE_NULL, 0)                        \
	X(PID, "pid", "pid", TABLE_NUMBER, TABLE_IN_CSV, 0)                                        \
	X(HOST, "host", "host", TABLE_NAME, TABLE_IN_CSV, 0)                                       \
	X(PROGRAM, "program", "program", TABLE_NAME, TABLE_IN_CSV, 0)                              \
	X(COUNTED, "counted", "counted", TABLE_WORD, TABLE_IN_CSV, 0)                              \
	X(COMPLETE, "complete", "complete", TABLE_WORD, TABLE_IN_CSV, 0)                           \
	X(SAMPLES, "samples", "samples", TABLE_COUNT, TABLE_IN_CSV, 0)                             \
	X(PLACE, "place", "place", TABLE_PLACE, TABLE_IN_TEXT, 0)

enum process_column { COLUMNS(TABLE_ENUM) };
static const struct table_column columns[] = { COLUMNS(TABLE_COLUMN){ .key = NULL } };

struct processes {
	const struct report *report;
	const struct report_job *job;
	struct report_job_sums sums;
	uint64_t whole_ns; /* the sum of their wall times */
	int has_hosts;     /* they ran on more than one host */
	size_t n_hidden;   /* processes that count and have no row in the summary */
};

static uint64_t capacity_of(const struct report_process *process)
{
	return process->useful_ns + process->mpi_ns + process->wait_ns + process->other_ns;
}

void view_process_name(char *text, size_t text_bytes, const struct report_process *process)
{
	if (process->rank)
		snprintf(text, text_bytes, "rank %u", process->rank - 1);
	else
		snprintf(text, text_bytes, "pid %u", process->pid);
}

static int has_hosts(const struct report_job *job)
{
	for (size_t i = 1; i < job->n; i++)
		if (strcmp(job->processes[i].host, job->processes[0].host) != 0)
			return 1;
	return 0;
}

static int is_most(const struct processes *processes, size_t i)
{
	const struct report_job *job = processes->job;

	return job->n_counted > 1 && i == processes->sums.most &&
	       (double)job->processes[i].useful_ns * 100.0 * (double)job->n_counted >
		       (double)processes->sums.useful_ns * MARK_PERCENT;
}

/*
 * Sets the name: rank or pid, program and how it ended; and the place: its host and the mark of the
 * most work.
 */
static void describe(struct table_row *row, const struct processes *processes, size_t i)
{
	const struct report_process *process = &processes->job->processes[i];
	const char *program = process->program;
	const char *host = processes->has_hosts ? process->host : "";
	const char *mark = is_most(processes, i) ? "<- most" : "";
	const char *after = "";
	char number[32];

	if (!process->program) {
		table_set_name(row, NAME, "", names_base(process->path), " (cannot be read)");
		return;
	}
	if (!process->is_counted)
		after = " (not counted)";
	else if (processes->job->n_programs < 2 && process->rank)
		program = "";
	if (process->is_counted && !process->is_complete)
		after = " (incomplete)";
	view_process_name(number, sizeof(number), process);
	table_set_name(row, NAME, "",
		table_print_text(row, "%s%s%s", number, program[0] ? " " : "", program), after);
	table_set_text(row, PLACE,
		table_print_text(row, "%s%s%s", mark, mark[0] && host[0] ? " " : "", host));
}

/*
 * Sets the columns of time that is neither work nor waiting, of other_ns: on the screen in three
 * parts. They are not known of threads without OpenMP.
 */
static void set_other(struct table_row *row, uint64_t other_ns, const uint64_t *cause_ns)
{
	uint64_t no_cpu_ns = cause_ns[METRICS_NOT_RUNNING], asleep_ns = cause_ns[METRICS_BLOCKED];

	table_set_all(
		row, NO_CPU, no_cpu_ns, asleep_ns, other_ns - no_cpu_ns - asleep_ns, other_ns);
}

static void fill_total(struct table_row *row, const struct processes *processes)
{
	const struct report_job_sums *sums = &processes->sums;
	uint64_t capacity_ns = sums->useful_ns + sums->mpi_ns + sums->wait_ns + sums->other_ns;
	size_t n = processes->job->n_counted;

	table_set_all(row, WALL, processes->report->metrics.wall_ns, sums->n_threads,
		sums->useful_ns, sums->mpi_ns, sums->wait_ns);
	set_other(row, sums->other_ns, sums->cause_ns);
	table_set(row, CAPACITY, capacity_ns);
	table_set_part(row, EFFICIENCY, sums->useful_ns, capacity_ns);
	if (n > 1)
		table_set_part(row, OF_MEAN, sums->most_useful_ns * n, sums->useful_ns);
	table_set_text(row, NAME,
		n > 1 && processes->n_hidden
			? table_print_text(row, "total of %zu (most / mean)", n)
		: n > 1 ? "total (most / mean)"
			: "total");
}

static void fill(const void *data, size_t index, struct table_row *row)
{
	const struct processes *processes = data;
	const struct report_process *process = &processes->job->processes[index];

	if (index == processes->job->n) {
		fill_total(row, processes);
		return;
	}
	table_set_all(row, WALL, process->wall_ns, process->n_threads, process->useful_ns,
		process->mpi_ns, process->wait_ns);
	set_other(row, process->other_ns, process->cause_ns);
	table_set(row, CAPACITY, capacity_of(process));
	table_set_part(row, EFFICIENCY, process->useful_ns, capacity_of(process));
	if (process->is_counted && processes->job->n_counted > 1)
		table_set_part(row, OF_MEAN, process->useful_ns * processes->job->n_counted,
			processes->sums.useful_ns);
	if (process->rank)
		table_set(row, RANK, process->rank - 1);
	table_set(row, PID, process->pid);
	table_set_text(row, HOST, process->host);
	table_set_text(row, PROGRAM, process->program ? process->program : "");
	table_set_text(row, COUNTED, process->is_counted ? "true" : "false");
	table_set_text(row, COMPLETE, process->is_complete ? "true" : "false");
	table_set(row, SAMPLES, process->n_samples);
	describe(row, processes, index);
	row->weight = process->wall_ns;
	row->identity = index + 1;
}

/* For the summary: only processes that count. The process with most work is never left out. */
static void fill_best(const void *data, size_t index, struct table_row *row)
{
	const struct processes *processes = data;

	fill(data, index, row);
	if (index == processes->job->n)
		return;
	row->is_empty = !processes->job->processes[index].is_counted;
	row->is_kept = index == processes->sums.most;
}

static struct table make_table(struct processes *processes, const struct report *report)
{
	*processes = (struct processes){ .report = report,
		.job = &report->job,
		.sums = report_job_sum(&report->job),
		.has_hosts = has_hosts(&report->job) };
	for (size_t i = 0; i < report->job.n; i++)
		processes->whole_ns += report->job.processes[i].wall_ns;
	return (struct table){
		.columns = columns,
		.title = "process (in thread-s)",
		.what = "process",
		.together = "useful",
		.unit = "s useful",
		.whole = processes->whole_ns,
		.n_rows = report->job.n,
		.fill = fill,
		.data = processes,
		.has_total = 1,
	};
}

size_t view_put_processes(struct terminal *terminal, const struct report *report, size_t n_most)
{
	const struct table_options options = {
		.limit_permyriad = TABLE_DEFAULT, .n_rows = n_most - 1, .max_depth = TABLE_DEFAULT
	};
	struct processes processes;
	struct table table = make_table(&processes, report);
	size_t n_shown = report->job.n_counted < n_most ? report->job.n_counted : n_most;

	processes.n_hidden = report->job.n_counted - n_shown;
	table.fill = fill_best;
	table.is_bare = 1;
	table_print(&table, &options, terminal);
	return n_shown + 2;
}

/* Only causes that have time. */
static void put_causes(struct json *json, const struct report_process *process)
{
	char key[32];

	json_object(json, "causes");
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		snprintf(key, sizeof(key), "%s_s", report_cause_word(i));
		if (process->cause_ns[i])
			json_seconds(json, key, process->cause_ns[i]);
	}
	json_end_object(json);
}

static void put_more(struct json *json, const void *data, size_t index, int nth)
{
	const struct report_process *process =
		&((const struct processes *)data)->job->processes[index];

	if (nth) {
		put_causes(json, process);
		return;
	}
	json_list(json, "command", process->args, process->n_args);
	json_numbers(json, "counted? openmp? complete? replaced?", process->is_counted,
		process->has_openmp, process->is_complete, process->is_replaced);
}

static void put_json(struct json *json, const struct report *report)
{
	struct processes processes;
	struct table table = make_table(&processes, report);

	if (report->job.n == 0)
		return;
	table.members = view_by_process.members;
	table.put_more = put_more;
	table_put_json(&table, json, view_by_process.json);
	json_share(json, "process_imbalance", processes.sums.most_useful_ns * report->job.n_counted,
		processes.sums.useful_ns);
	view_put_late_json(json, report);
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct processes processes;
	struct table table = make_table(&processes, report);

	return view_put_table(&table, options, report, terminal);
}

const struct view view_by_process = {
	.name = "by process",
	VIEW_OF_TABLE(columns),
	.print = print,
	.json = "processes",
	.members = "rank pid host program * threads samples wall capacity useful mpi wait "
		   "other efficiency *",
	.put_json = put_json,
};
