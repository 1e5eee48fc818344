/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of advice.h share: the list under way, and the rules, each of which adds to it what is worth a place.
 */
#ifndef OMPPROF_SRC_FINDINGS_ADVICE_INTERNAL_H
#define OMPPROF_SRC_FINDINGS_ADVICE_INTERNAL_H

#include "src/findings/advice.h"

/* The list under way. */
struct adviser {
	const struct findings *figures;
	struct advice_list *list;
	uint64_t at_places_ns[METRICS_N_CAUSES]; /* the sum of what places lose by this cause */
};

/* Whether `part` is at least so many percent of `whole`; not of nothing. */
int advice_is_percent(uint64_t part, uint64_t whole, unsigned percent);

/*
 * Thread time of a place, in nanoseconds, as a part of the run's capacity. Places can lose more in all than the run
 * did: with more threads than slots, the run's causes are scaled down.
 */
uint64_t advice_of_run(const struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns);

/* A place in the list for this much of the capacity, or NULL when it is not worth one. It holds until the next. */
struct advice *advice_add(struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns);

/* Where the advice points: a node of the named tree and its label; another line than the label's, if it is known; a
   region with the number of its executions. */
void advice_set_place(struct advice *advice, uint32_t node, const struct name_label *label);
void advice_set_line(struct advice *advice, const char *file, uint32_t line);
void advice_set_region(
	struct adviser *adviser, struct advice *advice, const struct findings_region *region);

/* The rules for a region. */
void advise_region(struct adviser *adviser, const struct findings_region *region);

/* Many locks are waited for at one place when each object has one: they are one entry, the first wait's. */
void advise_lock(struct adviser *adviser, const struct findings_wait *wait);

/* What was waited for devices, at the places where. */
void advise_device(struct adviser *adviser);

#endif
