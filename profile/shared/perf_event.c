/* SPDX-License-Identifier: Apache-2.0 */
/* Names of perf events; see perf_event.h. */
#include "profile/shared/perf_event.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

static const struct perf_event events[] = {
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 5000000, 1 },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 5000000, 1 },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1, 0 },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 1, 0 },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1, 0 },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 1, 0 },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, 1, 0 },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, 0 },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0, 0 },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, 0, 0 },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 0, 0 },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0, 0 },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 0, 0 },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, 0, 0 },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, 0, 0 },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0,
		0 },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0,
		0 },
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
