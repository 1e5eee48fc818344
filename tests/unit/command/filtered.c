/* SPDX-License-Identifier: Apache-2.0 */
/* Reports with filters; see filtered.h. */
#include "tests/unit/command/filtered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/profile/check_profile.h"
#include "tests/unit/attribution/check_tree.h"

enum { ROUNDS = 60 };

static const char *const names[] = { "alpha", "beta", "gamma", "delta", "epsilon" };

/* A function for each address but some, with an inlined call in some. */
static void look_up(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at)
{
	const char *name = names[(addr + strlen(object->path)) % 5];

	at->n = addr % 11 == 7 ? 0 : 1 + (addr % 3 == 1);
	for (size_t i = 0; i < at->n; i++)
		at->symbol[i] = (struct symbol){ .name = i + 1 < at->n ? "inner" : name,
			.linkage = name,
			.file = "/src/dir/m.c",
			.line = 1 + (uint32_t)(addr % 9),
			.decl_file = "/src/dir/m.c",
			.decl_line = 1,
			.is_inlined = i + 1 < at->n };
}

void set_filter(struct filter *filter, const struct given *given)
{
	struct diag diag;

	*filter = (struct filter){ 0 };
	for (; given && given->kind; given++)
		if (filter_add(filter, given->kind, given->text, &diag) != 0)
			fail_msg("%s", diag.text);
}

static void make(struct report *report, const struct build *b, const struct report_options *options,
	names_lookup *lookup)
{
	struct diag diag;

	memset(report, 0, sizeof(*report));
	assert_int_equal(profile_parse(&report->profile, b->bytes, b->size, "x", &diag), 0);
	assert_int_equal(report_make(report, options, lookup, NULL, &diag), 0);
}

void make_report(struct report *report, const struct build *b, enum tree_view view, int by_thread,
	const struct filter *filter)
{
	struct report_options options = { .view = view, .by_thread = by_thread, .filter = filter };

	make(report, b, &options, look_up);
}

void make_named(struct report *report, const struct build *b, const struct filter *filter,
	names_lookup *lookup)
{
	struct report_options options = { .view = TREE_USER, .filter = filter };

	make(report, b, &options, lookup);
}

void same_figures(struct tree_metrics a, struct tree_metrics b)
{
	a.n_executions = b.n_executions = 0;
	assert_memory_equal(&a, &b, sizeof(a));
}

void for_each_profile(void (*check)(const struct build *b))
{
	uint64_t random = 20261122;

	for (int round = 0; round < ROUNDS; round++) {
		struct build b;

		build_program(&b);
		build_random(&b, &random, round % 2);
		check(&b);
		build_release(&b);
	}
}
