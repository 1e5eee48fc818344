/* SPDX-License-Identifier: Apache-2.0 */
/* The CPUs that a run's processes have, host by host; see report_job.h. */
#include <string.h>

#include "src/report/report_job.h"

/* OpenMP threads of a host's processes that were there when process i began, and its CPUs. */
static void add_host(struct report_job *job, size_t i)
{
	const struct report_process *at = &job->processes[i];
	uint32_t threads = 0, cpus = 0;

	for (size_t k = 0; k < job->n; k++) {
		const struct report_process *other = &job->processes[k];

		if (!other->is_counted || strcmp(other->host, at->host) != 0 ||
			other->begin_ns > at->begin_ns ||
			other->begin_ns + other->wall_ns <= at->begin_ns)
			continue;
		threads += other->n_openmp_threads;
		cpus += other->n_cpus;
	}
	if (at->n_openmp_threads > at->n_cpus) {
		threads = at->n_openmp_threads;
		cpus = at->n_cpus;
	} else if (at->machine_cpus && cpus > at->machine_cpus) {
		cpus = at->machine_cpus;
	}
	if ((uint64_t)threads * job->most_cpus >= (uint64_t)job->most_threads * cpus) {
		job->most_threads = threads;
		job->most_cpus = cpus;
	}
}

void report_job_find_hosts(struct report_job *job)
{
	for (size_t i = 0; i < job->n; i++)
		if (job->processes[i].is_counted)
			add_host(job, i);
}

uint32_t report_job_count_cpus(const struct report_job *job)
{
	uint32_t n = 0;

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
	}
	return n;
}
