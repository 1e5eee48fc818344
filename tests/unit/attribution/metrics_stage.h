/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of one made-up profile at a time, for tests of attribution/metrics/metrics.h. Times in ms. Included by one file of a
   test, after cmocka.h. */
#ifndef OMPPROF_TESTS_UNIT_ATTRIBUTION_METRICS_STAGE_H
#define OMPPROF_TESTS_UNIT_ATTRIBUTION_METRICS_STAGE_H

#include "attribution/metrics/metrics.h"
#include "tests/unit/attribution/check_tree.h"

#define MS(n)       ((uint64_t)(n)*1000000)
#define MAX_THREADS 8

static struct build b;
static struct profile profile;
static struct tree tree;
static struct metrics metrics;
static uint32_t region;                                   /* id of the main region */
static uint32_t context[MAX_THREADS], frame[MAX_THREADS]; /* by thread, in it */

/* n threads in a region of main; each was in it for `stay`. The run lasts 1000. */
static void begin(uint32_t n, uint64_t stay)
{
	region = build_main_region(&b, n);
	build_header(&b)->waits = (1u << PROFILE_N_WAITS) - 2;
	for (uint32_t i = 1; i <= n; i++) {
		build_thread_at(&b, i)->cpu_last_ns = 0; /* as far as the samples do not say */
		context[i] = build_context(&b, i, region);
		build_stays(&b, context[i], 10, stay);
		frame[i] = build_frame(&b, context[i], USER + 0x100 * (i + 1), 0);
	}
}

static void work_samples(uint32_t parent, uint64_t ms)
{
	build_samples(&b, parent, PROFILE_WORK, (uint32_t)ms, MS(ms));
}

static void make(void)
{
	static const struct tree_options options = { .view = TREE_USER };
	struct diag diag;

	assert_int_equal(profile_parse(&profile, b.bytes, b.size, "x", &diag), 0);
	assert_int_equal(profile.n_dropped, 0);
	assert_int_equal(attribute(&tree, &profile, &options, &diag), 0);
	assert_int_equal(metrics_make(&metrics, &profile, &tree, &diag), 0);
}

static void end(void)
{
	metrics_release(&metrics);
	tree_release(&tree);
	profile_release(&profile);
	build_release(&b);
}

static void check_causes(const uint64_t *cause_ns, const uint64_t *expected_ms)
{
	for (int i = 0; i < METRICS_N_CAUSES; i++) {
		if (cause_ns[i] != MS(expected_ms[i]))
			fail_msg("cause %d: %llu ns, expected %llu ms", i,
				(unsigned long long)cause_ns[i],
				(unsigned long long)expected_ms[i]);
	}
}

/* The region of the tree with this codeptr. */
static const struct metrics_region *region_at(uint64_t codeptr)
{
	for (size_t i = 0; i < metrics.n_regions; i++) {
		if (tree.nodes[metrics.regions[i].node].addr == codeptr)
			return &metrics.regions[i];
	}
	fail_msg("no region %llx", (unsigned long long)codeptr);
	return NULL;
}

#endif
