/* SPDX-License-Identifier: Apache-2.0 */
/* Names of perf events; see perf_event.h. */
#include "profile/shared/perf_event.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define HARDWARE(name, which)                                                                      \
	{                                                                                          \
		name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##which, 0, 0                              \
	}
#define SOFTWARE(name, which, period, is_time)                                                     \
	{                                                                                          \
		name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##which, period, is_time                   \
	}

static const struct perf_event events[] = {
	SOFTWARE("task-clock", TASK_CLOCK, 5000000, 1),
	SOFTWARE("cpu-clock", CPU_CLOCK, 5000000, 1),
	SOFTWARE("page-faults", PAGE_FAULTS, 1, 0),
	SOFTWARE("minor-faults", PAGE_FAULTS_MIN, 1, 0),
	SOFTWARE("major-faults", PAGE_FAULTS_MAJ, 1, 0),
	SOFTWARE("context-switches", CONTEXT_SWITCHES, 1, 0),
	SOFTWARE("cpu-migrations", CPU_MIGRATIONS, 1, 0),
	HARDWARE("cycles", CPU_CYCLES),
	HARDWARE("instructions", INSTRUCTIONS),
	HARDWARE("cache-references", CACHE_REFERENCES),
	HARDWARE("cache-misses", CACHE_MISSES),
	HARDWARE("branches", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", BRANCH_MISSES),
	HARDWARE("bus-cycles", BUS_CYCLES),
	HARDWARE("ref-cycles", REF_CPU_CYCLES),
	HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
};

int perf_event_find(const char *name, struct perf_event *event)
{
	char *end;

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (strcmp(events[i].name, name) != 0)
			continue;
		*event = events[i];
		return 0;
	}
	if (name[0] != 'r' || name[1] == '\0')
		return -1;
	*event = (struct perf_event){ .name = "raw", .type = PERF_TYPE_RAW };
	event->config = strtoull(name + 1, &end, 16);
	return *end ? -1 : 0;
}

int perf_event_parse(const char *text, char *name, unsigned name_bytes, uint64_t *period)
{
	const char *at = strchr(text, '@');
	size_t bytes = at ? (size_t)(at - text) : strlen(text);
	struct perf_event event;
	char *end;

	*period = 0;
	if (bytes == 0 || bytes >= name_bytes)
		return -1;
	memcpy(name, text, bytes);
	name[bytes] = '\0';
	if (at) {
		*period = strtoull(at + 1, &end, 10);
		if (at[1] < '0' || at[1] > '9' || *end || *period == 0)
			return -1;
	}
#define CLOCK(word, file, kind)                                                                    \
	if (strcmp(name, #word) == 0)                                                              \
		return at ? -1 : 0;
#include "profile/shared/clocks.def"
#undef CLOCK
	return perf_event_find(name, &event);
}
