/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of OMPT by the specification's names, and those among them that are counted where they happen if the
 * user asks for it. Used by the tool, by `ompprof run` to refuse a wrong name before the program starts, and by
 * what shows the counts.
 */
#ifndef OMPPROF_PROFILE_SHARED_EVENT_NAMES_H
#define OMPPROF_PROFILE_SHARED_EVENT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/layout.h"

/* What `--events` takes: "all", "default", and the names of the events that can be counted; ends in NULL. */
extern const char *const event_words[];

/* All events that can be counted, as bits by enum profile_event. */
#define EVENTS_ALL                                                                                 \
	(1ULL << PROFILE_EVENT_TASK_CREATE | 1ULL << PROFILE_EVENT_TASK_SCHEDULE |                 \
		1ULL << PROFILE_EVENT_CONTROL_TOOL | 1ULL << PROFILE_EVENT_DEPENDENCES |           \
		1ULL << PROFILE_EVENT_TASK_DEPENDENCE | 1ULL << PROFILE_EVENT_WORK |               \
		1ULL << PROFILE_EVENT_MASKED | 1ULL << PROFILE_EVENT_SYNC_REGION |                 \
		1ULL << PROFILE_EVENT_LOCK_INIT | 1ULL << PROFILE_EVENT_LOCK_DESTROY |             \
		1ULL << PROFILE_EVENT_FLUSH | 1ULL << PROFILE_EVENT_CANCEL |                       \
		1ULL << PROFILE_EVENT_DISPATCH | 1ULL << PROFILE_EVENT_ERROR)

/*
 * Reads "NAME,NAME,...": *events gets the bits of those that are to be counted; names of events that are taken
 * anyway add none. Returns 0, or -1 if a name is none: `unknown` (of `bytes`) gets it, cut if need be.
 * Any thread.
 */
int event_names_parse(const char *list, uint64_t *events, char *unknown, size_t bytes);

/*
 * The specification's name of an event, or NULL.
 * Any thread.
 */
const char *event_name(uint32_t event);

#endif
