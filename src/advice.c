/* SPDX-License-Identifier: Apache-2.0 */
/* What to fix first, by rule; see advice.h. */
#include "src/advice.h"

#include <stdio.h>
#include <string.h>

#include "attribution/settle.h"
#include "src/names_sites.h"
#include "src/report.h"
#include "src/report_text.h"

/* The list under way. */
struct adviser {
	const struct figures *figures;
	struct advice_list *list;
	uint64_t at_places_ns[METRICS_N_CAUSES]; /* the sum of what places lose by this cause */
};

const char *advice_word(enum metrics_cause cause)
{
	static const char *const words[METRICS_N_CAUSES] = { "useful", "serial", "imbalance",
		"lock", "tasks", "overhead", "short team", "not running", "blocked", "mpi",
		"device" };

	return words[cause];
}

/* "solve.c:142 #2" out of "[omp parallel @solve.c:142 #2]"; 0 if it is no such name. */
static int split_construct(const char *name, size_t *word, size_t *n_word, const char **place)
{
	const char *at = strstr(name, " @");

	if (strncmp(name, "[omp ", 5) != 0)
		return 0;
	*word = 5;
	*n_word = at ? (size_t)(at - name) - 5 : strcspn(name + 5, "]");
	*place = at ? at + 2 : "";
	return 1;
}

void advice_place(char *text, size_t text_bytes, const struct name_label *label)
{
	size_t word, n_word;
	const char *place;

	if (split_construct(label->name, &word, &n_word, &place)) {
		snprintf(text, text_bytes, "%s", place);
		if (text[0])
			text[strlen(text) - 1] = '\0';
	} else if (label->line) {
		snprintf(text, text_bytes, "%s:%u", names_base(label->file), label->line);
	} else if (strncmp(label->name, "0x", 2) == 0 && label->module[0]) {
		snprintf(text, text_bytes, "%s+%s", names_base(label->module), label->name);
	} else {
		snprintf(text, text_bytes, "%s", label->name);
	}
}

void advice_construct(char *text, size_t text_bytes, const struct name_label *label)
{
	size_t word, n_word;
	const char *place;

	if (split_construct(label->name, &word, &n_word, &place))
		snprintf(text, text_bytes, "%.*s%s%s", (int)n_word, label->name + word,
			label->function[0] ? " in " : "", label->function);
	else
		snprintf(text, text_bytes, "%s", label->name);
}

int advice_is_tiny(const struct metrics_region *region)
{
	return region->n > 0 && region->wall_ns > 0 &&
	       region->wall_ns / region->n < ADVICE_TINY_REGION_NS;
}

static int is_percent(uint64_t part, uint64_t whole, unsigned percent)
{
	return whole > 0 && (double)part * 100.0 >= (double)whole * percent;
}

/*
 * Thread time of a place as a part of the run's capacity. Places can lose more in all than the run did:
 * with more threads than slots, the run's causes are scaled down.
 */
static uint64_t of_run(const struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns)
{
	uint64_t run_ns = adviser->figures->metrics->cause_ns[cause];
	uint64_t all_ns = adviser->at_places_ns[cause];

	return all_ns > run_ns ? (uint64_t)((unsigned __int128)thread_ns * run_ns / all_ns)
			       : thread_ns;
}

/* A place in the list for this much of the capacity, or NULL when it is not worth one. */
static struct advice *add(struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns)
{
	const struct metrics *metrics = adviser->figures->metrics;
	struct advice_list *list = adviser->list;
	uint64_t gain_ns = metrics_gain(metrics, thread_ns);
	size_t at = list->n;

	if (!is_percent(gain_ns, metrics->wall_ns, ADVICE_WALL_PERCENT))
		return NULL;
	while (at > 0 && list->entries[at - 1].gain_ns < gain_ns)
		at--;
	if (at == ADVICE_MOST)
		return NULL;
	if (list->n < ADVICE_MOST)
		list->n++;
	memmove(&list->entries[at + 1], &list->entries[at],
		(list->n - at - 1) * sizeof(list->entries[0]));
	list->entries[at] = (struct advice){
		.cause = cause, .gain_ns = gain_ns, .node = NAMES_NONE, .file = ""
	};
	return &list->entries[at];
}

static void set_place(struct advice *advice, uint32_t node, const struct name_label *label)
{
	advice->node = node;
	advice->file = label->file;
	advice->line = label->line;
	advice_place(advice->place, sizeof(advice->place), label);
	advice_construct(advice->name, sizeof(advice->name), label);
}

/* Another line than the label's, if it is known. */
static void set_line(struct advice *advice, const char *file, uint32_t line)
{
	if (!line)
		return;
	advice->file = file;
	advice->line = line;
	snprintf(advice->place, sizeof(advice->place), "%s:%u", names_base(file), line);
}

static void set_region(
	struct adviser *adviser, struct advice *advice, const struct figures_region *region)
{
	char count[TEXT_NUMBER_BYTES];
	size_t used;

	set_place(advice, figures_node(adviser->figures, region->sum.node), region->label);
	used = strlen(advice->name);
	if (region->sum.n)
		snprintf(advice->name + used, sizeof(advice->name) - used, ", %sx",
			text_count(count, region->sum.n));
}

static uint64_t mean_ns(uint64_t sum_ns, uint64_t n)
{
	return n ? sum_ns / n : 0;
}

static void advise_imbalance(struct adviser *adviser, const struct figures_region *region)
{
	const struct metrics_region *sum = &region->sum;
	uint64_t imbalance_ns = sum->cause_ns[METRICS_IMBALANCE];
	struct advice *advice =
		add(adviser, METRICS_IMBALANCE, of_run(adviser, METRICS_IMBALANCE, imbalance_ns));
	char last[TEXT_NUMBER_BYTES], all[TEXT_NUMBER_BYTES];

	if (!advice)
		return;
	set_region(adviser, advice, region);
	if (sum->n_barriers >= ADVICE_BARRIERS_LEAST &&
		is_percent(sum->persistent_ns, imbalance_ns, ADVICE_PERSISTENT_PERCENT))
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
			"the last thread changes: in loops schedule(dynamic); is the machine "
			"busy?");
}

static int has_small_tasks(const struct figures_region *region)
{
	return region->n_executed &&
	       mean_ns(region->busy_ns, region->n_executed) < ADVICE_TINY_TASK_NS;
}

/* Whether threads have nothing to do most often because tasks wait for a task that is executed. */
static int is_by_dependence(const struct figures_region *region)
{
	return region->await != UINT32_MAX &&
	       is_percent(region->sum.dependence_ns, region->sum.cause_ns[METRICS_TASK],
		       ADVICE_MOST_PERCENT);
}

/* The task that others wait for, and which those are. */
static void say_dependence(struct adviser *adviser, struct advice *advice, uint32_t index)
{
	const struct figures *figures = adviser->figures;
	const struct figures_await *await = &figures->awaits[index];
	const struct figures_task *awaited = &figures->tasks[await->awaited];
	char number[TEXT_NUMBER_BYTES], place[ADVICE_NAME_BYTES];

	set_place(advice, figures_node(figures, awaited->sum.node), awaited->label);
	advice_place(place, sizeof(place), figures->tasks[await->task].label);
	snprintf(advice->text, sizeof(advice->text),
		"tasks of %.40s wait %s for it: split it, or depend on less", place,
		text_duration(number, mean_ns(await->sum.wait_ns, await->sum.n)));
}

static void advise_tasks(struct adviser *adviser, const struct figures_region *region)
{
	const struct figures *figures = adviser->figures;
	uint64_t thread_ns = of_run(adviser, METRICS_TASK, region->sum.cause_ns[METRICS_TASK]);
	struct advice *advice;
	char number[TEXT_NUMBER_BYTES];

	if (has_small_tasks(region))
		thread_ns +=
			of_run(adviser, METRICS_OVERHEAD, region->sum.cause_ns[METRICS_OVERHEAD]);
	advice = add(adviser, METRICS_TASK, thread_ns);
	if (!advice)
		return;
	if (is_by_dependence(region)) {
		say_dependence(adviser, advice, region->await);
		return;
	}
	if (region->task == UINT32_MAX)
		set_region(adviser, advice, region);
	else
		set_place(advice, figures_node(figures, figures->tasks[region->task].sum.node),
			figures->tasks[region->task].label);
	if (has_small_tasks(region))
		snprintf(advice->text, sizeof(advice->text),
			"tasks of %s on average: fewer, larger ones (grainsize, if, final)",
			text_duration(number, mean_ns(region->busy_ns, region->n_executed)));
	else if (region->n_creators == 1 && region->n_created > 1)
		snprintf(advice->text, sizeof(advice->text),
			"one thread creates all %s tasks: taskloop, or create them in parallel",
			text_count(number, region->n_created));
	else
		snprintf(advice->text, sizeof(advice->text),
			"threads run out of tasks: create more of them, or earlier");
}

static void advise_overhead(struct adviser *adviser, const struct figures_region *region)
{
	struct advice *advice = NULL;
	char number[TEXT_NUMBER_BYTES];

	if (!has_small_tasks(region))
		advice = add(adviser, METRICS_OVERHEAD,
			of_run(adviser, METRICS_OVERHEAD, region->sum.cause_ns[METRICS_OVERHEAD]));
	if (!advice)
		return;
	set_region(adviser, advice, region);
	if (advice_is_tiny(&region->sum))
		snprintf(advice->text, sizeof(advice->text),
			"runs of %s on average: merge regions, or if() or fewer num_threads()",
			text_duration(number, mean_ns(region->sum.wall_ns, region->sum.n)));
	else if (report_is_exchanged(adviser->figures->profile))
		snprintf(advice->text, sizeof(advice->text),
			"libomp is busy, libgomp may be less: larger chunks, or --runtime=native");
	else
		snprintf(advice->text, sizeof(advice->text),
			"the runtime is busy: larger chunks, fewer barriers or fewer regions");
}

static void advise_short_team(struct adviser *adviser, const struct figures_region *region)
{
	const struct metrics_region *sum = &region->sum;
	const struct metrics *metrics = adviser->figures->metrics;
	struct advice *advice = add(adviser, METRICS_SHORT_TEAM,
		of_run(adviser, METRICS_SHORT_TEAM, sum->cause_ns[METRICS_SHORT_TEAM]));

	if (!advice)
		return;
	set_region(adviser, advice, region);
	snprintf(advice->text, sizeof(advice->text),
		"at times %u thread%s in its team, of %u: more, if there is work for them",
		sum->min_team, sum->min_team == 1 ? "" : "s",
		metrics->n_processes ? metrics->most_slots : metrics->n_slots);
}

/* What is known of the mutexes of one place, together. */
struct locks {
	uint64_t n_acquired, n_contended, wait_ns;
	uint64_t held_ns, within_ns; /* of the one held for the largest part of the time */
	size_t n;
};

static void add_lock(
	struct locks *locks, const struct figures *figures, const struct figures_wait *wait)
{
	uint32_t index = figures_find_lock(figures, wait->sum.kind, wait->sum.wait_id);
	const struct metrics_lock *lock;

	locks->n++;
	locks->wait_ns += wait->sum.wait_ns;
	if (index == UINT32_MAX)
		return;
	lock = &figures->locks[index].sum;
	locks->n_acquired += lock->n_acquired;
	locks->n_contended += lock->n_contended;
	if ((double)lock->held_ns * (double)locks->within_ns >=
		(double)locks->held_ns * (double)lock->within_ns) {
		locks->held_ns = lock->held_ns;
		locks->within_ns = lock->within_ns;
	}
}

static void say_lock(struct advice *advice, enum profile_wait kind, const struct locks *locks)
{
	char held[TEXT_NUMBER_BYTES], waits[TEXT_NUMBER_BYTES], all[TEXT_NUMBER_BYTES];

	text_percent(held, locks->held_ns, locks->within_ns);
	if (kind == PROFILE_ORDERED)
		snprintf(advice->text, sizeof(advice->text),
			"iterations wait for their turn: move work out of the ordered part");
	else if (is_percent(locks->held_ns, locks->within_ns, ADVICE_HELD_PERCENT))
		snprintf(advice->text, sizeof(advice->text),
			"held %s %% of the time: shrink or remove what it guards", held);
	else if (locks->n_acquired)
		snprintf(advice->text, sizeof(advice->text),
			"%s of %s had to wait, held %s %%: finer locks, reduction or atomic",
			text_count(waits, locks->n_contended), text_count(all, locks->n_acquired),
			held);
	else
		snprintf(advice->text, sizeof(advice->text),
			"threads want it at the same time: finer locks, reduction or atomic");
}

/* Many locks are waited for at one place when each object has one: they are one entry. */
static void advise_lock(struct adviser *adviser, const struct figures_wait *wait)
{
	const struct figures *figures = adviser->figures;
	struct locks locks = { 0 };
	struct advice *advice;

	add_lock(&locks, figures, wait);
	for (uint32_t i = wait->next_at_place; i != UINT32_MAX; i = figures->waits[i].next_at_place)
		add_lock(&locks, figures, &figures->waits[i]);
	advice = add(adviser, METRICS_LOCK, of_run(adviser, METRICS_LOCK, locks.wait_ns));
	if (!advice)
		return;
	set_place(advice, figures_node(figures, wait->sum.node), wait->label);
	set_line(advice, wait->place.file, wait->place.line);
	if (locks.n > 1)
		snprintf(advice->name, sizeof(advice->name), "%zu of %s", locks.n,
			figures_wait_name(wait->sum.kind));
	else
		snprintf(advice->name, sizeof(advice->name), "%s", wait->name);
	say_lock(advice, wait->sum.kind, &locks);
}

/* Serial time belongs to the functions that the initial thread was sampled in meanwhile. */
static void advise_serial(struct adviser *adviser, const struct figures_serial *serial)
{
	const struct figures *figures = adviser->figures;
	const struct metrics *metrics = figures->metrics;
	double share = (double)serial->work_ns / (double)figures->serial_work_ns;
	struct advice *advice = add(adviser, METRICS_SERIAL,
		(uint64_t)((double)metrics->cause_ns[METRICS_SERIAL] * share + 0.5));
	char seconds[TEXT_NUMBER_BYTES];

	if (!advice)
		return;
	set_place(advice, serial->node, serial->label);
	set_line(advice, serial->label->decl_file, serial->label->decl_line);
	snprintf(advice->text, sizeof(advice->text),
		"runs on one thread for %s s: can it be parallel, or overlap with more?",
		text_seconds(seconds,
			(uint64_t)((double)metrics_wall(metrics, metrics->serial_ns) * share +
				   0.5)));
}

/* At the region or in the serial code, whichever has at least half of it, or else of the run. */
static struct advice *add_blocked(struct adviser *adviser)
{
	const struct figures *figures = adviser->figures;
	const struct metrics *metrics = figures->metrics;
	uint64_t run_ns = metrics->cause_ns[METRICS_BLOCKED];
	uint64_t serial_ns = metrics->serial_cause_ns[METRICS_BLOCKED];
	struct advice *advice = NULL;

	for (size_t i = 0; i < figures->n_regions; i++) {
		uint64_t region_ns = of_run(adviser, METRICS_BLOCKED,
			figures->regions[i].sum.cause_ns[METRICS_BLOCKED]);

		if (!is_percent(region_ns, run_ns, ADVICE_MOST_PERCENT))
			continue;
		advice = add(adviser, METRICS_BLOCKED, region_ns);
		if (advice)
			set_region(adviser, advice, &figures->regions[i]);
		return advice;
	}
	if (is_percent(serial_ns, run_ns, ADVICE_MOST_PERCENT)) {
		advice = add(adviser, METRICS_BLOCKED, serial_ns);
		if (advice)
			snprintf(advice->name, sizeof(advice->name), "outside of regions");
		return advice;
	}
	advice = add(adviser, METRICS_BLOCKED, run_ns);
	if (advice)
		snprintf(advice->name, sizeof(advice->name), "the whole run");
	return advice;
}

static void advise_blocked(struct adviser *adviser)
{
	struct advice *advice;

	/* Otherwise it may be OpenMP's waiting. */
	if (!adviser->figures->metrics->has_waits)
		return;
	advice = add_blocked(adviser);
	if (advice)
		snprintf(advice->text, sizeof(advice->text),
			"asleep: reads, sleeps, locks not OpenMP's: run -e wall, then report "
			"--tree");
}

static void say_device(struct advice *advice, const struct metrics_target *sum)
{
	uint64_t moved_ns = metrics_target_transfers(sum).time_ns;
	char part[TEXT_NUMBER_BYTES], whole[TEXT_NUMBER_BYTES];

	if (is_percent(moved_ns, sum->whole.time_ns, ADVICE_MOST_PERCENT))
		snprintf(advice->text, sizeof(advice->text),
			"transfers take %s of %s s in this construct: keep data on the device",
			text_seconds(part, moved_ns), text_seconds(whole, sum->whole.time_ns));
	else if (sum->kernel_wait_ns > sum->data_wait_ns)
		snprintf(advice->text, sizeof(advice->text),
			"the host waits %s of %s s for the kernel: nowait, and work meanwhile",
			text_seconds(part, sum->kernel_wait_ns),
			text_seconds(whole, sum->whole.time_ns));
	else
		snprintf(advice->text, sizeof(advice->text),
			"operations on data take %s of %s s in this construct: allocate once",
			text_seconds(part, sum->data_wait_ns),
			text_seconds(whole, sum->whole.time_ns));
}

/* What was waited for devices, at the places where. */
static void advise_device(struct adviser *adviser)
{
	const struct figures *figures = adviser->figures;
	struct settle_shares shares = { .total = figures->metrics->cause_ns[METRICS_DEVICE] };

	for (size_t i = 0; i < figures->n_targets; i++)
		shares.whole =
			settle_add(shares.whole, metrics_target_wait(&figures->targets[i].sum));
	for (size_t i = 0; i < figures->n_targets; i++) {
		const struct metrics_target *sum = &figures->targets[i].sum;
		struct advice *advice = add(
			adviser, METRICS_DEVICE, settle_share(&shares, metrics_target_wait(sum)));

		if (!advice)
			continue;
		set_place(advice, figures_node(figures, sum->node), figures->targets[i].label);
		say_device(advice, sum);
	}
}

static void advise_run(struct adviser *adviser)
{
	const struct figures *figures = adviser->figures;
	const struct metrics *metrics = figures->metrics;
	struct advice *advice = NULL;

	/* Otherwise it is not known whose threads these are. */
	if (metrics->has_waits)
		advice = add(adviser, METRICS_NOT_RUNNING, metrics->cause_ns[METRICS_NOT_RUNNING]);
	if (advice) {
		snprintf(advice->name, sizeof(advice->name), "the whole run");
		snprintf(advice->text, sizeof(advice->text),
			"threads wait for one of %u CPUs: fewer threads, or nothing beside them",
			figures->profile->header.n_cpus);
	}
	advice = add(adviser, METRICS_MPI, metrics->cause_ns[METRICS_MPI]);
	if (advice) {
		snprintf(advice->name, sizeof(advice->name), "in MPI");
		snprintf(advice->text, sizeof(advice->text),
			"ranks wait for each other or for data: see ompprof report --by rank");
	}
	if (figures->serial_work_ns)
		return;
	advice = add(adviser, METRICS_SERIAL, metrics->cause_ns[METRICS_SERIAL]);
	if (!advice)
		return;
	snprintf(advice->name, sizeof(advice->name), "outside of regions");
	snprintf(advice->text, sizeof(advice->text),
		"one thread or none works: no sample says at what");
}

/* Locks are advised on as they were waited for, all else by region. */
static void add_up_places(struct adviser *adviser)
{
	const struct figures *figures = adviser->figures;

	for (size_t i = 0; i < figures->n_regions; i++)
		for (size_t c = 0; c < METRICS_N_CAUSES; c++)
			if (c != METRICS_LOCK)
				adviser->at_places_ns[c] += figures->regions[i].sum.cause_ns[c];
	for (size_t i = 0; i < figures->n_waits; i++)
		if (figures_is_mutex(figures->waits[i].sum.kind))
			adviser->at_places_ns[METRICS_LOCK] += figures->waits[i].sum.wait_ns;
}

void advice_make(struct advice_list *list, const struct figures *figures)
{
	struct adviser adviser = { figures, list, { 0 } };

	memset(list, 0, sizeof(*list));
	add_up_places(&adviser);
	for (size_t i = 0; i < figures->n_regions; i++) {
		advise_imbalance(&adviser, &figures->regions[i]);
		advise_tasks(&adviser, &figures->regions[i]);
		advise_overhead(&adviser, &figures->regions[i]);
		advise_short_team(&adviser, &figures->regions[i]);
	}
	for (size_t i = 0; i < figures->n_waits; i++)
		if (figures->waits[i].is_first_at_place)
			advise_lock(&adviser, &figures->waits[i]);
	for (size_t i = 0; i < figures->n_serial; i++)
		advise_serial(&adviser, &figures->serial[i]);
	advise_device(&adviser);
	advise_blocked(&adviser);
	advise_run(&adviser);
	for (size_t i = 0; i < list->n; i++)
		list->gain_ns += list->entries[i].gain_ns;
}
