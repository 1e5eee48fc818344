/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counted events in words: what tells events of one kind apart, as people and as programs call it. Used by the views
 * that show them.
 */
#ifndef OMPPROF_SRC_FINDINGS_EVENT_LABELS_H
#define OMPPROF_SRC_FINDINGS_EVENT_LABELS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The words for a detail of enum profile_event `event`, "" if its events are all alike: "loop, dynamic". Values that
 * are not known are numbers.
 */
void event_labels_detail(char *text, size_t bytes, uint32_t event, uint64_t detail);

/* The event as a name: "work: loop, dynamic". */
void event_labels_name(char *text, size_t bytes, uint32_t event, uint64_t detail);

/* Whether the events' amount says anything, and what it is of: "iterations"; else NULL. */
const char *event_labels_amount(uint32_t event, uint64_t detail);

/* Whether an event is of a construct whose parts are handed out, or is of such a part. */
int event_labels_is_loop(uint32_t event, uint64_t detail);

#endif
