/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of advice that choose between reasons: imbalance by the constructs, tasks by blame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/findings/advice_internal.h"
#include "tests/unit/command/advice_fixture.h"

static void test_imbalance(void **state)
{
	static const char few[] =
		"threads wait for each other: uneven work, or a slower CPU? loop: dynamic?";
	struct fixture f;

	(void)state;
	begin(&f);
	finish(&f);
	expect_text(&f, METRICS_IMBALANCE,
		"team's thread 0 last in 391 of 400: more work or slower? loop: dynamic?");
	region(&f, MADE_SOLVE)->persistent_ns = 7199 * MSEC; /* 59.99 % */
	finish(&f);
	expect_text(&f, METRICS_IMBALANCE,
		"the last thread changes: uneven work, or a busy machine? loop: dynamic?");
	/* Too few barriers to tell. */
	region(&f, MADE_SOLVE)->n_barriers = 4;
	finish(&f);
	expect_text(&f, METRICS_IMBALANCE, few);
	region(&f, MADE_SOLVE)->persistent_ns = 12000 * MSEC;
	region(&f, MADE_SOLVE)->n_slowest = 4;
	finish(&f);
	expect_text(&f, METRICS_IMBALANCE, few);
	region(&f, MADE_SOLVE)->n_barriers = 5;
	finish(&f);
	expect_text(&f, METRICS_IMBALANCE,
		"team's thread 0 last in 4 of 5: more work or slower? loop: dynamic?");
	region(&f, MADE_SOLVE)->n_barriers = 0;
	region(&f, MADE_SOLVE)->n = 60000;
	finish(&f);
	expect_text(&f, METRICS_IMBALANCE,
		"runs of 86.7 us on average: merge regions, or nowait where data allow it");
	end(&f);
}

/* Counts work events of up to two kinds in MADE_SOLVE; kind 0: none. */
static void count_work(struct fixture *f, uint32_t node, uint64_t first, uint64_t second)
{
	const uint64_t details[] = { first, second };

	if (!f->metrics.events)
		f->metrics.events = calloc(2, sizeof(*f->metrics.events));
	f->metrics.n_events = 0;
	for (size_t i = 0; i < 2; i++)
		if (details[i])
			f->metrics.events[f->metrics.n_events++] =
				(struct metrics_event){ .node = node,
					.event = PROFILE_EVENT_WORK,
					.detail = details[i],
					.n = 4 };
}

/* A schedule is advised where work events tell of a loop that has another one. */
static void test_work(void **state)
{
	static const struct {
		uint64_t first, second; /* ompt_work_t */
		const char *region, *construct;
	} rows[] = {
		{ 0, 0, " loop: dynamic?", "uneven work, or a busy machine?" },
		{ 1, 0, " loop: dynamic?", "uneven work, or a busy machine?" },
		{ 2, 0, "", "uneven work, or a busy machine?" },
		{ 3, 4, "", "the single's work?" },
		{ 3, 8, "", "uneven work, or a busy machine?" },
		{ 3, 10, " loop: dynamic?", "uneven work, or a busy machine?" },
		{ 8, 0, "", "uneven work, or a busy machine?" },
		{ 10, 0, " schedule(dynamic)", "schedule(dynamic), or a busy machine?" },
		{ 11, 0, " long chunks?", "long chunks, or a busy machine?" },
		{ 12, 0, " schedule(dynamic)", "schedule(dynamic), or a busy machine?" },
		{ 13, 0, " loop: dynamic?", "uneven work, or a busy machine?" },
		{ 10, 11, " loop: dynamic?", "uneven work, or a busy machine?" },
		{ 10, 7, " schedule(dynamic)", "schedule(dynamic), or a busy machine?" },
		{ 77, 0, " loop: dynamic?", "uneven work, or a busy machine?" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		struct metrics_wait *wait;
		char text[128];

		begin(&f);
		count_work(&f, region(&f, MADE_SOLVE)->node, rows[i].first, rows[i].second);
		finish(&f);
		snprintf(text, sizeof(text),
			"team's thread 0 last in 391 of 400: more work or slower?%s",
			rows[i].region);
		expect_text(&f, METRICS_IMBALANCE, text);
		/* Events in another region tell nothing. */
		count_work(&f, region(&f, MADE_AXPY)->node, rows[i].first, rows[i].second);
		finish(&f);
		expect_text(&f, METRICS_IMBALANCE,
			"team's thread 0 last in 391 of 400: more work or slower? loop: dynamic?");
		count_work(&f, region(&f, MADE_SOLVE)->node, rows[i].first, rows[i].second);
		wait = make_construct(&f);
		wait->causes[0].ns /= 2;
		finish(&f); /* the events are at another line than the barrier */
		expect_text(&f, METRICS_IMBALANCE,
			"waits of 120 ms for changing threads: uneven work, or a busy machine?");
		count_work(&f, wait->node, rows[i].first, rows[i].second);
		finish(&f);
		snprintf(text, sizeof(text), "waits of 120 ms for changing threads: %s",
			rows[i].construct);
		expect_text(&f, METRICS_IMBALANCE, text);
		end(&f);
	}
}

/* Advice for a barrier of that kind, where thread 1 makes the team wait and where several do. */
static void expect_reasons(
	struct fixture *f, enum profile_wait kind, const char *one, const char *changing)
{
	struct metrics_wait *wait = &f->metrics.waits[1];
	char text[128];

	wait->kind = (uint8_t)kind;
	finish(f);
	snprintf(text, sizeof(text), "waits of 120 ms, most for profile's thread 1: %s", one);
	expect_text(f, METRICS_IMBALANCE, text);
	wait->causes[0].ns /= 2;
	finish(f);
	wait->causes[0].ns *= 2;
	snprintf(text, sizeof(text), "waits of 120 ms for changing threads: %s", changing);
	expect_text(f, METRICS_IMBALANCE, text);
}

/* No kind of barrier is copyprivate's alone, so the advice asks. */
static void test_copyprivate(void **state)
{
	static const char one[] = "more work or slower?";
	static const char changing[] = "uneven work, or a busy machine?";
	struct metrics_wait *wait;
	struct fixture f;

	(void)state;
	begin(&f);
	wait = make_construct(&f);
	expect_reasons(&f, PROFILE_BARRIER_OTHER, "more work, reduction, copyprivate?",
		"uneven work, reduction, copyprivate?");
	expect_reasons(&f, PROFILE_BARRIER_WORKSHARE, one, changing);
	expect_reasons(&f, PROFILE_BARRIER_EXPLICIT, one, changing);
	count_work(&f, wait->node, 3, 4);
	expect_reasons(&f, PROFILE_BARRIER_OTHER, "its single's work?", "the single's work?");
	count_work(&f, wait->node, 10, 0);
	expect_reasons(&f, PROFILE_BARRIER_OTHER, one, "schedule(dynamic), or a busy machine?");
	count_work(&f, wait->node, 0, 0);
	strcpy(f.profile.header.runtime, "GCC libgomp 12");
	expect_reasons(&f, PROFILE_BARRIER_OTHER, one, changing);
	end(&f);
}

static const char waits_for_bodies[] =
	"threads wait for tasks of 1.46 ms on average: split them, or create more";
static const char runs_out[] = "threads run out of tasks: create more of them, or earlier";

static void test_tasks(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	finish(&f);
	expect_text(&f, METRICS_TASK, waits_for_bodies);
	f.tree.nodes[f.metrics.tasks[0].node].flags |= PROFILE_TASK_TARGET;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"threads wait for target tasks: give them other work, or create these earlier");
	f.tree.nodes[f.metrics.tasks[0].node].flags &= (uint8_t)~PROFILE_TASK_TARGET;
	f.metrics.tasks[0].busy_ns = 5000 * 19999ull;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"tasks of 20.0 us on average: fewer, larger ones (grainsize, if, final)");
	/* Then the runtime's time in the region is the tasks', too. */
	assert_int_equal(find(&f, METRICS_TASK)->gain_ns / MSEC, 600);
	end(&f);
}

/* The blame of the pool tells the tasks from the code that creates them. */
static void test_starvation(void **state)
{
	struct fixture f;
	struct metrics_wait *wait;

	(void)state;
	begin(&f);
	wait = &f.metrics.waits[3];
	assert_int_equal(wait->region, region(&f, MADE_TREE)->node);
	/* 7 others waited for it in the only execution: 1.99 of 4 s, then 2.03 s. */
	f.metrics.tasks[0].max_ns = 285 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_TASK, waits_for_bodies);
	f.metrics.tasks[0].max_ns = 290 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"one task takes 290 ms, 1.46 ms on average: begin it earlier, or split it");
	/* Equal tasks, and each is as long. */
	f.metrics.tasks[0].n_executed = 25;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"threads wait for tasks of 292 ms on average: split them, or create more");
	f.metrics.tasks[0].n_executed = 5000;
	wait->causes[0].ns -= 301 * MSEC; /* less than half of the waiting */
	wait->unblamed_ns += 301 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_TASK, runs_out);
	f.metrics.tasks[0].n_detached = 1;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"threads wait, perhaps for detached tasks: fulfil their events earlier");
	f.metrics.tasks[0].n_detached = 0;
	wait->causes[0].node = wait->region;
	finish(&f);
	expect_text(&f, METRICS_TASK, runs_out);
	wait->causes[0].ns += 301 * MSEC;
	wait->unblamed_ns -= 301 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"waits for profile's thread 2 outside of tasks: create them in parallel");
	f.metrics.tasks[0].n_creators = 8;
	finish(&f);
	expect_text(&f, METRICS_TASK, runs_out);
	f.metrics.tasks[0].n_creators = 1;
	wait->causes[0].node = METRICS_NO_CPU;
	finish(&f);
	expect_text(&f, METRICS_TASK, runs_out);
	end(&f);
}

/* The runtime's handling of tiny tasks is the loss, not the lack of tasks. */
static void test_handling(void **state)
{
	struct metrics_task *task;
	struct fixture f;

	(void)state;
	begin(&f);
	task = &f.metrics.tasks[0];
	task->busy_ns = 5000 * 2000ull;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"tasks of 2.00 us on average: fewer, larger ones (grainsize, if, final)");
	task->busy_ns -= 1;
	finish(&f); /* half of the waiting is blamed on code */
	expect_text(&f, METRICS_TASK,
		"handling 5000 tasks of 2.00 us may take the time: grainsize, if, final");
	f.metrics.waits[3].causes[0].node = f.metrics.waits[3].region;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"handling 5000 tasks of 2.00 us may take the time: grainsize, if, final");
	f.metrics.waits[3].causes[0].ns -= 301 * MSEC;
	f.metrics.waits[3].unblamed_ns += 301 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"handling 5000 tasks of 2.00 us takes the time: grainsize, if, final");
	/* Without the waits for a CPU, all waiting is blamed on code. */
	f.metrics.waits[3].unblamed_ns = 0;
	f.metrics.waits[3].n_causes = 2;
	f.metrics.waits[3].causes[1].node = METRICS_NO_CPU;
	f.metrics.waits[3].causes[1].ns =
		f.metrics.waits[3].wait_ns - f.metrics.waits[3].causes[0].ns;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"handling 5000 tasks of 2.00 us may take the time: grainsize, if, final");
	f.metrics.waits[3].unblamed_ns = f.metrics.waits[3].causes[1].ns;
	f.metrics.waits[3].n_causes = 1;
	region(&f, MADE_TREE)->cause_ns[METRICS_USEFUL] = 4 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"handling takes most of the 2.00 us of 5000 tasks: grainsize, if, final");
	region(&f, MADE_TREE)->cause_ns[METRICS_BLOCKED] = 1 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"handling 5000 tasks of 2.00 us takes the time: grainsize, if, final");
	task->n_executed = 999;
	task->busy_ns = 999 * 1000;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"tasks of 1.00 us on average: fewer, larger ones (grainsize, if, final)");
	end(&f);
}

/* Long tasks beside them make the mean large. */
static void test_handling_beside_long_tasks(void **state)
{
	struct metrics_wait *wait;
	struct fixture f;

	(void)state;
	begin(&f);
	wait = &f.metrics.waits[3];
	f.metrics.tasks[1] = f.metrics.tasks[0];
	f.metrics.tasks[1].node = wait->causes[0].node;
	f.metrics.tasks[1].n_created = f.metrics.tasks[1].n_executed = 100;
	f.metrics.n_tasks = 2;
	f.metrics.tasks[0].n_executed = 1000;
	f.metrics.tasks[0].busy_ns = 1000 * 1000;
	wait->causes[0].node = wait->region;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"handling 1000 tasks of 1.00 us may take the time: grainsize, if, final");
	f.metrics.tasks[0].n_executed = 999;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"waits for profile's thread 2 outside of tasks: create them in parallel");
	end(&f);
}

/* The body of a detached task can be short: the task ends with its event. */
static void test_detached(void **state)
{
	static const char detached[] =
		"threads wait, perhaps for detached tasks: fulfil their events earlier";
	struct metrics_wait *wait;
	struct fixture f;

	(void)state;
	begin(&f);
	wait = &f.metrics.waits[3];
	f.metrics.tasks[0].n_detached = 2500;
	finish(&f);
	expect_text(&f, METRICS_TASK, waits_for_bodies);
	wait->causes[0].node = wait->region;
	finish(&f);
	expect_text(&f, METRICS_TASK, detached);
	f.metrics.tasks[0].busy_ns = 5000 * 1000;
	finish(&f);
	expect_text(&f, METRICS_TASK, detached);
	f.metrics.tasks[0].n_detached = 2499;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"handling 5000 tasks of 1.00 us may take the time: grainsize, if, final");
	f.metrics.tasks[0].busy_ns = 7300 * MSEC;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"waits for profile's thread 2 outside of tasks: create them in parallel");
	end(&f);
}

/* Where at least half of a region's starvation is by dependence, the task that others wait for is the place. */
static void test_dependences(void **state)
{
	struct metrics_await await = { .n = 100, .wait_ns = 250 * MSEC, .max_ns = 4 * MSEC };
	struct fixture f;

	(void)state;
	begin(&f);
	await.task = await.awaited = f.metrics.tasks[0].node;
	f.metrics.awaits = calloc(1, sizeof(await));
	f.metrics.awaits[0] = await;
	f.metrics.n_awaits = 1;
	region(&f, MADE_TREE)->dependence_ns =
		region(&f, MADE_TREE)->cause_ns[METRICS_TASK] / 2 - 9;
	finish(&f);
	expect_text(&f, METRICS_TASK, waits_for_bodies);
	region(&f, MADE_TREE)->dependence_ns += 9;
	finish(&f);
	expect_text(&f, METRICS_TASK,
		"tasks of tree.c:51 wait 2.50 ms for it: split it, or depend on less");
	assert_string_equal(find(&f, METRICS_TASK)->place, "tree.c:51");
	end(&f);
}

/* More threads than CPUs: no gain makes the run shorter than its work takes on all CPUs. */
static void test_few_cpus(void **state)
{
	struct fixture f;
	uint64_t useful_ns, most_ns;

	(void)state;
	begin(&f);
	lose(&f, MADE_AXPY, METRICS_SHORT_TEAM, 4000 * MSEC);
	region(&f, MADE_AXPY)->min_team = 2;
	f.metrics.cause_ns[METRICS_NOT_RUNNING] = 40000 * MSEC;
	useful_ns = f.metrics.cause_ns[METRICS_USEFUL];
	f.metrics.n_cpus = 8;
	finish(&f);
	assert_int_equal(metrics_ideal(&f.metrics), useful_ns / 8);
	assert_int_equal(find(&f, METRICS_NOT_RUNNING)->gain_ns / MSEC, 5000);
	assert_int_equal(find(&f, METRICS_SHORT_TEAM)->gain_ns / MSEC, 500);
	f.metrics.n_cpus = 6;
	finish(&f);
	most_ns = f.metrics.wall_ns - useful_ns / 6;
	assert_int_equal(metrics_ideal(&f.metrics), useful_ns / 6);
	assert_int_equal(find(&f, METRICS_NOT_RUNNING)->gain_ns, most_ns);
	assert_true(most_ns < 5000 * MSEC);
	f.metrics.n_cpus = 3;
	finish(&f);
	assert_int_equal(metrics_ideal(&f.metrics), f.metrics.wall_ns);
	assert_int_equal(f.list.n, 0);
	end(&f);
}

/* A team that has a thread for each CPU is not short. */
static void test_teams_of_all_cpus(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	lose(&f, MADE_AXPY, METRICS_SHORT_TEAM, 40000 * MSEC);
	region(&f, MADE_AXPY)->min_team = 6;
	f.metrics.n_cpus = 7;
	finish(&f);
	assert_int_equal(f.list.entries[0].cause, METRICS_SHORT_TEAM);
	f.metrics.n_cpus = 6;
	finish(&f);
	for (size_t i = 0; i < f.list.n; i++)
		assert_int_not_equal(f.list.entries[i].cause, METRICS_SHORT_TEAM);
	end(&f);
}

/* A construct whose function has no symbol. */
static void test_construct_without_function(void **state)
{
	struct advice_list list = { .n = 0 };
	struct fixture f;
	struct name_label label;
	struct adviser adviser = { .figures = &f.figures, .list = &list };
	size_t i = 0;

	(void)state;
	begin(&f);
	make_construct(&f);
	finish(&f);
	while (!f.figures.waits[i].imbalance_ns)
		i++;
	label = *f.figures.waits[i].label;
	label.kind = NAME_REGION;
	label.function = "";
	f.figures.waits[i].label = &label;
	advise_construct(&adviser, &f.figures.waits[i]);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.entries[0].name, "worksharing barrier");
	end(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imbalance),
		cmocka_unit_test(test_work),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_copyprivate),
		cmocka_unit_test(test_starvation),
		cmocka_unit_test(test_handling),
		cmocka_unit_test(test_handling_beside_long_tasks),
		cmocka_unit_test(test_detached),
		cmocka_unit_test(test_dependences),
		cmocka_unit_test(test_construct_without_function),
		cmocka_unit_test(test_few_cpus),
		cmocka_unit_test(test_teams_of_all_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
