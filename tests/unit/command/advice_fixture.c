/* SPDX-License-Identifier: Apache-2.0 */
/* See advice_fixture.h. */
#include "tests/unit/command/advice_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/scenes/scenes.h"

static const char *variable(void *data, const struct symbols_object *object, uint64_t addr)
{
	(void)object;
	return addr == 0xf340 ? data : NULL;
}

static const char *critical(void *data, const struct symbols_object *object, uint64_t addr)
{
	(void)object;
	return addr == 0x2531 && data ? ".gomp_critical_user_by_code.var" : NULL;
}

void begin_scene(struct fixture *f, const char *scene)
{
	static const struct tree_options tree_options = { .view = TREE_USER };
	static const struct names_options names_options = { TREE_USER, scene_lookup, NULL, NULL };
	struct build build;
	struct diag diag;

	memset(f, 0, sizeof(*f));
	assert_int_equal(scene_build(&build, scene), 0);
	assert_int_equal(profile_parse(&f->profile, build.bytes, build.size, scene, &diag), 0);
	build_release(&build);
	assert_int_equal(attribute(&f->tree, &f->profile, &tree_options, &diag), 0);
	assert_int_equal(names_build(&f->names, &f->tree, &f->profile, &names_options, &diag), 0);
}

void begin(struct fixture *f)
{
	begin_scene(f, "faults");
	made_metrics(&f->metrics, &f->tree);
}

/*
 * Each part of the capacity is in one entry at most: the entries of a cause gain no more than the cause. Runtime
 * overhead can be in the entries of tasks.
 */
static void expect_once(const struct fixture *f)
{
	uint64_t gain_ns[METRICS_N_CAUSES] = { 0 }, most_ns;

	for (size_t i = 0; i < f->list.n; i++)
		gain_ns[f->list.entries[i].cause] += f->list.entries[i].gain_ns;
	gain_ns[METRICS_TASK] += gain_ns[METRICS_OVERHEAD];
	for (size_t c = 0; c < METRICS_N_CAUSES; c++) {
		most_ns = f->metrics.cause_ns[c];
		if (c == METRICS_TASK)
			most_ns += f->metrics.cause_ns[METRICS_OVERHEAD];
		if (c == METRICS_NOT_RUNNING)
			most_ns += f->metrics.cause_ns[METRICS_HELD_UP];
		assert_true(gain_ns[c] <= metrics_gain(&f->metrics, most_ns) + f->list.n);
	}
}

void finish(struct fixture *f)
{
	static char name[] = ".gomp_critical_user_assemble_add.var";
	struct findings_input input = { &f->profile, &f->tree, &f->names, &f->metrics,
		{ 0, 0, { 0, 0, 0 } }, variable, critical, name };
	struct diag diag;

	findings_release(&f->figures);
	assert_int_equal(findings_make(&f->figures, &input, &diag), 0);
	advice_make(&f->list, &f->figures);
	expect_once(f);
}

void end(struct fixture *f)
{
	findings_release(&f->figures);
	metrics_release(&f->metrics);
	name_tree_release(&f->names);
	tree_release(&f->tree);
	profile_release(&f->profile);
}

struct metrics_region *region(struct fixture *f, enum made_region which)
{
	return &f->metrics.regions[which];
}

void lose(struct fixture *f, enum made_region which, enum metrics_cause cause, uint64_t thread_ns)
{
	f->metrics.cause_ns[cause] += thread_ns - region(f, which)->cause_ns[cause];
	region(f, which)->cause_ns[cause] = thread_ns;
}

const struct advice *find(const struct fixture *f, enum metrics_cause cause)
{
	for (size_t i = 0; i < f->list.n; i++)
		if (f->list.entries[i].cause == cause)
			return &f->list.entries[i];
	fail_msg("no advice on '%s'", advice_word(cause));
	return NULL;
}

void expect_none(const struct fixture *f, enum metrics_cause cause)
{
	for (size_t i = 0; i < f->list.n; i++)
		if (f->list.entries[i].cause == cause)
			fail_msg("advice on '%s': %s", advice_word(cause), f->list.entries[i].text);
}

void expect_text(const struct fixture *f, enum metrics_cause cause, const char *text)
{
	assert_string_equal(find(f, cause)->text, text);
}

struct metrics_wait *make_construct(struct fixture *f)
{
	struct metrics_wait *wait = &f->metrics.waits[1];

	assert_int_equal(wait->kind, PROFILE_BARRIER_CLOSING);
	wait->kind = PROFILE_BARRIER_WORKSHARE;
	wait->has_site = 1;
	wait->node = wait->causes[0].node;
	return wait;
}
