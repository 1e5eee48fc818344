/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of OMPT by the specification's names. Used by the tool and by the command: `ompprof
 * run` refuses a wrong name before the program starts.
 */
#ifndef OMPPROF_PROFILE_SHARED_EVENT_NAMES_H
#define OMPPROF_PROFILE_SHARED_EVENT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/layout.h"

/* The words of `--events`: "all", "default", and the events that can be counted; ends in NULL. */
extern const char *const event_words[];

/* All events that can be counted, as bits by enum profile_event. */
static const uint64_t events_all = 0
#define COUNTED(NAME, number, ...) | 1ULL << (number)
#include "profile/shared/events.def"
	;

/* One past the largest number of a callback of OpenMP 5.1. */
enum { EVENTS_N_CALLBACKS = PROFILE_EVENT_ERROR + 1 };

/* Why ompprof registers a callback if nothing is counted; see events.def. */
enum event_use {
	EVENT_NOTHING = 0,
	EVENT_THREADS,
	EVENT_CONSTRUCTS,
	EVENT_COMMANDS,
	EVENT_DEVICES,
};

/*
 * Reads "NAME,NAME,...": *events gets the bits of the named events that can be counted. Returns 0,
 * or -1 if a name is wrong: `unknown` (of `bytes`) gets the name, cut if need be. Any thread.
 */
int event_names_parse(const char *list, uint64_t *events, char *unknown, size_t bytes);

/* The specification's name of an event, or NULL. Any thread. */
const char *event_name(uint32_t event);

/* Whether a profile is coarser if the runtime lacks this callback. Any thread. */
int event_is_needed(uint32_t event);

#endif
