/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scales blame: charges measured waiting to the code that other threads ran meanwhile, in the ratio
 * of the profile's raw blame. attribute.c does it and keeps the result in the user view's tree.
 * Pure.
 *
 * A pool is all waiting for one thing: waits of one kind at one construct of one region's team, a
 * mutex, the devices of one target construct, or idleness. If there is blame for a region's waits
 * of a kind and none of it tells the construct, as before version 6, all constructs are one pool.
 *
 * Sampled raw blame is an estimate. The raw blame of a pool is scaled to the measured waiting, if
 * samples can err so much (three standard deviations and 1 %). If it is smaller than that, nobody
 * of the team was running for a part of the time, or a mutex was passed on meanwhile. Then it is
 * not enlarged at all, and the rest stays unblamed.
 *
 * The blame of a mutex is measured at its releases. So it is known how much each thread that held
 * the mutex is charged with. Samples of that thread while it held the mutex tell where inside the
 * hold that was, if there are at least 10, or if it slept in the hold. The time for which it had no
 * CPU meanwhile is measured and comes first. The blame of devices is measured, too: all waiting for
 * them in a target construct is the construct's own.
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_SCALE_BLAME_H
#define OMPPROF_ATTRIBUTION_TREE_SCALE_BLAME_H

#include <stddef.h>
#include <stdint.h>

struct profile;
struct tree;

/* A WAIT or BLAME node and its time. */
struct scale_blame_entry {
	uint32_t node; /* index into profile.nodes */
	uint8_t is_blame;
	uint8_t has_no_cpu; /* blame with PROFILE_BLAME_NO_CPU */
	uint64_t ns; /* waited time without the waiter's own lack of a CPU, or scaled blame */
};

/* A pool of waiting. */
struct scale_blame_pool {
	uint8_t kind;     /* enum profile_wait; PROFILE_IDLE_BETWEEN for all idleness */
	uint64_t wait_id; /* of a mutex, else 0 */
	/*
	 * TREE_REGION node whose team waits; for devices the TREE_TARGET node, or the root if the
	 * file lacks the construct; else UINT32_MAX
	 */
	uint32_t region;
	/* the construct at which the team waits: see PROFILE_TEAM_SITE; 0: it is not known */
	uint32_t site;
	uint64_t n; /* waits */
	uint64_t wait_ns;
	uint64_t blamed_ns;      /* sum of the scaled blame, at most wait_ns */
	size_t first, n_entries; /* its entries */
};

struct blame_scale {
	struct scale_blame_entry *entries; /* for each pool the waits, then the blame */
	struct scale_blame_pool *pools;
	size_t n_pools;
};

/*
 * Scales the blame of a profile. `tree` must be its user view, without by_thread. Returns 0, or -1
 * when out of memory. Release with scale_blame_release.
 */
int scale_blame_make(
	struct blame_scale *blame_scale, const struct profile *profile, const struct tree *tree);

void scale_blame_release(struct blame_scale *blame_scale);

/*
 * Divides `total` in the ratio of weights: each call adds a weight and returns its share. The sum
 * of the weights is given at the start in `whole`; if it is 0, all shares are 0. The shares of all
 * weights add up to exactly `total`.
 */
struct scale_blame_shares {
	uint64_t total;
	uint64_t whole; /* sum of all weights */
	uint64_t sum;   /* of the weights so far */
	uint64_t given; /* the sum of the shares so far */
};
uint64_t scale_blame_share(struct scale_blame_shares *shares, uint64_t weight);

#endif
