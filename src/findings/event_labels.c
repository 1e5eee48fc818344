/* SPDX-License-Identifier: Apache-2.0 */
/* Words for events; see event_labels.h. The values are those of OpenMP 5.1 and 5.2, 4.4.4 and 19.4.4. */
#include "src/findings/event_labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/shared/event_names.h"

/* Words by value; those without are numbers. */
struct words {
	const char *const *words;
	size_t n;
};

#define WORDS(list)                                                                                \
	{                                                                                          \
		(list), sizeof(list) / sizeof((list)[0])                                           \
	}

static const char *const statuses[] = { [1] = "complete",
	[2] = "yield",
	[3] = "cancel",
	[4] = "detach",
	[5] = "early fulfil",
	[6] = "late fulfil",
	[7] = "switch",
	[8] = "taskwait complete" };
static const char *const commands[] = { [1] = "start", [2] = "pause", [3] = "flush", [4] = "end" };
static const char *const dependences[] = { "other", "in", "out", "inout", "mutexinoutset", "source",
	"sink", "inoutset" };
static const char *const works[] = { [1] = "loop",
	[2] = "sections",
	[3] = "single, executor",
	[4] = "single, other",
	[5] = "workshare",
	[6] = "distribute",
	[7] = "taskloop",
	[8] = "scope",
	[10] = "loop, static",
	[11] = "loop, dynamic",
	[12] = "loop, guided",
	[13] = "loop, other" };
static const char *const sync_regions[] = { [1] = "barrier",
	[2] = "barrier, implicit",
	[3] = "barrier, explicit",
	[4] = "barrier, runtime's",
	[5] = "taskwait",
	[6] = "taskgroup",
	[7] = "reduction",
	[8] = "barrier, workshare",
	[9] = "barrier, closing",
	[10] = "barrier, teams" };
static const char *const mutexes[] = { [1] = "lock",
	[2] = "lock, test",
	[3] = "nestable lock",
	[4] = "nestable lock, test",
	[5] = "critical",
	[6] = "atomic",
	[7] = "ordered" };
static const char *const dispatches[] = { [1] = "iteration",
	[2] = "section",
	[3] = "loop chunk",
	[4] = "taskloop chunk",
	[5] = "distribute chunk" };
static const char *const severities[] = { [1] = "warning", [2] = "fatal" };

static const struct words of_events[] = {
	[PROFILE_EVENT_TASK_SCHEDULE] = WORDS(statuses),
	[PROFILE_EVENT_CONTROL_TOOL] = WORDS(commands),
	[PROFILE_EVENT_DEPENDENCES] = WORDS(dependences),
	[PROFILE_EVENT_WORK] = WORDS(works),
	[PROFILE_EVENT_SYNC_REGION] = WORDS(sync_regions),
	[PROFILE_EVENT_LOCK_INIT] = WORDS(mutexes),
	[PROFILE_EVENT_LOCK_DESTROY] = WORDS(mutexes),
	[PROFILE_EVENT_DISPATCH] = WORDS(dispatches),
	[PROFILE_EVENT_ERROR] = WORDS(severities),
};

/* Of bits that are set. */
struct flag {
	uint32_t bit;
	const char *word;
};

static const struct flag task_flags[] = { { 0x1, "initial" }, { 0x2, "implicit" },
	{ 0x4, "explicit" }, { 0x8, "target" }, { 0x10, "taskwait" }, { 0x08000000, "undeferred" },
	{ 0x10000000, "untied" }, { 0x20000000, "final" }, { 0x40000000, "mergeable" },
	{ 0x80000000, "merged" }, { 0, NULL } };
static const struct flag cancel_flags[] = { { 0x1, "parallel" }, { 0x2, "sections" },
	{ 0x4, "loop" }, { 0x8, "taskgroup" }, { 0x10, "activated" }, { 0x20, "detected" },
	{ 0x40, "discarded task" }, { 0, NULL } };

static void add(char *text, size_t bytes, const char *word)
{
	size_t used = strlen(text);

	snprintf(text + used, bytes - used, "%s%s", used ? ", " : "", word);
}

static void put_flags(char *text, size_t bytes, const struct flag *flags, uint64_t value)
{
	char number[32];

	for (; flags->word; flags++) {
		if (!(value & flags->bit))
			continue;
		add(text, bytes, flags->word);
		value &= ~(uint64_t)flags->bit;
	}
	snprintf(number, sizeof(number), "0x%" PRIx64, value);
	if (value || !text[0])
		add(text, bytes, number);
}

/* Events that have nothing to tell them apart. */
static int is_alike(uint32_t event)
{
	return event == PROFILE_EVENT_TASK_DEPENDENCE || event == PROFILE_EVENT_MASKED ||
	       event == PROFILE_EVENT_FLUSH;
}

void event_words_detail(char *text, size_t bytes, uint32_t event, uint64_t detail)
{
	const struct words *words =
		event < sizeof(of_events) / sizeof(of_events[0]) ? &of_events[event] : NULL;

	text[0] = '\0';
	if (event == PROFILE_EVENT_TASK_CREATE)
		put_flags(text, bytes, task_flags, detail);
	else if (event == PROFILE_EVENT_CANCEL)
		put_flags(text, bytes, cancel_flags, detail);
	else if (words && detail < words->n && words->words[detail])
		snprintf(text, bytes, "%s", words->words[detail]);
	else if (detail || !is_alike(event))
		snprintf(text, bytes, "%" PRIu64, detail);
}

void event_words_name(char *text, size_t bytes, uint32_t event, uint64_t detail)
{
	const char *name = event_name(event);
	char words[128];

	event_words_detail(words, sizeof(words), event, detail);
	snprintf(text, bytes, "%s%s%s", name ? name : "event", words[0] ? ": " : "", words);
}

const char *event_words_amount(uint32_t event, uint64_t detail)
{
	switch (event) {
	case PROFILE_EVENT_DEPENDENCES:
		return "dependences";
	case PROFILE_EVENT_WORK:
		return detail == 2 ? "sections" : detail == 5 ? "units" : "iterations";
	case PROFILE_EVENT_DISPATCH:
		return detail == 2 ? "sections" : "iterations";
	default:
		return NULL;
	}
}

int event_words_is_loop(uint32_t event, uint64_t detail)
{
	if (event == PROFILE_EVENT_WORK)
		return detail != 3 && detail != 4 && detail != 5 && detail != 8;
	return event == PROFILE_EVENT_DISPATCH;
}
