/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads the processes of a run as one report; see report_job.h. Several threads read files and make
 * trees and figures. The calling thread adds them up in the order of the list.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge.h"
#include "src/text/ordered_pool.h"
#include "src/text/progress.h"
#include "src/report/report_internal.h"

static int no_memory(struct diag *diag)
{
	return diag_set(diag, "cannot put the processes of the run together: out of memory");
}

struct addition {
	struct report *report;
	const struct report_options *options;
	struct merge *merge; /* NULL if only one process counts */
	uint64_t first_ns;   /* when the first process that counts began, since the epoch */
	struct profile_part part;
	struct diag *diag;
};

static uint64_t weigh(void *data, size_t i)
{
	const struct addition *addition = data;

	return addition->report->job.of.entries[i].file_bytes;
}

/* When process i began, after first_ns. */
static uint64_t origin_of(const struct addition *addition, size_t i)
{
	uint64_t begin_ns = addition->report->job.of.entries[i].header.start_realtime_ns;

	return begin_ns > addition->first_ns ? begin_ns - addition->first_ns : 0;
}

static void find_first(struct addition *addition)
{
	const struct report_job *job = &addition->report->job;

	addition->first_ns = UINT64_MAX;
	for (size_t i = 0; i < job->n; i++) {
		uint64_t begin_ns = job->of.entries[i].header.start_realtime_ns;

		if (job->processes[i].is_counted && begin_ns < addition->first_ns)
			addition->first_ns = begin_ns;
	}
}

static void *load(void *data, size_t i)
{
	const struct addition *addition = data;
	const struct report_job *job = &addition->report->job;

	return report_process_load(job->of.entries[i].path, job->processes[i].is_replaced,
		origin_of(addition, i), addition->options);
}

/* Leaves out a damaged file. */
static int leave_out(struct report_job *job, size_t i)
{
	struct report_process *process = &job->processes[i];

	job->n_unreadable++;
	job->n_counted -= process->is_counted;
	process->is_counted = 0;
	process->path = strdup(job->of.entries[i].path);
	return process->path ? 0 : -1;
}

/*
 * Describes a process and, if it counts, adds it. If only this process counts, moves its data into
 * the report. Returns 0, or -1 when out of memory.
 */
static int add_loaded(struct addition *addition, size_t i, struct report_loading *loading)
{
	struct report_job *job = &addition->report->job;
	struct report_process *process = &job->processes[i];
	const char *path = job->of.entries[i].path;
	struct merge_process added = { .profile = &loading->profile,
		.tree = &loading->tree,
		.user_tree = loading->user_tree.n_nodes ? &loading->user_tree : NULL,
		.metrics = &loading->metrics };

	if (report_process_describe(process, path, loading) != 0)
		return -1;
	if (!process->is_counted)
		return 0;
	if (!addition->merge) {
		snprintf(addition->report->path, sizeof(addition->report->path), "%s", path);
		report_adopt(addition->report, loading);
		return 0;
	}
	report_totals_add(&addition->report->totals, &loading->totals);
	time_range_join(&addition->part, &loading->profile.part, origin_of(addition, i),
		loading->profile.n_threads);
	return merge_add(addition->merge, &added);
}

static int take(void *data, size_t i, void *made)
{
	struct addition *addition = data;
	struct report_loading *loading = made;
	int status = -1;

	if (addition->merge)
		progress_show("reading files", i + 1, addition->report->job.n);
	if (!loading)
		return no_memory(addition->diag);
	if (loading->has_failed || loading->is_unreadable)
		*addition->diag = loading->diag;
	if (loading->has_failed)
		goto out;
	if ((loading->is_unreadable ? leave_out(&addition->report->job, i)
				    : add_loaded(addition, i, loading)) != 0)
		no_memory(addition->diag);
	else
		status = 0;
out:
	report_process_drop(loading);
	return status;
}

static void drop(void *made)
{
	report_process_drop(made);
}

/*
 * Makes malloc keep one file's memory for the next: otherwise each large block goes back to the
 * kernel in between, which takes half as long as all other work.
 */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

static int add_all(struct addition *addition)
{
	struct ordered_pool work = { .n = addition->report->job.n,
		.data = addition,
		.weigh = weigh,
		.make = load,
		.take = take,
		.drop = drop,
		.n_threads = addition->options->n_threads };

	if (work.n > 1)
		keep_memory();
	return ordered_pool_run(&work);
}

static int is_program_met(const struct report_job *job, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (job->processes[k].is_counted &&
			strcmp(job->processes[k].program, job->processes[i].program) == 0)
			return 1;
	return 0;
}

/* A process whose file could not be read has no program, and does not count. */
static size_t count_programs(const struct report_job *job)
{
	size_t n = 0;

	for (size_t i = 0; i < job->n; i++)
		n += job->processes[i].is_counted && !is_program_met(job, i);
	return n;
}

/*
 * Copies the command line to show for the run: of the first process in the list that counts if all
 * have one program, else of the process that began first.
 */
static int set_command(struct report *report)
{
	const struct report_job *job = &report->job;
	const struct report_process *shown = NULL;

	for (size_t i = 0; i < job->n; i++) {
		const struct report_process *process = &job->processes[i];

		if (!process->program || (job->n_programs == 1 && !process->is_counted))
			continue;
		if (!shown || (job->n_programs > 1 && process->begin_ns < shown->begin_ns))
			shown = process;
	}
	if (!shown)
		return 0;
	return report_copy_args(
		&report->profile.args, &report->profile.n_args, shown->args, shown->n_args);
}

static int finish(struct addition *addition)
{
	struct report *report = addition->report;
	struct profile_header *header = &report->profile.header;
	struct merged merged;

	if (merge_finish(addition->merge, &merged) != 0)
		return no_memory(addition->diag);
	report->profile = merged.profile;
	report->profile.part = addition->part;
	report->tree = merged.tree;
	report->user_tree = merged.user_tree;
	report->metrics = merged.metrics;
	report->totals.wall_ns = merged.metrics.wall_ns;
	report->job.n_programs = count_programs(&report->job);
	report_job_find_hosts(&report->job);
	header->n_cpus = report_job_count_cpus(&report->job, &report->metrics.n_cpus);
	report_job_find_busy(
		&report->job, header->n_cpus, merged.metrics.wall_ns, &header->contention);
	return set_command(report) == 0 ? 0 : no_memory(addition->diag);
}

/* Whether the processes that count have different executables. */
static int has_programs(const struct report_job *job)
{
	const char *first = "";

	for (size_t i = 0; i < job->n; i++) {
		const char *exe = job->of.entries[i].exe ? job->of.entries[i].exe : "";

		if (!job->processes[i].is_counted)
			continue;
		if (first[0] && strcmp(first, exe) != 0)
			return 1;
		first = exe;
	}
	return 0;
}

int report_job_load(struct report *report, const struct report_options *options, struct diag *diag)
{
	struct report_job *job = &report->job;
	struct addition addition = { .report = report, .options = options, .diag = diag };

	report_job_decide(job);
	find_first(&addition);
	if (job->n_counted > 1) {
		addition.merge = merge_begin(has_programs(job));
		if (!addition.merge)
			return no_memory(diag);
	}
	/* take() has set *diag if no file that counts could be read. */
	if (add_all(&addition) != 0 || job->n_counted == 0) {
		if (addition.merge)
			merge_abandon(addition.merge);
		return -1;
	}
	if (!addition.merge)
		return 0;
	return finish(&addition);
}
