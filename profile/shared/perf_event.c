/* SPDX-License-Identifier: Apache-2.0 */
/* Names of perf events; see perf_event.h. */
#include "profile/shared/perf_event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct perf_event events[] = {
#define PERF_EVENT(name, type, ...) { name, PERF_TYPE_##type, __VA_ARGS__ },
#include "profile/shared/perf_events.def"
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

static const char by_default[] = "cycles,instructions,cache-misses,stalled-cycles-frontend,"
				 "stalled-cycles-backend";

static int is_listed(const struct perf_event_list *list, const char *name)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (strcmp(list->name[i], name) == 0)
			return 1;
	return 0;
}

/* Adds the event of this name, if it is not listed yet. Returns 0, or -1. */
static int add(struct perf_event_list *list, const char *name)
{
	if (is_listed(list, name))
		return 0;
	if (list->n == PROFILE_MOST_COUNTERS || perf_event_find(name, &list->event[list->n]) != 0)
		return -1;
	strcpy(list->name[list->n++], name);
	return 0;
}

/* Copies the name that `text` begins with, cut if need be. Returns its length. */
static size_t take_name(const char *text, char name[PROFILE_COUNTER_BYTES])
{
	size_t length = strcspn(text, ","), kept = length;

	if (kept >= PROFILE_COUNTER_BYTES)
		kept = PROFILE_COUNTER_BYTES - 1;
	memcpy(name, text, kept);
	name[kept] = '\0';
	return length;
}

static int add_all(
	struct perf_event_list *list, const char *text, char unknown[PROFILE_COUNTER_BYTES])
{
	size_t length;

	for (;; text += length + 1) {
		length = take_name(text, unknown);
		if (length >= PROFILE_COUNTER_BYTES || add(list, unknown) != 0)
			return -1;
		if (!text[length])
			return 0;
	}
}

int perf_event_list_parse(
	const char *text, struct perf_event_list *list, char unknown[PROFILE_COUNTER_BYTES])
{
	*list = (struct perf_event_list){ 0 };
	return add_all(list, strcmp(text, "default") == 0 ? by_default : text, unknown);
}

/* Why the kernel refuses a counter. */
static const char *reason_of(uint32_t error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return "this machine has none";
	case EINVAL:
		return "the processor cannot count so much at a time";
	case EACCES:
	case EPERM:
		return "perf_event_paranoid or the container forbids it";
	case ENOSYS:
		return "there are no perf events here";
	default:
		return strerror((int)error);
	}
}

int perf_event_refusal(char *text, size_t bytes, const struct profile_counters *counters)
{
	size_t used = 0;

	for (uint32_t i = 0; i < counters->n && i < PROFILE_MOST_COUNTERS; i++) {
		if (counters->counted >> i & 1)
			continue;
		used += (size_t)snprintf(text + used, bytes - used, "%s%s",
			used ? ", " : "not counted: ", counters->names[i]);
		if (used >= bytes)
			return 1;
	}
	if (used)
		snprintf(text + used, bytes - used, " (%s)", reason_of(counters->refusal));
	return used > 0;
}
