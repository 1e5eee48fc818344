/* SPDX-License-Identifier: Apache-2.0 */
/* Words for counted events and for their details. */
#ifndef OMPPROF_SRC_FINDINGS_EVENT_LABELS_H
#define OMPPROF_SRC_FINDINGS_EVENT_LABELS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The detail of an event (enum profile_event) in words: "loop, dynamic". "" if such events have no
 * detail; a number if the value is unknown.
 */
void event_labels_detail(char *text, size_t bytes, uint32_t event, uint64_t detail);

/* The event with its detail: "work: loop, dynamic". */
void event_labels_name(char *text, size_t bytes, uint32_t event, uint64_t detail);

/* The unit of the events' amount: "iterations". NULL if their amount means nothing. */
const char *event_labels_amount(uint32_t event, uint64_t detail);

/*
 * Whether the event is the begin of a loop, sections, a taskloop or distribute, whose parts threads
 * share, or the hand-out of one part.
 */
int event_labels_is_loop(uint32_t event, uint64_t detail);

#endif
