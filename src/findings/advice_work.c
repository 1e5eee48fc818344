/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worksharing constructs before a barrier; see advice_internal.h. They are only known if work
 * events were counted.
 */
#include "src/findings/advice_internal.h"

#include <string.h>

/* By the detail of a work event: ompt_work_t. 0: it is not followed by a barrier of its own. */
static const uint8_t works[] = {
	[1] = ADVICE_WORK_LOOP,
	[2] = ADVICE_WORK_NO_LOOP,
	[3] = ADVICE_WORK_SINGLE, /* by the thread that executes it, and by the others */
	[4] = ADVICE_WORK_SINGLE,
	[5] = ADVICE_WORK_NO_LOOP,
	[8] = ADVICE_WORK_NO_LOOP,
	[10] = ADVICE_WORK_STATIC,
	[11] = ADVICE_WORK_DYNAMIC,
	[12] = ADVICE_WORK_GUIDED,
	[13] = ADVICE_WORK_LOOP,
};

static int is_at(const struct findings_event *event, const struct findings_wait *wait)
{
	const char *file = wait->place.line ? wait->place.file : wait->label->file;
	uint32_t line = wait->place.line ? wait->place.line : wait->label->line;

	return line && event->place.line == line && strcmp(event->place.file, file) == 0;
}

enum advice_work advice_work_of(const struct findings *figures,
	const struct findings_region *region, const struct findings_wait *wait)
{
	size_t index = (size_t)(region - figures->regions);
	enum advice_work work = ADVICE_WORK_UNKNOWN;

	for (size_t i = 0; i < figures->n_events; i++) {
		const struct findings_event *event = &figures->events[i];
		enum advice_work of_event =
			event->event == PROFILE_EVENT_WORK && event->detail < sizeof(works)
				? works[event->detail]
				: ADVICE_WORK_UNKNOWN;

		if (!of_event || event->region != index || (wait && !is_at(event, wait)))
			continue;
		if (!work || work == of_event)
			work = of_event;
		else if (work <= ADVICE_WORK_SINGLE && of_event <= ADVICE_WORK_SINGLE)
			work = ADVICE_WORK_NO_LOOP;
		else
			return ADVICE_WORK_UNKNOWN;
	}
	return work;
}

enum advice_remedy advice_work_remedy(enum advice_work work)
{
	static const enum advice_remedy remedies[] = {
		[ADVICE_WORK_UNKNOWN] = ADVICE_TRY_SPLIT,
		[ADVICE_WORK_NO_LOOP] = ADVICE_TRY_SPLIT,
		[ADVICE_WORK_SINGLE] = ADVICE_TRY_SINGLE,
		[ADVICE_WORK_LOOP] = ADVICE_TRY_DYNAMIC,
		[ADVICE_WORK_STATIC] = ADVICE_TRY_DYNAMIC,
		[ADVICE_WORK_GUIDED] = ADVICE_TRY_DYNAMIC,
		[ADVICE_WORK_DYNAMIC] = ADVICE_TRY_CHUNK,
	};

	return remedies[work];
}

const char *advice_work_hint(enum advice_work work)
{
	static const char *const hints[] = {
		[ADVICE_WORK_UNKNOWN] = "loop: dynamic?",
		[ADVICE_WORK_NO_LOOP] = "",
		[ADVICE_WORK_SINGLE] = "",
		[ADVICE_WORK_LOOP] = "loop: dynamic?",
		[ADVICE_WORK_STATIC] = "schedule(dynamic)",
		[ADVICE_WORK_GUIDED] = "schedule(dynamic)",
		[ADVICE_WORK_DYNAMIC] = "long chunks?",
	};

	return hints[work];
}
