/* SPDX-License-Identifier: Apache-2.0 */
#include "src/findings/advice_internal.h"

#include <stdio.h>
#include <string.h>

#include "attribution/tree/add_saturated.h"
#include "attribution/tree/scale_blame.h"
#include "src/text/text.h"

static void add_lock(struct advice_locks *locks, const struct findings *figures,
	const struct findings_wait *wait)
{
	uint32_t index = findings_find_lock(figures, wait->sum.kind, wait->sum.wait_id);
	const struct metrics_lock *lock;

	locks->n++;
	locks->wait_ns += wait->sum.wait_ns;
	if (index == UINT32_MAX)
		return;
	lock = &figures->locks[index].sum;
	locks->n_acquired += lock->n_acquired;
	locks->n_contended += lock->n_contended;
	if (lock->max_wait_ns > locks->max_wait_ns)
		locks->max_wait_ns = lock->max_wait_ns;
	if ((double)lock->held_ns * (double)locks->within_ns >=
		(double)locks->held_ns * (double)lock->within_ns) {
		locks->held_ns = lock->held_ns;
		locks->within_ns = lock->within_ns;
	}
}

struct advice_locks advice_locks_at(
	const struct findings *figures, const struct findings_wait *wait)
{
	struct advice_locks locks = { 0 };

	add_lock(&locks, figures, wait);
	for (uint32_t i = wait->next_at_place; i != UINT32_MAX; i = figures->waits[i].next_at_place)
		add_lock(&locks, figures, &figures->waits[i]);
	return locks;
}

static void say_lock(
	struct advice *advice, enum profile_wait kind, const struct advice_locks *locks)
{
	char held[TEXT_NUMBER_BYTES], waits[TEXT_NUMBER_BYTES], all[TEXT_NUMBER_BYTES];

	text_percent(held, locks->held_ns, locks->within_ns);
	if (kind == PROFILE_ORDERED)
		advice_say(advice, ADVICE_TRY_ORDERED,
			"iterations wait for earlier ones: shorten the part that is in order");
	else if (advice_is_percent(locks->held_ns, locks->within_ns, ADVICE_HELD_PERCENT))
		advice_say(advice, ADVICE_TRY_SHRINK,
			"held %s %% of the time: shrink or remove what it guards", held);
	else if (locks->n_acquired)
		advice_say(advice, ADVICE_TRY_ATOMIC,
			"%s of %s had to wait, held %s %%: finer locks, reduction or atomic",
			text_count(waits, locks->n_contended), text_count(all, locks->n_acquired),
			held);
	else
		advice_say(advice, ADVICE_TRY_ATOMIC,
			"threads want it at the same time: finer locks, reduction or atomic");
}

void advise_lock(struct adviser *adviser, const struct findings_wait *wait)
{
	const struct findings *figures = adviser->figures;
	struct advice_locks locks = advice_locks_at(figures, wait);
	struct advice *advice = advice_add(
		adviser, METRICS_LOCK, advice_of_run(adviser, METRICS_LOCK, locks.wait_ns));

	if (!advice)
		return;
	advice_is_about(advice, ADVICE_OF_WAIT, (size_t)(wait - figures->waits));
	advice_set_place(advice, findings_code(figures, wait->sum.node), wait->label);
	advice_set_line(advice, wait->place.file, wait->place.line);
	if (locks.n > 1)
		snprintf(advice->name, sizeof(advice->name), "%zu of %s", locks.n,
			findings_wait_name(wait->sum.kind));
	else
		snprintf(advice->name, sizeof(advice->name), "%s", wait->name);
	say_lock(advice, wait->sum.kind, &locks);
}

/* Whether data came back while a kernel was running: the host cannot tell their times apart. */
static int is_behind_kernel(const struct metrics_target *sum)
{
	return sum->ops[METRICS_OP_FROM].n && !sum->ops[METRICS_OP_FROM].time_ns;
}

static void say_device(struct advice *advice, const struct metrics_target *sum)
{
	uint64_t moved_ns = metrics_target_transfers(sum).time_ns;
	char part[TEXT_NUMBER_BYTES], whole[TEXT_NUMBER_BYTES];

	if (advice_is_percent(moved_ns, sum->whole.time_ns, ADVICE_MOST_PERCENT))
		advice_say(advice, ADVICE_TRY_TARGET_DATA,
			"transfers take %s of %s s in this construct: keep data on the device",
			text_seconds(part, moved_ns), text_seconds(whole, sum->whole.time_ns));
	else if (sum->kernel_wait_ns > sum->data_wait_ns)
		advice_say(advice, ADVICE_TRY_TARGET_NOWAIT,
			"the host waits %s of %s s for %s: nowait, and work meanwhile",
			text_seconds(part, sum->kernel_wait_ns),
			text_seconds(whole, sum->whole.time_ns),
			is_behind_kernel(sum) ? "kernel and transfers" : "the kernel");
	else
		advice_say(advice, ADVICE_TRY_ALLOCATE,
			"operations on data take %s of %s s in this construct: allocate once",
			text_seconds(part, sum->data_wait_ns),
			text_seconds(whole, sum->whole.time_ns));
}

void advise_device(struct adviser *adviser)
{
	const struct findings *figures = adviser->figures;
	struct scale_blame_shares shares = { .total = figures->metrics->cause_ns[METRICS_DEVICE] };

	for (size_t i = 0; i < figures->n_targets; i++)
		shares.whole =
			add_saturated(shares.whole, metrics_target_wait(&figures->targets[i].sum));
	for (size_t i = 0; i < figures->n_targets; i++) {
		const struct metrics_target *sum = &figures->targets[i].sum;
		struct advice *advice = advice_add(adviser, METRICS_DEVICE,
			scale_blame_share(&shares, metrics_target_wait(sum)));

		if (!advice)
			continue;
		advice_set_place(
			advice, findings_node(figures, sum->node), figures->targets[i].label);
		advice_is_about(advice, ADVICE_OF_TARGET, i);
		say_device(advice, sum);
	}
}

/*
 * Whether the region's cause can come from the wait. A construct's barrier is none of the region's:
 * its imbalance is advice by itself.
 */
static int is_of_cause(const struct findings_wait *wait, enum metrics_cause cause)
{
	if (profile_wait_is(wait->sum.kind, PROFILE_TIME_BARRIER))
		return !wait->imbalance_ns;
	return cause == METRICS_TASK && profile_wait_is(wait->sum.kind, PROFILE_TIME_TASKS);
}

const struct findings_wait *advice_find_wait(
	const struct findings *figures, const struct advice *advice)
{
	uint32_t region = advice_region(figures, advice);

	if (advice->about == ADVICE_OF_WAIT)
		return &figures->waits[advice->index];
	if (advice->about != ADVICE_OF_REGION && advice->about != ADVICE_OF_TASK)
		return NULL;
	if (advice->cause != METRICS_IMBALANCE && advice->cause != METRICS_TASK)
		return NULL;
	for (size_t i = 0; i < figures->n_waits; i++) {
		const struct metrics_wait *wait = &figures->waits[i].sum;

		if (wait->region != UINT32_MAX && figures->region_of[wait->region] == region &&
			is_of_cause(&figures->waits[i], advice->cause))
			return &figures->waits[i];
	}
	return NULL;
}

/* The function in which a thread slept while others waited for it, if that is most of a wait. */
static const char *find_sleep(const struct findings *figures, const struct findings_wait *wait)
{
	const struct findings_cause *cause = &figures->causes[wait->first_cause];

	return wait->n_causes && advice_is_percent(
					 cause->asleep_ns, wait->sum.wait_ns, ADVICE_MOST_PERCENT)
		       ? cause->label->name
		       : NULL;
}

int advice_is_asleep(struct advice *advice, const struct findings *figures)
{
	const struct findings_wait *wait = advice_find_wait(figures, advice);
	const char *call = wait ? find_sleep(figures, wait) : NULL;
	int n_call = call ? advice_call_name(&call) : 0;

	if (!call)
		return 0;
	advice_say(advice, ADVICE_TRY_OVERLAP,
		"a thread sleeps in %.*s: can it be shorter, or overlap with work?", n_call, call);
	return 1;
}
