/* SPDX-License-Identifier: Apache-2.0 */
/* --by process, --by rank: what each process of the run did with its slots' time. */
#include <stdio.h>
#include <string.h>

#include "src/view_process.h"
#include "src/view_table.h"

enum { MARK_PERCENT = 110 };

enum process_column { WALL, THREADS, USEFUL, MPI, WAIT, OTHER, EFFICIENCY, OF_MEAN };

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

void view_process_hundredths(
	char *text, size_t text_bytes, uint64_t part, uint64_t whole, uint64_t times)
{
	uint64_t hundredths =
		whole ? (uint64_t)((double)part * 100.0 * (double)times / (double)whole + 0.5) : 0;

	snprintf(text, text_bytes, "%llu.%02llu", (unsigned long long)hundredths / 100,
		(unsigned long long)hundredths % 100);
}

static struct table make_table(
	struct terminal *terminal, const struct report_job *job, const struct report_job_sums *sums)
{
	struct table table = { terminal,
		{ { "wall s", 6, 0 }, { "threads", 7, 0 }, { "useful", 6, 0 }, { "mpi", 5, 0 },
			{ "wait", 5, 0 }, { "other", 5, 0 }, { "eff%", 5, 0 },
			{ "/mean", 5, 0 } } };

	table.columns[MPI].is_hidden = sums->mpi_ns == 0;
	table.columns[OF_MEAN].is_hidden = job->n_counted < 2;
	return table;
}

static int has_hosts(const struct report_job *job)
{
	for (size_t i = 1; i < job->n; i++)
		if (strcmp(job->processes[i].host, job->processes[0].host) != 0)
			return 1;
	return 0;
}

/* What tells the process from others, beside its number: its program, its host, and what became of it. */
static void describe(struct table_row *row, const struct report_job *job,
	const struct report_process *process, int is_most)
{
	size_t used;

	view_process_name(row->name, sizeof(row->name), process);
	used = strlen(row->name);
	if (!process->is_counted)
		snprintf(row->name + used, sizeof(row->name) - used, " %s%s",
			process->program ? process->program : "",
			process->program ? " (not counted)" : "(cannot be read)");
	else if (job->n_programs > 1 || !process->rank)
		snprintf(row->name + used, sizeof(row->name) - used, " %s", process->program);
	used = strlen(row->name);
	if (process->is_counted && !process->is_complete)
		snprintf(row->name + used, sizeof(row->name) - used, " (incomplete)");
	snprintf(row->place, sizeof(row->place), "%s%s%s", is_most ? "<- most" : "",
		is_most && has_hosts(job) ? " " : "", has_hosts(job) ? process->host : "");
}

static void put_process(const struct table *table, const struct report_job *job, size_t i,
	const struct report_job_sums *sums)
{
	const struct report_process *process = &job->processes[i];
	struct table_row row = { .prefix = NULL };
	int is_most = job->n_counted > 1 && i == sums->most &&
		      (double)process->useful_ns * 100.0 * (double)job->n_counted >
			      (double)sums->useful_ns * MARK_PERCENT;

	table_seconds(row.cells[WALL], process->wall_ns);
	text_count(row.cells[THREADS], process->n_threads);
	table_seconds(row.cells[USEFUL], process->useful_ns);
	table_seconds(row.cells[MPI], process->mpi_ns);
	table_seconds(row.cells[WAIT], process->wait_ns);
	table_seconds(row.cells[OTHER], process->other_ns);
	text_percent(row.cells[EFFICIENCY], process->useful_ns, capacity_of(process));
	if (process->is_counted)
		view_process_hundredths(row.cells[OF_MEAN], sizeof(row.cells[OF_MEAN]),
			process->useful_ns, sums->useful_ns, job->n_counted);
	describe(&row, job, process, is_most);
	table_put(table, &row);
}

static void put_total(const struct table *table, const struct report *report,
	const struct report_job_sums *sums, size_t n_hidden)
{
	struct table_row row = { .prefix = NULL };
	uint64_t capacity_ns = sums->useful_ns + sums->mpi_ns + sums->wait_ns + sums->other_ns;

	table_seconds(row.cells[WALL], report->metrics.wall_ns);
	text_count(row.cells[THREADS], sums->n_threads);
	table_seconds(row.cells[USEFUL], sums->useful_ns);
	table_seconds(row.cells[MPI], sums->mpi_ns);
	table_seconds(row.cells[WAIT], sums->wait_ns);
	table_seconds(row.cells[OTHER], sums->other_ns);
	text_percent(row.cells[EFFICIENCY], sums->useful_ns, capacity_ns);
	if (report->job.n_counted > 1)
		view_process_hundredths(row.cells[OF_MEAN], sizeof(row.cells[OF_MEAN]),
			sums->most_useful_ns, sums->useful_ns, report->job.n_counted);
	if (report->job.n_counted > 1 && n_hidden)
		snprintf(row.name, sizeof(row.name), "total of %zu (most / mean)",
			report->job.n_counted);
	else
		snprintf(row.name, sizeof(row.name), "total%s",
			report->job.n_counted > 1 ? " (most / mean)" : "");
	table_put(table, &row);
}

size_t view_put_processes(struct terminal *terminal, const struct report *report, size_t n_most)
{
	const struct report_job *job = &report->job;
	struct report_job_sums sums = report_job_sum(job);
	struct table table = make_table(terminal, job, &sums);
	size_t n_shown = 0, n_left = job->n_counted, n_hidden;

	table_heading(&table, "process (in thread-s)");
	for (size_t i = 0; i < job->n; i++) {
		if (!job->processes[i].is_counted && n_most < job->n)
			continue;
		/* The one with most work is always among those that are shown. */
		if (n_shown + 1 >= n_most && n_left > 1 && n_most < job->n && i < sums.most) {
			n_left--;
			continue;
		}
		if (n_shown == n_most)
			break;
		put_process(&table, job, i, &sums);
		n_shown++;
		n_left--;
	}
	n_hidden = n_most < job->n && n_shown < job->n_counted ? job->n_counted - n_shown : 0;
	put_total(&table, report, &sums, n_hidden);
	return n_shown + 2;
}

static int print(
	const struct report *report, const struct view_options *options, struct terminal *terminal)
{
	struct table table = { .terminal = terminal };
	struct table_limits limits = table_limits(options, 0);
	size_t n = report->job.n, n_most = limits.n_rows < n ? limits.n_rows : n;

	view_put_processes(terminal, report, n_most);
	table_end(&table, report, "process", n - n_most, &limits);
	return 0;
}

const struct view view_by_process = {
	.name = "by process",
	.takes = VIEW_TAKES_LIMITS,
	.is_of_user = 1,
	.print = print,
};
