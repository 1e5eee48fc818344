/* SPDX-License-Identifier: Apache-2.0 */
/* Several processes as one report; see report_job.h. */
#include "src/report_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/merge.h"
#include "src/names_sites.h"
#include "src/report.h"
#include "src/report_parts.h"

static int no_memory(struct diag *diag)
{
	return diag_set(diag, "cannot put the processes of the run together: out of memory");
}

static int is_selected(const struct profile_entry *entry, const struct report_selection *selection)
{
	return (!selection->has_rank || entry->header.rank == selection->rank + 1) &&
	       (!selection->has_pid || entry->header.pid == selection->pid);
}

static int select_entries(struct profile_list *list, const char *path,
	const struct report_selection *selection, struct diag *diag)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (is_selected(&list->entries[i], selection))
			list->entries[n++] = list->entries[i];
		else
			free(list->entries[i].path);
	}
	list->n = n;
	if (n)
		return 0;
	if (selection->has_rank)
		return diag_set(diag, "cannot find rank %u in '%s'", selection->rank, path);
	return diag_set(diag, "cannot find process %u in '%s'", selection->pid, path);
}

int report_job_find(struct report_job *job, const char *path,
	const struct report_selection *selection, struct diag *diag)
{
	if (profile_list_read(&job->of, path, diag) != 0 ||
		select_entries(&job->of, path, selection, diag) != 0)
		return -1;
	job->processes = calloc(job->of.n, sizeof(*job->processes));
	return job->processes ? 0 : no_memory(diag);
}

/* Whether a later file is of the same process: it has executed another program. */
static int is_replaced(const struct profile_list *list, size_t i)
{
	const struct profile_header *header = &list->entries[i].header;

	for (size_t k = 0; k < list->n; k++) {
		const struct profile_header *other = &list->entries[k].header;

		if (k != i && other->pid == header->pid && strcmp(other->host, header->host) == 0 &&
			other->start_realtime_ns > header->start_realtime_ns)
			return 1;
	}
	return 0;
}

/* Without OpenMP in any, what only executed another program, as env(1) and shells do, has no sample. */
static void decide_who_counts(struct report_job *job)
{
	int has_openmp = 0, has_samples = 0;

	for (size_t i = 0; i < job->of.n; i++) {
		has_openmp |= job->of.entries[i].header.flags & PROFILE_OMPT_STARTED;
		has_samples |= job->of.entries[i].n_samples > 0;
	}
	for (size_t i = 0; i < job->of.n; i++) {
		const struct profile_entry *entry = &job->of.entries[i];
		struct report_process *process = &job->processes[i];

		process->has_openmp = (entry->header.flags & PROFILE_OMPT_STARTED) != 0;
		process->is_counted = process->has_openmp || entry->header.rank != 0 ||
				      (!has_openmp && (!has_samples || entry->n_samples > 0));
		process->is_plain =
			!process->has_openmp && (!has_openmp || entry->header.rank == 0);
		process->is_replaced = is_replaced(&job->of, i);
		job->n_counted += process->is_counted;
	}
	job->n = job->of.n;
}

static int copy_text(struct report_process *process, const struct profile *profile)
{
	const char *path = profile->exe;

	for (size_t i = 0; i < profile->n_modules; i++)
		if (profile->modules[i].flags & PROFILE_MODULE_MAIN)
			path = profile->modules[i].path;
	process->program = strdup(names_base(path ? path : ""));
	process->args = calloc(profile->n_args + 1, sizeof(*process->args));
	if (!process->program || !process->args)
		return -1;
	for (size_t i = 0; i < profile->n_args; i++) {
		process->args[i] = strdup(profile->args[i]);
		if (!process->args[i])
			return -1;
		process->n_args++;
	}
	return 0;
}

/* Those that the figures are about: native threads only where there are no others. */
static size_t count_threads(const struct report_process *process, const struct profile *profile)
{
	size_t n = 0;

	for (size_t i = 0; i < profile->n_threads; i++)
		n += !process->has_openmp || !profile_is_native(&profile->threads[i]);
	return n;
}

static void describe(struct report_process *process, const struct profile *profile)
{
	const struct profile_header *header = &profile->header;

	process->rank = header->rank;
	process->n_ranks = header->n_ranks;
	process->pid = header->pid;
	snprintf(process->host, sizeof(process->host), "%s", header->host);
	process->n_threads = count_threads(process, profile);
	process->begin_ns = header->start_realtime_ns;
	process->n_cpus = header->n_cpus;
	process->machine_cpus = header->machine_cpus;
	process->is_complete = (header->flags & PROFILE_COMPLETE) != 0;
}

/* There are no slots but that of the first thread: what all threads did. */
static void measure_threads(struct report_process *process, const struct metrics *metrics)
{
	for (size_t i = 0; i < metrics->n_threads; i++) {
		const struct metrics_thread *thread = &metrics->threads[i];

		process->useful_ns += thread->useful_ns;
		process->mpi_ns += thread->mpi_ns;
		process->other_ns += thread->total_ns - thread->useful_ns - thread->mpi_ns;
	}
}

void report_process_measure(struct report_process *process, const struct metrics *metrics,
	const struct report_totals *totals)
{
	const uint64_t *cause_ns = metrics->cause_ns;

	process->n_slots = metrics->n_slots;
	process->wall_ns = metrics->wall_ns;
	process->n_openmp_threads = totals->n_openmp_threads;
	process->n_samples = totals->all.samples;
	if (process->is_plain && totals->n_native_threads) {
		measure_threads(process, metrics);
		return;
	}
	process->useful_ns = cause_ns[METRICS_USEFUL];
	process->mpi_ns = cause_ns[METRICS_MPI];
	process->wait_ns = cause_ns[METRICS_SERIAL] + cause_ns[METRICS_IMBALANCE] +
			   cause_ns[METRICS_LOCK] + cause_ns[METRICS_TASK] +
			   cause_ns[METRICS_SHORT_TEAM];
	process->other_ns = cause_ns[METRICS_OVERHEAD] + cause_ns[METRICS_NOT_RUNNING] +
			    cause_ns[METRICS_BLOCKED];
}

/* One process on its way into the report. */
struct loading {
	struct profile profile;
	struct tree tree, user_tree;
	struct metrics metrics;
	struct report_totals totals;
};

static void release(struct loading *loading)
{
	metrics_release(&loading->metrics);
	tree_release(&loading->user_tree);
	tree_release(&loading->tree);
	profile_release(&loading->profile);
}

static int make(struct loading *loading, const struct report_options *options, struct diag *diag)
{
	static const struct tree_options user = { .view = TREE_USER };

	if (report_attribute(&loading->tree, &loading->profile, options, diag) != 0)
		return -1;
	if (!report_is_user_view(options) &&
		attribute(&loading->user_tree, &loading->profile, &user, diag) != 0)
		return -1;
	report_totals_make(&loading->totals, &loading->profile, &loading->tree);
	return metrics_make(&loading->metrics, &loading->profile,
		loading->user_tree.n_nodes ? &loading->user_tree : &loading->tree, diag);
}

/* Reads process i and adds it to what is merged, if it counts. A file that is damaged is left out. */
static int add_process(struct report *report, size_t i, const struct report_options *options,
	struct merge *merge, struct diag *diag)
{
	struct report_job *job = &report->job;
	struct report_process *process = &job->processes[i];
	struct loading loading = { .tree = { 0 } };
	struct merge_process added = {
		.profile = &loading.profile, .tree = &loading.tree, .metrics = &loading.metrics
	};
	int status = -1;

	process->path = strdup(job->of.entries[i].path);
	if (!process->path)
		return no_memory(diag);
	if (profile_open(&loading.profile, process->path, diag) != 0) {
		job->n_unreadable++;
		job->n_counted -= process->is_counted;
		process->is_counted = 0;
		return 0;
	}
	if (process->is_replaced)
		loading.profile.header.flags |= PROFILE_COMPLETE;
	describe(process, &loading.profile);
	if (copy_text(process, &loading.profile) != 0) {
		no_memory(diag);
	} else if (make(&loading, options, diag) == 0) {
		report_process_measure(process, &loading.metrics, &loading.totals);
		added.user_tree = loading.user_tree.n_nodes ? &loading.user_tree : NULL;
		status = process->is_counted && merge ? merge_add(merge, &added) : 0;
		if (status != 0)
			no_memory(diag);
		else if (process->is_counted && merge)
			report_totals_add(&report->totals, &loading.totals);
	}
	release(&loading);
	return status;
}

int report_job_describe(
	struct report_process *process, const struct report *report, struct diag *diag)
{
	process->path = strdup(report->path);
	if (!process->path || copy_text(process, &report->profile) != 0)
		return no_memory(diag);
	describe(process, &report->profile);
	report_process_measure(process, &report->metrics, &report->totals);
	return 0;
}

static size_t count_programs(const struct report_job *job)
{
	size_t n = 0;

	for (size_t i = 0; i < job->n; i++) {
		size_t k = 0;

		while (k < i &&
			!(job->processes[k].is_counted &&
				strcmp(job->processes[k].program, job->processes[i].program) == 0))
			k++;
		n += job->processes[i].is_counted && k == i;
	}
	return n;
}

/* The command line that stands for the run: of one program the first rank's, else what began first. */
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
	report->profile.args = calloc(shown->n_args + 1, sizeof(*report->profile.args));
	for (size_t i = 0; report->profile.args && i < shown->n_args; i++) {
		report->profile.args[i] = strdup(shown->args[i]);
		if (!report->profile.args[i])
			return -1;
		report->profile.n_args++;
	}
	return report->profile.args ? 0 : -1;
}

static int finish(struct report *report, struct merge *merge, struct diag *diag)
{
	struct merged merged;

	if (merge_finish(merge, &merged) != 0)
		return no_memory(diag);
	report->profile = merged.profile;
	report->tree = merged.tree;
	report->user_tree = merged.user_tree;
	report->metrics = merged.metrics;
	report->totals.wall_ns = merged.metrics.wall_ns;
	report->job.n_programs = count_programs(&report->job);
	report_job_find_hosts(&report->job);
	report->profile.header.n_cpus = report_job_count_cpus(&report->job);
	return set_command(report) == 0 ? 0 : no_memory(diag);
}

/* Whether the files that count are of more than one program. */
static int has_programs(const struct report_job *job)
{
	char first[900] = "";

	for (size_t i = 0; i < job->n; i++) {
		struct profile profile = { 0 };
		struct diag diag;
		const char *exe;
		int differs;

		if (!job->processes[i].is_counted ||
			profile_open(&profile, job->of.entries[i].path, &diag) != 0)
			continue;
		exe = profile.exe ? profile.exe : "";
		differs = first[0] && strcmp(first, exe) != 0;
		snprintf(first, sizeof(first), "%s", exe);
		profile_release(&profile);
		if (differs)
			return 1;
	}
	return 0;
}

int report_job_load(struct report *report, const struct report_options *options, size_t *single,
	struct diag *diag)
{
	struct report_job *job = &report->job;
	struct merge *merge = NULL;

	decide_who_counts(job);
	if (job->n_counted > 1) {
		merge = merge_begin(has_programs(job));
		if (!merge)
			return no_memory(diag);
	}
	for (size_t i = 0; i < job->n; i++) {
		if (job->n > 1 && add_process(report, i, options, merge, diag) != 0) {
			if (merge)
				merge_abandon(merge);
			return -1;
		}
	}
	*single = 0;
	while (*single + 1 < job->n && !job->processes[*single].is_counted)
		++*single;
	if (!merge)
		return 0;
	if (job->n_counted == 0) {
		merge_abandon(merge);
		return -1;
	}
	return finish(report, merge, diag);
}

void report_job_release(struct report_job *job)
{
	for (size_t i = 0; i < job->n; i++) {
		struct report_process *process = &job->processes[i];

		for (size_t k = 0; k < process->n_args; k++)
			free(process->args[k]);
		free(process->args);
		free(process->program);
		free(process->path);
	}
	free(job->processes);
	profile_list_release(&job->of);
	*job = (struct report_job){ 0 };
}

const char *report_job_word(const struct report_job *job)
{
	uint32_t last = 0;

	for (size_t i = 0; i < job->n; i++) {
		const struct report_process *process = &job->processes[i];

		if (!process->is_counted)
			continue;
		if (!process->rank || process->rank == last)
			return "processes";
		last = process->rank;
	}
	return "ranks";
}

struct report_job_sums report_job_sum(const struct report_job *job)
{
	struct report_job_sums sums = { .most = 0 };

	for (size_t i = 0; i < job->n; i++) {
		const struct report_process *process = &job->processes[i];

		if (!process->is_counted)
			continue;
		sums.n_threads += process->n_threads;
		sums.useful_ns += process->useful_ns;
		sums.mpi_ns += process->mpi_ns;
		sums.wait_ns += process->wait_ns;
		sums.other_ns += process->other_ns;
		if (process->useful_ns > sums.most_useful_ns) {
			sums.most_useful_ns = process->useful_ns;
			sums.most = i;
		}
	}
	return sums;
}
