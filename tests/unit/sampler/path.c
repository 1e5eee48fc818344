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

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/core/writer.h"
#include "sampler/core/path.h"
#include "sampler/core/tool.h"

enum {
	DEEPEST = 40,
	RUNTIME_LO = 0x9000, /* addresses from here on are the runtime's */
	RUNTIME_HI = 0xa000,
	n_places = WALK_STORE_FRAMES,
	FIRST_CFA = 0x100000, /* of the innermost frame when the stack is as deep as can be */
};

static const struct ompprof_runtime_code code = { 1, { { RUNTIME_LO, RUNTIME_HI } } };

static char folder[64], file[128];
static struct thread *thread;

/* The thread's stack, the outermost frame first. */
static struct walk_frame stack[DEEPEST];
static uint32_t n_stack;
static uint32_t end;         /* of a walk that meets no stop */
static uint32_t n_kept_most; /* frames that the walker keeps if it can */
static int is_forgetful;     /* it keeps none, and writes to the start of the store */

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

/*
 * Walks `stack`, whose frame i from the outside has the place n_places - 1 - i: what lies there already
 * is kept as far as it is the same, what lies further out than the path is left alone. Or walks as
 * walkers do that keep nothing.
 */
static uint32_t walk(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	uint32_t first = n_stack;

	path->end = end;
	do {
		first--;
	} while (first > 0 && stack[first].cfa <= stop_cfa);
	if (stack[first].cfa > stop_cfa)
		path->end = WALK_COMPLETE;
	path->n = n_stack - first;
	path->frame = is_forgetful ? path->store : path->store + n_places - n_stack;
	path->n_kept = 0;
	for (uint32_t i = path->n; i > 0; i--) {
		struct walk_frame frame = stack[n_stack - i];

		if (i == path->n && path->end != WALK_COMPLETE)
			frame.cfa = 0;
		if (path->n_kept + i == path->n && !is_forgetful && n_kept_most > path->n_kept &&
			is_same(&path->frame[i - 1], &frame))
			path->n_kept++;
		else
			path->frame[i - 1] = frame;
	}
	return path->n;
}

static const struct walker walker = { .name = "made-up", .walk = walk };

static int open_writer(const char *in, const char *name)
{
	int fd = open(in, O_RDONLY | O_DIRECTORY);
	int error = fd < 0 ? errno : writer_open(fd, in, name);

	close(fd);
	return error;
}

static int set_up(void **state)
{
	strcpy(folder, "/tmp/ompprof-path.XXXXXX");
	thread = aligned_alloc(THREAD_ALIGNMENT, sizeof(*thread));
	if (!thread || !mkdtemp(folder))
		return -1;
	memset(thread, 0, sizeof(*thread));
	snprintf(file, sizeof(file), "%s/x.ompprof", folder);
	tool.walker = &walker;
	thread->path.frame = thread->path.store;
	random_state = 88172645463325252u;
	n_stack = is_forgetful = 0;
	n_kept_most = DEEPEST;
	end = WALK_COMPLETE;
	return open_writer(folder, "x.ompprof") != 0 || cct_init(&thread->cct, 1) != 0 ? -1 : 0;
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
	n_kept_most = below(3) == 0 ? below(10) : DEEPEST;
	is_forgetful = below(16) == 0;
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
		.frames.runtime = &code,
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

/* For how many frames of the path that has just been walked something is remembered. */
static uint32_t n_remembered(void)
{
	uint32_t place = (uint32_t)(thread->path.frame - thread->path.store), n = 0;

	for (uint32_t i = 0; i < thread->path.n; i++)
		n += place + i >= thread->note.n_unknown && thread->note.at[place + i].node != 0;
	return n;
}

/* What a thread does to its path: walks that come to nothing, inner frames that are dropped, the same
   path for another context, and the same again. */
static void test_random(void **state)
{
	uint64_t n_reused = 0, n_frames = 0;

	struct path_place place = { .frames.task = FRAMES_ALL };

	for (int round = 0; round < 100000; round++) {
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

/* Recursion, and back. */
static void test_stack_of_one_address(void **state)
{
	struct path_place place = { .frames.task = FRAMES_ALL };
	uint32_t nodes[DEEPEST];

	for (uint32_t i = 0; i < DEEPEST; i++) {
		push(0x400);
		walk_to(&place);
		assert_int_equal(n_remembered(), i);
		nodes[i] = insert(&place);
		assert_true(nodes[i] != 0);
	}
	for (uint32_t i = DEEPEST; i > 1; i--) {
		n_stack--;
		walk_to(&place);
		assert_int_equal(n_remembered(), i - 1);
		assert_int_equal(insert(&place), nodes[i - 2]);
	}
}

/* A region within a function, in turn with the function itself: what is further out than the region's
   path is remembered meanwhile, but for the place next to it, which the walker may have written. */
static void test_in_turn(void **state)
{
	struct path_place outer = { .frames.task = FRAMES_ALL };
	struct path_place inner = { .frames.task = FRAMES_WORKER, .context = 7 };
	uint32_t function, region;

	for (int i = 0; i < 10; i++)
		push((uint64_t)walk + 1);
	walk_to(&outer);
	function = insert(&outer);
	assert_true(writer_node(function)->module != 0);
	for (int i = 0; i < 3; i++)
		push(0x500);
	inner.frames.exit_frame = stack[10].cfa - 16;
	walk_to(&inner);
	assert_int_equal(thread->path.n, 3);
	region = insert(&inner);
	n_stack = 10;
	walk_to(&outer);
	assert_int_equal(n_remembered(), 9);
	assert_int_equal(insert(&outer), function);
	n_stack = 13;
	walk_to(&inner);
	assert_int_equal(insert(&inner), region);
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

/* Of a path that does not go into the file as a whole, what was there before is known, no more: once there
   is space again, the rest is inserted. */
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
	walk_to(&place);
	assert_int_equal(insert(&place), 0);
	n_stack = 3;
	walk_to(&place);
	assert_int_equal(insert(&place), third);
	push(0x401);
	push(0x402);
	for (int i = 0; i < 3; i++) {
		walk_to(&place);
		assert_int_equal(insert(&place), 0);
		assert_int_equal(n_remembered(), 3);
	}
	place.context = 7;
	walk_to(&place);
	assert_int_equal(insert(&place), 0);
	/* A file that could not grow is not asked to again for a second. */
	usleep(1100000);
	place.context = 0;
	assert_true(insert(&place) != 0);
	place.context = 7;
	assert_true(insert(&place) != 0);
}

static int start_clock(struct thread_clock *clock)
{
	return 0;
}

static void stop_clock(struct thread_clock *clock)
{
}

/* A struct that a thread has left begins with an empty note. */
static void test_reuse(void **state)
{
	static const struct clock clock = { .start = start_clock, .stop = stop_clock };
	struct path_place place = { .frames.task = FRAMES_ALL, .context = 7 };
	struct thread *own = thread, *former;

	tool.clock = &clock;
	former = thread = thread_register(1);
	assert_non_null(thread);
	thread->path.frame = thread->path.store;
	for (int i = 0; i < 10; i++)
		push((uint64_t)walk + 1);
	walk_to(&place);
	assert_true(insert(&place) != 0);
	thread_unregister();
	thread = thread_register(1);
	assert_ptr_equal(thread, former);
	assert_int_equal(thread->note.n_unknown, WALK_STORE_FRAMES);
	thread->note.n_unknown = 0;
	for (size_t i = 0; i < offsetof(struct path_note, at); i++)
		assert_int_equal(((const unsigned char *)&thread->note)[i], 0);
	thread_unregister();
	thread = own;
}

/* Walks from here to somewhere, and looks at what the walker has changed. */
static __attribute__((noinline)) void check_walker(void)
{
	static struct walk_frame before[WALK_STORE_FRAMES];
	struct walk_path *path = &thread->path;
	struct walk_registers here;
	struct walk_bounds bounds = thread->stack;
	uint64_t stop_cfa = UINT64_MAX;
	size_t n_changed;

	memcpy(before, path->store, sizeof(before));
	if (path->n > 0 && below(2) == 0)
		stop_cfa = path->frame[below(path->n)].cfa;
	walk_registers_here(&here);
	bounds.lo = here.reg[WALK_SP];
	walker_cfi.walk(&here, &bounds, stop_cfa, path);
	assert_true(path->n > 0);
	n_changed = (size_t)(path->frame - path->store) + path->n - path->n_kept;
	if (path->n_kept == 0 && n_changed < WALK_STORE_FRAMES)
		n_changed++;
	assert_memory_equal(&path->store[n_changed], &before[n_changed],
		(WALK_STORE_FRAMES - n_changed) * sizeof(before[0]));
}

/* Calls itself from two places, at random, and walks on the way there and back. */
static __attribute__((noinline)) void wander(uint32_t depth)
{
	if (below(3) == 0)
		check_walker();
	if (depth > 0 && below(2) == 0)
		wander(depth - 1);
	else if (depth > 0)
		wander(depth - 1 - below(depth));
	if (below(3) == 0)
		check_walker();
}

/* What path.h builds on: the walker does not touch what lies further out than what is new. */
static void test_walker(void **state)
{
	pthread_attr_t attributes;
	size_t bytes;
	void *lo;

	assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
	pthread_attr_getstack(&attributes, &lo, &bytes);
	pthread_attr_destroy(&attributes);
	thread->stack = (struct walk_bounds){ (uintptr_t)lo, (uintptr_t)lo + bytes };
	thread->path.frame = NULL;
	assert_int_equal(walker_cfi.init(), 0);
	for (int i = 0; i < 2000; i++)
		wander(i % 100 == 0 ? 2 * WALK_MAX_FRAMES : below(60));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stack_of_one_address, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_turn, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_context, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_space, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_reuse, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_random, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_walker, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
