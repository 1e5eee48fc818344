/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the processes of a run, says which of them count, and counts their CPUs; see report_job.h.
 */
#include "src/report/report_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/text/name_list.h"
#include "src/report/report_internal.h"

/* The system tells CPU time in steps of 10 ms: a process that ran shorter can have none. */
#define LEAST_BUSY_NS 50000000

static int is_selected(const struct profile_entry *entry, const struct report_selection *selection)
{
	return (!selection->has_rank || entry->header.around.rank == selection->rank + 1) &&
	       (!selection->has_pid || entry->header.pid == selection->pid);
}

/* The message lists what could have been selected. In headers, ranks count from 1; 0: no rank. */
static int refuse(const struct profile_list *list, const char *path,
	const struct report_selection *selection, struct diag *diag)
{
	uint32_t *numbers = malloc((list->n + 1) * sizeof(*numbers));
	struct name_list there = { "", 0 };
	size_t n = 0;

	for (size_t i = 0; numbers && i < list->n; i++) {
		const struct profile_header *header = &list->entries[i].header;

		if (!selection->has_rank)
			numbers[n++] = header->pid;
		else if (header->around.rank)
			numbers[n++] = header->around.rank - 1;
	}
	if (numbers)
		name_list_add_numbers(&there, numbers, n);
	free(numbers);
	if (!selection->has_rank)
		return diag_set(diag, "cannot find process %u in '%s' (processes: %s)",
			selection->pid, path, there.text);
	return diag_set(diag, "cannot find rank %u in '%s' (%s%s)", selection->rank, path,
		n ? "ranks: " : "no process has a rank", there.text);
}

static int select_entries(struct report_job *job, const char *path,
	const struct report_selection *selection, struct diag *diag)
{
	struct profile_list *list = &job->of;
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += (size_t)is_selected(&list->entries[i], selection);
	if (n == 0)
		return refuse(list, path, selection, diag);
	n = 0;
	for (size_t i = 0; i < list->n; i++) {
		if (is_selected(&list->entries[i], selection))
			list->entries[n++] = list->entries[i];
		else
			profile_entry_release(&list->entries[i]);
	}
	job->n_unselected = list->n - n;
	list->n = n;
	return 0;
}

int report_job_find(struct report_job *job, const char *path,
	const struct report_selection *selection, struct diag *diag)
{
	if (profile_list_read_run(&job->of, path, selection->run_id, diag) != 0 ||
		select_entries(job, path, selection, diag) != 0)
		return -1;
	job->processes = calloc(job->of.n, sizeof(*job->processes));
	return job->processes ? 0 : diag_set(diag, "cannot read '%s': out of memory", path);
}

/* Whether a later file is of the same process, which executed another program (exec). */
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

/*
 * struct report_process has the rules. A process that only executed another program, as env(1)
 * does, has no sample.
 */
void report_job_decide(struct report_job *job)
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
		process->is_counted = process->has_openmp || entry->header.around.rank != 0 ||
				      (!has_openmp && (!has_samples || entry->n_samples > 0));
		process->is_plain =
			!process->has_openmp && (!has_openmp || entry->header.around.rank == 0);
		process->is_replaced = is_replaced(&job->of, i);
		job->n_counted += process->is_counted;
	}
	job->n = job->of.n;
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
		for (size_t c = 0; c < METRICS_N_CAUSES; c++)
			sums.cause_ns[c] += process->cause_ns[c];
		if (process->useful_ns > sums.most_useful_ns) {
			sums.most_useful_ns = process->useful_ns;
			sums.most = i;
		}
	}
	return sums;
}

/*
 * Counts the OpenMP threads, and the CPUs, of the processes that run on process i's host when it
 * begins: at most the CPUs of the machine. A process with more threads than CPUs is counted alone.
 * Keeps the worst ratio.
 */
static void add_host(struct report_job *job, size_t i)
{
	const struct report_process *at = &job->processes[i];
	const struct contention_crowd *most = &job->crowd;
	struct contention_crowd crowd = { 0, 0, 0 };

	for (size_t k = 0; k < job->n; k++) {
		const struct report_process *other = &job->processes[k];

		if (!other->is_counted || strcmp(other->host, at->host) != 0 ||
			other->begin_ns > at->begin_ns ||
			other->begin_ns + other->wall_ns <= at->begin_ns)
			continue;
		crowd.n_threads += other->n_openmp_threads;
		crowd.n_cpus += other->n_cpus;
		crowd.n_processes++;
	}
	if (at->n_openmp_threads > at->n_cpus)
		crowd = (struct contention_crowd){ at->n_openmp_threads, 1, at->n_cpus };
	else if (at->machine_cpus && crowd.n_cpus > at->machine_cpus)
		crowd.n_cpus = at->machine_cpus;
	if ((uint64_t)crowd.n_threads * most->n_cpus >= (uint64_t)most->n_threads * crowd.n_cpus)
		job->crowd = crowd;
}

void report_job_find_hosts(struct report_job *job)
{
	for (size_t i = 0; i < job->n; i++)
		if (job->processes[i].is_counted)
			add_host(job, i);
}

uint32_t report_job_count_cpus(const struct report_job *job, uint32_t *machine_cpus)
{
	uint32_t n = 0;

	*machine_cpus = 0;

	for (size_t i = 0; i < job->n; i++) {
		const struct report_process *at = &job->processes[i];
		uint32_t cpus = 0;
		size_t k = 0;

		while (k < i && strcmp(job->processes[k].host, at->host) != 0)
			k++;
		if (k < i)
			continue;
		for (; k < job->n; k++)
			if (strcmp(job->processes[k].host, at->host) == 0)
				cpus += job->processes[k].n_cpus;
		n += at->machine_cpus && cpus > at->machine_cpus ? at->machine_cpus : cpus;
		*machine_cpus += at->machine_cpus ? at->machine_cpus : cpus;
	}
	return n;
}

void report_job_find_busy(const struct report_job *job, uint32_t n_cpus, uint64_t wall_ns,
	struct profile_contention *contention)
{
	double each_ns = 0, all_ns = (double)n_cpus * (double)wall_ns;

	contention->busy_ns = contention->process_ns = 0;
	for (size_t i = 0; i < job->n; i++) {
		const struct report_process *process = &job->processes[i];

		if (!process->is_counted)
			continue;
		if (!process->busy_ns && process->wall_ns >= LEAST_BUSY_NS) {
			contention->busy_ns = contention->process_ns = 0;
			return;
		}
		each_ns += (double)process->n_cpus * (double)process->wall_ns;
		metrics_add(&contention->busy_ns, process->busy_ns);
		metrics_add(&contention->process_ns, process->process_ns);
	}
	if (each_ns > all_ns)
		contention->busy_ns = (uint64_t)((double)contention->busy_ns * (all_ns / each_ns));
}

int report_is_profile(const char *path)
{
	struct profile_list list;
	struct diag diag = { "", "" };
	struct stat status;
	int is;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return 1;
	is = profile_list_read(&list, path, &diag) == 0 &&
	     memcmp(list.entries[0].header.magic, PROFILE_MAGIC, sizeof(PROFILE_MAGIC) - 1) == 0;
	profile_list_release(&list);
	return is;
}
