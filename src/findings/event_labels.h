/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words for counted events and for the details that tell events of one kind apart. Used by the
 * views that show them.
 */
#ifndef OMPPROF_SRC_FINDINGS_EVENT_LABELS_H
#define OMPPROF_SRC_FINDINGS_EVENT_LABELS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The words for a detail of enum profile_event `event`: "loop, dynamic". "" if its events have no
 * detail. An unknown value is a number.
 */
void event_labels_detail(char *text, size_t bytes, uint32_t event, uint64_t detail);

/* The event as a name: "work: loop, dynamic". */
void event_labels_name(char *text, size_t bytes, uint32_t event, uint64_t detail);

/* The unit of the events' amount: "iterations"; NULL if the amount means nothing. */
const char *event_labels_amount(uint32_t event, uint64_t detail);

/*
 * Whether an event is of a construct whose parts are distributed among threads, or of such a part.
 */
int event_labels_is_loop(uint32_t event, uint64_t detail);

#endif
