/* SPDX-License-Identifier: Apache-2.0 */
/* Why threads lacked a CPU; see contention.h. */
#include "src/findings/contention.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/text/text.h"

enum {
	LARGE_PERCENT = 5,    /* of the threads' time */
	STOPPED_PERCENT = 20, /* of the time without a CPU, by the control group's limit */
	OTHERS_PERCENT = 10,  /* of the CPUs' time */
	SPUN_PERCENT = 20,    /* of the CPU time */
};

enum reason { BY_LIMIT, BY_THREADS, BY_OTHERS, BY_UNKNOWN };

static int is_percent(uint64_t part, uint64_t whole, unsigned percent)
{
	return whole > 0 && (double)part * 100.0 > (double)whole * percent;
}

/*
 * Without measured waits the run's capacity is not known. Adds the times of the threads that had
 * work, or lacked a CPU, for at least a tenth of their life.
 */
static void add_threads(struct contention *to, const struct metrics *metrics)
{
	for (size_t i = 0; i < metrics->n_threads; i++) {
		const struct metrics_thread *thread = &metrics->threads[i];

		if (thread->useful_ns + thread->not_running_ns < thread->total_ns / 10)
			continue;
		to->lost_ns += thread->not_running_ns;
		to->whole_ns += thread->total_ns;
	}
	if (metrics->wall_ns)
		to->crowd.n_threads = (uint32_t)(to->whole_ns / metrics->wall_ns);
}

void contention_find(struct contention *contention, const struct profile *profile,
	const struct metrics *metrics, const struct contention_crowd *crowd)
{
	const struct profile_contention *seen = &profile->header.contention;

	*contention = (struct contention){
		.n_cpus = profile->header.n_cpus,
		.machine_cpus = profile->header.around.machine_cpus,
		.quota_per_s = seen->quota_per_s,
		.throttled_ns = seen->throttled_ns,
		.others_ns =
			seen->busy_ns > seen->process_ns ? seen->busy_ns - seen->process_ns : 0,
		.wall_ns = metrics->wall_ns,
		/* of the outermost level */
		.n_asked = (uint32_t)strtoul(profile_env(profile, "OMP_NUM_THREADS="), NULL, 10),
		.crowd = { metrics->n_slots, 1, profile->header.n_cpus },
	};
	if (metrics->has_waits) {
		contention->lost_ns =
			metrics->cause_ns[METRICS_NOT_RUNNING] + metrics->cause_ns[METRICS_HELD_UP];
		contention->whole_ns = metrics_capacity(metrics);
	} else {
		add_threads(contention, metrics);
	}
	if (crowd->n_processes)
		contention->crowd = *crowd;
	for (size_t i = 0; i < profile->n_threads; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		for (size_t k = 0; k < PROFILE_N_CLASSES; k++) {
			contention->cpu_ns += thread->time_ns[k];
			if (k > PROFILE_OVERHEAD)
				contention->spun_ns += thread->time_ns[k];
		}
	}
	if (profile->header.clock_kind != PROFILE_CLOCK_CPU)
		contention->spun_ns = 0;
}

int contention_is_large(const struct contention *contention)
{
	return is_percent(contention->lost_ns, contention->whole_ns, LARGE_PERCENT);
}

static enum reason reason_of(const struct contention *contention)
{
	if (contention->quota_per_s &&
		is_percent(contention->throttled_ns, contention->lost_ns, STOPPED_PERCENT))
		return BY_LIMIT;
	if (contention->crowd.n_threads > contention->crowd.n_cpus)
		return BY_THREADS;
	if (is_percent(contention->others_ns, contention->n_cpus * contention->wall_ns,
		    OTHERS_PERCENT))
		return BY_OTHERS;
	return BY_UNKNOWN;
}

/* How many CPUs other processes used. */
static double others_of(const struct contention *contention)
{
	return contention->wall_ns ? (double)contention->others_ns / (double)contention->wall_ns
				   : 0;
}

void contention_describe(char *text, size_t text_bytes, const struct contention *contention)
{
	const struct contention_crowd *crowd = &contention->crowd;
	char share[TEXT_NUMBER_BYTES], of[32] = "", why[128] = "";
	enum reason reason = reason_of(contention);

	if (crowd->n_processes > 1)
		snprintf(of, sizeof(of), " of %u processes", crowd->n_processes);

	if (reason == BY_LIMIT)
		snprintf(why, sizeof(why), ": its container may use %.3g CPU%s",
			(double)contention->quota_per_s / 1e9,
			contention->quota_per_s == 1000000000 ? "" : "s");
	else if (reason == BY_THREADS)
		snprintf(why, sizeof(why), ": %u threads%s on %u CPU%s", crowd->n_threads, of,
			crowd->n_cpus, text_plural(crowd->n_cpus));
	else if (reason == BY_OTHERS)
		snprintf(why, sizeof(why), ": other jobs used %.1f of its %u CPU%s",
			others_of(contention), contention->n_cpus, text_plural(contention->n_cpus));
	snprintf(text, text_bytes, "no CPU for %s %% of the threads' time%s",
		text_percent(share, contention->lost_ns, contention->whole_ns), why);
}

/* The threads that a team has unless the code asks for more; 0: not known. */
static uint32_t default_threads(const struct contention *contention)
{
	if (!contention->n_asked && contention->crowd.n_processes == 1)
		return contention->crowd.n_cpus;
	return contention->n_asked;
}

void contention_advise(char *text, size_t text_bytes, const struct contention *contention)
{
	enum reason reason = reason_of(contention);
	int is_bound = contention->machine_cpus > contention->crowd.n_cpus;
	uint32_t n_cpus = contention->crowd.n_cpus;
	uint32_t n_threads = n_cpus / contention->crowd.n_processes;
	uint32_t n_default = default_threads(contention);
	int spins = is_percent(contention->spun_ns, contention->cpu_ns, SPUN_PERCENT);
	const char *bind = is_bound ? "bind it to more CPUs, or " : "";
	char what[96];

	if (reason == BY_LIMIT)
		snprintf(what, sizeof(what), "raise the container's limit, or use fewer threads");
	else if (reason == BY_THREADS && !n_threads)
		snprintf(what, sizeof(what), "run %u processes at a time, with OMP_NUM_THREADS=1",
			n_cpus);
	else if (reason == BY_THREADS && n_default && n_default <= n_threads)
		snprintf(what, sizeof(what), "%s(omp_set_)num_threads(%u)%s", bind, n_threads,
			is_bound ? "" : " where it asks for more");
	else if (reason == BY_THREADS)
		snprintf(what, sizeof(what), "%sOMP_NUM_THREADS=%u", bind, n_threads);
	else
		snprintf(what, sizeof(what), "run it on idle CPUs, or with fewer threads");
	if (spins)
		snprintf(text, text_bytes, "%s; OMP_WAIT_POLICY=passive", what);
	else
		snprintf(text, text_bytes, "%s", what);
}
