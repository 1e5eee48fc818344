/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule for a barrier within a region, after a loop, sections or single, or by itself; and for
 * many small places.
 */
#include "src/findings/advice_internal.h"

#include <stdio.h>

#include "src/text/text.h"

/* Possible reasons for the waits at the barrier of a construct, or remedies. */
struct reasons {
	const char *one, *changing; /* where one thread makes the team wait, or several do */
	enum advice_work work;
};

/*
 * LLVM's runtime has no kind of barrier for copyprivate: it reports these barriers as barriers of
 * its implementation. The same holds for tree reductions and, in programs of gcc, for all barriers.
 */
static int is_perhaps_copyprivate(const struct findings *figures, const struct findings_wait *wait)
{
	return wait->sum.kind == PROFILE_BARRIER_OTHER && !advice_is_libgomp(figures);
}

static struct reasons find_reasons(const struct findings *figures, const struct findings_wait *wait)
{
	static const char one[] = "more work or slower?";
	static const struct {
		const char *one, *changing;
	} of_work[] = {
		[ADVICE_WORK_UNKNOWN] = { one, "uneven work, or a busy machine?" },
		[ADVICE_WORK_NO_LOOP] = { one, "uneven work, or a busy machine?" },
		[ADVICE_WORK_SINGLE] = { "its single's work?", "the single's work?" },
		[ADVICE_WORK_LOOP] = { one, "uneven work, or a busy machine?" },
		[ADVICE_WORK_STATIC] = { one, "schedule(dynamic), or a busy machine?" },
		[ADVICE_WORK_DYNAMIC] = { one, "long chunks, or a busy machine?" },
		[ADVICE_WORK_GUIDED] = { one, "schedule(dynamic), or a busy machine?" },
	};
	uint32_t region =
		wait->sum.region == UINT32_MAX ? UINT32_MAX : figures->region_of[wait->sum.region];
	enum advice_work work = region == UINT32_MAX
					? ADVICE_WORK_UNKNOWN
					: advice_work_of(figures, &figures->regions[region], wait);

	if (work == ADVICE_WORK_UNKNOWN && is_perhaps_copyprivate(figures, wait))
		return (struct reasons){ "more work, reduction, copyprivate?",
			"uneven work, reduction, copyprivate?", ADVICE_WORK_UNKNOWN };
	return (struct reasons){ of_work[work].one, of_work[work].changing, work };
}

static void say_construct(
	struct advice *advice, const struct findings *figures, const struct findings_wait *wait)
{
	struct reasons reasons = find_reasons(figures, wait);
	enum advice_remedy remedy = advice_work_remedy(reasons.work);
	char mean[TEXT_NUMBER_BYTES], thread[64];

	names_member(thread, sizeof(thread), figures->profile, wait->thread);
	text_duration(mean, wait->sum.n ? wait->sum.wait_ns / wait->sum.n : 0);
	if (advice_is_for_one(figures, wait))
		advice_say(
			advice, remedy, "waits of %s, most for %s: %s", mean, thread, reasons.one);
	else
		advice_say(advice, remedy, "waits of %s for changing threads: %s", mean,
			reasons.changing);
}

void advise_construct(struct adviser *adviser, const struct findings_wait *wait)
{
	const struct findings *figures = adviser->figures;
	const struct name_label *label = wait->label;
	const char *function = findings_wait_function(wait);
	uint64_t part_ns = advice_of_run(adviser, METRICS_IMBALANCE, wait->imbalance_ns);
	struct advice *advice = advice_add(adviser, METRICS_IMBALANCE, part_ns);

	if (!advice_is_worth(adviser, part_ns)) {
		adviser->n_small++;
		metrics_add(&adviser->small_ns, part_ns);
	}
	if (!advice)
		return;
	advice->by = "construct";
	advice_is_about(advice, ADVICE_OF_WAIT, (size_t)(wait - figures->waits));
	advice_set_place(advice, findings_code(figures, wait->sum.node), label);
	advice_set_line(advice, wait->place.file, wait->place.line);
	snprintf(advice->name, sizeof(advice->name), function[0] ? "%s in %s" : "%s", wait->name,
		function);
	if (!advice_is_asleep(advice, figures) && !advice_lacks_cpus(adviser, advice))
		say_construct(advice, figures, wait);
}

void advise_small(struct adviser *adviser)
{
	struct advice *advice = advice_add(adviser, METRICS_IMBALANCE, adviser->small_ns);
	char number[TEXT_NUMBER_BYTES];

	if (advice) {
		advice->by = "wait";
		snprintf(advice->name, sizeof(advice->name), "%zu barriers", adviser->n_small);
		advice_say(advice, ADVICE_TRY_NOWAIT,
			"little at each: nowait where data allow it (--by wait)");
	}
	advice = advice_add(adviser, METRICS_OVERHEAD, adviser->tiny_ns);
	if (advice) {
		snprintf(advice->name, sizeof(advice->name), "%zu regions, %sx", adviser->n_tiny,
			text_count(number, adviser->n_tiny_executions));
		advice_say(advice, ADVICE_TRY_MERGE,
			"runs below 100 us: merge them, or if() (--by region)");
	}
}
