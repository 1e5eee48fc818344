/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules for a parallel region: its imbalance, tasks, overhead and team; see advice_internal.h.
 */
#include "src/findings/advice_internal.h"

#include <stdio.h>
#include <string.h>

#include "src/text/text.h"

int advice_is_tiny(const struct metrics_region *region)
{
	return region->n > 0 && region->wall_ns > 0 &&
	       region->wall_ns / region->n < ADVICE_TINY_REGION_NS;
}

static uint64_t mean_ns(uint64_t sum_ns, uint64_t n)
{
	return n ? sum_ns / n : 0;
}

static void advise_imbalance(struct adviser *adviser, const struct findings_region *region)
{
	const struct metrics_region *sum = &region->sum;
	uint64_t imbalance_ns = sum->cause_ns[METRICS_IMBALANCE] - region->at_constructs_ns;
	struct advice *advice = advice_add(adviser, METRICS_IMBALANCE,
		advice_of_run(adviser, METRICS_IMBALANCE, imbalance_ns));
	char last[TEXT_NUMBER_BYTES], all[TEXT_NUMBER_BYTES];

	if (!advice)
		return;
	advice_set_region(adviser, advice, region);
	if (!advice_is_tiny(sum) && advice_lacks_cpus(adviser, advice))
		return;
	if (sum->n_barriers >= ADVICE_BARRIERS_LEAST &&
		advice_is_percent(sum->persistent_ns, imbalance_ns, ADVICE_PERSISTENT_PERCENT))
		snprintf(advice->text, sizeof(advice->text),
			"team's thread %u last in %s of %s: split evenly; loops: "
			"schedule(guided)",
			sum->slowest, text_count(last, sum->n_slowest),
			text_count(all, sum->n_barriers));
	else if (advice_is_tiny(sum))
		snprintf(advice->text, sizeof(advice->text),
			"runs of %s on average: merge regions, or nowait where data allow it",
			text_duration(all, mean_ns(sum->wall_ns, sum->n)));
	else if (sum->n_barriers < ADVICE_BARRIERS_LEAST)
		snprintf(advice->text, sizeof(advice->text),
			"threads wait for each other: split evenly, or in a loop another "
			"schedule()");
	else
		snprintf(advice->text, sizeof(advice->text),
			"the last thread changes: in loops schedule(dynamic)");
}

static int has_small_tasks(const struct findings_region *region)
{
	return region->n_executed &&
	       mean_ns(region->busy_ns, region->n_executed) < ADVICE_TINY_TASK_NS;
}

/*
 * Whether tasks that wait for an executing task are the main reason why threads have no task to
 * execute.
 */
static int is_by_dependence(const struct findings_region *region)
{
	return region->await != UINT32_MAX &&
	       advice_is_percent(region->sum.dependence_ns, region->sum.cause_ns[METRICS_TASK],
		       ADVICE_MOST_PERCENT);
}

/* The place is the task that others wait for; the sentence names the tasks that wait. */
static void say_dependence(struct adviser *adviser, struct advice *advice, uint32_t index)
{
	const struct findings *figures = adviser->figures;
	const struct findings_await *await = &figures->awaits[index];
	const struct findings_task *awaited = &figures->tasks[await->awaited];
	char number[TEXT_NUMBER_BYTES], place[ADVICE_NAME_BYTES];

	advice_set_place(advice, findings_node(figures, awaited->sum.node), awaited->label);
	advice_place(place, sizeof(place), figures->tasks[await->task].label);
	snprintf(advice->text, sizeof(advice->text),
		"tasks of %.40s wait %s for it: split it, or depend on less", place,
		text_duration(number, mean_ns(await->sum.wait_ns, await->sum.n)));
}

/*
 * Whether the site that created most tasks creates target tasks; hidden helpers may execute these.
 */
static int has_target_tasks(const struct findings *figures, const struct findings_region *region)
{
	return region->task != UINT32_MAX &&
	       figures->tree->nodes[figures->tasks[region->task].sum.node].flags &
		       PROFILE_TASK_TARGET;
}

static void advise_tasks(struct adviser *adviser, const struct findings_region *region)
{
	const struct findings *figures = adviser->figures;
	uint64_t thread_ns =
		advice_of_run(adviser, METRICS_TASK, region->sum.cause_ns[METRICS_TASK]);
	struct advice *advice;
	char number[TEXT_NUMBER_BYTES];

	if (has_small_tasks(region))
		thread_ns += advice_of_run(
			adviser, METRICS_OVERHEAD, region->sum.cause_ns[METRICS_OVERHEAD]);
	advice = advice_add(adviser, METRICS_TASK, thread_ns);
	if (!advice)
		return;
	if (is_by_dependence(region)) {
		say_dependence(adviser, advice, region->await);
		return;
	}
	if (region->task == UINT32_MAX)
		advice_set_region(adviser, advice, region);
	else
		advice_set_place(advice,
			findings_node(figures, figures->tasks[region->task].sum.node),
			figures->tasks[region->task].label);
	if (has_small_tasks(region))
		snprintf(advice->text, sizeof(advice->text),
			"tasks of %s on average: fewer, larger ones (grainsize, if, final)",
			text_duration(number, mean_ns(region->busy_ns, region->n_executed)));
	else if (has_target_tasks(figures, region))
		snprintf(advice->text, sizeof(advice->text),
			"threads wait for target tasks: give them other work, or create these "
			"earlier");
	else if (region->n_creators == 1 && region->n_created > 1)
		snprintf(advice->text, sizeof(advice->text),
			"one thread creates all %s tasks: taskloop, or create them in parallel",
			text_count(number, region->n_created));
	else
		snprintf(advice->text, sizeof(advice->text),
			"threads run out of tasks: create more of them, or earlier");
}

/*
 * Whether GCC's libgomp makes the region's threads anew in each execution, as it keeps the threads
 * of outermost regions alone. libompprof-gomp.so gives the runtime its name.
 */
static int makes_threads(const struct adviser *adviser, const struct metrics_region *region)
{
	static const char libgomp[] = "GCC libgomp";
	const char *runtime = adviser->figures->profile->header.runtime;

	return region->outer != UINT32_MAX && region->max_team > 1 &&
	       strncmp(runtime, libgomp, sizeof(libgomp) - 1) == 0;
}

static void advise_overhead(struct adviser *adviser, const struct findings_region *region)
{
	struct advice *advice = NULL;
	char number[TEXT_NUMBER_BYTES];

	if (!has_small_tasks(region))
		advice = advice_add(adviser, METRICS_OVERHEAD,
			advice_of_run(
				adviser, METRICS_OVERHEAD, region->sum.cause_ns[METRICS_OVERHEAD]));
	if (!advice)
		return;
	advice_set_region(adviser, advice, region);
	if (makes_threads(adviser, &region->sum))
		snprintf(advice->text, sizeof(advice->text),
			"libgomp makes a nested team's threads anew each time: use one level");
	else if (advice_is_tiny(&region->sum))
		snprintf(advice->text, sizeof(advice->text),
			"runs of %s on average: merge regions, or if() or fewer num_threads()",
			text_duration(number, mean_ns(region->sum.wall_ns, region->sum.n)));
	else
		snprintf(advice->text, sizeof(advice->text),
			"the runtime is busy: larger chunks, fewer barriers or fewer regions");
}

static void advise_short_team(struct adviser *adviser, const struct findings_region *region)
{
	const struct metrics_region *sum = &region->sum;
	const struct metrics *metrics = adviser->figures->metrics;
	struct advice *advice = advice_add(adviser, METRICS_SHORT_TEAM,
		advice_of_run(adviser, METRICS_SHORT_TEAM, sum->cause_ns[METRICS_SHORT_TEAM]));

	if (!advice)
		return;
	advice_set_region(adviser, advice, region);
	snprintf(advice->text, sizeof(advice->text),
		"at times %u thread%s in its team, of %u: more, if there is work for them",
		sum->min_team, text_plural(sum->min_team),
		metrics->n_processes ? metrics->most_slots : metrics->n_slots);
}

/* Adds a tiny region to the sum of small regions. Returns whether it was added. */
static int add_tiny(struct adviser *adviser, const struct findings_region *region)
{
	const uint64_t *cause_ns = region->sum.cause_ns;
	uint64_t imbalance_ns = advice_of_run(
		adviser, METRICS_IMBALANCE, cause_ns[METRICS_IMBALANCE] - region->at_constructs_ns);
	uint64_t overhead_ns = advice_of_run(adviser, METRICS_OVERHEAD, cause_ns[METRICS_OVERHEAD]);

	if (!advice_is_tiny(&region->sum) || has_small_tasks(region) ||
		advice_is_worth(adviser, imbalance_ns) || advice_is_worth(adviser, overhead_ns))
		return 0;
	adviser->n_tiny++;
	metrics_add(&adviser->n_tiny_executions, region->sum.n);
	metrics_add(&adviser->tiny_ns, imbalance_ns);
	metrics_add(&adviser->tiny_ns, overhead_ns);
	return 1;
}

void advise_region(struct adviser *adviser, const struct findings_region *region)
{
	if (!add_tiny(adviser, region)) {
		advise_imbalance(adviser, region);
		advise_overhead(adviser, region);
	}
	advise_tasks(adviser, region);
	advise_short_team(adviser, region);
}
