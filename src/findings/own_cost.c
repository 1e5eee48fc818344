/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of ompprof itself; see own_cost.h, and docs/offline/own-cost.md for the model. */
#include "src/findings/own_cost.h"

#include <math.h>

#include "src/findings/own_events.h"
#include "src/findings/report_runtime.h"
#include "src/text/text.h"

enum { LARGE_PERCENT = 5, RANGE_POINTS = 1, SURE_MET = 100, UNSURE_MET = 2 };

/* The kernel delivers a signal and returns from it. */
enum { DELIVERY_NS = 2000 };

/*
 * Threads that do the same in a run: the initial threads, for which their teams wait while a region
 * begins and ends; and all others.
 */
struct group {
	uint64_t life_ns, n_callbacks, n_counted;
	uint64_t n_met, n_samples;
	uint64_t cpu_ns, delay_ns, handler_ns, delivery_ns, capture_ns, callback_ns;
};

enum { INITIAL, OTHERS, N_GROUPS };

static uint64_t ns_of(const struct profile_header *header, uint64_t ticks)
{
	return own_events_bounded(
		header->ticks_per_s ? (double)ticks * 1e9 / (double)header->ticks_per_s : 0);
}

static struct group *group_of(struct group *groups, const struct profile_thread *thread)
{
	return &groups[thread->type == 1 ? INITIAL : OTHERS];
}

static void add_thread(struct group *group, const struct profile_header *header,
	const struct profile_thread *thread)
{
	group->life_ns += profile_life_ns(thread, profile_end_ns(header));
	group->n_callbacks += thread->n_callbacks;
	group->n_counted += thread->more.n_unseen;
	group->n_met += thread->lost[PROFILE_LOST_NESTED];
	group->n_samples += thread->n_samples + thread->lost[PROFILE_LOST_NO_SPACE];
	if (thread->cpu_last_ns > thread->cpu_start_ns)
		group->cpu_ns += thread->cpu_last_ns - thread->cpu_start_ns;
	group->delay_ns += thread->run_delay_ns;
	if (!header->ticks_per_s)
		return;
	group->handler_ns += ns_of(header, thread->handler_ticks);
	group->delivery_ns += (uint64_t)thread->n_signals * DELIVERY_NS;
	group->capture_ns += ns_of(header, thread->capture_ticks);
}

/* Whether a node is of code in ompprof's library, or in the provider. */
static int is_own_code(const struct profile *profile, const struct profile_tree_node *node)
{
	const struct profile_module *module;

	if (node->kind != PROFILE_NODE_FRAME)
		return 0;
	module = profile_module_of(profile, node->module, node->addr);
	return module && (module->flags & PROFILE_MODULE_TOOL || report_is_provider(module));
}

/*
 * Samples in the library at the begin and end of a callback, where the handler is not kept out; and
 * in the provider, which calls libgomp and the callbacks.
 */
static void add_own_code(struct group *groups, const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		if (node->kind == PROFILE_NODE_SAMPLES && node->parent < i &&
			is_own_code(profile, &profile->nodes[node->parent]))
			group_of(groups, &profile->threads[node->owner])->n_met += node->n;
	}
}

/*
 * The CPU time in all callbacks. A sample of a CPU clock meets a callback as often as callbacks
 * take CPU time. Usual callbacks would have been met by n samples. If few samples met callbacks, n
 * decides, and not chance.
 */
static double callbacks_ns(const struct group groups[N_GROUPS], double usual_ns, int is_sampled)
{
	double n;
	double n_met = (double)(groups[INITIAL].n_met + groups[OTHERS].n_met);
	double n_samples = (double)(groups[INITIAL].n_samples + groups[OTHERS].n_samples);
	double cpu_ns = (double)(groups[INITIAL].cpu_ns + groups[OTHERS].cpu_ns);

	if (!is_sampled || n_met > n_samples || n_samples <= 0 || cpu_ns <= 0)
		return usual_ns;
	n = usual_ns * n_samples / cpu_ns;
	n = (n_met * n_met + UNSURE_MET * n) / (n_met + UNSURE_MET);
	return cpu_ns * n / n_samples;
}

/* Divides the time in callbacks among the groups: by samples if these are many, else by number. */
static void divide_callbacks(struct group groups[N_GROUPS], double all_ns)
{
	double n = (double)(groups[INITIAL].n_callbacks + groups[OTHERS].n_callbacks);
	double n_met = (double)(groups[INITIAL].n_met + groups[OTHERS].n_met);

	for (int i = 0; i < N_GROUPS; i++) {
		double part = n > 0 ? (double)groups[i].n_callbacks / n : 0;

		if (n_met >= SURE_MET)
			part = (double)groups[i].n_met / n_met;
		groups[i].callback_ns = own_events_bounded(all_ns * part);
		if (groups[i].capture_ns > groups[i].callback_ns)
			groups[i].capture_ns = groups[i].callback_ns;
	}
}

/* The cost of a group at least, and at most. */
struct part {
	uint64_t least_ns, most_ns;
};

/* Adds the group. Returns its part of the cost. */
static struct part add_group(
	struct own_cost *cost, const struct group *group, const struct own_events *events)
{
	uint64_t announce_ns =
		own_events_add(events, group->n_callbacks, group->callback_ns, cost->by_kind_ns);
	uint64_t least_ns = group->handler_ns + group->delivery_ns + group->callback_ns;

	cost->cpu_ns += group->cpu_ns;
	cost->n_samples += group->n_samples;
	cost->n_met += group->n_met;
	cost->n_callbacks += group->n_callbacks;
	cost->n_counted += group->n_counted;
	cost->handler_ns += group->handler_ns;
	cost->delivery_ns += group->delivery_ns;
	cost->capture_ns += group->capture_ns;
	cost->callback_ns += group->callback_ns;
	cost->announce_ns += announce_ns;
	return (struct part){ least_ns, least_ns + announce_ns };
}

/*
 * How much longer a thread of the group took, if it lived for the whole run. The time in which the
 * group had no CPU is left out: the cost belongs to the rest.
 */
static double each_longer_ns(const struct group *group, uint64_t all_ns, uint64_t run_ns)
{
	double with_cpu_ns = (double)group->life_ns - (double)group->delay_ns;

	if (with_cpu_ns < (double)group->cpu_ns)
		with_cpu_ns = (double)group->cpu_ns;
	return with_cpu_ns > 0 ? (double)all_ns / with_cpu_ns * (double)run_ns : 0;
}

/* The run cannot end before its slowest thread, nor before its CPUs have done all the work. */
static uint64_t longer_ns(uint64_t run_ns, uint32_t n_cpus, const struct group groups[N_GROUPS],
	const uint64_t parts_ns[N_GROUPS])
{
	double longest_ns = (double)(parts_ns[INITIAL] + parts_ns[OTHERS]) / (n_cpus ? n_cpus : 1);

	for (int i = 0; i < N_GROUPS; i++) {
		double each_ns = each_longer_ns(&groups[i], parts_ns[i], run_ns);

		if (each_ns > longest_ns)
			longest_ns = each_ns;
	}
	return longest_ns < (double)run_ns ? (uint64_t)longest_ns : run_ns;
}

/*
 * A team waits at each barrier for the members that had a signal since the last barrier. If signals
 * are rarer than barriers, members have them one after the other, and each signal delays all.
 * Returns how much longer than its mean thread the run can take by that.
 */
static double delays_ns(const struct own_cost *cost, uint32_t n_cpus,
	const struct group groups[N_GROUPS], uint64_t n_meetings)
{
	double life_ns = (double)groups[INITIAL].life_ns + (double)groups[OTHERS].life_ns;
	double n_threads = cost->run_ns ? life_ns / (double)cost->run_ns : 0;
	double chance, n_delays;

	if (n_cpus && n_threads > n_cpus)
		n_threads = n_cpus;
	if (n_threads <= 1 || !n_meetings || !cost->n_signals)
		return 0;
	/* A member's chance of a signal between two barriers; then by how many it is delayed. */
	chance = (double)cost->n_signals / n_threads / (double)n_meetings;
	if (chance > 1)
		chance = 1;
	n_delays = (1 - pow(1 - chance, n_threads)) / chance;
	return (n_delays - 1) * (double)(cost->handler_ns + cost->delivery_ns) / n_threads;
}

/* Fills the groups. Returns the number of signals. */
static uint64_t add_threads(struct group groups[N_GROUPS], const struct profile *profile)
{
	uint64_t n_signals = 0;

	for (size_t i = 0; i < profile->n_threads; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		add_thread(group_of(groups, thread), &profile->header, thread);
		n_signals += thread->n_signals;
	}
	add_own_code(groups, profile);
	return n_signals;
}

/* Adds the groups, and finds how much longer the run took by them. */
static void add_groups(struct own_cost *cost, const struct profile_header *header,
	const struct group groups[N_GROUPS], const struct own_events *events)
{
	uint64_t least_ns[N_GROUPS], most_ns[N_GROUPS];

	for (int i = 0; i < N_GROUPS; i++) {
		struct part part = add_group(cost, &groups[i], events);

		least_ns[i] = part.least_ns;
		most_ns[i] = part.most_ns;
	}
	cost->longer_ns = longer_ns(cost->run_ns, header->n_cpus, groups, least_ns);
	cost->most_ns = own_events_bounded(
		(double)longer_ns(cost->run_ns, header->n_cpus, groups, most_ns) +
		delays_ns(cost, header->n_cpus, groups, events->n_meetings));
	if (cost->most_ns > cost->run_ns)
		cost->most_ns = cost->run_ns;
	/* All wait for the start. */
	cost->longer_ns += cost->setup_ns;
	cost->most_ns += cost->setup_ns;
	cost->run_ns += cost->setup_ns;
	cost->by_kind_ns[OWN_COST_SAMPLES] = cost->handler_ns + cost->delivery_ns;
}

void own_cost_make(struct own_cost *cost, const struct profile *profile)
{
	const struct profile_header *header = &profile->header;
	struct group groups[N_GROUPS] = { { 0 } };
	struct own_events events = { 0 };
	double usual_ns, walks_ns;
	int is_sampled;

	*cost = (struct own_cost){ 0 };
	cost->n_signals = add_threads(groups, profile);
	/* A part of a run has no signals. */
	is_sampled =
		header->ticks_per_s && cost->n_signals && header->clock_kind == PROFILE_CLOCK_CPU;
	if (is_sampled)
		own_events_count(
			&events, profile, groups[INITIAL].n_callbacks + groups[OTHERS].n_callbacks);
	usual_ns = own_events_usual_ns(&events);
	walks_ns = (double)(groups[INITIAL].capture_ns + groups[OTHERS].capture_ns);
	if (usual_ns < walks_ns)
		usual_ns = walks_ns;
	divide_callbacks(groups, callbacks_ns(groups, usual_ns, is_sampled));
	cost->run_ns = header->end_ns && header->flags & PROFILE_COMPLETE ? header->end_ns
									  : header->last_ns;
	cost->setup_ns = header->usage.setup_ns;
	add_groups(cost, header, groups, &events);
	if (header->clock_kind != PROFILE_CLOCK_CPU)
		cost->n_unseen = cost->n_callbacks;
}

void own_cost_add(struct own_cost *to, const struct own_cost *from)
{
	to->handler_ns += from->handler_ns;
	to->delivery_ns += from->delivery_ns;
	to->capture_ns += from->capture_ns;
	to->callback_ns += from->callback_ns;
	to->announce_ns += from->announce_ns;
	to->setup_ns += from->setup_ns;
	to->cpu_ns += from->cpu_ns;
	to->longer_ns += from->longer_ns;
	to->most_ns += from->most_ns;
	to->run_ns += from->run_ns;
	to->n_signals += from->n_signals;
	to->n_samples += from->n_samples;
	to->n_met += from->n_met;
	to->n_callbacks += from->n_callbacks;
	to->n_counted += from->n_counted;
	to->n_unseen += from->n_unseen;
	for (int i = 0; i < OWN_COST_N_KINDS; i++)
		to->by_kind_ns[i] += from->by_kind_ns[i];
}

uint64_t own_cost_ns(const struct own_cost *cost)
{
	return cost->handler_ns + cost->delivery_ns + cost->callback_ns;
}

uint64_t own_cost_without_ns(const struct own_cost *cost)
{
	return cost->run_ns - cost->longer_ns;
}

int own_cost_is_least(const struct own_cost *cost)
{
	return cost->n_unseen > cost->n_signals;
}

/* How much longer the run took if it took so much longer than it would have taken. */
static double percent_of(const struct own_cost *cost, uint64_t longer_ns)
{
	return longer_ns < cost->run_ns
		       ? 100 * (double)longer_ns / (double)(cost->run_ns - longer_ns)
		       : INFINITY;
}

int own_cost_is_range(const struct own_cost *cost)
{
	double least = percent_of(cost, cost->longer_ns);

	return !own_cost_is_least(cost) && least <= 100 &&
	       percent_of(cost, cost->most_ns) - least > RANGE_POINTS;
}

const char *own_cost_word(const struct own_cost *cost)
{
	if (own_cost_is_least(cost))
		return "at least ";
	return cost->callback_ns > cost->handler_ns + cost->delivery_ns ? "about " : "";
}

/* "24.0", or "over 100". */
static void put_percent(char *text, size_t text_bytes, const struct own_cost *cost, uint64_t ns)
{
	char share[TEXT_NUMBER_BYTES];

	if (ns > cost->run_ns - ns)
		snprintf(text, text_bytes, "over 100");
	else
		snprintf(text, text_bytes, "%s", text_percent(share, ns, cost->run_ns - ns));
}

const char *own_cost_percent(char text[OWN_COST_TEXT_BYTES], const struct own_cost *cost)
{
	char least[TEXT_NUMBER_BYTES], most[TEXT_NUMBER_BYTES];
	int is_range = own_cost_is_range(cost),
	    is_over = cost->longer_ns > own_cost_without_ns(cost);

	put_percent(least, sizeof(least), cost, cost->longer_ns);
	put_percent(most, sizeof(most), cost, cost->most_ns);
	snprintf(text, OWN_COST_TEXT_BYTES, "%s%s%s%s", is_over ? "" : own_cost_word(cost), least,
		is_range ? " to " : "", is_range ? most : "");
	return text;
}

int own_cost_is_of_runtime(const struct own_cost *cost)
{
	enum own_cost_kind kind = own_cost_main_kind(cost);

	return (kind == OWN_COST_TASKS || kind == OWN_COST_UNDEFERRED) &&
	       cost->n_counted > cost->n_callbacks / 2;
}

enum own_cost_kind own_cost_main_kind(const struct own_cost *cost)
{
	int most = 0;

	if (percent_of(cost, cost->most_ns) <= LARGE_PERCENT)
		return OWN_COST_N_KINDS;
	if (cost->setup_ns > cost->most_ns - cost->setup_ns)
		return OWN_COST_START;
	for (int i = 1; i < OWN_COST_N_KINDS; i++)
		if (cost->by_kind_ns[i] > cost->by_kind_ns[most])
			most = i;
	return (enum own_cost_kind)most;
}
