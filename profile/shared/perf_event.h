/* SPDX-License-Identifier: Apache-2.0 */
/* Names of perf events, as perf spells them. Used by the tool and by the command. */
#ifndef OMPPROF_PROFILE_SHARED_PERF_EVENT_H
#define OMPPROF_PROFILE_SHARED_PERF_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/layout.h"

/* Below this period an event's interval is not randomised. */
#define PERF_EVENT_MIN_RANDOM 16

struct perf_event {
	const char *name;
	uint32_t type;       /* perf_event_attr.type */
	uint64_t config;     /* perf_event_attr.config */
	uint64_t period;     /* default period; 0: driven by a frequency */
	uint32_t is_time;    /* counts nanoseconds of the thread's CPU time */
	uint32_t is_kernels; /* happens inside the kernel only */
};

/* Several events, in the order in which they were named. */
struct perf_event_list {
	uint32_t n;
	char name[PROFILE_MOST_COUNTERS][PROFILE_COUNTER_BYTES]; /* as the user spelled it */
	struct perf_event event[PROFILE_MOST_COUNTERS];
};

/* Finds an event by name, or a raw event "rHEX". Returns 0, or -1: no such event. Any thread. */
int perf_event_find(const char *name, struct perf_event *event);

/*
 * Splits `-e`'s "NAME" (a perf event or a word of clocks.def) or "NAME@PERIOD" (a perf event).
 * `name` gets name_bytes; *period is 0 without PERIOD. Returns 0, or -1 if the text makes no sense.
 * Any thread.
 */
int perf_event_parse(const char *text, char *name, unsigned name_bytes, uint64_t *period);

/*
 * Reads "NAME,NAME,..." or "default", for `--counters`. A name that comes twice is listed once.
 * Returns 0. Returns -1 if a name is wrong or the list is full; `unknown` gets the name, cut if
 * need be. Any thread.
 */
int perf_event_list_parse(
	const char *text, struct perf_event_list *list, char unknown[PROFILE_COUNTER_BYTES]);

/*
 * Writes which of the counters that were asked for are not counted, and why, as one sentence
 * without a full stop. Returns whether there are any; if not, nothing is written. Any thread.
 */
int perf_event_refusal(char *text, size_t bytes, const struct profile_counters *counters);

#endif
