/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a profile can cost whoever shows it: of files made for the purpose, each of two sizes, memory and
 * time stay within what docs/hostile-input.md states, for every view.
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

#include "src/annotate/annotate_print.h"
#include "src/views/view.h"
#include "src/views/view_slices.h"
#include "tests/unit/command/check_diff.h"
#include "tests/unit/profile/in_child.h"
#include "tests/unit/scenes/build_profile.h"

enum {
	SMALL = 1 << 20,
	LARGE = 4 * SMALL,
	MEMORY_FACTOR = 128, /* bytes for a byte of the file, at most, */
	MEMORY_BASE = 32 << 20,
	MEMORY_BY_THREAD = 640 << 20, /* and with --by-thread, beside them */
	GROWTH =
		7, /* a file of four times the size takes less than so many times as long: 16 were quadratic */
	TRIES = 3, /* on a machine that other programs use */
	NOISE_MS = 150,
	TIMELINE_SHIFT = 20,
};

/* What one size of a file took. */
struct cost {
	uint64_t bytes, ms, file_bytes;
};

typedef void make(struct build *build, size_t bytes);

/* Frames called by frames, each marked as a construct's body. */
static void make_chain(struct build *b, size_t bytes)
{
	uint32_t at = build_root(b, build_thread(b, 1));

	for (uint64_t i = 1; b->size < bytes; i++)
		at = build_frame(b, at, i, PROFILE_FRAME_OUTLINED);
	build_samples(b, at, PROFILE_WORK, 1, 1000);
}

/* Frames called by frames, each of them sampled. */
static void make_stairs(struct build *b, size_t bytes)
{
	uint32_t at;

	build_module(b, "/lib/one.so", 0, UINT64_MAX, 0);
	at = build_root(b, build_thread(b, 1));
	for (uint64_t i = 1; b->size < bytes; i++) {
		at = build_frame(b, at, i, 0);
		build_samples(b, at, PROFILE_WORK, 1, 1000);
	}
}

/* Frames of the runtime called by each other, and below them as many constructs. */
static void make_runtime(struct build *b, size_t bytes)
{
	uint32_t at;

	build_module(b, "/lib/libomp.so", 0, UINT64_MAX, PROFILE_MODULE_RUNTIME);
	at = build_root(b, build_thread(b, 1));
	for (uint64_t i = 1; b->size < bytes / 2; i++)
		at = build_frame(b, at, i, 0);
	for (uint64_t i = 1; b->size < bytes; i++)
		build_samples(b, build_task(b, at, i, 1), PROFILE_WORK, 1, 1000);
}

/* Regions within regions, below the innermost many more, in each of which a mutex is waited for. */
static void make_nested(struct build *b, size_t bytes)
{
	uint32_t at = build_root(b, build_thread(b, 1)), leaf;

	build_lock(b, 1, PROFILE_LOCK, 1)->n_acquired = 1;
	for (uint64_t i = 1; b->size < bytes / 3; i++)
		at = build_region(b, at, i, 1);
	for (uint64_t i = 1; b->size < bytes; i++) {
		leaf = build_region(b, at, i, 1);
		build_wait(b, leaf, PROFILE_LOCK, 1, 1, 1000);
	}
}

/* As many threads as fit, and a mutex of each. */
static void make_threads(struct build *b, size_t bytes)
{
	for (uint32_t i = 1; b->size < bytes; i++) {
		if (i < BUILD_MAX_THREADS) {
			build_samples(b, build_root(b, build_thread(b, 1)), PROFILE_WORK, 1, 1000);
			build_lock(b, i, PROFILE_LOCK, i)->n_acquired = 1;
		} else {
			build_lock(b, i % 1000 + 1, PROFILE_LOCK, i)->n_acquired = 1;
		}
	}
}

/* A long creation path, and many threads in the region at its end. */
static void make_grafts(struct build *b, size_t bytes)
{
	uint32_t at = build_root(b, build_thread(b, 1));

	for (uint64_t i = 1; b->size < bytes / 2; i++)
		at = build_frame(b, at, i, 0);
	at = build_region(b, at, 1, 1);
	while (b->size < bytes)
		build_samples(b, build_context(b, build_thread(b, 2), at), PROFILE_WORK, 1, 1000);
}

/* Regions that each encountered the one before, each thread's in another's. */
static void make_siblings(struct build *b, size_t bytes)
{
	uint32_t root = build_root(b, build_thread(b, 1)), region;

	for (uint64_t i = 1; b->size < bytes; i++) {
		region = build_region(b, root, i, 1);
		build_context(b, 1, region);
		build_blame(b, region, PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, region), 0, 1, 10);
		build_wait(b, region, PROFILE_BARRIER_CLOSING, 0, 1, 10);
	}
}

/* Events at places of their own, some of them many, that two threads counted in the same region. */
static void make_counted(struct build *b, size_t bytes)
{
	uint32_t region = build_region(b, build_root(b, build_thread(b, 1)), 1, 1), at[2];

	build_header(b)->counted.asked = UINT64_MAX;
	at[0] = build_context(b, 1, region);
	at[1] = build_context(b, build_thread(b, 2), region);
	for (uint64_t i = 2; b->size < bytes; i++) {
		uint32_t frame = build_frame(b, at[i % 2], i / 4, PROFILE_FRAME_EXACT);

		build_event(b, frame, PROFILE_EVENT_KEY(PROFILE_EVENT_WORK, 1 + i % 12), 1, i, 10);
		build_event(b, frame, PROFILE_EVENT_KEY(PROFILE_EVENT_DISPATCH, i % 6), 1, 0, i);
		build_event(b, frame, PROFILE_EVENT_KEY(PROFILE_EVENT_CANCEL, i), 1, 0, 0);
	}
}

/* Arguments of no length. */
static void make_words(struct build *b, size_t bytes)
{
	build_thread(b, 1);
	while (b->size < bytes) {
		uint32_t segment = build_segment(b, PROFILE_SEGMENT_RUN, 0);
		struct profile_segment *at = build_segment_at(b, segment);
		char *text = (char *)(at + 1);

		at->record_bytes = 1;
		at->used = PROFILE_SEGMENT_BYTES - sizeof(*at);
		for (size_t i = 0; i + 5 <= at->used; i += 5)
			memcpy(text + i, i % 2 ? "arg=" : "env=", 5);
	}
}

static struct profile_timeline_segment *make_timeline(struct build *b, uint32_t thread)
{
	uint32_t number = build_segment(b, PROFILE_SEGMENT_TIMELINE, thread);
	struct profile_timeline_segment *timeline =
		(struct profile_timeline_segment *)build_segment_at(b, number);

	timeline->segment.record_bytes = PROFILE_NODE_BYTES;
	timeline->segment.used = PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES - 1;
	timeline->shift = TIMELINE_SHIFT;
	return timeline;
}

/* A trace of waits each of which is as long as the run: it lies in every bucket of its thread's timeline. */
static void make_moments(struct build *b, size_t bytes)
{
	uint64_t span = (uint64_t)PROFILE_TIMELINE_BUCKETS << TIMELINE_SHIFT;
	uint32_t thread = build_thread(b, 1);
	uint32_t node = build_wait(b, build_root(b, thread), PROFILE_LOCK, 1, 1, 1000);

	build_header(b)->start_ticks = 0;
	build_header(b)->ticks_per_s = 1000000000;
	build_header(b)->end_ns = build_header(b)->last_ns = span;
	build_thread_at(b, thread)->end_ns = span;
	make_timeline(b, thread);
	while (b->size < bytes) {
		struct profile_segment *segment =
			build_segment_at(b, build_segment(b, PROFILE_SEGMENT_MOMENTS, thread));
		struct profile_moment *moments = (struct profile_moment *)(segment + 1);

		segment->record_bytes = PROFILE_MOMENT_BYTES;
		segment->used = (PROFILE_SEGMENT_BYTES - sizeof(*segment)) / PROFILE_MOMENT_BYTES;
		for (uint32_t i = 0; i < segment->used; i++)
			moments[i] = (struct profile_moment){ .end = span - i,
				.length = span - i,
				.amount = span - i,
				.node = i % 2 ? node : 0,
				.kind = PROFILE_MOMENT_WAIT,
				.time = PROFILE_TIME_MUTEX,
				.what = PROFILE_LOCK };
	}
}

/* Threads that each have a timeline that is full. */
static void make_timelines(struct build *b, size_t bytes)
{
	for (uint32_t i = 1; b->size < bytes && i < BUILD_MAX_THREADS; i++) {
		uint32_t thread = build_thread(b, 1);
		struct profile_timeline_segment *timeline = make_timeline(b, thread);

		for (int k = 0; k < PROFILE_TIMELINE_BUCKETS * PROFILE_N_TIMES; k++)
			timeline->count[k / PROFILE_N_TIMES][k % PROFILE_N_TIMES] = UINT32_MAX;
	}
}

/* Objects on top of each other, and code in each. */
static void make_modules(struct build *b, size_t bytes)
{
	uint32_t root = build_root(b, build_thread(b, 1));
	char path[32];

	for (uint64_t i = 1; b->size < bytes; i++) {
		snprintf(path, sizeof(path), "/lib/%llu.so", (unsigned long long)i % 100);
		build_module(b, path, i, UINT64_MAX - i, 0);
		build_samples(b, build_frame(b, root, i, PROFILE_FRAME_EXACT), PROFILE_WORK, 1, 10);
	}
}

static void look_up(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at)
{
	static char name[32];

	snprintf(name, sizeof(name), "f%llu", (unsigned long long)addr);
	at->n = addr % 8 != 0;
	at->symbol[0] = (struct symbol){ .name = name,
		.linkage = name,
		.file = "f.c",
		.line = 1 + addr % 7,
		.decl_file = "f.c",
		.decl_line = 1 };
}

static const struct view *const views[] = { &view_summary, &view_tree, &view_flat, &view_bottom_up,
	&view_by_region, &view_by_construct, &view_by_wait, &view_by_thread, &view_by_lock,
	&view_by_phase, &view_by_task, &view_by_target, &view_by_event, &view_by_loop,
	&view_by_line, &view_json };

/* The view that the command shows of a part of the run, of all of it, or NULL. */
static const struct view *view_of(const struct view *view, const struct report *report)
{
	if (!report->profile.part.is_cut)
		return view;
	if (view == &view_json)
		return &view_part_json;
	if (view == &view_summary)
		return part_view(NULL);
	return view->part == VIEW_OF_RUN ? NULL : part_view(view);
}

static void annotate(struct report *report, struct terminal *terminal)
{
	static const struct names_options names = { TREE_USER, look_up, NULL, NULL };
	static const struct annotate_options options = { .context = 3 };
	static const char *const places[] = { NULL, "f.c" };

	for (size_t i = 0; i < 2; i++) {
		struct annotate_listing listing;
		struct diag diag;

		if (annotate_listing_make(&listing, report, &names, places[i], &options, &diag) ==
			0)
			annotate_print_text(&listing, terminal);
		annotate_listing_release(&listing);
	}
}

static void show(const struct build *b, const struct report_options *options)
{
	static const struct view_options all = { .table = { .limit_permyriad = 0,
							 .n_rows = TABLE_DEFAULT,
							 .max_depth = TABLE_DEFAULT } };
	static struct report report;
	static const struct view_options csv = { .table = { .limit_permyriad = TABLE_DEFAULT,
							 .n_rows = TABLE_DEFAULT,
							 .max_depth = TABLE_DEFAULT,
							 .is_csv = 1 } };
	struct terminal terminal;
	struct diag diag;
	FILE *out = fopen("/dev/null", "w");
	int is_other = options->by_thread || options->view != TREE_USER;

	memset(&report, 0, sizeof(report));
	if (!out || profile_parse(&report.profile, b->bytes, b->size, "x", &diag) != 0 ||
		time_range_cut(options->time, &report.profile, 0, &diag) != 0 ||
		report_make(&report, options, look_up, NULL, &diag) != 0)
		_exit(1);
	terminal_plain(&terminal, out);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		const struct view *view = view_of(views[i], &report);

		if (view && !(is_other && view->is_of_user) &&
			view->print(&report, &all, &terminal) != 0)
			_exit(2);
	}
	is_other |= report.profile.part.is_cut;
	if (!is_other && check_diff(&report, out, out))
		_exit(3);
	if (!is_other)
		annotate(&report, &terminal);
	/* The paths of a deep tree's rows. */
	if (!is_other && view_tree.print(&report, &csv, &terminal) != 0)
		_exit(2);
	fclose(out);
	report_release(&report);
}

/* A file that is to be shown. */
struct shown {
	make *fill;
	size_t bytes;
	const struct report_options *options;
};

static void take_cost(const void *data, void *result)
{
	const struct shown *shown = data;
	struct cost *cost = result;
	struct rusage before, usage;
	struct build b;

	build_begin(&b);
	shown->fill(&b, shown->bytes);
	getrusage(RUSAGE_SELF, &before);
	show(&b, shown->options);
	getrusage(RUSAGE_SELF, &usage);
	cost->file_bytes = b.size;
	cost->bytes = (uint64_t)(usage.ru_maxrss - before.ru_maxrss) * 1024;
	cost->ms = (uint64_t)((usage.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000 +
			      (usage.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1000);
}

static struct cost measure(make *fill, size_t bytes, const struct report_options *options)
{
	struct shown shown = { fill, bytes, options };
	struct cost cost;

	in_child(take_cost, &shown, &cost, sizeof(cost));
	return cost;
}

static int is_linear(const struct cost *small, const struct cost *large)
{
	return large->ms < GROWTH * small->ms + NOISE_MS;
}

static void check_bounds(make *fill, const struct report_options *options)
{
	struct cost small = measure(fill, SMALL, options), large = measure(fill, LARGE, options);

	for (int i = 1; i < TRIES && !is_linear(&small, &large); i++) {
		small = measure(fill, SMALL, options);
		large = measure(fill, LARGE, options);
	}
	print_message("%llu KB: %llu ms, %llu MB; %llu KB: %llu ms, %llu MB\n",
		(unsigned long long)small.file_bytes >> 10, (unsigned long long)small.ms,
		(unsigned long long)small.bytes >> 20, (unsigned long long)large.file_bytes >> 10,
		(unsigned long long)large.ms, (unsigned long long)large.bytes >> 20);
	assert_true(large.bytes < MEMORY_FACTOR * large.file_bytes +
					  (options->by_thread ? MEMORY_BY_THREAD : MEMORY_BASE));
	assert_true(is_linear(&small, &large));
}

/* All kinds of filters. */
static void check_filtered(make *fill)
{
	struct filter filter = { 0 };
	struct diag diag;

	assert_int_equal(filter_add(&filter, FILTER_FOCUS, "f.*[1-9]", &diag), 0);
	assert_int_equal(filter_add(&filter, FILTER_IGNORE, "c:7|f99", &diag), 0);
	assert_int_equal(filter_add(&filter, FILTER_THREAD, "0-999999999", &diag), 0);
	assert_int_equal(filter_add(&filter, FILTER_REGION, "parallel", &diag), 0);
	assert_int_equal(filter_add(&filter, FILTER_REGION, "none", &diag), 0);
	assert_int_equal(filter_add(&filter, FILTER_STATE, "work,wait", &diag), 0);
	check_bounds(fill, &(struct report_options){ .view = TREE_USER, .filter = &filter });
	filter_release(&filter);
}

static void check_make(make *fill)
{
	check_bounds(fill, &(struct report_options){ .view = TREE_USER });
	check_bounds(fill, &(struct report_options){ .view = TREE_FULL, .by_thread = 1 });
	check_filtered(fill);
}

/* A part of the run. */
static void check_part(make *fill)
{
	static const struct time_range part = {
		.text = "1ms..500ms", .begin_ns = 1000000, .end_ns = 500000000
	};

	check_bounds(fill, &(struct report_options){ .view = TREE_USER, .time = &part });
}

static void test_moments(void **state)
{
	check_part(make_moments);
}

static void test_timelines(void **state)
{
	check_part(make_timelines);
}

static void test_chain(void **state)
{
	check_make(make_chain);
}

static void test_stairs(void **state)
{
	check_make(make_stairs);
}

static void test_runtime(void **state)
{
	check_make(make_runtime);
}

static void test_nested(void **state)
{
	check_make(make_nested);
}

static void test_threads(void **state)
{
	check_make(make_threads);
}

static void test_grafts(void **state)
{
	check_make(make_grafts);
}

static void test_siblings(void **state)
{
	check_make(make_siblings);
}

static void test_counted(void **state)
{
	check_make(make_counted);
}

static void test_words(void **state)
{
	check_make(make_words);
}

static void test_modules(void **state)
{
	check_make(make_modules);
}

/* Figures that no run can have: none of them wraps round. */
static void test_no_sense(void **state)
{
	static struct report report;
	struct report_options options = { .view = TREE_USER };
	struct diag diag;
	struct build b;

	build_begin(&b);
	build_header(&b)->ticks_per_s = 1000000;
	build_thread(&b, 1);
	build_thread_at(&b, 1)->handler_ticks = UINT64_MAX;
	for (uint64_t i = 1; i < 40; i++)
		build_samples(&b, build_frame(&b, build_root(&b, 1), i, 0), PROFILE_WORK, 1,
			UINT64_MAX - i);
	assert_int_equal(profile_parse(&report.profile, b.bytes, b.size, "x", &diag), 0);
	assert_int_equal(report_make(&report, &options, look_up, NULL, &diag), 0);
	assert_int_equal(report.totals.own.handler_ns, PROFILE_MOST_NS);
	assert_int_equal(tree_metrics_time(&report.totals.all), PROFILE_MOST_SUM);
	report_release(&report);
	build_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_sense),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_stairs),
		cmocka_unit_test(test_runtime),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_grafts),
		cmocka_unit_test(test_siblings),
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_timelines),
	};

	return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
