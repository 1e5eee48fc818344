/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule for threads of a region that wait for tasks. The blame of the region's waits tells why:
 * the code of the creator, or the tasks' own.
 */
#include "src/findings/advice_internal.h"

#include <stdio.h>

#include "src/text/text.h"

uint64_t advice_mean_ns(uint64_t sum_ns, uint64_t n)
{
	return n ? sum_ns / n : 0;
}

/*
 * A detached task ends after its body: with its event. So the length of the bodies tells little if
 * most tasks are detached.
 */
static int is_mostly_detached(const struct findings_region *region)
{
	return advice_is_percent(region->n_detached, region->n_executed, ADVICE_MOST_PERCENT);
}

int advice_has_small_tasks(const struct findings_region *region)
{
	return region->n_executed && !is_mostly_detached(region) &&
	       advice_mean_ns(region->busy_ns, region->n_executed) < ADVICE_TINY_TASK_NS;
}

/* Whether threads wait for tasks mainly because these wait for a task that is executing. */
static int is_by_dependence(const struct findings_region *region)
{
	return region->await != UINT32_MAX &&
	       advice_is_percent(region->sum.dependence_ns, region->sum.cause_ns[METRICS_TASK],
		       ADVICE_MOST_PERCENT);
}

static void set_site(struct advice *advice, const struct findings *figures, size_t task)
{
	const struct findings_task *site = &figures->tasks[task];

	advice_set_place(advice, findings_node(figures, site->sum.node), site->label);
	advice_is_about(advice, ADVICE_OF_TASK, task);
}

/* The place is the task that others wait for; the sentence names the tasks that wait. */
static void say_dependence(struct adviser *adviser, struct advice *advice, uint32_t index)
{
	const struct findings *figures = adviser->figures;
	const struct findings_await *await = &figures->awaits[index];
	char number[TEXT_NUMBER_BYTES], place[ADVICE_NAME_BYTES];

	set_site(advice, figures, await->awaited);
	advice_place(place, sizeof(place), figures->tasks[await->task].label);
	advice_say(advice, ADVICE_TRY_DEPEND,
		"tasks of %.40s wait %s for it: split it, or depend on less", place,
		text_duration(number, advice_mean_ns(await->sum.wait_ns, await->sum.n)));
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

/* Whose code the waiting for tasks in a region is blamed on. Times are of the waiting threads. */
struct task_blame {
	uint64_t wait_ns;    /* all, but not for threads without a CPU */
	uint64_t task_ns;    /* blamed on the tasks */
	uint64_t creator_ns; /* blamed on the region's code outside of tasks */
	/* of the largest entry of either: the task's node, and an index into profile.threads */
	uint64_t most_task_ns, most_creator_ns;
	uint32_t task, thread;
};

static int is_for_tasks(enum profile_wait kind)
{
	return profile_wait_is(kind, PROFILE_TIME_BARRIER) || kind == PROFILE_TASKWAIT ||
	       kind == PROFILE_TASKGROUP;
}

/* The innermost task around a node of the region, or UINT32_MAX. */
static uint32_t task_around(const struct tree *tree, uint32_t node, uint32_t region)
{
	while (node != UINT32_MAX && node != region && tree->nodes[node].kind != TREE_TASK)
		node = tree->nodes[node].parent;
	return node == region ? UINT32_MAX : node;
}

static void add_blame(struct task_blame *blame, const struct tree *tree,
	const struct metrics_blame *cause, uint32_t region)
{
	uint32_t task = task_around(tree, cause->node, region);

	if (task != UINT32_MAX) {
		metrics_add(&blame->task_ns, cause->ns);
		if (cause->ns > blame->most_task_ns) {
			blame->most_task_ns = cause->ns;
			blame->task = task;
		}
		return;
	}
	metrics_add(&blame->creator_ns, cause->ns);
	if (cause->ns > blame->most_creator_ns) {
		blame->most_creator_ns = cause->ns;
		blame->thread = cause->thread;
	}
}

static struct task_blame find_blame(
	const struct findings *figures, const struct findings_region *region)
{
	const struct metrics *metrics = figures->metrics;
	struct task_blame blame = { .task = UINT32_MAX };

	for (size_t i = 0; i < metrics->n_waits; i++) {
		const struct metrics_wait *wait = &metrics->waits[i];

		if (wait->region == UINT32_MAX || !is_for_tasks(wait->kind) ||
			figures->region_of[wait->region] != (size_t)(region - figures->regions))
			continue;
		metrics_add(&blame.wait_ns, wait->wait_ns);
		for (size_t k = 0; k < wait->n_causes; k++)
			if (wait->causes[k].node == METRICS_NO_CPU)
				blame.wait_ns -= wait->causes[k].ns;
			else
				add_blame(&blame, figures->tree, &wait->causes[k], wait->region);
	}
	return blame;
}

static const struct findings_task *find_site(
	const struct findings *figures, const struct findings_region *region, uint32_t node)
{
	const struct name_label *label = findings_label(figures, node);

	for (size_t i = 0; i < figures->n_tasks; i++) {
		const struct findings_task *site = &figures->tasks[i];

		if (site->region == (size_t)(region - figures->regions) &&
			findings_compare_places(site->label, label) == 0)
			return site;
	}
	return NULL;
}

/*
 * Whether the longest task of a site can be the reason of most of the starvation: if all other
 * members of the team waited for one such task in each execution of the region. It must take at
 * least twice the mean.
 */
static int is_one_long(const struct findings_region *region, const struct metrics_task *site)
{
	double most_ns =
		(double)site->max_ns * (region->sum.max_team - 1.0) * (double)region->sum.n;

	return site->max_ns >= 2 * advice_mean_ns(site->busy_ns, site->n_executed) &&
	       100.0 * most_ns >=
		       (double)ADVICE_MOST_PERCENT * (double)region->sum.cause_ns[METRICS_TASK];
}

/* Threads waited while tasks of this site were executed. */
static void say_long_tasks(struct advice *advice, const struct findings *figures,
	const struct findings_region *region, const struct findings_task *site)
{
	char longest[TEXT_NUMBER_BYTES], mean[TEXT_NUMBER_BYTES];

	text_duration(longest, site->sum.max_ns);
	text_duration(mean, advice_mean_ns(site->sum.busy_ns, site->sum.n_executed));
	set_site(advice, figures, (size_t)(site - figures->tasks));
	if (is_one_long(region, &site->sum))
		advice_say(advice, ADVICE_TRY_PRIORITY,
			"one task takes %s, %s on average: begin it earlier, or split it", longest,
			mean);
	else
		advice_say(advice, ADVICE_TRY_MORE_TASKS,
			"threads wait for tasks of %s on average: split them, or create more",
			mean);
}

/*
 * Whether the runtime's handling of these tasks can take most of the time, as they are many and
 * short: threads look for tasks, take them from each other and wait for a lock in the runtime.
 */
static int is_handling(uint64_t n, uint64_t busy_ns)
{
	return n >= ADVICE_MANY_TASKS && advice_mean_ns(busy_ns, n) < ADVICE_HANDLED_TASK_NS;
}

static void say_handling(struct advice *advice, uint64_t n, uint64_t busy_ns, const char *verb)
{
	char count[TEXT_NUMBER_BYTES], mean[TEXT_NUMBER_BYTES];

	advice_say(advice, ADVICE_TRY_GRAIN,
		"handling %s tasks of %s %s the time: grainsize, if, final", text_count(count, n),
		text_duration(mean, advice_mean_ns(busy_ns, n)), verb);
}

/* A task site of the region, among others, with tasks for which is_handling holds; or NULL. */
static const struct findings_task *find_handled(
	const struct findings *figures, const struct findings_region *region)
{
	for (size_t i = 0; i < figures->n_tasks; i++)
		if (figures->tasks[i].region == (size_t)(region - figures->regions) &&
			is_handling(
				figures->tasks[i].sum.n_executed, figures->tasks[i].sum.busy_ns))
			return &figures->tasks[i];
	return NULL;
}

/*
 * Whether most of the tasks' own time is the runtime's, such as the creation of tasks and short
 * waits within them: the user's code has less than half of it.
 */
static int is_runtimes(const struct findings_region *region)
{
	const uint64_t *cause_ns = region->sum.cause_ns;

	return region->busy_ns / 2 > cause_ns[METRICS_USEFUL] + cause_ns[METRICS_LOCK] +
					     cause_ns[METRICS_NOT_RUNNING] +
					     cause_ns[METRICS_BLOCKED];
}

static void say_small(
	struct advice *advice, const struct findings *figures, const struct findings_region *region)
{
	struct task_blame blame = find_blame(figures, region);
	int is_for_code = advice_is_percent(
		blame.task_ns + blame.creator_ns, blame.wait_ns, ADVICE_MOST_PERCENT);
	char count[TEXT_NUMBER_BYTES], mean[TEXT_NUMBER_BYTES];

	text_duration(mean, advice_mean_ns(region->busy_ns, region->n_executed));
	if (!is_handling(region->n_executed, region->busy_ns))
		advice_say(advice, ADVICE_TRY_GRAIN,
			"tasks of %s on average: fewer, larger ones (grainsize, if, final)", mean);
	else if (is_runtimes(region))
		advice_say(advice, ADVICE_TRY_GRAIN,
			"handling takes most of the %s of %s tasks: grainsize, if, final", mean,
			text_count(count, region->n_executed));
	else
		say_handling(advice, region->n_executed, region->busy_ns,
			blame.wait_ns && !is_for_code ? "takes" : "may take");
}

static void say_detached(struct advice *advice)
{
	advice_say(advice, ADVICE_TRY_NOTHING,
		"threads wait, perhaps for detached tasks: fulfil their events earlier");
}

static void say_starvation(
	struct advice *advice, const struct findings *figures, const struct findings_region *region)
{
	struct task_blame blame = find_blame(figures, region);
	const struct findings_task *site =
		advice_is_percent(blame.task_ns, blame.wait_ns, ADVICE_MOST_PERCENT)
			? find_site(figures, region, blame.task)
			: NULL;
	const struct findings_task *handled = find_handled(figures, region);
	char creator[64];

	names_member(creator, sizeof(creator), figures->profile, blame.thread);
	if (site && site->sum.n_executed)
		say_long_tasks(advice, figures, region, site);
	else if (is_mostly_detached(region))
		say_detached(advice);
	else if (handled)
		say_handling(advice, handled->sum.n_executed, handled->sum.busy_ns, "may take");
	else if (region->n_creators == 1 && region->n_created > 1 &&
		 blame.thread < figures->profile->n_threads &&
		 advice_is_percent(blame.creator_ns, blame.wait_ns, ADVICE_MOST_PERCENT))
		advice_say(advice, ADVICE_TRY_CREATE,
			"waits for %s outside of tasks: create them in parallel", creator);
	else if (region->n_detached)
		say_detached(advice);
	else
		advice_say(advice, ADVICE_TRY_MORE_TASKS,
			"threads run out of tasks: create more of them, or earlier");
}

void advise_tasks(struct adviser *adviser, const struct findings_region *region)
{
	const struct findings *figures = adviser->figures;
	uint64_t thread_ns =
		advice_of_run(adviser, METRICS_TASK, region->sum.cause_ns[METRICS_TASK]);
	struct advice *advice;

	if (advice_has_small_tasks(region))
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
		set_site(advice, figures, region->task);
	if (advice_has_small_tasks(region))
		say_small(advice, figures, region);
	else if (has_target_tasks(figures, region))
		advice_say(advice, ADVICE_TRY_NOTHING,
			"threads wait for target tasks: give them other work, or create these "
			"earlier");
	else if (!advice_is_asleep(advice, figures))
		say_starvation(advice, figures, region);
}
