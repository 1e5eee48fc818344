/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up, reads and frees finished figures; see metrics.h. */
#include "attribution/metrics/metrics.h"

#include <stdlib.h>
#include <string.h>

uint64_t metrics_lost(const struct metrics_region *region)
{
	uint64_t sum = 0;

	for (size_t c = 0; c < METRICS_N_CAUSES; c++)
		metrics_add(&sum, c == METRICS_USEFUL ? 0 : region->cause_ns[c]);
	return sum;
}

void metrics_release(struct metrics *metrics)
{
	for (size_t i = 0; i < metrics->n_regions; i++)
		free(metrics->regions[i].lengths);
	free(metrics->regions);
	free(metrics->waits);
	free(metrics->blame);
	free(metrics->threads);
	free(metrics->locks);
	free(metrics->tasks);
	free(metrics->targets);
	free(metrics->devices);
	free(metrics->awaits);
	free(metrics->events);
	free(metrics->shares);
	free(metrics->ranks.late);
	free(metrics->phases);
	*metrics = (struct metrics){ 0 };
}

/* Adds up structs of 64-bit sums alone. */
static void add_sums(void *to, const void *from, size_t bytes)
{
	uint64_t *sums = to;
	const uint64_t *more = from;

	for (size_t i = 0; i < bytes / sizeof(*sums); i++)
		metrics_add(&sums[i], more[i]);
}

void metrics_counts_add(struct metrics_counts *to, const struct metrics_counts *from)
{
	add_sums(to, from, sizeof(*to));
}

void metrics_region_add(struct metrics_region *to, const struct metrics_region *from)
{
	if (from->n > 0 && (to->n == 0 || from->min_ns < to->min_ns))
		to->min_ns = from->min_ns;
	metrics_raise(&to->max_ns, from->max_ns);
	if (from->min_team && (to->min_team == 0 || from->min_team < to->min_team))
		to->min_team = from->min_team;
	if (from->max_team > to->max_team)
		to->max_team = from->max_team;
	metrics_add(&to->n, from->n);
	metrics_add(&to->wall_ns, from->wall_ns);
	metrics_add(&to->thread_ns, from->thread_ns);
	metrics_add(&to->persistent_ns, from->persistent_ns);
	metrics_add(&to->n_barriers, from->n_barriers);
	metrics_add(&to->n_tasks, from->n_tasks);
	metrics_add(&to->dependence_ns, from->dependence_ns);
	metrics_add(&to->unseen_ns, from->unseen_ns);
	metrics_counts_add(&to->work, &from->work);
	if (from->slowest == to->slowest) {
		to->n_slowest += from->n_slowest;
	} else if (from->n_slowest > to->n_slowest) {
		to->slowest = from->slowest;
		to->n_slowest = from->n_slowest;
	}
	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		metrics_add(&to->cause_ns[i], from->cause_ns[i]);
}

int metrics_lengths_add(uint32_t **to, const uint32_t *from)
{
	if (!from)
		return 0;
	if (!*to)
		*to = calloc(METRICS_N_LENGTHS, sizeof(**to));
	if (!*to)
		return -1;
	for (size_t i = 0; i < METRICS_N_LENGTHS; i++)
		(*to)[i] += from[i];
	return 0;
}

void metrics_task_add(struct metrics_task *to, const struct metrics_task *from)
{
	to->n_created += from->n_created;
	to->n_executed += from->n_executed;
	to->n_stolen += from->n_stolen;
	to->busy_ns += from->busy_ns;
	to->unseen_ns += from->unseen_ns;
	to->starved_ns += from->starved_ns;
	to->n_cancelled += from->n_cancelled;
	to->n_detached += from->n_detached;
	to->n_fulfilled += from->n_fulfilled;
	metrics_add(&to->n_awaiting, from->n_awaiting);
	metrics_add(&to->await_ns, from->await_ns);
	metrics_add(&to->blocked_ns, from->blocked_ns);
	metrics_raise(&to->max_ns, from->max_ns);
	if (from->n_creators > to->n_creators)
		to->n_creators = from->n_creators;
}

void metrics_thread_add(struct metrics_thread *to, const struct metrics_thread *from)
{
	add_sums(to, from, sizeof(*to));
}

static int by_share(const void *left, const void *right)
{
	const struct metrics_share *a = left, *b = right;

	return a->node != b->node ? metrics_order(a->node, b->node)
				  : metrics_order(a->process, b->process);
}

static void add_share(void *left, const void *right)
{
	struct metrics_share *to = left;
	const struct metrics_share *from = right;

	metrics_add(&to->work_ns, from->work_ns);
	metrics_add(&to->samples, from->samples);
	metrics_add(&to->asleep_ns, from->asleep_ns);
	metrics_add(&to->mpi_ns, from->mpi_ns);
}

const struct metrics_kind metrics_shares = { sizeof(struct metrics_share), by_share, add_share,
	by_share };

size_t metrics_fold(void *entries, size_t n, const struct metrics_kind *kind)
{
	char *items = entries, *last = items;
	size_t n_left = 0;

	if (n)
		qsort(items, n, kind->bytes, kind->by_key);
	for (size_t i = 0; i < n; i++) {
		const char *item = items + i * kind->bytes;

		if (n_left && kind->by_key(last, item) == 0) {
			kind->add(last, item);
			continue;
		}
		last = items + n_left++ * kind->bytes;
		if (last != item)
			memcpy(last, item, kind->bytes);
	}
	return n_left;
}

uint64_t metrics_capacity(const struct metrics *metrics)
{
	return metrics->n_processes ? metrics->capacity_ns : metrics->n_slots * metrics->wall_ns;
}

uint64_t metrics_gain(const struct metrics *metrics, uint64_t thread_ns)
{
	if (!metrics->n_processes)
		return metrics->n_slots ? thread_ns / metrics->n_slots : 0;
	return metrics->capacity_ns ? (uint64_t)((unsigned __int128)thread_ns * metrics->wall_ns /
						 metrics->capacity_ns)
				    : 0;
}

uint64_t metrics_ideal(const struct metrics *metrics)
{
	uint64_t useful_ns = metrics->cause_ns[METRICS_USEFUL];
	uint64_t ideal_ns = metrics_gain(metrics, useful_ns);

	if (metrics->n_cpus)
		metrics_raise(&ideal_ns, useful_ns / metrics->n_cpus);
	return ideal_ns < metrics->wall_ns ? ideal_ns : metrics->wall_ns;
}

uint64_t metrics_most_gain(const struct metrics *metrics, uint64_t thread_ns)
{
	uint64_t gain_ns = metrics_gain(metrics, thread_ns);
	uint64_t most_ns = metrics->wall_ns - metrics_ideal(metrics);

	return gain_ns < most_ns ? gain_ns : most_ns;
}

uint64_t metrics_slots(const struct metrics *metrics)
{
	if (!metrics->n_processes || !metrics->wall_ns)
		return (uint64_t)(metrics->n_slots ? metrics->n_slots : 1) * 1000000000;
	return (uint64_t)((unsigned __int128)metrics->capacity_ns * 1000000000 / metrics->wall_ns);
}

uint64_t metrics_wall(const struct metrics *metrics, uint64_t walls_ns)
{
	if (!metrics->n_processes || !metrics->walls_ns)
		return walls_ns;
	return (uint64_t)((unsigned __int128)walls_ns * metrics->wall_ns / metrics->walls_ns);
}

/* The shortest length in bucket `b`, in ticks. */
static uint64_t bucket_begin(unsigned b)
{
	return b ? (uint64_t)(4 + b % 4) << (b / 4) << 4 : 0;
}

double metrics_bucket_middle(unsigned b)
{
	return ((double)bucket_begin(b) + (double)bucket_begin(b + 1)) / 2;
}

double metrics_bucket_width(unsigned b)
{
	return (double)(bucket_begin(b + 1) - bucket_begin(b));
}

unsigned metrics_bucket(double ticks)
{
	unsigned b = 0;

	while (b < 127 && (double)bucket_begin(b + 1) <= ticks)
		b++;
	return b;
}

/* The middle of bucket `b` in ns, within the shortest and the longest execution of the region. */
static uint64_t bucket_middle(
	const struct metrics *metrics, const struct metrics_region *region, unsigned b)
{
	double ticks = metrics_bucket_middle(b);
	double ns = metrics->ticks_per_s ? ticks * 1e9 / (double)metrics->ticks_per_s : 0;

	if (ns < (double)region->min_ns)
		return region->min_ns;
	return ns > (double)region->max_ns ? region->max_ns : (uint64_t)ns;
}

uint64_t metrics_quantile(
	const struct metrics *metrics, const struct metrics_region *region, unsigned permille)
{
	uint64_t n = 0, wanted;

	for (unsigned b = 0; region->lengths && b < METRICS_N_LENGTHS; b++)
		n += region->lengths[b];
	wanted = (n * permille + 999) / 1000;
	if (!wanted)
		return region->min_ns;
	for (unsigned b = 0; b < METRICS_N_LENGTHS; b++) {
		if (region->lengths[b] >= wanted)
			return bucket_middle(metrics, region, b);
		wanted -= region->lengths[b];
	}
	return region->max_ns;
}
