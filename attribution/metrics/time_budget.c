/* SPDX-License-Identifier: Apache-2.0 */
/* Divides a part of the threads' time into causes; see metrics_internal.h. */
#include <string.h>

#include "attribution/metrics/metrics_internal.h"

enum metrics_cause metrics_cause_of_class(uint8_t class)
{
	static const uint8_t causes[] = {
#define CLASS(NAME, value, word, label, time, cause) [value] = METRICS_##cause,
#include "profile/shared/classes.def"
	};

	return causes[class];
}

enum metrics_cause metrics_cause_of_wait(uint8_t wait)
{
	return metrics_cause_of_class((uint8_t)tree_wait_class(wait));
}

int metrics_is_sampled(enum metrics_cause cause)
{
	enum { SAMPLED = 1, TIMED = 0 };
	static const uint8_t is_sampled[] = {
#define CAUSE(                                                                                     \
	NAME, word, label, advice, heading, columns, json, factor, process, thread, how, ...)      \
	[METRICS_##NAME] = (how),
#include "attribution/metrics/causes.def"
	};

	return is_sampled[cause];
}

static uint64_t sum_of(const uint64_t *amounts, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		metrics_add(&sum, amounts[i]);
	return sum;
}

void metrics_distribute(
	uint64_t total, const uint64_t *weights, uint64_t *parts, size_t n, size_t rest)
{
	struct scale_blame_shares shares = { .total = total, .whole = sum_of(weights, n) };

	for (size_t i = 0; i < n; i++)
		parts[i] = scale_blame_share(&shares, weights[i]);
	parts[rest] += total - shares.given;
}

/* Moves as much of *left as there is in *from. */
static void move(uint64_t *from, uint64_t *left, uint64_t *to)
{
	uint64_t ns = *from < *left ? *from : *left;

	*from -= ns;
	*left -= ns;
	*to += ns;
}

/*
 * Moves up to the sum of barrier_ns and waited_ns[METRICS_IMBALANCE] out of barrier[], in the given
 * order, and then out of waits[METRICS_IMBALANCE]; and up to waited_ns[] out of the other waits[].
 * Returns what it moved.
 */
static uint64_t move_parts(uint64_t barrier_ns, const uint64_t *waited_ns, const size_t *order,
	uint64_t *barrier, uint64_t *waits)
{
	uint64_t left = add_saturated(barrier_ns, waited_ns[METRICS_IMBALANCE]), moved_ns = 0;

	for (size_t i = 0; i < 3; i++)
		move(&barrier[order[i]], &left, &moved_ns);
	move(&waits[METRICS_IMBALANCE], &left, &moved_ns);
	for (size_t c = 0; c < METRICS_N_CAUSES; c++) {
		left = c == METRICS_IMBALANCE ? 0 : waited_ns[c];
		move(&waits[c], &left, &moved_ns);
	}
	return moved_ns;
}

/*
 * Moves the time without a CPU, the threads' own and that of the threads that they wait for, out of
 * the causes of measured waits. A member that is slow to leave a barrier mostly lacks a CPU, as the
 * runtime's work there is short. So a thread's own time without a CPU is first taken from the
 * release. The time that other threads had no CPU delays the last arrival, so it is first taken
 * from the time before that arrival.
 */
static void move_delays(const struct metrics_part *part, uint64_t *barrier, uint64_t *waits)
{
	static const size_t own[] = { 1, 0, 2 }, others[] = { 0, 2, 1 };
	uint64_t delay_ns =
		move_parts(part->barrier_delay_ns, part->waited_delay_ns, own, barrier, waits);
	uint64_t held_ns =
		move_parts(part->barrier_held_ns, part->waited_held_ns, others, barrier, waits);

	metrics_add(&waits[METRICS_NOT_RUNNING], delay_ns);
	metrics_add(&waits[METRICS_HELD_UP], held_ns);
}

/* Divides the measured waits by cause; no more than the whole. Returns their sum. */
static uint64_t cut_waits(struct metrics_part *part)
{
	uint64_t ratio[3] = { part->imbalance_ns, part->release_ns, part->starved_ns };
	uint64_t barrier[3], waits[METRICS_N_CAUSES], sum;

	memcpy(waits, part->waited_ns, sizeof(waits));
	metrics_distribute(part->barrier_ns, ratio, barrier, 3, 0);
	move_delays(part, barrier, waits);
	metrics_add(&waits[METRICS_IMBALANCE], barrier[0]);
	metrics_add(&waits[METRICS_OVERHEAD], barrier[1]);
	metrics_add(&waits[METRICS_TASK], barrier[2]);
	sum = sum_of(waits, METRICS_N_CAUSES);
	if (sum > part->whole_ns)
		sum = part->whole_ns;
	metrics_distribute(sum, waits, part->cause_ns, METRICS_N_CAUSES, METRICS_IMBALANCE);
	return sum;
}

int metrics_is_off_cpu(const struct profile *profile, uint64_t busy_ns, uint64_t sampled_ns)
{
	double period = (double)profile->header.period, sampled = (double)sampled_ns;
	double open = (double)busy_ns - sampled - 4 * period;

	return profile->header.clock_kind == PROFILE_CLOCK_CPU && open > 0 &&
	       sampled < 0.95 * (double)busy_ns && open * open > 9 * sampled * period;
}

static void add_shares(struct metrics_part *part, uint64_t total, const uint64_t *weights)
{
	uint64_t shares[METRICS_N_CAUSES];

	metrics_distribute(total, weights, shares, METRICS_N_CAUSES, METRICS_USEFUL);
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		part->cause_ns[i] += shares[i];
}

/* Copies the time of samples by cause, less the time of measured reductions. Returns the sum. */
static uint64_t copy_sampled(const struct metrics_part *part, uint64_t *sampled)
{
	memcpy(sampled, part->sampled, sizeof(part->sampled));
	sampled[METRICS_OVERHEAD] -= sampled[METRICS_OVERHEAD] < part->reduction_ns
					     ? sampled[METRICS_OVERHEAD]
					     : part->reduction_ns;
	return sum_of(sampled, METRICS_N_CAUSES);
}

uint64_t metrics_sampled_of(const struct metrics_part *part)
{
	uint64_t sampled[METRICS_N_CAUSES];

	return copy_sampled(part, sampled);
}

void metrics_take_off_cpu(struct metrics_part *part, uint64_t off_ns)
{
	uint64_t sampled[METRICS_N_CAUSES], shares[METRICS_N_CAUSES] = { 0 };

	if (off_ns == 0)
		return;
	copy_sampled(part, sampled);
	metrics_distribute(off_ns, sampled, shares, METRICS_N_CAUSES, METRICS_USEFUL);
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		uint64_t ns = shares[i] < part->cause_ns[i] ? shares[i] : part->cause_ns[i];

		part->cause_ns[i] -= ns;
		part->cause_ns[METRICS_BLOCKED] += ns;
		part->off_ns += ns;
	}
}

void metrics_share_parts(struct metrics_work *work, size_t n, metrics_part_at *at, uint64_t total,
	const struct metrics_sharing *sharing)
{
	struct scale_blame_shares shares = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct metrics_part *part = at(work, i);

		if (part)
			metrics_add(&shares.whole, sharing->weight(part));
	}
	shares.total = total < shares.whole ? total : shares.whole;
	for (size_t i = 0; i < n; i++) {
		struct metrics_part *part = at(work, i);

		if (part)
			sharing->take(part, scale_blame_share(&shares, sharing->weight(part)));
	}
}

uint64_t metrics_off_of(const struct metrics_part *part)
{
	return part->off_ns;
}

void metrics_bound_off_cpu(struct metrics_part *part, uint64_t most_ns)
{
	uint64_t ns = part->off_ns > most_ns ? part->off_ns - most_ns : 0;

	part->off_ns -= ns;
	part->cause_ns[METRICS_BLOCKED] -= ns;
	part->cause_ns[METRICS_OVERHEAD] += ns;
}

void metrics_bound_parts(struct metrics_work *work, size_t n, metrics_part_at *at)
{
	static const struct metrics_sharing bounded = { metrics_off_of, metrics_bound_off_cpu };

	metrics_share_parts(work, n, at, work->off_ns, &bounded);
}

/*
 * Takes the time without a CPU that is in no wait from the busy time beyond the samples, then from
 * the overhead.
 */
static void cut_delay(struct metrics_part *part, uint64_t sampled_ns)
{
	uint64_t left = part->busy_delay_ns;
	uint64_t room = part->busy_ns > sampled_ns ? part->busy_ns - sampled_ns : 0;

	part->busy_ns -= room;
	move(&room, &left, &part->cause_ns[METRICS_NOT_RUNNING]);
	part->busy_ns += room;
	move(&part->cause_ns[METRICS_OVERHEAD], &left, &part->cause_ns[METRICS_NOT_RUNNING]);
	part->misplaced_ns = left;
}

/*
 * The time of samples in waits for mutexes beyond the measured waits, if it is more than samples
 * can err: three standard deviations. The threads had a CPU then, and waited for nobody: they
 * acquired mutexes that were free, or tested mutexes.
 */
static uint64_t unwaited(const struct metrics_part *part, const struct profile *profile)
{
	double waited = (double)part->waited_ns[METRICS_LOCK];
	double more = (double)part->mutex_sampled_ns - waited;

	return profile->header.clock_kind == PROFILE_CLOCK_CPU && more > 0 &&
			       more * more > 9 * waited * (double)profile->header.period
		       ? (uint64_t)more
		       : 0;
}

void metrics_distribute_part(struct metrics_part *part, const struct profile *profile)
{
	uint64_t waits_ns = cut_waits(part), left_ns = part->whole_ns - waits_ns;
	uint64_t sampled[METRICS_N_CAUSES], sampled_ns;

	metrics_add(&part->sampled[METRICS_USEFUL], unwaited(part, profile));
	sampled_ns = copy_sampled(part, sampled);
	if (part->busy_ns > left_ns)
		part->busy_ns = left_ns;
	part->cause_ns[METRICS_OVERHEAD] += left_ns - part->busy_ns;
	cut_delay(part, sampled_ns);
	if (metrics_is_off_cpu(profile, part->busy_ns, sampled_ns)) {
		part->off_ns = part->busy_ns - sampled_ns;
		part->cause_ns[METRICS_BLOCKED] += part->off_ns;
	}
	add_shares(part, part->busy_ns - part->off_ns, sampled);
}

struct metrics_thread metrics_sum_part(const struct metrics_part *part)
{
	const uint64_t *cause_ns = part->cause_ns;

	struct metrics_thread sum = { .total_ns = part->whole_ns };

#define CAUSE(NAME, word, label, advice, heading, columns, json, factor, process, thread, ...)     \
	sum.thread += cause_ns[METRICS_##NAME];
#include "attribution/metrics/causes.def"
	return sum;
}
