/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of any profile whatever: nothing is lost, and nothing counts twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/metrics/metrics.h"
#include "tests/unit/profile/check_profile.h"
#include "tests/unit/attribution/check_tree.h"

static uint64_t sum_of(const uint64_t *amounts)
{
	uint64_t sum = 0;

	for (int i = 0; i < METRICS_N_CAUSES; i++)
		sum += amounts[i];
	return sum;
}

/* The outermost region around region `i`, or its own index. */
static size_t top_of(const struct metrics *metrics, size_t i)
{
	while (metrics->regions[i].outer != UINT32_MAX)
		i = metrics->regions[i].outer;
	return i;
}

/* Regions and the time in none are the run's causes. */
static void check_parts(const struct metrics *metrics)
{
	for (int c = 0; c < METRICS_N_CAUSES; c++) {
		uint64_t sum = metrics->serial_cause_ns[c];

		for (size_t i = 0; i < metrics->n_regions; i++)
			sum += metrics->regions[i].cause_ns[c];
		assert_int_equal(sum, metrics->cause_ns[c]);
	}
}

/* An outermost region and those in it have its capacity; less if the run's is too small for all. */
static void check_regions(const struct metrics *metrics, const struct profile *profile)
{
	uint64_t *sums = calloc(metrics->n_regions + 1, sizeof(*sums)), whole_ns = 0;
	uint64_t serial_ns = metrics->serial_ns, n_serial = 0;
	int fits;

	/* Several threads outside of regions can need their whole lives. */
	for (size_t i = 0; i < profile->n_threads; i++)
		n_serial += profile->threads[i].type <= 1;
	if (n_serial > 0 && profile->n_threads > 1)
		serial_ns = (n_serial + 1) * metrics->wall_ns;

	for (size_t i = 0; i < metrics->n_regions; i++) {
		const struct metrics_region *region = &metrics->regions[i];

		sums[top_of(metrics, i)] += sum_of(region->cause_ns);
		assert_true(region->persistent_ns <= region->cause_ns[METRICS_IMBALANCE]);
		assert_int_equal(region->cause_ns[METRICS_SERIAL], 0);
		assert_true(region->n_slowest <= region->n_barriers);
		if (region->outer == UINT32_MAX)
			whole_ns += metrics->n_slots * region->wall_ns;
	}
	fits = whole_ns + serial_ns <= metrics->n_slots * metrics->wall_ns;
	for (size_t i = 0; i < metrics->n_regions && metrics->has_waits; i++) {
		uint64_t capacity_ns = metrics->n_slots * metrics->regions[i].wall_ns;

		if (metrics->regions[i].outer != UINT32_MAX)
			continue;
		if (fits)
			assert_int_equal(sums[i], capacity_ns);
		else
			assert_true(sums[i] <= capacity_ns + METRICS_N_CAUSES);
	}
	free(sums);
}

static void check_waits(
	const struct metrics *metrics, const struct profile *profile, const struct tree *tree)
{
	uint64_t measured[PROFILE_N_WAITS] = { 0 }, blamed = 0, of_threads = 0;

	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];
		int is_idle = node->wait >= PROFILE_IDLE_BEFORE && node->wait <= PROFILE_IDLE_AFTER;

		if (node->kind == PROFILE_NODE_WAIT && node->wait != PROFILE_BLOCKED &&
			node->wait != PROFILE_MPI)
			measured[is_idle ? PROFILE_IDLE_BETWEEN : node->wait] += node->time_ns;
	}
	for (size_t i = 0; i < metrics->n_waits; i++) {
		const struct metrics_wait *wait = &metrics->waits[i];
		uint64_t sum = wait->unblamed_ns;

		assert_true(i == 0 || wait[-1].wait_ns >= wait->wait_ns);
		assert_true(wait->node < tree->n_nodes);
		for (size_t j = 0; j < wait->n_causes; j++) {
			assert_true(j == 0 || wait->causes[j - 1].ns >= wait->causes[j].ns);
			assert_true(wait->causes[j].node < tree->n_nodes);
			assert_true(wait->causes[j].thread < profile->n_threads);
			sum += wait->causes[j].ns;
		}
		assert_int_equal(sum, wait->wait_ns);
		blamed += sum - wait->unblamed_ns;
		measured[wait->kind] -= wait->wait_ns;
	}
	for (int i = 0; i < PROFILE_N_WAITS; i++)
		assert_int_equal(measured[i], 0);
	for (size_t i = 0; i < metrics->n_threads; i++)
		of_threads += metrics->threads[i].blame_ns;
	assert_int_equal(of_threads, blamed);
}

static void check_threads(const struct metrics *metrics)
{
	for (size_t i = 0; i < metrics->n_threads; i++) {
		const struct metrics_thread *thread = &metrics->threads[i];

		assert_int_equal(thread->useful_ns + thread->overhead_ns + thread->barrier_ns +
					 thread->task_ns + thread->lock_ns + thread->idle_ns +
					 thread->not_running_ns + thread->blocked_ns +
					 thread->device_ns + thread->mpi_ns,
			thread->total_ns);
	}
}

/* With `is_sane` all sums are exact; otherwise numbers were too large for 64 bits. */
static void check_metrics(const struct build *b, int is_sane)
{
	static const struct tree_options options = { .view = TREE_USER };
	struct metrics metrics;
	struct profile profile;
	struct diag diag;
	struct tree tree;

	if (profile_parse(&profile, b->bytes, b->size, "x", &diag))
		return;
	assert_int_equal(attribute(&tree, &profile, &options, &diag), 0);
	assert_int_equal(metrics_make(&metrics, &profile, &tree, &diag), 0);
	assert_int_equal(sum_of(metrics.cause_ns), metrics.n_slots * metrics.wall_ns);
	check_threads(&metrics);
	if (is_sane) {
		check_parts(&metrics);
		check_regions(&metrics, &profile);
		check_waits(&metrics, &profile, &tree);
	}
	for (size_t i = 0; i < metrics.n_regions; i++)
		metrics_quantile(&metrics, &metrics.regions[i], 500);
	metrics_release(&metrics);
	tree_release(&tree);
	profile_release(&profile);
}

static void test_sums(void **state)
{
	uint64_t random = 4242;

	for (int round = 0; round < 1000; round++) {
		struct build b;

		build_program(&b);
		build_random(&b, &random, round % 2);
		build_header(&b)->clock_kind = 1 + (uint32_t)(round / 2 % 3);
		if (round % 7 == 0)
			build_header(&b)->ticks_per_s = 0;
		for (uint32_t i = 1; i <= 3; i++)
			build_thread_at(&b, i)->run_delay_ns = next_random(&random) % 100000000;
		check_metrics(&b, 1);
		build_release(&b);
	}
}

static void test_mutations(void **state)
{
	uint64_t random = 20260103;
	unsigned char *original;
	struct build b;

	build_every_kind(&b, 3);
	original = malloc(b.size);
	memcpy(original, b.bytes, b.size);
	for (int i = 0; i < 10000; i++) {
		memcpy(b.bytes, original, b.size);
		mutate_file(b.bytes, b.size, &random);
		if (i % 2)
			build_header(&b)->flags &= ~(uint32_t)PROFILE_COMPLETE;
		check_metrics(&b, 0);
	}
	free(original);
	build_release(&b);
}

/* Every number as large as it can be. */
static void test_huge(void **state)
{
	uint64_t random = 99;

	for (int round = 0; round < 100; round++) {
		struct build b;

		build_program(&b);
		build_random(&b, &random, 0);
		for (uint32_t i = 1; i * PROFILE_SEGMENT_BYTES < b.size; i++) {
			struct profile_segment *segment = build_segment_at(&b, i);

			for (uint32_t j = 1; j <= segment->used &&
					     (segment->kind == PROFILE_SEGMENT_NODES ||
						     segment->kind == PROFILE_SEGMENT_REGIONS);
				j++) {
				unsigned char *record = (unsigned char *)segment +
							(size_t)j * segment->record_bytes;

				if (segment->kind == PROFILE_SEGMENT_NODES)
					memset(record + 28, 0xff, 28);
				else
					memset(record + 8, 0xff, 500);
			}
		}
		check_metrics(&b, 0);
		build_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_huge),
	};

	return cmocka_run_group_tests_name("metrics_random", tests, NULL, NULL);
}
