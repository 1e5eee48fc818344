/* SPDX-License-Identifier: Apache-2.0 */
/* Names of events; see event_names.h. OpenMP 5.1, 4.5.2. */
#include "profile/shared/event_names.h"

#include <string.h>

/* By the specification's numbers, as enum profile_event. */
static const char *const names[EVENTS_N_CALLBACKS] = {
#define COUNTED(NAME, number, name, ...) [number] = #name,
#define CALLBACK(number, name, ...)      [number] = #name,
#include "profile/shared/events.def"
};

static const uint8_t uses[EVENTS_N_CALLBACKS] = {
#define COUNTED(NAME, number, name, use, ...) [number] = EVENT_##use,
#define CALLBACK(number, name, use)           [number] = EVENT_##use,
#include "profile/shared/events.def"
};

const char *const event_words[] = {
	"all",
	"default",
#define COUNTED(NAME, number, name, ...) #name,
#include "profile/shared/events.def"
	NULL,
};

const char *event_name(uint32_t event)
{
	return event < EVENTS_N_CALLBACKS ? names[event] : NULL;
}

int event_is_needed(uint32_t event)
{
	return event < EVENTS_N_CALLBACKS &&
	       (uses[event] == EVENT_THREADS || uses[event] == EVENT_CONSTRUCTS);
}

static int is_word(const char *name, size_t bytes, const char *word)
{
	return word && strlen(word) == bytes && memcmp(name, word, bytes) == 0;
}

/* Adds the bits of a name. Returns 0, or -1 if it is no name. */
static int add(const char *name, size_t bytes, uint64_t *events)
{
	if (is_word(name, bytes, "default"))
		return 0;
	if (is_word(name, bytes, "all")) {
		*events |= events_all;
		return 0;
	}
	for (uint32_t i = 0; i < EVENTS_N_CALLBACKS; i++) {
		if (!is_word(name, bytes, names[i]))
			continue;
		*events |= 1ULL << i & events_all;
		return 0;
	}
	return -1;
}

int event_names_parse(const char *list, uint64_t *events, char *unknown, size_t bytes)
{
	*events = 0;
	for (;;) {
		size_t length = strcspn(list, ",");

		if (add(list, length, events) != 0) {
			if (length >= bytes)
				length = bytes - 1;
			memcpy(unknown, list, length);
			unknown[length] = '\0';
			return -1;
		}
		if (!list[length])
			return 0;
		list += length + 1;
	}
}
