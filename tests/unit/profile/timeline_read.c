/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines as the writer fills them and as the reader gives them: sums, growth, what was cut off in the middle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/profile/check_profile.h"
#include "profile/reader/reader.h"

/* A timeline of thread 1 with a count of 1 in each bucket. */
static struct profile_timeline_segment *build(struct build *b)
{
	struct profile_timeline_segment *timeline;
	uint32_t number;

	build_every_kind(b, 0);
	number = build_segment(b, PROFILE_SEGMENT_TIMELINE, 1);
	timeline = (struct profile_timeline_segment *)build_segment_at(b, number);
	timeline->segment.record_bytes = PROFILE_NODE_BYTES;
	timeline->segment.used = 255;
	timeline->shift = 20;
	for (int i = 0; i < PROFILE_TIMELINE_BUCKETS; i++)
		timeline->count[i][PROFILE_TIME_WORK] = 1;
	return timeline;
}

static uint64_t work_ns(const struct profile_timeline *timeline)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < timeline->n; i++)
		sum += timeline->ns[i][PROFILE_TIME_WORK];
	return sum;
}

static void parse(struct profile *profile, struct build *b)
{
	struct diag diag;

	assert_int_equal(profile_parse(profile, b->bytes, b->size, "x", &diag), 0);
}

static void test_whole(void **state)
{
	struct profile profile;
	struct build b;

	build(&b);
	parse(&profile, &b);
	assert_non_null(profile.timelines);
	assert_int_equal(profile.timelines[0].n, PROFILE_TIMELINE_BUCKETS);
	assert_int_equal(profile.timelines[0].is_torn, 0);
	assert_int_equal(work_ns(&profile.timelines[0]), 4096 * PROFILE_TIMELINE_BUCKETS);
	assert_int_equal(profile.timelines[1].n, 0);
	profile_release(&profile);
	build_release(&b);
}

/* Wherever the writer stopped, nothing is lost or counted twice. */
static void test_torn(void **state)
{
	for (uint32_t merged = 0; merged <= PROFILE_TIMELINE_BUCKETS / 2; merged++) {
		struct profile_timeline_segment *timeline;
		struct profile profile;
		struct build b;

		timeline = build(&b);
		timeline->begun = 1;
		timeline->merged = merged;
		timeline->first[PROFILE_TIME_WORK] = 2;
		for (uint32_t i = 0; i < merged; i++)
			timeline->count[i][PROFILE_TIME_WORK] = 2;
		parse(&profile, &b);
		assert_int_equal(profile.timelines[0].n, PROFILE_TIMELINE_BUCKETS / 2);
		assert_int_equal(profile.timelines[0].is_torn, 1);
		assert_int_equal(work_ns(&profile.timelines[0]), 4096 * PROFILE_TIMELINE_BUCKETS);
		profile_release(&profile);
		build_release(&b);
	}
}

static uint64_t idle_between(const struct profile_timeline *timeline, uint64_t begin, uint64_t end)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < timeline->n; i++) {
		uint64_t middle =
			(profile_bucket_ns(timeline, i) + profile_bucket_ns(timeline, i + 1)) / 2;

		sum += middle >= begin && middle < end ? timeline->ns[i][PROFILE_TIME_IDLE] : 0;
	}
	return sum;
}

/* A wait that had not ended when the program was killed, four times as long as the buckets of the thread. */
static void test_open(void **state)
{
	const uint64_t span = (uint64_t)PROFILE_TIMELINE_BUCKETS << 20, start = 1000;
	struct profile profile;
	struct build b;

	build(&b);
	build_header(&b)->flags &= ~(uint32_t)PROFILE_COMPLETE;
	build_header(&b)->start_ticks = start;
	build_header(&b)->ticks_per_s = 1000000000;
	build_header(&b)->last_ns = 4 * span - 7;
	build_thread_at(&b, 1)->end_ns = 0;
	build_thread_at(&b, 1)->now =
		(struct profile_now){ .wait = PROFILE_IDLE_AFTER, .since = start + span };
	parse(&profile, &b);
	assert_int_equal(profile.timelines[0].span_ns, 4 * span);
	assert_int_equal(profile.timelines[0].n, PROFILE_TIMELINE_BUCKETS);
	assert_int_equal(work_ns(&profile.timelines[0]), 4096 * PROFILE_TIMELINE_BUCKETS);
	assert_int_equal(idle_between(&profile.timelines[0], 0, 4 * span), 3 * span - 7);
	assert_in_range(
		idle_between(&profile.timelines[0], span, 2 * span), span - 2 * 4096 * 1024, span);
	assert_in_range(
		profile.timelines[0].ns[300][PROFILE_TIME_IDLE], (4 << 20) - 1, (4 << 20) + 1);
	profile_release(&profile);
	build_release(&b);
}

static void test_no_sense(void **state)
{
	struct profile_timeline_segment *timeline;
	struct profile profile;
	struct build b;

	timeline = build(&b);
	timeline->shift = 63;
	timeline->merged = UINT32_MAX;
	parse(&profile, &b);
	assert_int_equal(profile.timelines[0].n, 0);
	assert_int_equal(profile.n_dropped, 1);
	profile_release(&profile);
	build_header(&b)->version = 4;
	parse(&profile, &b);
	assert_null(profile.timelines);
	profile_release(&profile);
	build_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_no_sense),
	};

	return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
