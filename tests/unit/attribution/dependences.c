/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offline: which tasks waited for which, what others waited meanwhile, ends of tasks that were not complete, and names
 * of a runtime's own; of one process and of several. Times in ms.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/merge/merge.h"
#include "tests/unit/attribution/check_tree.h"

#define MS(n) ((uint64_t)(n)*1000000)

enum { CANCEL = 3, DETACH = 4, EARLY = 5, LATE = 6, COMPLETE = 1 }; /* ompt_task_status_t */

/* A process, analysed. */
struct part {
	struct build b;
	struct profile profile;
	struct tree tree;
	struct metrics metrics;
};

static struct part parts[2];
static uint32_t region, source, sink; /* node ids */
static uint32_t in_source, in_sink;   /* thread 2's contexts of them */

/* Two threads in a region for 600; thread 1 creates two sorts of tasks. */
static void begin(struct part *part)
{
	struct build *b = &part->b;
	uint32_t frame;

	region = build_main_region(b, 2);
	build_header(b)->waits = (1u << PROFILE_N_WAITS) - 2;
	frame = build_frame(b, build_context(b, 1, region), USER + 0x200, 0);
	build_region_record(b, region, 1, MS(600), 2);
	source = build_task(b, frame, USER + 0x20, 10);
	sink = build_task(b, frame, USER + 0x40, 20);
	in_source = build_context(b, 2, source);
	in_sink = build_context(b, 2, sink);
	build_stays(b, in_source, 10, MS(100));
	build_stays(b, in_sink, 20, MS(50));
}

static void await_tasks(struct build *b, uint32_t context, uint64_t awaited, uint32_t n,
	uint64_t more, uint64_t ticks)
{
	uint32_t leaf = build_event(
		b, context, PROFILE_EVENT_KEY(PROFILE_EVENT_AWAITED_TASK, awaited), n, more, 0);

	build_node_at(b, leaf)->time_ns = ticks;
	build_node_at(b, leaf)->blame_ns = ticks / (n ? n : 1);
}

static void make(struct part *part)
{
	static const struct tree_options options = { .view = TREE_USER };
	struct diag diag;

	assert_int_equal(profile_parse(&part->profile, part->b.bytes, part->b.size, "x", &diag), 0);
	assert_int_equal(attribute(&part->tree, &part->profile, &options, &diag), 0);
	assert_int_equal(metrics_make(&part->metrics, &part->profile, &part->tree, &diag), 0);
}

static void end(struct part *part)
{
	metrics_release(&part->metrics);
	tree_release(&part->tree);
	profile_release(&part->profile);
	build_release(&part->b);
}

static const struct metrics_task *task_at(
	const struct metrics *metrics, const struct tree *tree, uint64_t addr)
{
	for (size_t i = 0; i < metrics->n_tasks; i++) {
		if (tree->nodes[metrics->tasks[i].node].addr == addr)
			return &metrics->tasks[i];
	}
	fail_msg("no task at %#lx", (unsigned long)addr);
	return NULL;
}

static const struct metrics_task *own_task_at(uint64_t addr)
{
	return task_at(&parts[0].metrics, &parts[0].tree, addr);
}

static void test_awaits(void **state)
{
	const struct metrics_await *await;

	begin(&parts[0]);
	await_tasks(&parts[0].b, in_sink, source, 4, 2, MS(60));
	await_tasks(&parts[0].b, build_context(&parts[0].b, 1, sink), source, 1, 0, MS(30));
	await_tasks(&parts[0].b, in_sink, sink, 1, 0, MS(1));
	make(&parts[0]);
	assert_int_equal(parts[0].profile.n_dropped, 0);
	assert_int_equal(parts[0].metrics.n_awaits, 2);
	await = &parts[0].metrics.awaits[0];
	assert_int_equal(parts[0].tree.nodes[await->task].addr, USER + 0x40);
	assert_int_equal(parts[0].tree.nodes[await->awaited].addr, USER + 0x20);
	assert_int_equal(await->n, 7);
	assert_int_equal(await->wait_ns, MS(90));
	assert_int_equal(await->max_ns, MS(30));
	assert_int_equal(own_task_at(USER + 0x40)->n_awaiting, 8);
	assert_int_equal(own_task_at(USER + 0x40)->await_ns, MS(91));
	assert_int_equal(own_task_at(USER + 0x20)->n_awaiting, 0);
	end(&parts[0]);
}

/* What is no task's, or names none, counts nowhere. */
static void test_strange_awaits(void **state)
{
	begin(&parts[0]);
	await_tasks(&parts[0].b, in_sink, region, 1, 0, MS(1));
	await_tasks(&parts[0].b, in_sink, 0, 1, 0, MS(1));
	await_tasks(&parts[0].b, in_sink, 0xffffffffff, 1, 0, MS(1));
	await_tasks(&parts[0].b, build_context(&parts[0].b, 2, region), source, 1, 0, MS(1));
	await_tasks(&parts[0].b, build_root(&parts[0].b, 1), source, 1, 0, MS(1));
	make(&parts[0]);
	assert_int_equal(parts[0].metrics.n_awaits, 0);
	assert_int_equal(own_task_at(USER + 0x40)->n_awaiting, 0);
	end(&parts[0]);
}

static void count(uint32_t context, uint64_t status, uint32_t n)
{
	build_event(&parts[0].b, context, PROFILE_EVENT_KEY(PROFILE_EVENT_TASK_STATUS, status), n,
		0, 0);
}

static void test_ends(void **state)
{
	const struct metrics_task *task;

	begin(&parts[0]);
	count(in_sink, CANCEL, 3);
	count(in_sink, DETACH, 4);
	count(in_sink, LATE, 2);
	count(build_context(&parts[0].b, 1, sink), LATE, 1);
	count(in_sink, EARLY, 9);
	count(in_sink, COMPLETE, 9);
	count(in_sink, 0xffffff, 9);
	make(&parts[0]);
	task = own_task_at(USER + 0x40);
	assert_int_equal(task->n_cancelled, 3);
	assert_int_equal(task->n_detached, 4);
	assert_int_equal(task->n_fulfilled, 3);
	assert_int_equal(task->n_executed, 20);
	assert_int_equal(own_task_at(USER + 0x20)->n_cancelled, 0);
	end(&parts[0]);
}

/* 100 were waited; of the blame 60 are of a task that others waited for, 20 of it without that, 20 of another. */
static void test_blame(void **state)
{
	uint64_t key;
	uint32_t frame;

	begin(&parts[0]);
	key = PROFILE_WAIT_KEY(PROFILE_TASKWAIT, region);
	frame = build_frame(&parts[0].b, in_source, USER + 0x300, 0);
	build_wait(&parts[0].b, build_context(&parts[0].b, 1, region), PROFILE_TASKWAIT, 0, 1,
		MS(100));
	build_blame(&parts[0].b, frame, key, PROFILE_BLAME_DEPENDENCE, 60, MS(60));
	build_blame(&parts[0].b, frame, key, 0, 20, MS(20));
	build_blame(&parts[0].b, build_frame(&parts[0].b, in_sink, USER + 0x400, 0), key, 0, 20,
		MS(20));
	make(&parts[0]);
	assert_int_equal(own_task_at(USER + 0x20)->blocked_ns, MS(60));
	assert_int_equal(own_task_at(USER + 0x40)->blocked_ns, 0);
	assert_int_equal(parts[0].metrics.regions[0].dependence_ns, MS(60));
	assert_int_equal(parts[0].metrics.waits[0].unblamed_ns, 0);
	end(&parts[0]);
}

static void name_impls(struct build *b, const char *one, const char *two)
{
	build_text(b, "impl", one);
	build_text(b, "impl", two);
}

static void test_several_processes(void **state)
{
	struct merge *merge = merge_begin(0);
	struct merged merged;

	for (size_t i = 0; i < 2; i++) {
		struct merge_process process = { &parts[i].profile, &parts[i].tree, NULL,
			&parts[i].metrics };

		begin(&parts[i]);
		await_tasks(&parts[i].b, in_sink, source, 4, 0, MS(40));
		name_impls(&parts[i].b, i ? "1 another" : "1 spin", "2 queuing");
		build_lock(&parts[i].b, 1, PROFILE_LOCK, 0x111)->impl = 1;
		build_lock(&parts[i].b, 1, PROFILE_LOCK, 0x222)->impl = 2;
		make(&parts[i]);
		assert_int_equal(merge_add(merge, &process), 0);
	}
	assert_int_equal(merge_finish(merge, &merged), 0);
	assert_int_equal(merged.metrics.n_awaits, 1);
	assert_int_equal(merged.metrics.awaits[0].n, 8);
	assert_int_equal(merged.metrics.awaits[0].wait_ns, MS(80));
	assert_int_equal(task_at(&merged.metrics, &merged.tree, USER + 0x40)->n_awaiting, 8);
	assert_string_equal(profile_impl_name(&merged.profile, 1), "spin");
	assert_string_equal(profile_impl_name(&merged.profile, 2), "queuing");
	for (size_t i = 0; i < merged.metrics.n_locks; i++)
		assert_int_equal(merged.metrics.locks[i].impl,
			merged.metrics.locks[i].wait_id == 0x222 ? 2 : 1);
	metrics_release(&merged.metrics);
	tree_release(&merged.tree);
	tree_release(&merged.user_tree);
	profile_release(&merged.profile);
	end(&parts[0]);
	end(&parts[1]);
}

static void test_names(void **state)
{
	struct profile *profile = &parts[0].profile;

	begin(&parts[0]);
	build_text(&parts[0].b, "state", "16 0x200 2 a state of its own");
	build_text(&parts[0].b, "state", "17 0x201 10 idle_2");
	name_impls(&parts[0].b, "3 one", "3 two");
	make(&parts[0]);
	assert_int_equal(profile->n_dropped, 0);
	assert_int_equal(profile->runtime.n_states, 2);
	assert_int_equal(profile->runtime.states[0].mark, 16);
	assert_int_equal(profile->runtime.states[0].value, 0x200);
	assert_int_equal(profile->runtime.states[0].class, PROFILE_WAIT_BARRIER);
	assert_string_equal(profile->runtime.states[0].name, "a state of its own");
	assert_int_equal(profile->runtime.states[1].class, PROFILE_IDLE);
	assert_string_equal(profile_impl_name(profile, 3), "two");
	assert_null(profile_impl_name(profile, 4));
	end(&parts[0]);
}

static void test_strange_names(void **state)
{
	static const char *const states[] = { "", "16", "16 0x200 2", "15 0x200 2 mark",
		"256 0x200 2 mark", "16 200g 2 value", "16 0x200 13 class", "16 0x200 -1 class",
		"-16 0x200 1 mark", "99999999999999999999 0x200 1 mark", " 16 0x200 1 mark" };
	struct profile *profile = &parts[0].profile;
	char text[200];

	begin(&parts[0]);
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		build_text(&parts[0].b, "state", states[i]);
	build_text(&parts[0].b, "impl", "name");
	build_text(&parts[0].b, "impl", "-1 name");
	memset(text, 'x', sizeof(text));
	memcpy(text, "7 ", 2);
	text[sizeof(text) - 1] = '\0';
	build_text(&parts[0].b, "impl", text);
	make(&parts[0]);
	assert_int_equal(profile->runtime.n_states, 0);
	assert_int_equal(profile->runtime.n_impls, 1);
	assert_int_equal(profile->n_dropped, sizeof(states) / sizeof(states[0]) + 2);
	assert_int_equal(strlen(profile_impl_name(profile, 7)), PROFILE_WORD_BYTES);
	end(&parts[0]);
}

static void test_many_names(void **state)
{
	struct profile *profile = &parts[0].profile;

	begin(&parts[0]);
	for (int i = 0; i < 1000; i++)
		name_impls(&parts[0].b, "1 one", "2 two");
	for (int i = 0; i < 1000; i++)
		build_text(&parts[0].b, "state", "16 0x200 2 own");
	make(&parts[0]);
	assert_int_equal(profile->runtime.n_impls, PROFILE_MOST_WORDS);
	assert_int_equal(profile->runtime.n_states, PROFILE_MOST_WORDS);
	end(&parts[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_awaits),
		cmocka_unit_test(test_strange_awaits),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_blame),
		cmocka_unit_test(test_several_processes),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_strange_names),
		cmocka_unit_test(test_many_names),
	};

	return cmocka_run_group_tests_name("dependences", tests, NULL, NULL);
}
