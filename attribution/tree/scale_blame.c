/* SPDX-License-Identifier: Apache-2.0 */
/* From raw blame to scaled blame; see scale_blame.h. */
#include "attribution/tree/scale_blame.h"

#include <stdlib.h>

#include "attribution/tree/add_saturated.h"
#include "attribution/tree/tree.h"

#define NONE UINT32_MAX

/* With so many samples it is known where inside the holds of a mutex a thread was. */
#define ENOUGH_SAMPLES 10

/* The sort key of an entry. */
struct key {
	uint64_t wait_id;
	uint32_t region;
	uint32_t site;
	uint8_t kind;
	/* 0 a wait; blame: 1 measured, 2 sampled, 3 for a mutex' owner that had no CPU */
	uint8_t part;
	uint32_t owner;
	uint32_t node;
};

uint64_t scale_blame_share(struct scale_blame_shares *shares, uint64_t weight)
{
	uint64_t before = shares->given;

	shares->sum = add_saturated(shares->sum, weight);
	if (shares->whole)
		shares->given =
			(uint64_t)((unsigned __int128)shares->total * shares->sum / shares->whole);
	return shares->given - before;
}

/*
 * Fills region[] with the innermost region of each node of the tree. A region is its own innermost
 * region.
 */
static void find_regions(const struct tree *tree, uint32_t *region)
{
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		region[i] = node->kind == TREE_REGION ? i : i ? region[node->parent] : NONE;
	}
}

/* The target construct of a node in it; the root for a node that is in none. */
static uint32_t target_of(const struct tree *tree, uint32_t node)
{
	return tree->nodes[node].kind == TREE_WAIT ? tree->nodes[node].parent : node;
}

/* Whether a wait of this kind in a team has a construct of its own. */
static int has_site(uint8_t wait)
{
	return wait != PROFILE_BARRIER_CLOSING &&
	       (wait == PROFILE_REDUCTION || profile_wait_is(wait, PROFILE_TIME_BARRIER) ||
		       profile_wait_is(wait, PROFILE_TIME_TASKS));
}

/* The construct in which a team waits: the call in the frame that waits. */
static uint32_t site_of(const struct profile *profile, const struct profile_tree_node *node)
{
	const struct profile_tree_node *parent = &profile->nodes[node->parent];

	if (node->kind == PROFILE_NODE_BLAME)
		return (uint32_t)node->addr;
	return parent->kind == PROFILE_NODE_FRAME ? (uint32_t)parent->addr : 0;
}

static struct key key_of(
	const struct profile *profile, const struct tree *tree, const uint32_t *region, uint32_t i)
{
	const struct profile_tree_node *node = &profile->nodes[i];
	struct key key = { .region = NONE, .kind = node->wait, .owner = node->owner, .node = i };

	if (node->kind == PROFILE_NODE_BLAME && profile_is_mutex(node->wait) &&
		node->flags & PROFILE_BLAME_NO_CPU)
		key.part = 3;
	else if (node->kind == PROFILE_NODE_BLAME)
		key.part =
			(profile_is_mutex(node->wait) && !(node->flags & PROFILE_BLAME_SAMPLED)) ||
					profile_is_device(node->wait)
				? 1
				: 2;
	if (profile_wait_is(node->wait, PROFILE_TIME_IDLE))
		key.kind = PROFILE_IDLE_BETWEEN;
	else if (profile_is_mutex(node->wait))
		key.wait_id = node->addr;
	else if (profile_is_device(node->wait))
		key.region = target_of(tree, tree->place[i]);
	else if (node->kind == PROFILE_NODE_WAIT)
		key.region = region[tree->place[i]];
	else if (node->context != NONE)
		key.region = region[tree->place[node->context]];
	if (key.region != NONE && has_site(node->wait))
		key.site = site_of(profile, node);
	return key;
}

static int compare_pools(const struct key *a, const struct key *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->region != b->region)
		return a->region < b->region ? -1 : 1;
	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return (a->wait_id > b->wait_id) - (a->wait_id < b->wait_id);
}

static int compare_keys(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	int pools = compare_pools(a, b);

	if (pools)
		return pools;
	if ((a->part != 0) != (b->part != 0))
		return a->part ? 1 : -1;
	if (a->part && a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/* The raw blame of some entries. */
struct raw {
	uint64_t released_ns, n_releases;
	uint64_t sampled_ns, n_samples;
	int has_sleep;
	uint64_t late_ns; /* of the entries whose key.part is 3 */
};

static struct raw add_up(const struct profile *profile, const struct key *keys, size_t n)
{
	struct raw raw = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct profile_tree_node *node = &profile->nodes[keys[i].node];

		if (keys[i].part == 1) {
			raw.released_ns = add_saturated(raw.released_ns, node->blame_ns);
			raw.n_releases += node->n;
		} else if (keys[i].part == 3) {
			raw.late_ns = add_saturated(raw.late_ns, node->blame_ns);
		} else {
			raw.sampled_ns = add_saturated(raw.sampled_ns, node->blame_ns);
			raw.n_samples += node->n;
			raw.has_sleep |= node->flags & PROFILE_BLAME_ASLEEP;
		}
	}
	return raw;
}

/* Newton's method for a square root, so that attribution/ needs no libm. */
static double root(double x)
{
	double root = x > 1 ? x : 1;

	for (int i = 0; i < 50; i++)
		root = (root + x / root) / 2;
	return root;
}

/*
 * How much of wait_ns is blamed, given the raw blame of n samples or measurements: all, if it is
 * within the error of the raw blame; otherwise no more than the raw blame.
 */
static uint64_t fit(uint64_t wait_ns, uint64_t raw_ns, uint64_t n)
{
	double most = (double)raw_ns * (1.01 + 3 / root(n ? (double)n : 1));

	return (double)wait_ns <= most ? wait_ns : raw_ns;
}

/* Gives the entries of these keys that have this key.part their shares. */
static void give(const struct profile *profile, const struct key *keys, size_t n, uint8_t part,
	struct scale_blame_shares shares, struct scale_blame_entry *entries)
{
	for (size_t i = 0; i < n; i++) {
		if (keys[i].part == part)
			entries[i].ns =
				scale_blame_share(&shares, profile->nodes[keys[i].node].blame_ns);
	}
}

/*
 * Gives the entries of part 3 their raw blame, scaled as a thread's share own_ns is to its measured
 * blame. Returns the sum.
 */
static uint64_t give_late(const struct profile *profile, const struct key *keys, size_t n,
	const struct raw *raw, uint64_t own_ns, struct scale_blame_entry *entries)
{
	uint64_t late_ns = raw->late_ns < raw->released_ns ? raw->late_ns : raw->released_ns;
	struct scale_blame_shares shares = { .whole = raw->late_ns };

	if (late_ns)
		shares.total = (uint64_t)((unsigned __int128)own_ns * late_ns / raw->released_ns);
	give(profile, keys, n, 3, shares, entries);
	return shares.total;
}

/*
 * Scales measured blame thread by thread. A thread's share, without the time for which it had no
 * CPU, is divided by its samples if there are enough, else by its measured blame.
 */
static void scale_releases(const struct profile *profile, const struct key *keys, size_t n,
	struct scale_blame_shares shares, struct scale_blame_entry *entries)
{
	for (size_t first = 0, end; first < n; first = end) {
		struct raw raw;
		struct scale_blame_shares own = { 0 };
		int by_samples;

		for (end = first + 1; end < n && keys[end].owner == keys[first].owner; end++)
			;
		raw = add_up(profile, keys + first, end - first);
		by_samples = (raw.n_samples >= ENOUGH_SAMPLES || raw.has_sleep) && raw.sampled_ns;
		own.total = scale_blame_share(&shares, raw.released_ns);
		own.total -= give_late(
			profile, keys + first, end - first, &raw, own.total, entries + first);
		own.whole = by_samples ? raw.sampled_ns : raw.released_ns;
		give(profile, keys + first, end - first, by_samples ? 2 : 1, own, entries + first);
	}
}

static void scale_raw_blame(const struct profile *profile, struct scale_blame_pool *pool,
	const struct key *keys, size_t n, struct scale_blame_entry *entries)
{
	struct raw raw = add_up(profile, keys, n);
	struct scale_blame_shares shares = { 0 };

	if (raw.released_ns) {
		shares.whole = raw.released_ns;
		shares.total = fit(pool->wait_ns, raw.released_ns, raw.n_releases);
		scale_releases(profile, keys, n, shares, entries);
	} else if (raw.sampled_ns) {
		shares.whole = raw.sampled_ns;
		shares.total = fit(pool->wait_ns, raw.sampled_ns, raw.n_samples);
		give(profile, keys, n, 2, shares, entries);
	}
	pool->blamed_ns = shares.total;
}

/* Makes one pool of keys[0 .. n_entries). */
static void scale_blame_pool(const struct profile *profile, struct scale_blame_pool *pool,
	const struct key *keys, struct scale_blame_entry *entries)
{
	size_t n_waits = 0;

	for (size_t i = 0; i < pool->n_entries; i++) {
		const struct profile_tree_node *node = &profile->nodes[keys[i].node];

		entries[i] = (struct scale_blame_entry){
			.node = keys[i].node,
			.is_blame = keys[i].part != 0,
			.has_no_cpu = keys[i].part && node->flags & PROFILE_BLAME_NO_CPU,
		};
		if (keys[i].part)
			continue;
		n_waits++;
		entries[i].ns = profile_waited_ns(node);
		pool->n += node->n;
		pool->wait_ns = add_saturated(pool->wait_ns, entries[i].ns);
	}
	scale_raw_blame(
		profile, pool, keys + n_waits, pool->n_entries - n_waits, entries + n_waits);
}

/* Sleep and time in MPI are in no pool: no thread of the process is known to be waited for. */
static int is_in_pool(const struct profile_tree_node *node)
{
	return (node->kind == PROFILE_NODE_WAIT && node->wait != PROFILE_BLOCKED &&
		       node->wait != PROFILE_MPI) ||
	       node->kind == PROFILE_NODE_BLAME;
}

/*
 * Makes one pool of the waits of one kind in one region, if blame for them does not tell the
 * construct.
 */
static void join_sites(struct key *keys, size_t n)
{
	size_t n_blame = 0;

	for (size_t i = 0; i < n; i++) {
		if (keys[i].part && keys[i].site)
			return;
		n_blame += keys[i].part != 0;
	}
	for (size_t i = 0; i < n && n_blame; i++)
		keys[i].site = 0;
	qsort(keys, n, sizeof(*keys), compare_keys);
}

static size_t collect(struct key *keys, const struct profile *profile, const struct tree *tree,
	const uint32_t *region)
{
	size_t n = 0;

	for (uint32_t i = 0; i < profile->n_nodes; i++) {
		if (is_in_pool(&profile->nodes[i]))
			keys[n++] = key_of(profile, tree, region, i);
	}
	qsort(keys, n, sizeof(*keys), compare_keys);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && keys[end].kind == keys[first].kind &&
				      keys[end].region == keys[first].region;
			end++)
			;
		join_sites(keys + first, end - first);
	}
	return n;
}

static void scale_all(struct blame_scale *blame_scale, const struct profile *profile,
	const struct key *keys, size_t n)
{
	for (size_t first = 0, end; first < n; first = end) {
		struct scale_blame_pool *pool = &blame_scale->pools[blame_scale->n_pools++];

		for (end = first + 1; end < n && !compare_pools(&keys[first], &keys[end]); end++)
			;
		*pool = (struct scale_blame_pool){
			.kind = keys[first].kind,
			.wait_id = keys[first].wait_id,
			.region = keys[first].region,
			.site = keys[first].site,
			.first = first,
			.n_entries = end - first,
		};
		scale_blame_pool(profile, pool, keys + first, blame_scale->entries + first);
	}
}

int scale_blame_make(
	struct blame_scale *blame_scale, const struct profile *profile, const struct tree *tree)
{
	uint32_t *region = malloc((tree->n_nodes + 1) * sizeof(*region));
	size_t n = 1;
	struct key *keys;
	int status = -1;

	for (size_t i = 0; i < profile->n_nodes; i++)
		n += (size_t)is_in_pool(&profile->nodes[i]);
	*blame_scale = (struct blame_scale){ 0 };
	keys = calloc(n, sizeof(*keys));
	blame_scale->entries = calloc(n, sizeof(*blame_scale->entries));
	blame_scale->pools = calloc(n, sizeof(*blame_scale->pools));
	if (region && keys && blame_scale->entries && blame_scale->pools) {
		find_regions(tree, region);
		scale_all(blame_scale, profile, keys, collect(keys, profile, tree, region));
		status = 0;
	} else {
		scale_blame_release(blame_scale);
	}
	free(region);
	free(keys);
	return status;
}

void scale_blame_release(struct blame_scale *blame_scale)
{
	free(blame_scale->entries);
	free(blame_scale->pools);
	*blame_scale = (struct blame_scale){ 0 };
}
