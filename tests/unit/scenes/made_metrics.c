/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up figures; see made_metrics.h. */
#include "tests/unit/scenes/made_metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MSEC    1000000ull
#define SEC     (1000 * MSEC)
#define PROGRAM 0x400000ull

enum { N_THREADS = 8, ANYWHERE = -1, MOST_WAITS = 8, MOST_CAUSES = 8 };

/* The node of that kind and address below `above`, which may be ANYWHERE. */
static uint32_t find(const struct tree *tree, enum tree_kind kind, uint64_t addr, long above)
{
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		uint32_t at = i;

		if (tree->nodes[i].kind != kind || tree->nodes[i].addr != PROGRAM + addr)
			continue;
		while (above != ANYWHERE && at != UINT32_MAX && at != (uint32_t)above)
			at = tree->nodes[at].parent;
		if (at != UINT32_MAX)
			return i;
	}
	fail_msg("no node of kind %d at 0x%llx", kind, (unsigned long long)addr);
	return 0;
}

static void make_regions(struct metrics *metrics, const struct tree *tree)
{
	static const struct {
		uint64_t addr, n, wall_ms, useful, imbalance, lock, task, overhead, n_slowest;
	} rows[MADE_N_REGIONS] = {
		[MADE_SOLVE] = { 0x1261, 400, 5200, 28640, 12000, 0, 0, 960, 391 },
		[MADE_ASSEMBLE] = { 0x2481, 20, 3100, 14560, 1920, 8000, 0, 320, 4 },
		[MADE_TREE] = { 0x1481, 1, 1700, 7360, 1440, 0, 4000, 800, 1 },
		[MADE_AXPY] = { 0x2761, 12000, 600, 2240, 2240, 0, 0, 320, 2000 },
	};

	metrics->regions = calloc(MADE_N_REGIONS, sizeof(*metrics->regions));
	metrics->n_regions = MADE_N_REGIONS;
	for (size_t i = 0; i < MADE_N_REGIONS; i++) {
		struct metrics_region *region = &metrics->regions[i];

		region->node = find(tree, TREE_REGION, rows[i].addr, ANYWHERE);
		region->outer = UINT32_MAX;
		region->n = region->n_barriers = rows[i].n;
		region->wall_ns = rows[i].wall_ms * MSEC;
		region->min_ns = region->wall_ns / rows[i].n / 2;
		region->max_ns = region->wall_ns / rows[i].n * 3 / (rows[i].n > 1 ? 2 : 3);
		region->min_team = region->max_team = N_THREADS;
		region->thread_ns = N_THREADS * region->wall_ns;
		region->cause_ns[METRICS_USEFUL] = rows[i].useful * MSEC;
		region->cause_ns[METRICS_IMBALANCE] = rows[i].imbalance * MSEC;
		region->cause_ns[METRICS_LOCK] = rows[i].lock * MSEC;
		region->cause_ns[METRICS_TASK] = rows[i].task * MSEC;
		region->cause_ns[METRICS_OVERHEAD] = rows[i].overhead * MSEC;
		region->persistent_ns =
			i == MADE_SOLVE ? 11500 * MSEC : rows[i].imbalance * MSEC / 5;
		region->n_slowest = rows[i].n_slowest;
		region->lengths = calloc(METRICS_N_LENGTHS, sizeof(*region->lengths));
		region->lengths[40] = rows[i].n;
		region->n_tasks = i == MADE_TREE ? 5000 : 0;
		for (size_t k = 0; k < METRICS_N_CAUSES; k++)
			metrics->cause_ns[k] += region->cause_ns[k];
	}
}

static struct metrics_wait *add_wait(struct metrics *metrics, enum profile_wait kind, uint64_t id,
	uint32_t region, uint32_t node)
{
	struct metrics_wait *wait = &metrics->waits[metrics->n_waits++];

	*wait = (struct metrics_wait){
		.kind = kind, .wait_id = id, .region = region, .node = node
	};
	wait->causes = &metrics->blame[MOST_CAUSES * (metrics->n_waits - 1)];
	return wait;
}

static void add_blame(struct metrics_wait *wait, uint32_t node, uint32_t thread, uint64_t ms)
{
	wait->causes[wait->n_causes++] =
		(struct metrics_blame){ .node = node, .thread = thread, .ns = ms * MSEC };
	wait->wait_ns += ms * MSEC;
}

static void add_unblamed(struct metrics_wait *wait, uint64_t ms)
{
	wait->unblamed_ns = ms * MSEC;
	wait->wait_ns += ms * MSEC;
	wait->n = 100;
}

static void make_waits(struct metrics *metrics, const struct tree *tree)
{
	uint32_t solve = metrics->regions[MADE_SOLVE].node;
	uint32_t assemble = metrics->regions[MADE_ASSEMBLE].node;
	uint32_t region = metrics->regions[MADE_TREE].node;
	uint32_t body = find(tree, TREE_FRAME, 0x2530, assemble);
	struct metrics_wait *wait;

	metrics->waits = calloc(MOST_WAITS, sizeof(*metrics->waits));
	metrics->blame = calloc(MOST_WAITS * MOST_CAUSES, sizeof(*metrics->blame));
	wait = add_wait(metrics, PROFILE_IDLE_BETWEEN, 0, UINT32_MAX, 0);
	add_blame(wait, find(tree, TREE_FRAME, 0x1833, ANYWHERE), 0, 8500);
	add_blame(wait, find(tree, TREE_FRAME, 0x2931, ANYWHERE), 0, 2700);
	add_unblamed(wait, 1400);
	wait = add_wait(metrics, PROFILE_BARRIER_CLOSING, 0, solve, solve);
	add_blame(wait, find(tree, TREE_FRAME, 0x1390, solve), 0, 9800);
	add_blame(wait, find(tree, TREE_FRAME, 0x1390, solve), 3, 1200);
	add_blame(wait, find(tree, TREE_FRAME, 0x1390, solve), 4, 900);
	add_unblamed(wait, 100);
	wait = add_wait(metrics, PROFILE_CRITICAL, 0x40f340, UINT32_MAX, body);
	add_blame(wait, find(tree, TREE_FRAME, 0x2633, assemble), 2, 7100);
	add_unblamed(wait, 900);
	wait = add_wait(metrics, PROFILE_BARRIER_CLOSING, 0, region, region);
	add_blame(wait, find(tree, TREE_FRAME, 0x1742, ANYWHERE), 1, 3000);
	add_unblamed(wait, 2400);
}

static void make_rest(struct metrics *metrics, const struct tree *tree)
{
	uint32_t assemble = metrics->regions[MADE_ASSEMBLE].node;

	metrics->locks = calloc(2, sizeof(*metrics->locks));
	metrics->n_locks = 1;
	metrics->locks[0] = (struct metrics_lock){ .wait_id = 0x40f340,
		.kind = PROFILE_CRITICAL,
		.codeptr = PROGRAM + 0x2531,
		.n_threads = N_THREADS,
		.n_acquired = 160000,
		.n_contended = 97600,
		.wait_ns = 8 * SEC,
		.max_wait_ns = 3 * MSEC,
		.n_held = 160000,
		.held_ns = 2914 * MSEC,
		.max_held_ns = MSEC,
		.within_ns = 3100 * MSEC,
		.node = find(tree, TREE_FRAME, 0x2530, assemble) };
	metrics->tasks = calloc(2, sizeof(*metrics->tasks));
	metrics->n_tasks = 1;
	metrics->tasks[0] = (struct metrics_task){ .node = find(tree, TREE_TASK, 0x1531, ANYWHERE),
		.n_created = 5000,
		.n_executed = 5000,
		.n_stolen = 4400,
		.busy_ns = 7300 * MSEC,
		.max_ns = 9 * MSEC,
		.starved_ns = 4 * SEC,
		.n_creators = 1 };
	metrics->threads = calloc(N_THREADS, sizeof(*metrics->threads));
	metrics->n_threads = N_THREADS;
	for (size_t i = 0; i < N_THREADS; i++) {
		struct metrics_thread *thread = &metrics->threads[i];

		thread->total_ns = 12400 * MSEC;
		thread->overhead_ns = 300 * MSEC;
		thread->task_ns = i ? 550 * MSEC : 150 * MSEC;
		thread->barrier_ns = i ? (2400 + 10 * i) * MSEC : 520 * MSEC;
		thread->lock_ns = i ? 1020 * MSEC : 860 * MSEC;
		thread->idle_ns = i ? 1800 * MSEC : 0;
		thread->useful_ns = thread->total_ns - thread->overhead_ns - thread->task_ns -
				    thread->barrier_ns - thread->lock_ns - thread->idle_ns;
		thread->blame_ns = i ? i * 500 * MSEC : 21000 * MSEC;
	}
}

void made_sleep(struct metrics *metrics)
{
	uint64_t *serial_ns = metrics->serial_cause_ns;
	uint64_t *region_ns = metrics->regions[MADE_TREE].cause_ns;

	serial_ns[METRICS_USEFUL] -= 1200 * MSEC;
	serial_ns[METRICS_BLOCKED] = 800 * MSEC;
	serial_ns[METRICS_NOT_RUNNING] = 80 * MSEC;
	serial_ns[METRICS_OVERHEAD] = 320 * MSEC;
	region_ns[METRICS_USEFUL] -= 3200 * MSEC;
	region_ns[METRICS_BLOCKED] = 3200 * MSEC;
	metrics->cause_ns[METRICS_USEFUL] -= 4400 * MSEC;
	metrics->cause_ns[METRICS_BLOCKED] = 4000 * MSEC;
	metrics->cause_ns[METRICS_NOT_RUNNING] = 80 * MSEC;
	metrics->cause_ns[METRICS_OVERHEAD] += 320 * MSEC;
}

void made_metrics(struct metrics *metrics, const struct tree *tree)
{
	memset(metrics, 0, sizeof(*metrics));
	metrics->n_slots = N_THREADS;
	metrics->wall_ns = 12400 * MSEC;
	metrics->serial_ns = 1800 * MSEC;
	metrics->has_waits = 1;
	metrics->cause_ns[METRICS_USEFUL] = 1800 * MSEC;
	metrics->cause_ns[METRICS_SERIAL] = 12600 * MSEC;
	memcpy(metrics->serial_cause_ns, metrics->cause_ns, sizeof(metrics->cause_ns));
	make_regions(metrics, tree);
	make_waits(metrics, tree);
	make_rest(metrics, tree);
}
