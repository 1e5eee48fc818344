/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that are counted because the user asked for it (tool.settings.events); count.h says how.
 * Where the default set has the same callback, the counting callback calls the default callback
 * first. So events that are not asked for cost nothing.
 */
#ifndef OMPPROF_SAMPLER_TOOL_EVENTS_COUNTED_H
#define OMPPROF_SAMPLER_TOOL_EVENTS_COUNTED_H

#include <omp-tools.h>

/*
 * The callback that counts this event; NULL if the event was not asked for or cannot be counted.
 * Owning thread only.
 */
ompt_callback_t events_counted_callback(ompt_callbacks_t event);

#endif
