/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settles blame: the waiting that was measured is charged to the code that the others ran meanwhile, as
 * the raw blame of the profile says. attribute.c does it once and keeps the result in the tree. Pure.
 *
 * What is waited for is a pool: waits of one kind in one region's team, one mutex, the devices of one target construct, or idleness. Raw
 * blame that was sampled is an estimate: a pool's is scaled to what was measured, but enlarged no more
 * than samples can err (three standard deviations and 1 %). If it is smaller still, nobody of the team
 * was running for a part of the time, and that part stays unblamed.
 *
 * A mutex' blame is measured when it is released, which says what each thread that held it is charged
 * with; where inside the hold that was, samples of the thread while it held the mutex say, if there are
 * at least 10.
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_SCALE_BLAME_H
#define OMPPROF_ATTRIBUTION_TREE_SCALE_BLAME_H

#include <stddef.h>
#include <stdint.h>

struct profile;
struct tree;

/* A WAIT or BLAME node and what it counts. */
struct scale_blame_entry {
	uint32_t node; /* index into profile.nodes */
	uint8_t is_blame;
	uint64_t ns; /* waited, or settled blame */
};

/* All that was waited for one thing. */
struct scale_blame_pool {
	uint8_t kind;     /* enum profile_wait; PROFILE_IDLE_BETWEEN for all idleness */
	uint64_t wait_id; /* of a mutex, else 0 */
	uint32_t
		region; /* TREE_REGION node whose team waits, TREE_TARGET of a wait for devices, or UINT32_MAX */
	uint64_t n; /* waits */
	uint64_t wait_ns;
	uint64_t blamed_ns;      /* sum of the settled blame, at most wait_ns */
	size_t first, n_entries; /* its entries */
};

struct blame_scale {
	struct scale_blame_entry *entries; /* of each pool the waits, then the blame */
	struct scale_blame_pool *pools;
	size_t n_pools;
};

/*
 * Settles the blame of a profile; `tree` must be its user view, without by_thread. Returns 0, or -1 when
 * out of memory. Release with scale_blame_release.
 */
int settle(struct blame_scale *blame_scale, const struct profile *profile, const struct tree *tree);

void scale_blame_release(struct blame_scale *blame_scale);

/*
 * Cuts `total` into parts as the weights say: each call adds a weight and returns its part. The parts of
 * all weights, whose sum was given at the start, are `total` exactly.
 */
struct scale_blame_shares {
	uint64_t total;
	uint64_t whole; /* sum of all weights */
	uint64_t sum;   /* of the weights so far */
	uint64_t given;
};
uint64_t scale_blame_share(struct scale_blame_shares *shares, uint64_t weight);

/* Adds without going round. */
uint64_t scale_blame_add(uint64_t a, uint64_t b);

#endif
