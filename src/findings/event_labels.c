/* SPDX-License-Identifier: Apache-2.0 */
/* Words for events; see event_labels.h. */
#include "src/findings/event_labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/shared/event_names.h"

/* The word for a value of an event's detail, or for a bit of it: a DETAIL or FLAG of events.def. */
struct word {
	const char *list;
	uint64_t value;
	int is_flag;
	const char *word;
};

static const struct word words[] = {
#define DETAIL(list, value, name, word) { #list, (value), 0, (word) },
#define FLAG(list, bit, name, word)     { #list, (bit), 1, (word) },
#include "profile/shared/events.def"
};

enum { N_WORDS = sizeof(words) / sizeof(words[0]) };

/*
 * By event: the name of its list; "nothing" if its events have no detail. NULL for numbers without
 * a COUNTED entry in events.def.
 */
static const char *const lists[PROFILE_N_EVENTS] = {
#define COUNTED(NAME, number, name, use, detail, ...) [number] = #detail,
#include "profile/shared/events.def"
};

static void add(char *text, size_t bytes, const char *word)
{
	size_t used = strlen(text);

	snprintf(text + used, bytes - used, "%s%s", used ? ", " : "", word);
}

/*
 * Adds the words of the value; what is left of it, or a value that the list does not have, as a
 * number.
 */
static void put_words(char *text, size_t bytes, const char *list, uint64_t value)
{
	uint64_t left = value;
	char number[32];
	int is_flag = 0;

	for (size_t i = 0; i < N_WORDS; i++) {
		if (strcmp(words[i].list, list) != 0)
			continue;
		is_flag = words[i].is_flag;
		if (is_flag ? !(value & words[i].value) : value != words[i].value)
			continue;
		add(text, bytes, words[i].word);
		left &= ~words[i].value;
	}
	snprintf(number, sizeof(number), is_flag ? "0x%" PRIx64 : "%" PRIu64, left);
	if (left || !text[0])
		add(text, bytes, number);
}

void event_labels_detail(char *text, size_t bytes, uint32_t event, uint64_t detail)
{
	const char *list = event < PROFILE_N_EVENTS ? lists[event] : NULL;

	text[0] = '\0';
	if (detail || !list || strcmp(list, "nothing") != 0)
		put_words(text, bytes, list ? list : "", detail);
}

void event_labels_name(char *text, size_t bytes, uint32_t event, uint64_t detail)
{
	const char *name = event_name(event);
	char detail_words[128];

	event_labels_detail(detail_words, sizeof(detail_words), event, detail);
	snprintf(text, bytes, "%s%s%s", name ? name : "event", detail_words[0] ? ": " : "",
		detail_words);
}

const char *event_labels_amount(uint32_t event, uint64_t detail)
{
	static const char *const amounts[PROFILE_N_EVENTS] = {
#define COUNTED(NAME, number, name, use, detail, amount) [number] = (amount),
#include "profile/shared/events.def"
	};

	if (detail == 2 && (event == PROFILE_EVENT_WORK || event == PROFILE_EVENT_DISPATCH))
		return "sections";
	if (detail == 5 && event == PROFILE_EVENT_WORK)
		return "units";
	return event < PROFILE_N_EVENTS ? amounts[event] : NULL;
}

int event_labels_is_loop(uint32_t event, uint64_t detail)
{
	if (event == PROFILE_EVENT_WORK)
		return detail != 3 && detail != 4 && detail != 5 && detail != 8;
	return event == PROFILE_EVENT_DISPATCH;
}
