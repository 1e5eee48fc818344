/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types and functions that the files of advice.h share: the list under way, and the rules. Each
 * rule adds its advice to the list if the gain is large enough.
 */
#ifndef OMPPROF_SRC_FINDINGS_ADVICE_INTERNAL_H
#define OMPPROF_SRC_FINDINGS_ADVICE_INTERNAL_H

#include "src/findings/advice.h"

/* The list under way. */
struct adviser {
	const struct findings *figures;
	struct advice_list *list;
	uint64_t at_places_ns[METRICS_N_CAUSES]; /* by cause: the sum of the losses of all places */
};

/* Whether `part` is at least so many percent of `whole`; never if `whole` is 0. */
int advice_is_percent(uint64_t part, uint64_t whole, unsigned percent);

/*
 * Thread time of a place, in nanoseconds, as a part of the run's capacity. The sum of the places'
 * losses can exceed the run's: with more threads than slots, the run's causes are scaled down.
 */
uint64_t advice_of_run(const struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns);

/*
 * Returns an entry of the list for this much of the capacity, or NULL if the gain is too small. The
 * pointer is valid until the next call.
 */
struct advice *advice_add(struct adviser *adviser, enum metrics_cause cause, uint64_t thread_ns);

/*
 * Set the place that advice is about: a node of the named tree and its label; another line than the
 * label's, if it is known; a region with the number of its executions.
 */
void advice_set_place(struct advice *advice, uint32_t node, const struct name_label *label);
void advice_set_line(struct advice *advice, const char *file, uint32_t line);
void advice_set_region(
	struct adviser *adviser, struct advice *advice, const struct findings_region *region);

/* The rules for a region. */
void advise_region(struct adviser *adviser, const struct findings_region *region);

/*
 * If each object has a lock of its own, threads wait for many locks at one place. These locks have
 * one entry, at the first wait of the place.
 */
void advise_lock(struct adviser *adviser, const struct findings_wait *wait);

/* The rules for waits for devices, by place. */
void advise_device(struct adviser *adviser);

#endif
