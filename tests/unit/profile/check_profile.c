/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of what the reader gives; see check_profile.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/profile/check_profile.h"

#define NODES_PER_SEGMENT (PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES)

uint64_t samples_in_file(const unsigned char *bytes, size_t size)
{
	uint32_t n_segments = ((const struct profile_header *)bytes)->n_segments;
	uint64_t n = 0;

	for (size_t i = 1; i < n_segments && i * PROFILE_SEGMENT_BYTES + 64 <= size; i++) {
		const struct profile_segment *segment =
			(const void *)(bytes + i * PROFILE_SEGMENT_BYTES);
		const struct profile_node *node = (const void *)segment;
		const unsigned char *end = bytes + size;

		if (segment->kind != PROFILE_SEGMENT_NODES ||
			segment->record_bytes != PROFILE_NODE_BYTES)
			continue;
		for (size_t j = 1; j <= segment->used && j < NODES_PER_SEGMENT &&
				   (const unsigned char *)&node[j + 1] <= end;
			j++)
			n += node[j].kind == PROFILE_NODE_SAMPLES ? node[j].n : 0;
	}
	return n;
}

uint64_t samples_in_profile(const struct profile *profile)
{
	uint64_t n = 0;

	for (size_t i = 0; i < profile->n_nodes; i++)
		n += profile->nodes[i].kind == PROFILE_NODE_SAMPLES ? profile->nodes[i].n : 0;
	return n;
}

static int is_leaf(uint8_t kind)
{
	return kind == PROFILE_NODE_SAMPLES || kind == PROFILE_NODE_WAIT ||
	       kind == PROFILE_NODE_BLAME || kind == PROFILE_NODE_EVENT;
}

static int is_mutex(uint8_t wait)
{
	return (wait >= PROFILE_LOCK && wait <= PROFILE_CRITICAL) || wait == PROFILE_ATOMIC;
}

static void check_node(const struct profile *profile, size_t i)
{
	const struct profile_tree_node *node = &profile->nodes[i];

	assert_in_range(node->kind, PROFILE_NODE_THREAD, PROFILE_NODE_PHASE);
	assert_true(node->owner < profile->n_threads);
	if (node->kind == PROFILE_NODE_THREAD) {
		assert_int_equal(node->parent, UINT32_MAX);
	} else {
		assert_true(node->parent < i);
		assert_false(is_leaf(profile->nodes[node->parent].kind));
	}
	if (node->context != UINT32_MAX) {
		assert_true(node->kind == PROFILE_NODE_CONTEXT || node->kind == PROFILE_NODE_BLAME);
		assert_true(node->context < profile->n_nodes);
		if (profile->nodes[node->context].kind != PROFILE_NODE_TARGET ||
			node->kind == PROFILE_NODE_BLAME)
			assert_in_range(profile->nodes[node->context].kind, PROFILE_NODE_REGION,
				node->kind == PROFILE_NODE_BLAME ? PROFILE_NODE_REGION
								 : PROFILE_NODE_TASK);
	}
	if (node->kind == PROFILE_NODE_SAMPLES)
		assert_true(node->addr < PROFILE_N_CLASSES);
	if (node->kind == PROFILE_NODE_EVENT)
		assert_in_range(node->event, PROFILE_NO_EVENT + 1, PROFILE_N_EVENTS - 1);
	if (node->kind == PROFILE_NODE_WAIT || node->kind == PROFILE_NODE_BLAME) {
		assert_true(profile->has_ticks);
		assert_in_range(node->wait, 1, PROFILE_N_WAITS - 1);
		/* The blame of a team has the construct at which it waits. */
		assert_true(node->addr == 0 || is_mutex(node->wait) ||
			    node->kind == PROFILE_NODE_BLAME);
	}
	if (node->kind == PROFILE_NODE_REGION && node->record != UINT32_MAX) {
		assert_true(node->record < profile->n_regions);
		assert_int_equal(profile->regions[node->record].node, i);
	}
}

static void check_collectives(const struct profile *profile)
{
	for (size_t i = 0; i < profile->collectives.n; i++) {
		const struct profile_collective *call = &profile->collectives.all[i];

		assert_true(call->number > 0 && call->begin <= call->end);
		assert_true(i == 0 || call[-1].number < call->number);
	}
}

static void check_records(const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_regions; i++) {
		const struct profile_region_record *record = &profile->regions[i];

		assert_true(record->node < profile->n_nodes);
		assert_int_equal(profile->nodes[record->node].record, i);
		assert_true(record->outer == UINT32_MAX ||
			    (record->outer < profile->n_nodes &&
				    profile->nodes[record->outer].kind == PROFILE_NODE_REGION));
	}
	for (size_t i = 0; i < profile->n_locks; i++) {
		assert_true(profile->locks[i].thread < profile->n_threads);
		assert_in_range(profile->locks[i].kind, 1, PROFILE_N_WAITS - 1);
	}
	if (!profile->has_ticks)
		assert_int_equal(profile->n_regions + profile->n_locks + profile->waits, 0);
}

void check_profile(const struct profile *profile)
{
	for (size_t i = 0; i < profile->n_nodes; i++)
		check_node(profile, i);
	check_records(profile);
	check_collectives(profile);
	for (size_t i = 1; i < profile->n_threads; i++)
		assert_true(profile->threads[i - 1].index < profile->threads[i].index);
	for (size_t i = 0; i < profile->n_modules; i++) {
		const struct profile_module *module = &profile->modules[i];

		assert_true(module->start < module->end);
		assert_non_null(memchr(module->path, 0, sizeof(module->path)));
		assert_true(module->build_id_bytes <= sizeof(module->build_id));
		assert_true(!i || module[-1].generation <= module->generation);
	}
	assert_null(profile->args[profile->n_args]);
	assert_null(profile->env[profile->n_env]);
	assert_non_null(profile->program.exe);
	assert_non_null(profile->program.cwd);
	assert_non_null(memchr(profile->header.tool, 0, sizeof(profile->header.tool)));
}

void parse_and_check(struct profile *profile, const struct build *build)
{
	struct diag diag;

	assert_int_equal(profile_parse(profile, build->bytes, build->size, "test", &diag), 0);
	check_profile(profile);
	assert_int_equal(samples_in_profile(profile), samples_in_file(build->bytes, build->size));
}

const struct profile_tree_node *find_node(
	const struct profile *profile, uint8_t kind, uint64_t addr)
{
	for (size_t i = 0; i < profile->n_nodes; i++) {
		if (profile->nodes[i].kind == kind && profile->nodes[i].addr == addr)
			return &profile->nodes[i];
	}
	return NULL;
}

/* Two ticks of the clock are between collective calls 1 and 2. */
static void build_calls(struct build *b)
{
	uint32_t calls = build_segment(b, PROFILE_SEGMENT_COLLECTIVES, 0);
	uint64_t start = build_header(b)->start_ticks;

	build_collective(b, calls, 2, start + 12, start + 15, 0x1110);
	build_collective(b, calls, 1, start + 2, start + 10, 0x1108);
}

void build_every_kind(struct build *b, uint32_t max_records)
{
	uint32_t first, second, frame, region, task, context;
	struct profile_lock *lock;

	build_begin(b);
	b->max_records = max_records;
	build_text(b, "arg", "./a.out");
	build_text(b, "arg", "-n=4");
	build_text(b, "env", "OMP_NUM_THREADS=2");
	build_text(b, "exe", "/bin/a.out");
	build_text(b, "cwd", "/tmp");
	build_module(b, "/bin/a.out", 0x1000, 0x9000, PROFILE_MODULE_MAIN);
	first = build_thread(b, 1);
	second = build_thread(b, 2);
	frame = build_frame(b, build_root(b, first), 0x1100, 0);
	region = build_region(b, frame, 0x1104, 7);
	context = build_context(b, second, region);
	frame = build_frame(b, context, 0x1200, PROFILE_FRAME_OUTLINED);
	build_samples(b, frame, PROFILE_WORK, 5, 5000);
	build_blame(b, frame, PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, region), 0, 2, 1500);
	build_blame(b, frame, PROFILE_WAIT_KEY(PROFILE_LOCK, 0x7000), 0, 3, 600);
	build_stays(b, context, 7, 9000);
	build_region_record(b, region, 7, 10000, 2);
	lock = build_lock(b, first, PROFILE_LOCK, 0x7000);
	lock->n_acquired = 4;
	lock->wait = 700;
	task = build_task(b, frame, 0x1204, 3);
	context = build_context(b, first, task);
	frame = build_frame(b, context, 0x1300, PROFILE_FRAME_EXACT);
	build_samples(b, frame, PROFILE_WAIT_TASKWAIT, 2, 2000);
	build_wait(b, frame, PROFILE_LOCK, 0x7000, 3, 700);
	build_wait(b, build_context(b, first, region), PROFILE_BARRIER_CLOSING, 0, 7, 2100);
	build_samples(b, build_truncated(b, build_root(b, second), PROFILE_WALK_LIMIT),
		PROFILE_OVERHEAD, 1, 1000);
	build_calls(b);
}

uint64_t next_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

void mutate_file(unsigned char *bytes, size_t size, uint64_t *random)
{
	static const uint32_t values[] = { 0, 1, 2, 4, 64, 255, 256, 257, 0x7fffffff, UINT32_MAX };
	uint64_t n = 1 + next_random(random) % 8;

	while (n--) {
		/* Mostly where something is: in a segment's header or its first records. */
		size_t segment = next_random(random) % (size / PROFILE_SEGMENT_BYTES);
		size_t word = next_random(random) % (next_random(random) % 4 ? 200 : 4096);
		uint32_t value = (uint32_t)next_random(random);

		if (value % 2)
			value = values[value / 2 % 10];
		memcpy(bytes + segment * PROFILE_SEGMENT_BYTES + word * 4, &value, 4);
	}
}

/* One more node of a random kind under a random parent; contexts may stand for anything. */
static void build_random_node(struct build *b, uint32_t *ids, size_t n, uint64_t *random)
{
	uint32_t parent = ids[next_random(random) % n];
	uint64_t addr = 0x10000 * (1 + next_random(random) % 7) + next_random(random) % 3;
	uint32_t thread = 1 + (uint32_t)(next_random(random) % b->n_threads);

	uint8_t wait = (uint8_t)(1 + next_random(random) % (PROFILE_N_WAITS - 1));
	uint64_t key = PROFILE_WAIT_KEY(wait, ids[next_random(random) % n]);

	if (is_leaf(build_node_at(b, parent)->kind))
		parent = build_root(b, thread);
	switch (next_random(random) % 13) {
	case 0:
		ids[n] = build_region(b, parent, addr, 1);
		break;
	case 1:
		ids[n] = build_task(b, parent, addr, 1);
		break;
	case 11:
		ids[n] = build_target(b, parent, (uint8_t)(addr % 16), addr, 1);
		break;
	case 12:
		ids[n] = build_timed_event(b, parent, PROFILE_EVENT_KEY(addr % 80, key % 3), 1,
			addr, addr / 2, addr / 2);
		break;
	case 2:
		ids[n] = build_context(b, thread, ids[next_random(random) % n]);
		break;
	case 3:
		ids[n] = build_truncated(b, parent, addr % PROFILE_WALK_N_ENDS);
		break;
	case 4:
	case 5:
		ids[n] = build_samples(
			b, parent, addr % PROFILE_N_CLASSES, 1 + (uint32_t)(addr % 5), addr);
		break;
	case 6:
		ids[n] = build_wait(b, parent, wait, key % 3, 1 + (uint32_t)(addr % 7), addr);
		break;
	case 7:
		if (build_node_at(b, parent)->kind == PROFILE_NODE_FRAME && wait % 2)
			key = PROFILE_WAIT_KEY(wait, key % 3);
		ids[n] = build_blame(
			b, parent, key, (uint8_t)(addr % 2), 1 + (uint32_t)(addr % 30), addr / 2);
		break;
	default:
		ids[n] = build_frame(b, parent, addr, (uint8_t)(next_random(random) % 16));
	}
	if (build_node_at(b, ids[n])->kind == PROFILE_NODE_SAMPLES)
		build_node_at(b, ids[n])->events = addr + 1;
}

/* Makes contexts stand for regions that came later, so that rings arise. */
static void redirect_contexts(struct build *b, const uint32_t *ids, size_t n, uint64_t *random)
{
	for (size_t i = 0; i < n; i++) {
		struct profile_node *node = build_node_at(b, ids[i]);

		if (node->kind != PROFILE_NODE_CONTEXT)
			continue;
		for (int tries = 0; tries < 20; tries++) {
			uint32_t id = ids[next_random(random) % n];
			uint8_t kind = build_node_at(b, id)->kind;

			if (kind == PROFILE_NODE_REGION || kind == PROFILE_NODE_TASK)
				node->addr = id;
		}
	}
}

/* A record with any figures, but for those that cannot be. */
static void build_random_record(struct build *b, uint32_t region, uint64_t *random)
{
	struct profile_region *record = build_region_record(b, region, 1 + next_random(random) % 9,
		next_random(random) % 400000000, 1 + (uint32_t)(next_random(random) % 5));

	record->imbalance = next_random(random) % 3 * 100;
	record->release = next_random(random) % 100;
	record->starved = next_random(random) % 100;
	record->n_barriers = 7;
	record->n_last[next_random(random) % 32] = 3;
}

void build_random(struct build *b, uint64_t *random, int has_rings)
{
	size_t n = 0, n_nodes = 20 + next_random(random) % 380;
	uint32_t ids[400];

	b->max_records = 1 + (uint32_t)(next_random(random) % 100);
	while (n < 3) {
		uint32_t thread = build_thread(b, (uint32_t)n);

		ids[n++] = build_root(b, thread);
	}
	for (; n < n_nodes; n++)
		build_random_node(b, ids, n, random);
	if (has_rings)
		redirect_contexts(b, ids, n, random);
	for (size_t i = 0; i < n; i++) {
		if (build_node_at(b, ids[i])->kind == PROFILE_NODE_REGION &&
			next_random(random) % 4)
			build_random_record(b, ids[i], random);
	}
	for (uint32_t i = 0; i < 6; i++) {
		struct profile_lock *lock = build_lock(b, 1 + i % 3, PROFILE_LOCK + i % 2, i % 3);

		lock->n_acquired = next_random(random) % 1000;
		lock->n_held = 1 + next_random(random) % 10;
		lock->held = next_random(random) % 1000;
	}
}
