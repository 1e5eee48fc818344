/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of OMPT that constructs of the host have and that ompprof takes by default (sampler/tool/callbacks.c), for tools
 * that ignore them. Begin and end of threads, commands, target regions and devices, which it takes, too, are not among
 * them. tests/bench/events.sh compares.
 */
#ifndef OMPPROF_BENCH_EVENTS_H
#define OMPPROF_BENCH_EVENTS_H

#include <omp-tools.h>
#include <stddef.h>

static void events_nothing(void)
{
}

/* Asks for them all with a callback that returns at once. Owning thread only. */
static inline void events_ignore(ompt_set_callback_t set)
{
	static const ompt_callbacks_t events[] = {
		ompt_callback_parallel_begin,
		ompt_callback_parallel_end,
		ompt_callback_implicit_task,
		ompt_callback_task_create,
		ompt_callback_task_schedule,
		ompt_callback_task_dependence,
		ompt_callback_sync_region_wait,
		ompt_callback_mutex_acquire,
		ompt_callback_mutex_acquired,
		ompt_callback_mutex_released,
		ompt_callback_nest_lock,
		ompt_callback_reduction,
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		set(events[i], events_nothing);
}

#endif
