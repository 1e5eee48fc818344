/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules for a parallel region: its imbalance, overhead and team; see advice_internal.h.
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

static void say_imbalance(struct advice *advice, const struct metrics_region *sum,
	int is_persistent, enum advice_work work)
{
	enum advice_remedy remedy = advice_work_remedy(work);
	const char *hint = advice_work_hint(work);
	const char *space = hint[0] ? " " : "";
	char last[TEXT_NUMBER_BYTES], all[TEXT_NUMBER_BYTES];

	if (sum->n_barriers < ADVICE_BARRIERS_LEAST)
		advice_say(advice, remedy,
			"threads wait for each other: uneven work, or a slower CPU?%s%s", space,
			hint);
	else if (is_persistent)
		advice_say(advice, remedy,
			"team's thread %u last in %s of %s: more work or slower?%s%s", sum->slowest,
			text_count(last, sum->n_slowest), text_count(all, sum->n_barriers), space,
			hint);
	else
		advice_say(advice, remedy,
			"the last thread changes: uneven work, or a busy machine?%s%s", space,
			hint);
}

static void advise_imbalance(struct adviser *adviser, const struct findings_region *region)
{
	const struct metrics_region *sum = &region->sum;
	uint64_t imbalance_ns = sum->cause_ns[METRICS_IMBALANCE] - region->at_constructs_ns;
	struct advice *advice = advice_add(adviser, METRICS_IMBALANCE,
		advice_of_run(adviser, METRICS_IMBALANCE, imbalance_ns));
	char mean[TEXT_NUMBER_BYTES];
	int is_persistent =
		sum->n_barriers >= ADVICE_BARRIERS_LEAST &&
		advice_is_percent(sum->persistent_ns, imbalance_ns, ADVICE_PERSISTENT_PERCENT);

	if (!advice)
		return;
	advice_set_region(adviser, advice, region);
	if (advice_is_asleep(advice, adviser->figures) ||
		(!advice_is_tiny(sum) && advice_lacks_cpus(adviser, advice)))
		return;
	if (advice_is_tiny(sum) && !is_persistent)
		advice_say(advice, ADVICE_TRY_MERGE,
			"runs of %s on average: merge regions, or nowait where data allow it",
			text_duration(mean, advice_mean_ns(sum->wall_ns, sum->n)));
	else
		say_imbalance(
			advice, sum, is_persistent, advice_work_of(adviser->figures, region, NULL));
}

int advice_is_libgomp(const struct findings *figures)
{
	static const char libgomp[] = "GCC libgomp";

	return strncmp(figures->profile->header.runtime, libgomp, sizeof(libgomp) - 1) == 0;
}

/*
 * Whether GCC's libgomp makes the region's threads anew in each execution, as it keeps the threads
 * of outermost regions alone.
 */
static int makes_threads(const struct adviser *adviser, const struct metrics_region *region)
{
	return region->outer != UINT32_MAX && region->max_team > 1 &&
	       advice_is_libgomp(adviser->figures);
}

static void advise_overhead(struct adviser *adviser, const struct findings_region *region)
{
	struct advice *advice = NULL;
	char number[TEXT_NUMBER_BYTES];

	if (!advice_has_small_tasks(region))
		advice = advice_add(adviser, METRICS_OVERHEAD,
			advice_of_run(
				adviser, METRICS_OVERHEAD, region->sum.cause_ns[METRICS_OVERHEAD]));
	if (!advice)
		return;
	advice_set_region(adviser, advice, region);
	if (makes_threads(adviser, &region->sum))
		advice_say(advice, ADVICE_TRY_ONE_LEVEL,
			"libgomp makes a nested team's threads anew each time: use one level");
	else if (advice_is_tiny(&region->sum))
		advice_say(advice, ADVICE_TRY_MERGE,
			"runs of %s on average: merge regions, or if() or fewer num_threads()",
			text_duration(number, advice_mean_ns(region->sum.wall_ns, region->sum.n)));
	else
		advice_say(advice, ADVICE_TRY_CHUNKS,
			"busy in the runtime: small chunks, barriers, or a spin? see --view full");
}

uint32_t advice_largest_team(const struct metrics *metrics)
{
	return metrics->n_processes ? metrics->most_slots : metrics->n_slots;
}

static void advise_short_team(struct adviser *adviser, const struct findings_region *region)
{
	const struct metrics_region *sum = &region->sum;
	uint32_t n_cpus = adviser->figures->metrics->n_cpus;
	struct advice *advice;

	/* The larger teams are too large. */
	if (n_cpus && sum->min_team >= n_cpus)
		return;
	advice = advice_add(adviser, METRICS_SHORT_TEAM,
		advice_of_run(adviser, METRICS_SHORT_TEAM, sum->cause_ns[METRICS_SHORT_TEAM]));
	if (!advice)
		return;
	advice_set_region(adviser, advice, region);
	advice_say(advice, ADVICE_TRY_THREADS,
		"at times %u thread%s in its team, of %u: more, if there is work for them",
		sum->min_team, text_plural(sum->min_team),
		advice_largest_team(adviser->figures->metrics));
}

/* Adds a tiny region to the sum of small regions. Returns whether it was added. */
static int add_tiny(struct adviser *adviser, const struct findings_region *region)
{
	const uint64_t *cause_ns = region->sum.cause_ns;
	uint64_t imbalance_ns = advice_of_run(
		adviser, METRICS_IMBALANCE, cause_ns[METRICS_IMBALANCE] - region->at_constructs_ns);
	uint64_t overhead_ns = advice_of_run(adviser, METRICS_OVERHEAD, cause_ns[METRICS_OVERHEAD]);

	if (!advice_is_tiny(&region->sum) || advice_has_small_tasks(region) ||
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
