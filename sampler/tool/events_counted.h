/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that are counted because the user asked for it (tool.settings.events); count.h says how. Callbacks that
 * the default set has, too, call that one's first, so that without being asked for none costs anything.
 */
#ifndef OMPPROF_SAMPLER_TOOL_EVENTS_COUNTED_H
#define OMPPROF_SAMPLER_TOOL_EVENTS_COUNTED_H

#include <omp-tools.h>

/*
 * The callback that counts this event; NULL if it was not asked for, or cannot be counted.
 * Owning thread only.
 */
ompt_callback_t events_counted_callback(ompt_callbacks_t event);

#endif
