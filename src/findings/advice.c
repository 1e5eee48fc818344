/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the advice: goes through all places, and has the rules for causes of no region; see
 * advice.h.
 */
#include "src/findings/advice.h"

#include <stdio.h>
#include <string.h>

#include "src/findings/advice_internal.h"
#include "src/text/text.h"

/* The slots' time that a function can win if it runs for serial_ns: the CPUs share its work. */
static uint64_t serial_gain(const struct metrics *metrics, uint64_t serial_ns, uint64_t idle_ns)
{
	uint64_t most_ns = metrics->n_slots * serial_ns;

	if (!metrics->n_cpus || metrics->n_cpus >= metrics->n_slots || metrics->n_processes)
		return idle_ns;
	most_ns -= most_ns / metrics->n_cpus;
	return idle_ns < most_ns ? idle_ns : most_ns;
}

/* Serial time is shared among the functions in which the serial code was sampled. */
static void advise_serial(struct adviser *adviser, size_t index)
{
	const struct findings *figures = adviser->figures;
	const struct findings_serial *serial = &figures->serial[index];
	const struct metrics *metrics = figures->metrics;
	double share = (double)serial->work_ns / (double)figures->serial_work_ns;
	uint64_t serial_ns = metrics_wall(metrics, serial->work_ns);
	uint64_t idle_ns = (uint64_t)((double)metrics->cause_ns[METRICS_SERIAL] * share + 0.5);
	struct advice *advice =
		advice_add(adviser, METRICS_SERIAL, serial_gain(metrics, serial_ns, idle_ns));
	char seconds[TEXT_NUMBER_BYTES];

	if (!advice)
		return;
	advice_set_place(advice, serial->node, serial->label);
	advice_set_line(advice, serial->label->decl_file, serial->label->decl_line);
	advice_is_about(advice, ADVICE_OF_SERIAL, index);
	advice_say(advice, ADVICE_TRY_PARALLEL,
		"runs on one thread for %s s: can it be parallel, or overlap with more?",
		text_seconds(seconds, serial_ns));
}

/*
 * The entry if no sleep was measured. If one region, or the code outside of regions, has at least
 * half of the time asleep, it names it; otherwise it names the whole run.
 */
static struct advice *add_blocked(struct adviser *adviser)
{
	const struct findings *figures = adviser->figures;
	const struct metrics *metrics = figures->metrics;
	uint64_t run_ns = metrics->cause_ns[METRICS_BLOCKED];
	uint64_t serial_ns = metrics->serial_cause_ns[METRICS_BLOCKED];
	struct advice *advice = NULL;

	for (size_t i = 0; i < figures->n_regions; i++) {
		uint64_t region_ns = advice_of_run(adviser, METRICS_BLOCKED,
			figures->regions[i].sum.cause_ns[METRICS_BLOCKED]);

		if (!advice_is_percent(region_ns, run_ns, ADVICE_MOST_PERCENT))
			continue;
		advice = advice_add(adviser, METRICS_BLOCKED, region_ns);
		if (advice)
			advice_set_region(adviser, advice, &figures->regions[i]);
		return advice;
	}
	if (advice_is_percent(serial_ns, run_ns, ADVICE_MOST_PERCENT)) {
		advice = advice_add(adviser, METRICS_BLOCKED, serial_ns);
		if (advice)
			snprintf(advice->name, sizeof(advice->name), "outside of regions");
		return advice;
	}
	advice = advice_add(adviser, METRICS_BLOCKED, run_ns);
	if (advice)
		snprintf(advice->name, sizeof(advice->name), "the whole run");
	return advice;
}

int advice_call_name(const char **name)
{
	static const char *const prefixes[] = { "__libc_", "_IO_", "_", "__", "___" };
	size_t longest = 0;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i]);

		if (n > longest && strncmp(*name, prefixes[i], n) == 0)
			longest = n;
	}
	*name += longest;
	return (int)strcspn(*name, "@");
}

static void advise_sleep(
	struct adviser *adviser, const struct findings_sleep *sleep, uint64_t thread_ns)
{
	int is_mpi = sleep->wait == PROFILE_MPI;
	struct advice *advice =
		advice_add(adviser, is_mpi ? METRICS_MPI : METRICS_BLOCKED, thread_ns);
	const char *call = sleep->call->name;
	int n_call = advice_call_name(&call);
	char caller[ADVICE_NAME_BYTES], number[TEXT_NUMBER_BYTES];

	if (!advice)
		return;
	advice_set_place(advice, sleep->node, sleep->caller);
	advice_is_about(advice, ADVICE_OF_SLEEP, (size_t)(sleep - adviser->figures->sleeps));
	memcpy(caller, advice->name, sizeof(caller));
	snprintf(advice->name, sizeof(advice->name), "%.*s in %.400s%s%s%s", n_call, call, caller,
		sleep->n ? ", " : "", sleep->n ? text_count(number, sleep->n) : "",
		sleep->n ? "x" : "");
	text_seconds(number, sleep->ns);
	if (is_mpi)
		advise_late(advice, adviser->figures, sleep);
	else
		advice_say(advice, ADVICE_TRY_OVERLAP,
			"asleep in this call for %s s: can it be shorter, or overlap with work?",
			number);
}

static double in_call(const struct findings_sleep *sleep)
{
	return (double)sleep->ns + (double)sleep->no_cpu_ns;
}

/* Shares total_ns of a cause among the calls of MPI, in the ratio of the time in them. */
static void advise_mpi_calls(struct adviser *adviser, uint64_t total_ns)
{
	const struct findings *figures = adviser->figures;
	double sum_ns = 0;

	for (size_t i = 0; i < figures->n_sleeps; i++)
		if (figures->sleeps[i].wait == PROFILE_MPI)
			sum_ns += in_call(&figures->sleeps[i]);
	for (size_t i = 0; i < figures->n_sleeps; i++) {
		const struct findings_sleep *sleep = &figures->sleeps[i];

		if (sleep->wait == PROFILE_MPI)
			advise_sleep(adviser, sleep,
				(uint64_t)(in_call(sleep) / sum_ns * (double)total_ns));
	}
}

/* Calls that sleep: in regions, and elsewhere for any reason, or until another thread has ended. */
enum asleep { ASLEEP_INSIDE, ASLEEP_OTHERWISE, ASLEEP_JOINING, N_ASLEEP };

/* Whether the function waits for the end of a thread, as pthread_timedjoin_np does. */
static int is_join(const char *name)
{
	static const char *const names[] = { "thrd_join", "std::thread::join" };

	advice_call_name(&name);
	if (strncmp(name, "pthread_", strlen("pthread_")) == 0)
		return strstr(name, "join") != NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t n = strlen(names[i]);

		if (strncmp(name, names[i], n) == 0 && strcspn(name + n, "(@") == 0)
			return 1;
	}
	return 0;
}

static enum asleep outside_kind(const struct findings_sleep *sleep)
{
	return is_join(sleep->call->name) ? ASLEEP_JOINING : ASLEEP_OTHERWISE;
}

/* The time in calls of each kind, and the part of it that is a loss. */
struct asleep_sums {
	double ns[N_ASLEEP];
	double lost_ns[N_ASLEEP];
};

static double least(double a, double b)
{
	return a < b ? a : b;
}

/*
 * Outside of regions only a part of the time may be a loss: a thread loses nothing while another
 * one works. A thread that waits for the end of another thread is the least likely to lose. The
 * idle slots lose in the same ratio.
 */
static void find_lost(const struct adviser *adviser, struct asleep_sums *sums)
{
	const struct metrics *metrics = adviser->figures->metrics;
	double run_ns = (double)metrics->cause_ns[METRICS_BLOCKED];
	double serial_ns = least(run_ns, (double)metrics->serial_cause_ns[METRICS_BLOCKED]);
	double idle_ns = least(serial_ns, (double)metrics->idle_blocked_ns);
	double *lost_ns = sums->lost_ns, outside_ns;

	lost_ns[ASLEEP_INSIDE] = least(sums->ns[ASLEEP_INSIDE], run_ns - serial_ns);
	lost_ns[ASLEEP_OTHERWISE] = least(sums->ns[ASLEEP_OTHERWISE], serial_ns - idle_ns);
	lost_ns[ASLEEP_JOINING] =
		least(sums->ns[ASLEEP_JOINING], serial_ns - idle_ns - lost_ns[ASLEEP_OTHERWISE]);
	outside_ns = lost_ns[ASLEEP_OTHERWISE] + lost_ns[ASLEEP_JOINING];
	for (int i = ASLEEP_OTHERWISE; i < N_ASLEEP && outside_ns > 0; i++)
		lost_ns[i] += idle_ns * lost_ns[i] / outside_ns;
}

/* Gives each call that sleeps its part of the loss. Returns the sum. */
static uint64_t advise_calls(struct adviser *adviser)
{
	const struct findings *figures = adviser->figures;
	struct asleep_sums sums = { { 0 }, { 0 } };
	double seen_ns = 0;

	for (size_t i = 0; i < figures->n_sleeps; i++) {
		const struct findings_sleep *sleep = &figures->sleeps[i];

		if (sleep->wait != PROFILE_BLOCKED)
			continue;
		sums.ns[ASLEEP_INSIDE] += (double)(sleep->ns - sleep->serial_ns);
		sums.ns[outside_kind(sleep)] += (double)sleep->serial_ns;
	}
	find_lost(adviser, &sums);
	for (size_t i = 0; i < figures->n_sleeps; i++) {
		const struct findings_sleep *sleep = &figures->sleeps[i];
		enum asleep kind = outside_kind(sleep);
		double ns = 0;

		if (sleep->wait != PROFILE_BLOCKED)
			continue;
		if (sleep->ns > sleep->serial_ns)
			ns += (double)(sleep->ns - sleep->serial_ns) / sums.ns[ASLEEP_INSIDE] *
			      sums.lost_ns[ASLEEP_INSIDE];
		if (sleep->serial_ns)
			ns += (double)sleep->serial_ns / sums.ns[kind] * sums.lost_ns[kind];
		advise_sleep(adviser, sleep, (uint64_t)ns);
	}
	for (int i = 0; i < N_ASLEEP; i++)
		seen_ns += sums.lost_ns[i];
	return (uint64_t)(seen_ns + 0.5);
}

/* The calls are known for measured time asleep. For the rest of the time asleep they are not. */
static void advise_blocked(struct adviser *adviser)
{
	const struct findings *figures = adviser->figures;
	uint64_t run_ns = figures->metrics->cause_ns[METRICS_BLOCKED];
	uint64_t seen_ns = advise_calls(adviser);
	struct advice *advice;

	if (seen_ns > run_ns)
		seen_ns = run_ns;
	advice = figures->sleep_ns ? advice_add(adviser, METRICS_BLOCKED, run_ns - seen_ns)
				   : add_blocked(adviser);
	if (!advice)
		return;
	if (figures->sleep_ns)
		snprintf(advice->name, sizeof(advice->name), "elsewhere");
	advice_say(advice, ADVICE_TRY_NOTHING,
		"asleep at no call seen: page faults, direct system calls, static code");
}

/* How many slots lose the time of a thread in a call of MPI. */
static double slots_of_call(const struct metrics *metrics)
{
	return metrics->n_processes && metrics->walls_ns
		       ? (double)metrics->capacity_ns / (double)metrics->walls_ns
		       : metrics->n_slots;
}

/* The threads' time without a CPU in calls of MPI. */
static double lacked_in_calls(const struct findings *figures)
{
	double ns = 0;

	for (size_t i = 0; i < figures->n_sleeps; i++)
		ns += (double)figures->sleeps[i].no_cpu_ns;
	return ns;
}

/*
 * The slots' time without a CPU because of threads in calls of MPI. The ranks wait there with a CPU
 * or without, so it is a loss by MPI: more CPUs alone may shorten no wait.
 */
static uint64_t no_cpu_in_mpi(const struct adviser *adviser)
{
	const struct findings *figures = adviser->figures;
	double ns = lacked_in_calls(figures) * slots_of_call(figures->metrics);

	return (uint64_t)least(ns, (double)adviser->contention.lost_ns);
}

/*
 * A timed call takes the time of its thread, and outside of regions that of the other slots, too.
 * The rest of the time in MPI was sampled in calls that are not timed. Waits for a rank with more
 * work are listed where it has this work, and not again at the calls.
 */
static void advise_mpi(struct adviser *adviser)
{
	const struct findings *figures = adviser->figures;
	const struct metrics *metrics = figures->metrics;
	uint64_t run_ns = metrics->cause_ns[METRICS_MPI] + no_cpu_in_mpi(adviser);
	double slots = slots_of_call(metrics);
	double most_ns = ((double)figures->mpi_ns + lacked_in_calls(figures)) * slots;
	struct advice *advice;
	uint64_t seen_ns;

	run_ns -= advise_uneven(adviser, slots, run_ns);
	seen_ns = most_ns < (double)run_ns ? (uint64_t)most_ns : run_ns;
	advise_mpi_calls(adviser, seen_ns);
	advice = advice_add(adviser, METRICS_MPI, run_ns - seen_ns);
	if (!advice)
		return;
	snprintf(advice->name, sizeof(advice->name),
		figures->mpi_ns ? "elsewhere in MPI" : "in MPI");
	advice_say(advice, ADVICE_TRY_NOTHING, "ranks wait for each other or for data (--by rank)");
}

static void advise_run(struct adviser *adviser)
{
	const struct findings *figures = adviser->figures;
	const struct metrics *metrics = figures->metrics;
	struct advice *advice = advice_add(
		adviser, METRICS_NOT_RUNNING, adviser->contention.lost_ns - no_cpu_in_mpi(adviser));

	if (advice) {
		snprintf(advice->name, sizeof(advice->name), "the whole run");
		contention_advise(advice->text, sizeof(advice->text), &adviser->contention);
	}
	advise_mpi(adviser);
	if (figures->serial_work_ns)
		return;
	advice = advice_add(adviser, METRICS_SERIAL, metrics->cause_ns[METRICS_SERIAL]);
	if (!advice)
		return;
	snprintf(advice->name, sizeof(advice->name), "outside of regions");
	advice_say(advice, ADVICE_TRY_NOTHING, "one thread or none works: no sample says at what");
}

/* METRICS_LOCK is summed over the waits, all other causes over the regions. */
static void add_up_places(struct adviser *adviser)
{
	const struct findings *figures = adviser->figures;

	for (size_t i = 0; i < figures->n_regions; i++)
		for (size_t c = 0; c < METRICS_N_CAUSES; c++)
			if (c != METRICS_LOCK)
				adviser->at_places_ns[c] += figures->regions[i].sum.cause_ns[c];
	for (size_t i = 0; i < figures->n_waits; i++)
		if (findings_is_mutex(figures->waits[i].sum.kind))
			adviser->at_places_ns[METRICS_LOCK] += figures->waits[i].sum.wait_ns;
}

void advice_make(struct advice_list *list, const struct findings *figures)
{
	struct adviser adviser = { .figures = figures, .list = list };

	memset(list, 0, sizeof(*list));
	contention_find(
		&adviser.contention, figures->profile, figures->metrics, &figures->run.crowd);
	add_up_places(&adviser);
	for (size_t i = 0; i < figures->n_regions; i++)
		advise_region(&adviser, &figures->regions[i]);
	for (size_t i = 0; i < figures->n_waits; i++)
		if (figures->waits[i].imbalance_ns)
			advise_construct(&adviser, &figures->waits[i]);
		else if (figures->waits[i].is_first_at_place)
			advise_lock(&adviser, &figures->waits[i]);
	advise_small(&adviser);
	for (size_t i = 0; i < figures->n_serial; i++)
		advise_serial(&adviser, i);
	advise_device(&adviser);
	advise_blocked(&adviser);
	advise_run(&adviser);
	for (size_t i = 0; i < list->n; i++)
		list->gain_ns += list->entries[i].gain_ns;
}
