/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user's settings, read once from the environment variables OMPPROF_* when the tool starts.
 * `ompprof run` sets the variables from its options; ompprof-run(1) has a table of them.
 */
#ifndef OMPPROF_SAMPLER_CORE_SETTINGS_H
#define OMPPROF_SAMPLER_CORE_SETTINGS_H

#include <stdint.h>

#include "profile/shared/perf_event.h"

struct settings {
	char output[3500];     /* OMPPROF_OUTPUT: folder, made absolute; "" if it is too long */
	char event[32];        /* OMPPROF_EVENT: "cpu", "wall" or a perf event, without @PERIOD */
	uint64_t event_period; /* @PERIOD, 0 if none was given */
	uint64_t period;       /* ns, or events; 0 if a frequency drives a perf event */
	uint32_t frequency_hz; /* 1 s / period; after clock_choose 0 for an event with a period */
	char walker[16];       /* OMPPROF_UNWIND: cfi, fp, libunwind */
	int signal;            /* OMPPROF_SIGNAL */
	/* OMPPROF_BUDGET: the percent of time that events of tasks, of mutexes may take; 0: all */
	uint32_t task_budget, mutex_budget;
	int is_default_budget; /* OMPPROF_BUDGET is not set */
	uint64_t events;       /* OMPPROF_EVENTS: bit k: enum profile_event k is counted */
	struct perf_event_list counters; /* OMPPROF_COUNTERS */
	int is_quiet;                    /* OMPPROF_QUIET */
	int is_verbose;                  /* OMPPROF_VERBOSE */
	int is_paused;                   /* OMPPROF_START_PAUSED */
	uint64_t trace_bytes; /* OMPPROF_TRACE, which is in MiB: size of the trace; 0: no trace */
	uint64_t run_id;      /* OMPPROF_RUN, or 0 */
};

/*
 * Reads the environment. An invalid value is replaced by its default, with a message (say; none for
 * OMPPROF_RUN). Owning thread only.
 */
void settings_read(struct settings *settings);

#endif
