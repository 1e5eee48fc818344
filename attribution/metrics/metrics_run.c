/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the run's capacity into causes; metrics.h describes how. */
#include <string.h>

#include "attribution/metrics/metrics_internal.h"

static uint64_t sum_of(const uint64_t *amounts)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		metrics_add(&sum, amounts[i]);
	return sum;
}

static uint64_t waits_of(const struct metrics_part *part)
{
	return add_saturated(sum_of(part->waited_ns), part->barrier_ns);
}

/* Divides the time in a region and in no region within it. */
static void cut_region(struct metrics_work *work, size_t i)
{
	struct metrics_work_region *beside = &work->regions[i];
	struct metrics_part *part = &beside->part;
	uint64_t thread_ns = work->metrics->regions[i].thread_ns;
	uint64_t stay_ns = thread_ns ? thread_ns : beside->team_wall_ns;
	uint64_t whole_ns = stay_ns > beside->team_wall_ns ? stay_ns : beside->team_wall_ns;

	part->whole_ns = metrics_less(whole_ns, beside->inner_ns);
	part->busy_ns = metrics_less(stay_ns, add_saturated(beside->inner_ns, waits_of(part)));
	metrics_distribute_part(part, work->profile);
}

/* Divides the serial code's time, on its threads. */
static void cut_serial(struct metrics_work *work)
{
	struct metrics_part *part = &work->serial;

	part->whole_ns = work->outside_ns;
	part->busy_ns = metrics_less(part->whole_ns, waits_of(part));
	metrics_distribute_part(part, work->profile);
}

/*
 * If serial code has several threads, sleep loses nothing while another one of them works or is in
 * a region, as when the first thread waits for a thread that has the regions. So at most the wall
 * time that neither explains is asleep. Serial code that is awake shows wall time in no region,
 * beyond what is sure.
 */
static void bound_serial(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;
	uint64_t *asleep_ns = &work->serial.cause_ns[METRICS_BLOCKED];
	uint64_t awake_ns = sum_of(work->serial.cause_ns) - *asleep_ns, shown_ns = awake_ns;

	if (!work->has_several)
		return;
	if (shown_ns > work->most_serial_ns)
		shown_ns = work->most_serial_ns;
	if (metrics->serial_ns < shown_ns)
		metrics->serial_ns = shown_ns;
	if (*asleep_ns > metrics_less(metrics->serial_ns, awake_ns))
		*asleep_ns = metrics_less(metrics->serial_ns, awake_ns);
}

static uint64_t run_delay(const struct profile *profile)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->n_threads; i++) {
		if (!profile_is_beside(&profile->threads[i]))
			metrics_add(&sum, profile->threads[i].run_delay_ns);
	}
	return sum;
}

/* Moves the part of the time off the CPU in which the threads were ready to run. */
static void move_delay(struct metrics_part *part, uint64_t ns)
{
	part->cause_ns[METRICS_BLOCKED] -= ns;
	part->cause_ns[METRICS_NOT_RUNNING] += ns;
}

/* The busy time that the samples leave open; 0 for a part whose own samples told its off_ns. */
static uint64_t open_of(const struct metrics_part *part)
{
	uint64_t sampled_ns = metrics_sampled_of(part);

	return part->off_ns || part->busy_ns <= sampled_ns ? 0 : part->busy_ns - sampled_ns;
}

static struct metrics_part *part_at(struct metrics_work *work, size_t i)
{
	return i < work->metrics->n_regions ? &work->regions[i].part : &work->serial;
}

/* NULL for regions that hidden helpers encountered: their time off the CPU is not known. */
static struct metrics_part *programs_at(struct metrics_work *work, size_t i)
{
	if (i < work->metrics->n_regions && work->regions[i].is_helpers)
		return NULL;
	return part_at(work, i);
}

/*
 * A part alone can have too few samples to show its time off the CPU. If all parts together show
 * such time, it is divided among the parts whose samples do not cover their busy time.
 */
static void cut_spread(struct metrics_work *work)
{
	static const struct metrics_sharing spread = { open_of, metrics_take_off_cpu };
	size_t n = work->metrics->n_regions + 1;
	uint64_t busy_ns = 0, sampled_ns = 0;

	for (size_t i = 0; i < n; i++) {
		const struct metrics_part *part = programs_at(work, i);

		if (!part || part->off_ns)
			continue;
		metrics_add(&busy_ns, part->busy_ns);
		metrics_add(&sampled_ns, metrics_sampled_of(part));
	}
	if (metrics_is_off_cpu(work->profile, busy_ns, sampled_ns))
		metrics_share_parts(work, n, programs_at, busy_ns - sampled_ns, &spread);
}

/* Adds the time without a CPU that did not fit into its part: it belongs to other parts. */
static void find_misplaced(struct metrics_work *work)
{
	for (size_t i = 0; i <= work->metrics->n_regions; i++) {
		const struct metrics_part *part = programs_at(work, i);
		uint64_t ns = part ? part->misplaced_ns : 0;

		metrics_add(&work->off_ns, ns);
		metrics_add(&work->unplaced_ns, ns);
	}
}

/* Moves the unplaced time in which the threads were ready to run from BLOCKED to NOT_RUNNING. */
static void cut_off_cpu(struct metrics_work *work)
{
	static const struct metrics_sharing delays = { metrics_off_of, move_delay };
	metrics_share_parts(
		work, work->metrics->n_regions + 1, programs_at, work->unplaced_ns, &delays);
}

/* The capacity of an outermost region and the regions within it. */
static uint64_t capacity_of(const struct metrics_work *work, size_t top)
{
	uint64_t wall_ns = work->metrics->regions[top].wall_ns;
	uint64_t most = ((uint64_t)1 << 62) / work->metrics->n_slots;

	return (wall_ns < most ? wall_ns : most) * work->metrics->n_slots;
}

/* Makes the causes of each outermost region and of the regions within it fill their capacity. */
static void fit_regions(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;

	for (size_t i = 0; i < metrics->n_regions; i++) {
		struct scale_blame_shares *shares = &work->regions[work->regions[i].top].shares;

		metrics_add(&shares->whole, work->regions[i].part.whole_ns);
	}
	for (size_t i = 0; i < metrics->n_regions; i++) {
		struct scale_blame_shares *shares = &work->regions[work->regions[i].top].shares;
		uint64_t *cause_ns = work->regions[i].part.cause_ns;

		shares->total = capacity_of(work, work->regions[i].top);
		if (shares->whole <= shares->total) {
			if (work->regions[i].top == i)
				cause_ns[METRICS_SHORT_TEAM] += shares->total - shares->whole;
			continue;
		}
		for (size_t c = 0; c < METRICS_N_CAUSES; c++)
			cause_ns[c] = scale_blame_share(shares, cause_ns[c]);
	}
}

/* Makes metrics.cause_ns fill the capacity; what is missing is added to `rest`. */
static void fit_run(struct metrics *metrics, uint64_t capacity_ns, enum metrics_cause rest)
{
	uint64_t sum_ns = sum_of(metrics->cause_ns), excess_ns = metrics_less(sum_ns, capacity_ns);
	uint64_t weights[METRICS_N_CAUSES];

	if (excess_ns > metrics->cause_ns[METRICS_SERIAL])
		excess_ns = metrics->cause_ns[METRICS_SERIAL];
	metrics->cause_ns[METRICS_SERIAL] -= excess_ns;
	sum_ns = sum_of(metrics->cause_ns);
	if (sum_ns <= capacity_ns) {
		metrics->cause_ns[rest] += capacity_ns - sum_ns;
		return;
	}
	memcpy(weights, metrics->cause_ns, sizeof(weights));
	metrics_distribute(capacity_ns, weights, metrics->cause_ns, METRICS_N_CAUSES, rest);
}

/*
 * Scales a cause in all regions as the run's was scaled, if that shrank from before_ns. The run's
 * cause beyond the sum of the regions is in no region: serial_cause_ns.
 */
static void fit_cause(struct metrics *metrics, enum metrics_cause cause, uint64_t before_ns)
{
	uint64_t left_ns = metrics->cause_ns[cause];
	struct scale_blame_shares shares = { .total = left_ns, .whole = before_ns };

	for (size_t i = 0; i < metrics->n_regions; i++) {
		uint64_t *part_ns = &metrics->regions[i].cause_ns[cause];

		if (shares.total < before_ns)
			*part_ns = scale_blame_share(&shares, *part_ns);
		left_ns = metrics_less(left_ns, *part_ns);
	}
	metrics->serial_cause_ns[cause] = left_ns;
}

/* Fits the run's causes into the capacity, and the regions' with them. */
static void fit(struct metrics *metrics, uint64_t capacity_ns, enum metrics_cause rest)
{
	uint64_t before_ns[METRICS_N_CAUSES];

	memcpy(before_ns, metrics->cause_ns, sizeof(before_ns));
	fit_run(metrics, capacity_ns, rest);
	for (enum metrics_cause c = 0; c < METRICS_N_CAUSES; c++)
		fit_cause(metrics, c, before_ns[c]);
}

static void add_causes(struct metrics *metrics, const struct metrics_part *part)
{
	for (size_t c = 0; c < METRICS_N_CAUSES; c++)
		metrics_add(&metrics->cause_ns[c], part->cause_ns[c]);
}

static void add_all(struct metrics_work *work)
{
	for (size_t i = 0; i < work->metrics->n_regions; i++) {
		const struct metrics_part *part = &work->regions[i].part;

		memcpy(work->metrics->regions[i].cause_ns, part->cause_ns, sizeof(part->cause_ns));
		add_causes(work->metrics, part);
	}
	add_causes(work->metrics, &work->serial);
}

/* Moves as much as there is of a part of *from to a cause. */
static void move_idle(uint64_t *from, uint64_t ns, uint64_t *cause_ns)
{
	if (ns > *from)
		ns = *from;
	*from -= ns;
	metrics_add(cause_ns, ns);
}

/*
 * The wall time in no region, for all slots but the slot of the serial code, as far as the capacity
 * has room for it. While the serial code has no CPU, is in MPI or sleeps, other code could not run
 * on these slots either, so their time has the same reason.
 */
static void add_serial(struct metrics_work *work, uint64_t capacity_ns)
{
	static const struct {
		enum metrics_cause serial, idle;
	} reasons[] = {
		{ METRICS_NOT_RUNNING, METRICS_HELD_UP },
		{ METRICS_MPI, METRICS_MPI },
		{ METRICS_BLOCKED, METRICS_BLOCKED },
	};
	struct metrics *metrics = work->metrics;
	uint64_t most = capacity_ns / metrics->n_slots, idle_ns;
	uint64_t room_ns = metrics_less(capacity_ns, sum_of(metrics->cause_ns));

	if (metrics->serial_ns < most)
		most = metrics->serial_ns;
	idle_ns = (metrics->n_slots - 1) * most;
	if (idle_ns > room_ns)
		idle_ns = room_ns;
	move_idle(&idle_ns, work->idle_delay_ns, &metrics->cause_ns[METRICS_NOT_RUNNING]);
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		uint64_t ns = work->serial.cause_ns[reasons[i].serial];
		uint64_t *cause_ns = &metrics->cause_ns[reasons[i].idle];
		uint64_t before_ns = *cause_ns, others_ns = sum_of(work->serial.cause_ns) - ns;

		/* If there are several threads, another one may have worked meanwhile. */
		if (work->has_several && ns > metrics_less(metrics->serial_ns, others_ns))
			ns = metrics_less(metrics->serial_ns, others_ns);
		move_idle(&idle_ns, (metrics->n_slots - 1) * (ns < most ? ns : most), cause_ns);
		if (reasons[i].idle == METRICS_BLOCKED)
			metrics->idle_blocked_ns = *cause_ns - before_ns;
	}
	metrics_add(&metrics->cause_ns[METRICS_SERIAL], idle_ns);
}

static void cut_measured(struct metrics_work *work, uint64_t capacity_ns)
{
	struct metrics *metrics = work->metrics;

	for (size_t i = 0; i < metrics->n_regions; i++)
		cut_region(work, i);
	cut_serial(work);
	cut_spread(work);
	find_misplaced(work);
	metrics_bound_parts(work, metrics->n_regions + 1, programs_at);
	cut_off_cpu(work);
	bound_serial(work);
	fit_regions(work);
	add_all(work);
	add_serial(work, capacity_ns);
	fit(metrics, capacity_ns, METRICS_OVERHEAD);
}

/* The idle samples of all threads but the serial code's: they belong to no part. */
static uint64_t sampled_idle(const struct metrics_work *work)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < work->metrics->n_threads; i++) {
		if (!metrics_is_serial(work, i))
			metrics_add(&sum, work->threads[i].sampled[METRICS_SERIAL]);
	}
	return sum;
}

static void take_sampled(struct metrics_part *part)
{
	memcpy(part->cause_ns, part->sampled, sizeof(part->cause_ns));
}

/* Without measured waits: the causes are the time of samples. */
static void cut_sampled(struct metrics_work *work, uint64_t capacity_ns)
{
	struct metrics *metrics = work->metrics;
	uint64_t delay_ns = run_delay(work->profile), open_ns;

	for (size_t i = 0; i < metrics->n_regions; i++)
		take_sampled(&work->regions[i].part);
	take_sampled(&work->serial);
	add_all(work);
	metrics_add(&metrics->cause_ns[METRICS_SERIAL], sampled_idle(work));
	open_ns = metrics_less(capacity_ns, sum_of(metrics->cause_ns));
	metrics->cause_ns[METRICS_NOT_RUNNING] += delay_ns < open_ns ? delay_ns : open_ns;
	fit(metrics, capacity_ns, METRICS_BLOCKED);
}

void metrics_distribute_run(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;
	uint64_t capacity_ns = metrics->n_slots * metrics->wall_ns;

	if (metrics->has_waits)
		cut_measured(work, capacity_ns);
	else if (work->profile->header.clock_kind == PROFILE_CLOCK_EVENT)
		fit(metrics, capacity_ns, METRICS_USEFUL);
	else
		cut_sampled(work, capacity_ns);
}
