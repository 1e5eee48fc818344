/* SPDX-License-Identifier: Apache-2.0 */
/* The records of regions and mutexes of a profile, in nanoseconds. See layout.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

static void read_times(const struct profile *profile, struct profile_region_record *record,
	const struct profile_region *region)
{
	record->wall_ns = reader_ns(profile, region->wall);
	record->min_ns = reader_ns(profile, region->min);
	record->max_ns = reader_ns(profile, region->max);
	record->team_wall_ns = reader_ns(profile, region->team_wall);
	record->imbalance_ns = reader_ns(profile, region->imbalance);
	record->release_ns = reader_ns(profile, region->release);
	record->starved_ns = reader_ns(profile, region->starved);
	record->elsewhere_ns = reader_ns(profile, region->elsewhere);
	record->team_elsewhere_ns = reader_ns(profile, region->team_elsewhere);
}

/* The bucket of profile_region.lengths for this length in ticks. */
static unsigned bucket_of(uint64_t ticks)
{
	uint64_t units = ticks >> 4;
	unsigned shift = 0;

	while (units >> shift >= 8)
		shift++;
	if (units < 4)
		return 0;
	return 4 * shift + (unsigned)(units >> shift) - 4 < 128
		       ? 4 * shift + (unsigned)(units >> shift) - 4
		       : 127;
}

/* Counts an unfinished execution as if it ended with its thread. */
static void add_open(const struct profile *profile, struct profile_region_record *record,
	const struct profile_region *region, uint64_t until)
{
	uint64_t ticks = until - region->open_since;
	uint64_t ns = reader_ns(profile, ticks);
	uint32_t team = region->open_team;

	record->wall_ns += ns;
	record->team_wall_ns += team && ns > PROFILE_MOST_NS / team ? PROFILE_MOST_NS : team * ns;
	if (!record->n || ns < record->min_ns)
		record->min_ns = ns;
	if (ns > record->max_ns)
		record->max_ns = ns;
	if (!record->n || team < record->min_team)
		record->min_team = team;
	if (team > record->max_team)
		record->max_team = team;
	record->n++;
	record->lengths[bucket_of(ticks)]++;
}

static int read_region(
	struct profile *profile, struct reader_work *work, const unsigned char *bytes)
{
	uint32_t index = (uint32_t)profile->n_regions, node;
	struct profile_region_record *record = &profile->regions[index];
	struct profile_region region;
	uint64_t until;

	memcpy(&region, bytes, sizeof(region));
	node = reader_node_of(profile, work, region.node, PROFILE_NODE_REGION);
	if (node == READER_NONE || profile->nodes[node].record != READER_NONE)
		return 0;
	profile->n_regions++;
	profile->nodes[node].record = index;
	*record = (struct profile_region_record){
		.node = node,
		.outer = reader_node_of(profile, work, region.outer, PROFILE_NODE_REGION),
		.min_team = region.min_team,
		.max_team = region.max_team,
		.n = region.n,
		.n_barriers = region.n_barriers,
		.n_others = region.n_others,
	};
	memcpy(record->n_last, region.n_last, sizeof(record->n_last));
	memcpy(record->lengths, region.lengths, sizeof(record->lengths));
	read_times(profile, record, &region);
	until = reader_end_of(profile, work, profile->nodes[node].owner);
	if (region.open_since && region.open_since > profile->header.start_ticks &&
		region.open_since < until)
		add_open(profile, record, &region, until);
	else
		region.open_since = 0;
	work->open[index] = (struct reader_open){ region.open_since, region.last_end };
	return 1;
}

int reader_read_regions(struct profile *profile, struct reader_work *work)
{
	profile->regions =
		reader_alloc(work->input, PROFILE_SEGMENT_REGIONS, sizeof(*profile->regions), 0);
	work->open = reader_alloc(work->input, PROFILE_SEGMENT_REGIONS, sizeof(*work->open), 0);
	if (!profile->regions || !work->open)
		return -1;
	if (profile->has_ticks)
		reader_each(profile, work, PROFILE_SEGMENT_REGIONS, read_region);
	return 0;
}

/* Counts an unfinished hold as if it ended with its thread. */
static void add_open_hold(const struct profile *profile, struct profile_lock_record *record,
	const struct reader_work *work)
{
	const struct profile_open *open = &profile->threads[record->thread].open;
	uint64_t until = reader_end_of(profile, work, record->thread), ns;

	if (!open->mutex || open->mutex != PROFILE_WAIT_KEY(record->kind, record->wait_id) ||
		open->mutex_since <= profile->header.start_ticks || open->mutex_since >= until)
		return;
	ns = reader_ns(profile, until - open->mutex_since);
	record->n_held++;
	record->held_ns += ns;
	if (ns > record->max_held_ns)
		record->max_held_ns = ns;
}

static int read_lock(struct profile *profile, struct reader_work *work, const unsigned char *bytes)
{
	struct profile_lock_record *record = &profile->locks[profile->n_locks];
	struct profile_lock lock;
	size_t thread;

	memcpy(&lock, bytes, sizeof(lock));
	thread = reader_find_thread(profile, lock.thread);
	if (lock.kind == PROFILE_NO_WAIT || lock.kind >= PROFILE_N_WAITS ||
		thread == profile->n_threads)
		return 0;
	*record = (struct profile_lock_record){
		.wait_id = PROFILE_WAIT_ID(lock.wait_id),
		.kind = (uint8_t)lock.kind,
		.thread = (uint32_t)thread,
		.codeptr = lock.codeptr,
		.n_acquired = lock.n_acquired,
		.n_estimated = lock.n_estimated,
		.n_contended = lock.n_contended,
		.wait_ns = reader_ns(profile, lock.wait),
		.max_wait_ns = reader_ns(profile, lock.max_wait),
		.n_held = lock.n_held,
		.held_ns = reader_ns(profile, lock.held),
		.max_held_ns = reader_ns(profile, lock.max_held),
		.impl = lock.impl,
		.hints = lock.hints,
	};
	add_open_hold(profile, record, work);
	profile->n_locks++;
	return 1;
}

int reader_read_locks(struct profile *profile, struct reader_work *work)
{
	profile->locks =
		reader_alloc(work->input, PROFILE_SEGMENT_LOCKS, sizeof(*profile->locks), 0);
	if (!profile->locks)
		return -1;
	if (profile->has_ticks)
		reader_each(profile, work, PROFILE_SEGMENT_LOCKS, read_lock);
	return 0;
}
