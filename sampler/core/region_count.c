/* SPDX-License-Identifier: Apache-2.0 */
/* How long executions of a region took; see region.h. Part of the signal-safe core. */
#include "profile/core/writer.h"
#include "sampler/core/region.h"
#include "sampler/core/region_fast_code.h"

/* The bucket of profile_region.lengths that so many ticks fall into. */
static uint32_t bucket_of(uint64_t ticks)
{
	uint64_t quarters = ticks >> 4;
	uint32_t octave, bucket;

	if (quarters < 8)
		return quarters < 4 ? 0 : (uint32_t)quarters - 4;
	octave = 61 - (uint32_t)__builtin_clzll(quarters);
	bucket = octave * 4 + (uint32_t)(quarters >> octave) - 4;
	return bucket < 128 ? bucket : 127;
}

TURN_CODE void region_count(const struct region *region, uint64_t ticks)
{
	struct profile_region *record = region->own.record;

	writer_count(&record->n, 1);
	if (!TURN_LIKELY(region->team.n_threads >= record->min_team))
		record->min_team = region->team.n_threads;
	if (!TURN_LIKELY(region->team.n_threads <= record->max_team))
		record->max_team = region->team.n_threads;
	writer_count(&record->wall, ticks);
	writer_count(&record->team_wall, ticks * region->team.n_threads);
	record->min = ticks < record->min ? ticks : record->min;
	record->max = ticks > record->max ? ticks : record->max;
	record->lengths[bucket_of(ticks)]++;
	pace_region_took(region_pace(record), ticks, region_all_from());
}
