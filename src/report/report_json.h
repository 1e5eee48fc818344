/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON that `ompprof report` and `ompprof info` share. ompprof-json(5) describes it. */
#ifndef OMPPROF_SRC_REPORT_REPORT_JSON_H
#define OMPPROF_SRC_REPORT_REPORT_JSON_H

#include "src/text/json.h"
#include "src/report/report.h"

/* "cpu", "wall" or "event" for an enum profile_clock_kind. */
const char *report_json_clock(uint32_t kind);

/* Whether samples were asked for by a frequency; 0 also for less than one in two seconds. */
int report_json_is_by_frequency(const struct profile_header *header);

/*
 * Samples asked for per second of a thread's time, rounded; where a period was asked for, the
 * samples that it makes. 0 for events with a period.
 */
uint64_t report_json_frequency_hz(const struct profile_header *header);

/* Write the members "lost" (losses by reason), "creation_paths", "tables" and "warnings". */
void report_json_lost(struct json *json, const struct report_totals *totals);

/* "creation_paths" */
void report_json_captures(struct json *json, const struct report_totals *totals);

/* "tables" */
void report_json_tables(struct json *json, const struct profile_header *header);

void report_json_warnings(struct json *json, const struct report *report);

#endif
