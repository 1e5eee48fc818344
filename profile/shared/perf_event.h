/* SPDX-License-Identifier: Apache-2.0 */
/* Names of perf events, as perf spells them. Used by the tool and by the command. */
#ifndef OMPPROF_PROFILE_SHARED_PERF_EVENT_H
#define OMPPROF_PROFILE_SHARED_PERF_EVENT_H

#include <stdint.h>

/* Below this period an event's interval is not randomised. */
#define PERF_EVENT_MIN_RANDOM 16

struct perf_event {
	const char *name;
	uint32_t type;    /* perf_event_attr.type */
	uint64_t config;  /* perf_event_attr.config */
	uint64_t period;  /* default period; 0: driven by a frequency */
	uint32_t is_time; /* counts nanoseconds of the thread's CPU time */
};

/* Finds an event by name, or a raw event "rHEX". Returns 0, or -1: no such event. Any thread. */
int perf_event_find(const char *name, struct perf_event *event);

/*
 * Splits `-e`'s "NAME" (a perf event or a word of clocks.def) or "NAME@PERIOD" (a perf event).
 * `name` gets name_bytes; *period is 0 without PERIOD. Returns 0, or -1 if the text makes no sense.
 * Any thread.
 */
int perf_event_parse(const char *text, char *name, unsigned name_bytes, uint64_t *period);

#endif
