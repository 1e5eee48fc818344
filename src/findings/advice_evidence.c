/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of an entry of advice: sentences with the figures that led to it; see advice.h. */
#include <stdio.h>

#include "src/findings/advice_internal.h"
#include "src/text/text.h"

struct sentence {
	const struct findings *figures;
	const struct advice *advice;
	const struct findings_region *region; /* or NULL */
	const struct findings_wait *wait;     /* or NULL */
	struct contention contention;
	char *text;
	size_t text_bytes;
};

enum {
	SMALL_PERCENT = 5,      /* a smaller addition is not said */
	SEARCH_MOST_NS = 10000, /* LLVM's runtime took 3000 on a virtual machine, with a yield */
};

#define SAY(sentence, ...) (snprintf((sentence)->text, (sentence)->text_bytes, __VA_ARGS__), 1)

/* Each function below returns whether it has something to say. */
typedef int say_function(const struct sentence *sentence);

/* Says which part of the time in the region a cause took: the form has part, whole and share. */
static int say_cause(const struct sentence *sentence, enum metrics_cause cause, const char *form)
{
	char part[TEXT_NUMBER_BYTES], whole[TEXT_NUMBER_BYTES], percent[TEXT_NUMBER_BYTES];
	const uint64_t *cause_ns = sentence->region->sum.cause_ns;
	uint64_t whole_ns = findings_sum_causes(cause_ns);

	return SAY(sentence, form, text_seconds(part, cause_ns[cause]),
		text_seconds(whole, whole_ns), text_percent(percent, cause_ns[cause], whole_ns));
}

static int say_part(const struct sentence *sentence)
{
	static const char *const forms[METRICS_N_CAUSES] = {
		[METRICS_IMBALANCE] = "The region's threads waited for each other at barriers for "
				      "%s of their %s thread-s, %s %%.",
		[METRICS_TASK] = "The region's threads waited for tasks for %s of their %s "
				 "thread-s, %s %%.",
		[METRICS_OVERHEAD] = "The runtime took %s of the region's %s thread-s, %s %%.",
		[METRICS_SHORT_TEAM] = "CPUs that the teams leave unused: %s of the region's "
				       "%s thread-s, %s %%.",
	};
	enum metrics_cause cause = sentence->advice->cause;

	return sentence->region && forms[cause] ? say_cause(sentence, cause, forms[cause]) : 0;
}

/* Whether nothing tells what threads waited for in most of the waiting. */
static int is_mostly_unblamed(const struct findings_wait *wait)
{
	return wait && wait->sum.unblamed_ns > wait->sum.wait_ns / 2;
}

/* Waits so short that the runtime may have had tasks, and looked for the next of them. */
static int say_search(const struct sentence *sentence)
{
	char mean[TEXT_NUMBER_BYTES], count[TEXT_NUMBER_BYTES];
	const struct findings_region *region = sentence->region;
	uint64_t mean_ns;

	if (!region || sentence->advice->cause != METRICS_TASK || !region->n_executed ||
		!is_mostly_unblamed(sentence->wait))
		return 0;
	mean_ns = advice_mean_ns(region->sum.cause_ns[METRICS_TASK], region->n_executed);
	return mean_ns < SEARCH_MOST_NS &&
	       SAY(sentence,
		       "This is %s for each of %s tasks: the runtime may look for the next task "
		       "meanwhile.",
		       text_duration(mean, mean_ns), text_count(count, region->n_executed));
}

/* The waiting at constructs is advice by itself. */
static int say_remaining(const struct sentence *sentence)
{
	const struct findings_region *region = sentence->region;
	char part[TEXT_NUMBER_BYTES];

	if (sentence->advice->cause != METRICS_IMBALANCE ||
		sentence->advice->about != ADVICE_OF_REGION || !region->at_constructs_ns)
		return 0;
	return SAY(sentence,
		"The item is %s thread-s of it; the rest was at constructs within the region.",
		text_seconds(
			part, region->sum.cause_ns[METRICS_IMBALANCE] - region->at_constructs_ns));
}

/* Tables of waits contain this time, too. */
static int say_held_up(const struct sentence *sentence)
{
	const uint64_t *cause_ns = sentence->region ? sentence->region->sum.cause_ns : NULL;

	if (sentence->advice->cause != METRICS_IMBALANCE || !cause_ns ||
		!advice_is_percent(
			cause_ns[METRICS_HELD_UP], cause_ns[METRICS_IMBALANCE], SMALL_PERCENT))
		return 0;
	return say_cause(sentence, METRICS_HELD_UP,
		"They waited for threads without a CPU for another %s of the %s thread-s, %s %%.");
}

/* The gain of small tasks contains the runtime's time. */
static int say_handling(const struct sentence *sentence)
{
	if (sentence->advice->cause != METRICS_TASK || !sentence->region ||
		!advice_has_small_tasks(sentence->region))
		return 0;
	return say_cause(sentence, METRICS_OVERHEAD, "The runtime took %s of %s thread-s, %s %%.");
}

static int say_executions(const struct sentence *sentence)
{
	const struct metrics_region *sum = sentence->region ? &sentence->region->sum : NULL;
	const struct metrics *metrics = sentence->figures->metrics;
	char count[TEXT_NUMBER_BYTES], median[TEXT_NUMBER_BYTES], p95[TEXT_NUMBER_BYTES],
		most[TEXT_NUMBER_BYTES], place[ADVICE_NAME_BYTES], at[256] = "";

	if (!sum || !sum->n || !sum->wall_ns)
		return 0;
	text_duration(most, sum->max_ns);
	if (sentence->advice->about != ADVICE_OF_REGION) {
		advice_place(place, sizeof(place), sentence->region->label);
		snprintf(at, sizeof(at), " (%.200s)", place);
	}
	if (sum->n == 1)
		return SAY(sentence, "The region%s was executed once, for %s.", at, most);
	return SAY(sentence, "%s executions of the region%s: p50 %s, p95 %s, longest %s.",
		text_count(count, sum->n), at,
		text_duration(median, metrics_quantile(metrics, sum, 500)),
		text_duration(p95, metrics_quantile(metrics, sum, 950)), most);
}

/*
 * Says how much of the overhead is ompprof's own cost. The gain is the most that there can be, so
 * it leaves out only the cost that is sure.
 */
static int say_own(const struct sentence *sentence)
{
	const struct findings *figures = sentence->figures;
	uint64_t all_ns = figures->metrics->cause_ns[METRICS_OVERHEAD];
	uint64_t most_ns = figures->run.own_most_ns < all_ns ? figures->run.own_most_ns : all_ns;
	uint64_t least_ns =
		figures->run.own_least_ns < most_ns ? figures->run.own_least_ns : most_ns;
	char least[TEXT_NUMBER_BYTES], most[TEXT_NUMBER_BYTES];

	if (sentence->advice->cause != METRICS_OVERHEAD ||
		!advice_is_percent(most_ns, all_ns, SMALL_PERCENT))
		return 0;
	text_percent(least, least_ns, all_ns);
	if (!advice_is_percent(most_ns - least_ns, all_ns, SMALL_PERCENT))
		return SAY(sentence,
			"%s %% of the run's overhead is the cost of ompprof, and no gain.", least);
	return SAY(sentence,
		"The cost of ompprof is %s to %s %% of the run's overhead. The gain leaves out %s "
		"%%, so it is unsure.",
		least, text_percent(most, most_ns, all_ns), least);
}

/* If CPUs lack, the thread without a CPU is last, whatever its work is. */
static int tells_last(const struct sentence *sentence)
{
	return sentence->advice->cause == METRICS_IMBALANCE &&
	       sentence->advice->about == ADVICE_OF_REGION &&
	       !contention_is_large(&sentence->contention);
}

static int say_last(const struct sentence *sentence)
{
	char last[TEXT_NUMBER_BYTES], all[TEXT_NUMBER_BYTES];
	const struct metrics_region *sum;

	if (!tells_last(sentence) || !sentence->region->sum.n_barriers)
		return 0;
	sum = &sentence->region->sum;
	return SAY(sentence,
		"Last to arrive most often: the team's thread %u, at %s of %s barriers.",
		sum->slowest, text_count(last, sum->n_slowest), text_count(all, sum->n_barriers));
}

static int say_repeated(const struct sentence *sentence)
{
	char percent[TEXT_NUMBER_BYTES];
	const struct metrics_region *sum;

	if (!tells_last(sentence) || sentence->region->sum.n_barriers < ADVICE_BARRIERS_LEAST)
		return 0;
	sum = &sentence->region->sum;
	return SAY(sentence, "%s %% of this waiting repeats: the same threads wait each time.",
		text_percent(percent, sum->persistent_ns, sum->cause_ns[METRICS_IMBALANCE]));
}

static int say_waits(const struct sentence *sentence)
{
	const struct findings_wait *wait = sentence->wait;
	char count[TEXT_NUMBER_BYTES], sum[TEXT_NUMBER_BYTES], mean[TEXT_NUMBER_BYTES];

	if (sentence->advice->about != ADVICE_OF_WAIT || findings_is_mutex(wait->sum.kind))
		return 0;
	return SAY(sentence, "%s waits of %s on average, %s thread-s in all.",
		text_count(count, wait->sum.n),
		text_duration(mean, advice_mean_ns(wait->sum.wait_ns, wait->sum.n)),
		text_seconds(sum, wait->sum.wait_ns));
}

/* The mutexes that the advice is about; all 0 if it is about none. */
static struct advice_locks locks_of(const struct sentence *sentence)
{
	if (sentence->advice->cause != METRICS_LOCK || !sentence->wait)
		return (struct advice_locks){ 0 };
	return advice_locks_at(sentence->figures, sentence->wait);
}

static int say_acquired(const struct sentence *sentence)
{
	char waits[TEXT_NUMBER_BYTES], all[TEXT_NUMBER_BYTES], mean[TEXT_NUMBER_BYTES],
		most[TEXT_NUMBER_BYTES];
	struct advice_locks locks = locks_of(sentence);

	if (!locks.n_contended)
		return 0;
	return SAY(sentence, "%s of %s acquisitions had to wait: %s on average, %s at most.",
		text_count(waits, locks.n_contended), text_count(all, locks.n_acquired),
		text_duration(mean, advice_mean_ns(locks.wait_ns, locks.n_contended)),
		text_duration(most, locks.max_wait_ns));
}

static int say_held(const struct sentence *sentence)
{
	char percent[TEXT_NUMBER_BYTES], within[TEXT_NUMBER_BYTES];
	struct advice_locks locks = locks_of(sentence);

	if (!locks.held_ns)
		return 0;
	return SAY(sentence, "%s held for %s %% of the %s s of the regions that wait for it.",
		locks.n > 1 ? "The busiest of these locks was" : "It was",
		text_percent(percent, locks.held_ns, locks.within_ns),
		text_seconds(within, locks.within_ns));
}

static int say_tasks(const struct sentence *sentence)
{
	char count[TEXT_NUMBER_BYTES], mean[TEXT_NUMBER_BYTES], most[TEXT_NUMBER_BYTES];
	const struct metrics_task *sum;

	if (sentence->advice->about != ADVICE_OF_TASK)
		return 0;
	sum = &sentence->figures->tasks[sentence->advice->index].sum;
	if (!sum->n_executed)
		return 0;
	return SAY(sentence, "%s tasks of %s on average, %s at most; %u thread%s created them.",
		text_count(count, sum->n_executed),
		text_duration(mean, advice_mean_ns(sum->busy_ns, sum->n_executed)),
		text_duration(most, sum->max_ns), sum->n_creators, text_plural(sum->n_creators));
}

static int say_serial(const struct sentence *sentence)
{
	const struct findings *figures = sentence->figures;
	const struct metrics *metrics = figures->metrics;
	char percent[TEXT_NUMBER_BYTES], serial[TEXT_NUMBER_BYTES], wall[TEXT_NUMBER_BYTES];

	if (sentence->advice->about != ADVICE_OF_SERIAL)
		return 0;
	return SAY(sentence,
		"The function has %s %% of the work outside of regions, which takes %s s of the "
		"run's %s s.",
		text_percent(percent, figures->serial[sentence->advice->index].work_ns,
			figures->serial_work_ns),
		text_seconds(serial, metrics_wall(metrics, figures->serial_work_ns)),
		text_seconds(wall, metrics->wall_ns));
}

static int say_sleeps(const struct sentence *sentence)
{
	char count[TEXT_NUMBER_BYTES], mean[TEXT_NUMBER_BYTES];
	const struct findings_sleep *sleep;

	if (sentence->advice->about != ADVICE_OF_SLEEP)
		return 0;
	sleep = &sentence->figures->sleeps[sentence->advice->index];
	if (!sleep->n)
		return 0;
	return SAY(sentence,
		sleep->wait == PROFILE_MPI ? "%s calls, of %s on average."
					   : "%s sleeps in the call, of %s on average.",
		text_count(count, sleep->n),
		text_duration(mean, advice_mean_ns(sleep->ns, sleep->n)));
}

static int say_late(const struct sentence *sentence)
{
	const struct findings *figures = sentence->figures;
	const struct metrics_ranks *ranks = &figures->metrics->ranks;
	char rank[48], waits[TEXT_NUMBER_BYTES], count[TEXT_NUMBER_BYTES], kept[TEXT_NUMBER_BYTES];
	const struct findings_late *late;

	if (sentence->advice->about != ADVICE_OF_SLEEP)
		return 0;
	late = findings_find_late(figures, &figures->sleeps[sentence->advice->index]);
	if (!late)
		return 0;
	advice_rank(rank, sizeof(rank), figures, late->process);
	return SAY(sentence,
		"Of the %s collective calls that were compared, %s came last to %s here: others "
		"waited %s s for it, also without a CPU.",
		text_count(kept, ranks->n_compared), rank, text_count(count, late->waits.n),
		text_seconds(waits, late->waits.ns));
}

static int say_uneven(const struct sentence *sentence)
{
	static const char *const does[] = { [FINDINGS_LATE_WORK] = "works here",
		[FINDINGS_LATE_ASLEEP] = "sleeps here",
		[FINDINGS_LATE_NO_CPU] = "has no CPU, outside of MPI," };
	const struct findings *figures = sentence->figures;
	char rank[48], most[TEXT_NUMBER_BYTES], mean[TEXT_NUMBER_BYTES], waits[TEXT_NUMBER_BYTES];
	const struct findings_uneven *uneven;

	if (sentence->advice->about != ADVICE_OF_UNEVEN)
		return 0;
	uneven = &figures->uneven[sentence->advice->index];
	advice_rank(rank, sizeof(rank), figures, uneven->process);
	return SAY(sentence,
		"A %sthread of %s %s for %s s, of a mean rank for %s s; for the difference the "
		"others waited %s s in MPI, all together.",
		uneven->most_thread_ns != uneven->most_ns ? "mean " : "", rank, does[uneven->kind],
		text_seconds(most, uneven->most_ns), text_seconds(mean, uneven->mean_ns),
		text_seconds(waits, uneven->wait_ns));
}

static int say_targets(const struct sentence *sentence)
{
	char count[TEXT_NUMBER_BYTES], whole[TEXT_NUMBER_BYTES], data[TEXT_NUMBER_BYTES],
		kernels[TEXT_NUMBER_BYTES];
	const struct metrics_target *sum;

	if (sentence->advice->about != ADVICE_OF_TARGET)
		return 0;
	sum = &sentence->figures->targets[sentence->advice->index].sum;
	return SAY(sentence,
		"%s execution%s took %s s; the host waited %s s for data and %s s for kernels.",
		text_count(count, sum->whole.n), text_plural(sum->whole.n),
		text_seconds(whole, sum->whole.time_ns), text_seconds(data, sum->data_wait_ns),
		text_seconds(kernels, sum->kernel_wait_ns));
}

static int say_teams(const struct sentence *sentence)
{
	if (sentence->advice->cause != METRICS_SHORT_TEAM || !sentence->region)
		return 0;
	return SAY(sentence, "Its teams have %u to %u threads; the run's largest has %u.",
		sentence->region->sum.min_team, sentence->region->sum.max_team,
		advice_largest_team(sentence->figures->metrics));
}

static int say_contention(const struct sentence *sentence)
{
	char text[256];

	if (sentence->advice->cause != METRICS_NOT_RUNNING)
		return 0;
	contention_describe(text, sizeof(text), &sentence->contention);
	return SAY(sentence, "Threads had %s.", text);
}

/* Writes what threads waited for: "'hash_insert' (assemble.c:23)". */
static void put_cause(char *text, size_t text_bytes, const struct findings *figures,
	const struct findings_cause *cause)
{
	char place[ADVICE_NAME_BYTES], name[ADVICE_NAME_BYTES];

	advice_place(place, sizeof(place), cause->label);
	advice_construct(name, sizeof(name), cause->label);
	if (cause->label == findings_cause_label(figures, METRICS_NO_CPU))
		snprintf(text, text_bytes, "a thread without a CPU");
	else if (cause->label->line)
		snprintf(text, text_bytes, "'%.200s' (%.200s)", name, place);
	else
		snprintf(text, text_bytes, "'%.200s'", name);
}

/* Whose code the waiting is blamed on; of several mutexes at a place, for one. */
static int say_blame(const struct sentence *sentence)
{
	const struct findings *figures = sentence->figures;
	const struct findings_wait *wait = sentence->wait;
	const struct findings_cause *cause = wait ? &figures->causes[wait->first_cause] : NULL;
	char percent[TEXT_NUMBER_BYTES], text[2 * ADVICE_NAME_BYTES];

	if (!wait || !wait->n_causes)
		return 0;
	put_cause(text, sizeof(text), figures, cause);
	return SAY(sentence, "Most waited for: %s, %s %% of the waiting%s.", text,
		text_percent(percent, cause->ns, wait->sum.wait_ns),
		wait->is_first_at_place && wait->next_at_place != UINT32_MAX
			? " for the most wanted lock"
			: "");
}

/* Says so if less is known of the waiting than is not. */
static int say_unblamed(const struct sentence *sentence)
{
	const struct findings_wait *wait = sentence->wait;
	char percent[TEXT_NUMBER_BYTES];

	if (!is_mostly_unblamed(wait) || !wait->n_causes)
		return 0;
	return SAY(sentence, "Nothing tells what threads waited for in %s %% of this waiting.",
		text_percent(percent, wait->sum.unblamed_ns, wait->sum.wait_ns));
}

/* Which thread's code the waiting is blamed on. */
static int say_thread(const struct sentence *sentence)
{
	const struct findings_wait *wait = sentence->wait;
	char percent[TEXT_NUMBER_BYTES], thread[64];

	if (!wait || !advice_is_for_one(sentence->figures, wait))
		return 0;
	names_member(thread, sizeof(thread), sentence->figures->profile, wait->thread);
	return SAY(sentence, "%s %% of the waiting was for the %s.",
		text_percent(percent, wait->thread_ns, wait->sum.wait_ns), thread);
}

static say_function *const functions[] = { say_part, say_search, say_remaining, say_held_up,
	say_handling, say_own, say_waits, say_acquired, say_held, say_tasks, say_serial, say_sleeps,
	say_late, say_uneven, say_targets, say_teams, say_contention, say_last, say_repeated,
	say_thread, say_blame, say_unblamed, say_executions };

const char *advice_evidence(const struct findings *figures, const struct advice *advice, size_t i,
	char *text, size_t text_bytes)
{
	uint32_t region = advice_region(figures, advice);
	struct sentence sentence = {
		.figures = figures,
		.advice = advice,
		.region = region == UINT32_MAX ? NULL : &figures->regions[region],
		.wait = advice_find_wait(figures, advice),
		.text = text,
		.text_bytes = text_bytes,
	};

	contention_find(
		&sentence.contention, figures->profile, figures->metrics, &figures->run.crowd);

	for (size_t k = 0; k < sizeof(functions) / sizeof(functions[0]); k++)
		if (functions[k](&sentence) && i-- == 0)
			return text;
	return NULL;
}
