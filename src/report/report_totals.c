/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up the run over its threads and its tree; also the words of report.h. */
#include "src/report/report_internal.h"
#include "src/findings/contention.h"

#include <string.h>

enum { RANKED_LEAST = 50 /* samples */ };

/*
 * Whether the loss counts lost samples. PROFILE_LOST_NESTED does not: a signal that interrupts a
 * callback of the tool becomes a sample of overhead.
 */
static int is_sample_loss(size_t loss)
{
	return loss == PROFILE_LOST_NO_SPACE || loss == PROFILE_LOST_UNREGISTERED ||
	       loss == PROFILE_LOST_STACK;
}

static uint64_t sum_sampled(const struct profile_thread *thread)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < PROFILE_N_CLASSES; i++)
		sum += thread->time_ns[i];
	return sum;
}

/*
 * The time that a thread slept where samples by the wall clock showed it at work: they interrupt
 * calls in which it sleeps. 0 for other clocks.
 */
static uint64_t asleep_ns(const struct profile *profile, const struct profile_thread *thread)
{
	uint64_t ran_ns = thread->cpu_last_ns - thread->cpu_start_ns + thread->run_delay_ns;
	uint64_t work_ns = thread->time_ns[PROFILE_WORK];

	if (profile->header.clock_kind != PROFILE_CLOCK_WALL ||
		thread->cpu_last_ns <= thread->cpu_start_ns)
		return 0;
	return work_ns > ran_ns ? work_ns - ran_ns : 0;
}

/* Whether a thread is native, and neither ran nor was ready to run for long: it waits for work. */
static int is_asleep(const struct profile_thread *thread, uint64_t cpu_ns, uint64_t life_ns)
{
	return profile_is_native(thread) && cpu_ns < life_ns / 100 &&
	       thread->run_delay_ns < life_ns / 10;
}

static void add_asleep(
	struct report_totals *totals, const struct profile_thread *thread, uint64_t cpu_ns)
{
	uint64_t life_ns = profile_life_ns(thread, totals->wall_ns);

	if (!is_asleep(thread, cpu_ns, life_ns))
		return;
	totals->n_asleep_threads += thread->n_lives > 1 ? thread->n_lives : 1;
	totals->asleep_cpu_ns += cpu_ns;
	totals->asleep_off_ns += life_ns - cpu_ns;
	totals->asleep_delay_ns +=
		thread->run_delay_ns < life_ns - cpu_ns ? thread->run_delay_ns : life_ns - cpu_ns;
}

static void add_thread(struct report_totals *totals, const struct profile *profile,
	const struct profile_thread *thread)
{
	const struct profile_header *header = &profile->header;
	uint64_t life_ns = profile_life_ns(thread, totals->wall_ns);
	uint64_t sampled_ns = sum_sampled(thread);
	uint64_t cpu_ns = thread->cpu_last_ns > thread->cpu_start_ns
				  ? thread->cpu_last_ns - thread->cpu_start_ns
				  : sampled_ns;

	totals->cpu_ns += cpu_ns;
	totals->n_lives += thread->n_lives > 1 ? thread->n_lives : 1;
	if (profile_is_native(thread)) {
		totals->n_native_threads += thread->n_lives > 1 ? thread->n_lives : 1;
		totals->native_cpu_ns += cpu_ns;
		totals->native_unsampled_ns += thread->unsampled_ns;
	}
	/* Samples represent whole periods, so their sum can be more than the CPU time. */
	if (cpu_ns < sampled_ns)
		cpu_ns = sampled_ns;
	if (header->clock_kind == PROFILE_CLOCK_CPU)
		totals->unsampled_ns += cpu_ns - sampled_ns;
	if (header->clock_kind != PROFILE_CLOCK_WALL && life_ns > cpu_ns)
		totals->off_cpu_ns += life_ns - cpu_ns;
	if (header->clock_kind != PROFILE_CLOCK_WALL)
		add_asleep(totals, thread, cpu_ns);
	totals->asleep_ns += asleep_ns(profile, thread);
	totals->n_guessed += thread->n_guessed;
	totals->n_captures += thread->n_captures;
	totals->n_cut_captures += thread->n_cut_captures;
	totals->n_guessed_captures += thread->n_guessed_captures;
	totals->n_helper_threads += profile_is_helper(thread) != 0;
	totals->n_openmp_threads += thread->type == 1 || thread->type == 2;
	for (size_t i = 0; i < PROFILE_WALK_N_ENDS; i++) {
		totals->n_walks += thread->ends[i];
		totals->n_cut_walks += i == PROFILE_WALK_COMPLETE ? 0 : thread->ends[i];
	}
}

static unsigned event_class(const struct tree_node *node)
{
	if (node->kind == TREE_WAIT && node->class < PROFILE_N_CLASSES)
		return node->class;
	return node->kind == TREE_RUNTIME ? PROFILE_OVERHEAD : PROFILE_WORK;
}

/*
 * Measured waits count whether they used CPU time or not, so this is what they, the samples and the
 * CPU time without samples leave of the threads' life time.
 */
static uint64_t blocked_ns(const struct report_totals *totals, const struct profile *profile)
{
	uint64_t shown_ns = tree_metrics_time(&totals->all) + totals->unsampled_ns;
	uint64_t life_ns = 0;

	for (size_t i = 0; i < profile->n_threads; i++)
		life_ns += profile_life_ns(&profile->threads[i], totals->wall_ns);
	return life_ns > shown_ns ? life_ns - shown_ns : 0;
}

void report_losses(uint64_t lost[PROFILE_N_LOSSES], const struct profile *profile)
{
	for (size_t i = 0; i < PROFILE_N_LOSSES; i++) {
		lost[i] = profile->header.lost[i];
		for (size_t t = 0; t < profile->n_threads; t++)
			lost[i] += profile->threads[t].lost[i];
	}
}

void report_totals_make(
	struct report_totals *totals, const struct profile *profile, const struct tree *tree)
{
	memset(totals, 0, sizeof(*totals));
	totals->wall_ns = profile->header.end_ns && profile->header.flags & PROFILE_COMPLETE
				  ? profile->header.end_ns
				  : profile->header.last_ns;
	report_losses(totals->lost, profile);
	own_cost_make(&totals->own, profile);
	for (size_t i = 0; i < profile->n_threads; i++)
		add_thread(totals, profile, &profile->threads[i]);
	for (size_t i = 0; i < PROFILE_N_LOSSES; i++)
		totals->n_lost += is_sample_loss(i) ? totals->lost[i] : 0;
	for (size_t i = 0; i < tree->n_nodes; i++) {
		struct tree_metrics self = tree_self(tree, i);

		tree_metrics_add(&totals->all, &self);
		totals->events[event_class(&tree->nodes[i])] += self.events;
	}
	if (profile->waits && profile->header.clock_kind != PROFILE_CLOCK_WALL)
		totals->off_cpu_ns = blocked_ns(totals, profile);
}

int report_find_contention(const struct report *report, struct contention *contention)
{
	contention_find(contention, &report->profile, &report->metrics, &report->job.crowd);
	return !report->is_event && !report->profile.part.is_cut && contention_is_large(contention);
}

void report_totals_add(struct report_totals *to, const struct report_totals *from)
{
	tree_metrics_add(&to->all, &from->all);
	for (size_t i = 0; i < PROFILE_N_CLASSES; i++)
		to->events[i] += from->events[i];
	for (size_t i = 0; i < PROFILE_N_LOSSES; i++)
		to->lost[i] += from->lost[i];
	to->cpu_ns += from->cpu_ns;
	to->off_cpu_ns += from->off_cpu_ns;
	to->asleep_ns += from->asleep_ns;
	to->unsampled_ns += from->unsampled_ns;
	own_cost_add(&to->own, &from->own);
	to->n_lost += from->n_lost;
	to->n_walks += from->n_walks;
	to->n_cut_walks += from->n_cut_walks;
	to->n_guessed += from->n_guessed;
	to->n_captures += from->n_captures;
	to->n_cut_captures += from->n_cut_captures;
	to->n_guessed_captures += from->n_guessed_captures;
	to->n_openmp_threads += from->n_openmp_threads;
	to->n_lives += from->n_lives;
	to->n_native_threads += from->n_native_threads;
	to->n_helper_threads += from->n_helper_threads;
	to->n_asleep_threads += from->n_asleep_threads;
	to->asleep_cpu_ns += from->asleep_cpu_ns;
	to->asleep_off_ns += from->asleep_off_ns;
	to->asleep_delay_ns += from->asleep_delay_ns;
	to->native_cpu_ns += from->native_cpu_ns;
	to->native_unsampled_ns += from->native_unsampled_ns;
}

uint64_t report_metric(
	const struct report *report, const struct tree_metrics *metrics, enum report_metric metric)
{
	uint64_t wait_ns = 0;

	switch (metric) {
	case METRIC_WORK:
		return metrics->time_ns[PROFILE_WORK];
	case METRIC_OVERHEAD:
		return metrics->time_ns[PROFILE_OVERHEAD];
	case METRIC_BLAME:
		return metrics->blame_ns;
	case METRIC_SAMPLES:
		return metrics->samples;
	case METRIC_WAIT:
		for (size_t i = PROFILE_WAIT_BARRIER; i < PROFILE_N_CLASSES; i++)
			wait_ns += metrics->time_ns[i];
		return wait_ns;
	default:
		return report->is_event ? metrics->events : tree_metrics_time(metrics);
	}
}

uint64_t report_sampled_ns(const struct report *report, const struct tree_metrics *metrics)
{
	uint64_t sum_ns = metrics->sampled_ns;

	for (int i = 0; i < PROFILE_N_CLASSES; i++)
		sum_ns += tree_is_measured(&report->profile, i) ? 0 : metrics->time_ns[i];
	return sum_ns;
}

uint64_t report_class(const struct report *report, enum profile_class class)
{
	return report->is_event ? report->totals.events[class] : report->totals.all.time_ns[class];
}

const char *report_class_word(enum profile_class class)
{
	static const char *const words[] = {
#define CLASS(NAME, value, word, ...) [value] = (word),
#include "profile/shared/classes.def"
	};

	return words[class];
}

const char *report_wait_word(enum profile_class class)
{
	return class == PROFILE_WORK || class == PROFILE_OVERHEAD ? NULL : report_class_word(class);
}

const char *report_cause_word(enum metrics_cause cause)
{
	static const char *const words[] = {
#define CAUSE(NAME, word, ...) [METRICS_##NAME] = (word),
#include "attribution/metrics/causes.def"
	};

	return words[cause];
}

int report_can_rank(const struct report *report)
{
	return report->totals.all.samples >= RANKED_LEAST;
}

uint64_t report_waiting(const struct report *report, uint64_t *unblamed_ns)
{
	uint64_t wait_ns = 0;

	*unblamed_ns = 0;
	for (size_t i = 0; i < report->metrics.n_waits; i++) {
		wait_ns += report->metrics.waits[i].wait_ns;
		*unblamed_ns += report->metrics.waits[i].unblamed_ns;
	}
	return wait_ns;
}

const char *const report_view_words[] = {
	[TREE_USER] = "user", [TREE_FULL] = "full", [TREE_MACHINE] = "machine", NULL
};
