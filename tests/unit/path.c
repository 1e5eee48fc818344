/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths into the tree: whatever is remembered of the path before, the node is the one that the whole
 * path's insertion finds. Walks are made up: a stack of frames that changes at random, and a walker
 * that keeps as many of them as it likes, of those that are the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/writer.h"
#include "sampler/path.h"
#include "sampler/tool.h"

enum {
	DEEPEST = 40,
	RUNTIME_LO = 0x9000, /* addresses from here on are the runtime's */
	RUNTIME_HI = 0xa000,
	FIRST_CFA = 0x100000, /* of the innermost frame when the stack is as deep as can be */
};

static char folder[64], file[128];
static struct thread *thread;

/* The thread's stack, the outermost frame first. */
static struct walk_frame stack[DEEPEST];
static uint32_t n_stack;
static uint32_t end;       /* of a walk that meets no stop */
static uint32_t n_forgets; /* frames that the walker does not keep though it could */

/* The path after the walk before. */
static struct {
	uint32_t n;
	struct walk_frame frame[DEEPEST];
} walked;

static uint64_t random_state;

static uint32_t below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 33) % n;
}

static int is_same(const struct walk_frame *a, const struct walk_frame *b)
{
	return a->ip == b->ip && a->cfa == b->cfa && a->how == b->how;
}

/* Walks `stack`. What is kept is of the path as it was after the walk before, whatever the caller has
   dropped of it since. */
static uint32_t walk(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	uint32_t first = n_stack, n_before = walked.n, n = 0;

	path->end = end;
	do {
		first--;
	} while (first > 0 && stack[first].cfa <= stop_cfa);
	if (stack[first].cfa > stop_cfa)
		path->end = WALK_COMPLETE;
	path->n = n_stack - first;
	path->frame = path->store + 2 * WALK_MAX_FRAMES - path->n;
	for (uint32_t i = 0; i < path->n; i++)
		path->frame[i] = stack[n_stack - 1 - i];
	if (path->end != WALK_COMPLETE)
		path->frame[path->n - 1].cfa = 0;
	while (n < path->n && n < n_before &&
		is_same(&path->frame[path->n - 1 - n], &walked.frame[n_before - 1 - n]))
		n++;
	path->n_kept = n > n_forgets ? n - n_forgets : 0;
	walked.n = path->n;
	memcpy(walked.frame, path->frame, path->n * sizeof(*path->frame));
	return path->n;
}

static const struct walker walker = { .name = "made-up", .walk = walk };

static int set_up(void **state)
{
	strcpy(folder, "/tmp/ompprof-path.XXXXXX");
	thread = calloc(1, sizeof(*thread));
	if (!thread || !mkdtemp(folder))
		return -1;
	snprintf(file, sizeof(file), "%s/x.ompprof", folder);
	tool.walker = &walker;
	thread->path.frame = thread->path.store;
	random_state = 88172645463325252u;
	n_stack = n_forgets = walked.n = 0;
	end = WALK_COMPLETE;
	return writer_open(file) != 0 || cct_init(&thread->cct, 1) != 0 ? -1 : 0;
}

static int tear_down(void **state)
{
	free(thread);
	writer_forget();
	unlink(file);
	return rmdir(folder);
}

/* Adds a frame; an address in the test itself is in a module. */
static void push(uint64_t ip)
{
	stack[n_stack] = (struct walk_frame){
		.ip = ip,
		.cfa = FIRST_CFA + (DEEPEST - n_stack) * 0x100,
		.how = WALK_CALL,
	};
	n_stack++;
}

static uint64_t random_ip(void)
{
	switch (below(4)) {
	case 0:
		return RUNTIME_LO + below(3);
	case 1:
		return (uint64_t)walk + below(3);
	default:
		return 0x400 + below(3);
	}
}

/* Returns, calls, or does so within a frame. */
static void change_stack(void)
{
	uint32_t n_returns = below(4) == 0 ? below(n_stack + 1) : below(3);
	uint32_t n_calls = 1 + below(4);

	n_stack -= n_returns < n_stack ? n_returns : n_stack;
	while (n_calls-- > 0 && n_stack < DEEPEST)
		push(random_ip());
	if (below(8) == 0)
		stack[below(n_stack)].ip = random_ip();
	stack[n_stack - 1].how = below(3) == 0 ? WALK_EXACT : WALK_CALL;
	if (n_stack > 1 && below(16) == 0)
		stack[n_stack - 2].how = WALK_GUESS;
	end = below(4) == 0 ? WALK_NO_CFI + below(3) : WALK_COMPLETE;
	n_forgets = below(3) == 0 ? below(10) : 0;
}

/* The frame pointer of some frame, or none. */
static uint64_t random_pointer(void)
{
	return below(3) == 0 ? 0 : stack[below(n_stack)].cfa - 16;
}

static struct path_place random_place(void)
{
	struct path_place place = {
		.context = below(3),
		.frames.task = (enum frames_task)below(FRAMES_DEFERRED + 1),
		.frames.exit_frame = random_pointer(),
		.frames.enter_frame = random_pointer(),
		.frames.base_cfa = stack[below(n_stack)].cfa,
		.frames.runtime_lo = RUNTIME_LO,
		.frames.runtime_hi = RUNTIME_HI,
	};

	return place;
}

static void walk_to(struct path_place *place)
{
	static const struct walk_registers nowhere;

	path_walk(thread, place, &nowhere, &thread->stack);
}

/* Inserts the path, and once more as if nothing were known of it: which must make no node. Returns the
   node. */
static uint32_t insert(const struct path_place *place)
{
	struct path_note kept;
	uint32_t node = path_insert(thread, place), last = thread->cct.segment->used, afresh;
	uint32_t segment = thread->cct.first_id;

	memcpy(&kept, &thread->note, sizeof(kept));
	memset(&thread->note, 0, sizeof(thread->note));
	afresh = path_insert(thread, place);
	memcpy(&thread->note, &kept, sizeof(kept));
	assert_int_equal(node, afresh);
	assert_int_equal(thread->cct.first_id, segment);
	assert_int_equal(thread->cct.segment->used, last);
	return node;
}

/* How many nodes of the path before would be used for one that has just been walked. */
static uint32_t n_remembered(void)
{
	return thread->note.n > thread->note.basis.first ? thread->note.n - thread->note.basis.first
							 : 0;
}

/* What a thread does to its path: walks that come to nothing, inner frames that are dropped, the same
   path for another context, and the same again. */
static void test_random(void **state)
{
	uint64_t n_reused = 0, n_frames = 0;

	struct path_place place = { .frames.task = FRAMES_ALL };

	for (int round = 0; round < 200000; round++) {
		if (n_stack == 0 || below(5) > 0)
			change_stack();
		if (below(3) == 0)
			place = random_place();
		walk_to(&place);
		if (below(4) == 0)
			continue;
		if (below(4) == 0) {
			uint32_t n = below(thread->path.n);

			thread->path.frame += n;
			thread->path.n -= n;
		}
		n_reused += n_remembered();
		n_frames += thread->path.n;
		assert_true(insert(&place) != 0);
	}
	/* Otherwise nothing was tested. */
	assert_true(n_reused > n_frames / 4);
}

/* Recursion to the walker's bound and back. */
static void test_stack_of_one_address(void **state)
{
	struct path_place place = { .frames.task = FRAMES_ALL };
	uint32_t nodes[DEEPEST];

	for (uint32_t i = 0; i < DEEPEST; i++) {
		push(0x400);
		walk_to(&place);
		assert_int_equal(thread->note.n, i);
		nodes[i] = insert(&place);
		assert_true(nodes[i] != 0);
	}
	for (uint32_t i = DEEPEST; i > 1; i--) {
		n_stack--;
		walk_to(&place);
		assert_int_equal(thread->note.n, i - 1);
		assert_int_equal(insert(&place), nodes[i - 2]);
	}
}

/* A context that could not be made is asked for again. */
static void test_context(void **state)
{
	struct path_place place = { .context = 7 };
	uint32_t root = path_root(thread, &place);

	assert_int_equal(writer_node(root)->addr, 7);
	assert_int_equal(path_root(thread, &place), root);
	place.context = 8;
	assert_int_equal(writer_node(path_root(thread, &place))->addr, 8);
	place.context = 0;
	assert_int_equal(path_root(thread, &place), thread->cct.root);
	place.context = 7;
	assert_int_equal(path_root(thread, &place), root);
}

/* Fills the file: no node can be made any more. */
static void fill(void)
{
	struct rlimit before, limit;

	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 1 << 20;
	setrlimit(RLIMIT_FSIZE, &limit);
	for (uint64_t i = 0; i < 100000; i++) {
		if (!cct_child(&thread->cct, thread->cct.root, PROFILE_NODE_FRAME, 0, 1 << 20 | i))
			break;
	}
	setrlimit(RLIMIT_FSIZE, &before);
}

/* Of a path that does not go into the file as a whole, what was there before is known, no more. */
static void test_no_space(void **state)
{
	struct path_place place = { .frames.task = FRAMES_ALL };
	uint32_t third;

	for (int i = 0; i < 3; i++)
		push(0x400);
	walk_to(&place);
	third = insert(&place);
	fill();
	push(0x401);
	push(0x402);
	for (int i = 0; i < 3; i++) {
		walk_to(&place);
		assert_int_equal(insert(&place), 0);
		assert_int_equal(thread->note.n, 3);
	}
	place.context = 7;
	walk_to(&place);
	assert_int_equal(insert(&place), 0);
	place.context = 0;
	n_stack = 3;
	walk_to(&place);
	assert_int_equal(insert(&place), third);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stack_of_one_address, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_context, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_space, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_random, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
