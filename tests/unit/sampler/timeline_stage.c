/* SPDX-License-Identifier: Apache-2.0 */
/* A thread with a timeline and nothing else around it; see timeline_stage.h. */
#include "tests/unit/sampler/timeline_stage.h"

#include <string.h>

#include "profile/core/writer.h"
#include "sampler/core/timeline.h"
#include "sampler/core/tool.h"

struct tool tool;
struct timeline_stage timeline_stage;

static _Alignas(64) unsigned char segments[TIMELINE_STAGE_SEGMENTS][PROFILE_SEGMENT_BYTES];

struct profile_header *writer_header(void)
{
	return &timeline_stage.header;
}

void *writer_at(uint64_t offset)
{
	return (unsigned char *)segments + offset;
}

struct profile_segment *writer_segment(
	enum profile_segment_kind kind, uint32_t record_bytes, uint32_t owner, uint32_t *segment)
{
	struct profile_segment *claimed;

	if (timeline_stage.n_segments == timeline_stage.n_most)
		return NULL;
	*segment = timeline_stage.n_segments++;
	memset(segments[*segment], 0, PROFILE_SEGMENT_BYTES);
	claimed = (struct profile_segment *)segments[*segment];
	*claimed = (struct profile_segment){
		.kind = kind, .record_bytes = record_bytes, .owner = owner
	};
	return claimed;
}

void timeline_stage_begin(
	uint32_t n_most, uint64_t ticks_per_s, uint64_t start, uint64_t now, uint64_t trace_bytes)
{
	struct timeline_stage *stage = &timeline_stage;

	stage->n_most = n_most;
	stage->n_segments = 1;
	stage->header.ticks_per_s = ticks_per_s;
	thresholds_set(&tool.thresholds, ticks_per_s);
	stage->record = (struct profile_thread){ .index = 1 };
	memset(&stage->thread, 0, sizeof(stage->thread));
	stage->thread.record = &stage->record;
	tool.start_ticks = start;
	tool.stands_ticks = now;
	timeline_begin_all(trace_bytes);
	timeline_open(&stage->thread);
}
