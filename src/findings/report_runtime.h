/* SPDX-License-Identifier: Apache-2.0 */
/* Which runtime a program ran on: GCC's libgomp, with the provider or without, or a libomp. */
#ifndef OMPPROF_SRC_FINDINGS_REPORT_RUNTIME_H
#define OMPPROF_SRC_FINDINGS_REPORT_RUNTIME_H

#include "profile/reader/reader.h"

/* The file name of the empty library that takes the place of libgomp.so.1. */
#define RUN_RUNTIME_STAND_IN "stand-in-libgomp.so"

/* The file name of the provider, which reports libgomp's events to the tool (docs/libgomp.md). */
#define RUN_PROVIDER_FILE "libompprof-gomp.so"

/* The file name of the provider with all functions, for events that only `--events` counts. */
#define RUN_PROVIDER_EVENTS_FILE "libompprof-gomp-events.so"

/* Whether the object is the provider. */
int report_is_provider(const struct profile_module *module);

/* Whether the provider reported the events of the run. */
int report_has_provider(const struct profile *profile);

/* The path of the runtime that started the tool, or "". With the provider it is libgomp's. */
const char *report_runtime_path(const struct profile *profile);

/* The path of a libgomp that the program loaded and whose events nobody reported; or NULL. */
const char *report_libgomp(const struct profile *profile);

/* Whether the provider reported the events, and the program has loaded a libomp as well. */
int report_has_untold_libomp(const struct profile *profile);

/* Whether a libomp took the place of GCC's libgomp, for which the program was built. */
int report_is_exchanged(const struct profile *profile);

#endif
