/* SPDX-License-Identifier: Apache-2.0 */
/* Figures in little memory are those that plain structs would have, whatever is added to which node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/tree/sparse_metrics.h"

enum { NODES = 200, STEPS = 20000 };

static uint64_t random_state = 20261123;

static uint32_t draw(uint32_t below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % below;
}

/* A few figures, the outermost of the struct among them at times. */
static struct tree_metrics draw_metrics(void)
{
	struct tree_metrics metrics = { 0 };
	uint64_t *figures = (uint64_t *)&metrics;

	for (uint32_t n = draw(4); n > 0; n--)
		figures[draw(4) ? draw(SPARSE_METRICS_MOST) : draw(2) * (SPARSE_METRICS_MOST - 1)] =
			1 + draw(100);
	return metrics;
}

static void add(struct tree_metrics *to, const struct tree_metrics *more)
{
	for (size_t i = 0; i < SPARSE_METRICS_MOST; i++)
		((uint64_t *)to)[i] += ((const uint64_t *)more)[i];
}

static void expect(
	const struct sparse *sparse, const uint32_t *at, const struct tree_metrics *plain)
{
	for (size_t i = 0; i < NODES; i++) {
		struct tree_metrics found = sparse_metrics_get(sparse, at[i]);

		assert_memory_equal(&found, &plain[i], sizeof(found));
	}
}

static void test_as_plain_structs(void **state)
{
	static struct tree_metrics plain[2][NODES];
	static uint32_t at[2][NODES];
	struct sparse sparse[2] = { { 0 }, { 0 } };

	(void)state;
	for (int step = 0; step < STEPS; step++) {
		uint32_t k = draw(2), i = draw(NODES), from = draw(2), other = draw(NODES);
		struct tree_metrics metrics = draw_metrics();

		switch (draw(8)) {
		case 0:
			assert_int_equal(sparse_metrics_set(&sparse[k], &at[k][i], &metrics), 0);
			plain[k][i] = metrics;
			break;
		case 1:
		case 2:
			if (from == k && i == other)
				break;
			assert_int_equal(sparse_metrics_join(&sparse[k], &at[k][i], &sparse[from],
						 at[from][other]),
				0);
			metrics = plain[from][other];
			add(&plain[k][i], &metrics);
			break;
		default:
			assert_int_equal(sparse_metrics_add(&sparse[k], &at[k][i], &metrics), 0);
			add(&plain[k][i], &metrics);
		}
		if (step % 100 == 0)
			expect(&sparse[k], at[k], plain[k]);
	}
	for (int k = 0; k < 2; k++) {
		expect(&sparse[k], at[k], plain[k]);
		sparse_metrics_release(&sparse[k]);
	}
}

static void test_nothing_takes_nothing(void **state)
{
	struct tree_metrics nothing = { 0 }, found;
	struct sparse sparse = { 0 };
	uint32_t at = 0;

	(void)state;
	assert_int_equal(sparse_metrics_add(&sparse, &at, &nothing), 0);
	assert_int_equal(sparse_metrics_join(&sparse, &at, &sparse, 0), 0);
	assert_int_equal(at, 0);
	assert_null(sparse.words);
	found = sparse_metrics_get(&sparse, at);
	assert_memory_equal(&found, &nothing, sizeof(found));
}

/* A node that comes to have more figures leaves its place to others. */
static void test_places_are_used_again(void **state)
{
	struct tree_metrics one = { .samples = 1 }, two = { .blame_ns = 1 };
	struct sparse sparse = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint32_t at = 0;

		assert_int_equal(sparse_metrics_add(&sparse, &at, &one), 0);
		assert_int_equal(sparse_metrics_add(&sparse, &at, &two), 0);
	}
	/* Four words each, beside the word that is not used and one place of three. */
	assert_int_equal(sparse.n_words, 1 + 3 + 4 * 1000);
	sparse_metrics_release(&sparse);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_plain_structs),
		cmocka_unit_test(test_nothing_takes_nothing),
		cmocka_unit_test(test_places_are_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
