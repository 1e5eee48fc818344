/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who waited for whom in collective calls of MPI: calls of ranks meet by number, on one host and by one clock.
 * Each rank calls at TICK(begin) and returns at TICK(end); a tick is a nanosecond.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "attribution/merge/merge.h"
#include "tests/unit/scenes/build_profile.h"

#define MS(n)    ((uint64_t)(n)*1000000)
#define START    MS(5000)
#define TICK(ms) (START + MS(ms))
#define CALLER   0x1120
#define OTHER    0x1140
#define CALLED   0x1800
#define MOST     4

/* A rank, analysed. */
struct rank {
	struct build b;
	struct profile profile;
	struct tree tree;
	struct metrics metrics;
	uint32_t calls; /* its segment of collective calls */
	int is_running, is_part;
	uint64_t cut_ns;
};

static struct rank ranks[MOST];
static size_t n_ranks;
static struct merged merged;

/* A function of MPI that the rank calls at `caller`, and in which it waited for so long. */
static void add_wait(struct build *b, uint64_t caller, uint64_t called, uint64_t mpi_ms)
{
	uint32_t frame = build_frame(b, build_root(b, 1), caller, 0);

	build_wait(b, build_frame(b, frame, called, PROFILE_FRAME_EXACT), PROFILE_MPI, 0, 1,
		MS(mpi_ms));
}

/* A rank of a job, which waited in MPI for so long, a third of it at another place. */
static struct rank *begin_rank(const char *host, uint32_t n_of_job, uint64_t mpi_ms)
{
	struct rank *rank = &ranks[n_ranks++];
	struct build *b = &rank->b;
	struct profile_header *header;

	build_begin(b);
	header = build_header(b);
	header->waits = 1u << PROFILE_MPI;
	header->around.rank = (uint32_t)n_ranks;
	header->around.n_ranks = n_of_job;
	header->start_ticks = START;
	header->start_monotonic_ns = MS(70000);
	strcpy(header->host, host);
	build_module(b, "/bin/app", 0x1000, 0x2000, PROFILE_MODULE_MAIN);
	build_thread(b, 1);
	add_wait(b, CALLER, CALLED, mpi_ms / 3);
	add_wait(b, OTHER, CALLED + 0x40, mpi_ms / 6);
	add_wait(b, OTHER, CALLED + 0x80, mpi_ms / 2);
	rank->calls = build_segment(b, PROFILE_SEGMENT_COLLECTIVES, 0);
	return rank;
}

static void add_call_at(
	struct rank *rank, uint64_t caller, uint32_t number, uint64_t begin_ms, uint64_t end_ms)
{
	build_collective(&rank->b, rank->calls, number, TICK(begin_ms), TICK(end_ms), caller);
}

/* As add_call_at(), of a function by which the rank of that number, from 1 on, gathers from all. */
static void add_gather(
	struct rank *rank, uint64_t caller, uint32_t root, uint64_t begin_ms, uint64_t end_ms)
{
	build_collective(&rank->b, rank->calls, 1, TICK(begin_ms), TICK(end_ms), caller)->root =
		root;
}

static void add_call(struct rank *rank, uint32_t number, uint64_t begin_ms, uint64_t end_ms)
{
	add_call_at(rank, CALLER, number, begin_ms, end_ms);
}

static const struct metrics_ranks *merge_all(void)
{
	static const struct tree_options options = { .view = TREE_USER };
	struct merge *merge = merge_begin(0);
	struct diag diag;

	for (size_t i = 0; i < n_ranks; i++) {
		struct rank *rank = &ranks[i];
		struct merge_process process = { &rank->profile, &rank->tree, NULL,
			&rank->metrics };

		assert_int_equal(
			profile_parse(&rank->profile, rank->b.bytes, rank->b.size, "x", &diag), 0);
		rank->profile.is_running = rank->is_running;
		rank->profile.part.is_cut = rank->is_part;
		rank->profile.cut_ns = rank->cut_ns;
		assert_int_equal(attribute(&rank->tree, &rank->profile, &options, &diag), 0);
		assert_int_equal(
			metrics_make(&rank->metrics, &rank->profile, &rank->tree, &diag), 0);
		assert_int_equal(merge_add(merge, &process), 0);
	}
	assert_int_equal(merge_finish(merge, &merged), 0);
	return &merged.metrics.ranks;
}

static int end(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_ranks; i++) {
		metrics_release(&ranks[i].metrics);
		tree_release(&ranks[i].tree);
		profile_release(&ranks[i].profile);
		build_release(&ranks[i].b);
	}
	metrics_release(&merged.metrics);
	tree_release(&merged.tree);
	profile_release(&merged.profile);
	n_ranks = 0;
	memset(ranks, 0, sizeof(ranks));
	return 0;
}

/* Two ranks wait for the third at call 1; at call 2 the first rank leaves before the third comes. */
static void late_and_left(void **state)
{
	static const uint64_t times[][4] = { { 0, 100, 200, 280 }, { 20, 101, 220, 400 },
		{ 99, 100, 290, 400 } };
	const struct metrics_ranks *got;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct rank *rank = begin_rank("a", 3, 300);

		add_call(rank, 1, times[i][0], times[i][1]);
		add_call(rank, 2, times[i][2], times[i][3]);
	}
	got = merge_all();
	assert_int_equal(got->n_late, 1);
	assert_int_equal(got->late[0].process, 2);
	assert_int_equal(got->late[0].n, 1);
	assert_int_equal(got->late[0].wait_ns, MS(99 + 79));
	assert_int_equal(got->blamed_ns, MS(99 + 79));
	assert_int_equal(got->mpi_ns, MS(900));
	assert_int_equal(got->n_compared, 2);
	assert_int_equal(got->compared_ns, MS(100 + 81 + 1 + 80 + 180 + 110));
	assert_int_equal(got->n_begun, 2);
	assert_int_equal(merged.tree.nodes[got->late[0].node].addr, CALLED);
}

/* Only calls that both ranks have kept are compared: of the first, at level 1, call 2 and not call 1. */
static void levels_and_missing_calls(void **state)
{
	struct rank *first = begin_rank("a", 2, 300), *second = begin_rank("a", 2, 300);
	uint32_t kept = profile_is_kept(1, 1) ? 1 : 2;
	const struct metrics_ranks *got;

	(void)state;
	assert_int_not_equal(profile_is_kept(1, 1), profile_is_kept(2, 1));
	build_header(&first->b)->collectives.level = 1;
	for (uint32_t i = 1; i <= 2; i++) {
		add_call(first, i, 100 * i, 100 * i + 50 + i);
		add_call(second, i, 100 * i + 30 + i, 100 * i + 50 + i);
	}
	add_call(second, 3, 400, 410);
	got = merge_all();
	assert_int_equal(got->n_compared, 1);
	assert_int_equal(got->n_begun, 3);
	assert_int_equal(got->n_late, 1);
	assert_int_equal(got->late[0].wait_ns, MS(30 + kept));
}

static void begin_two(uint32_t n_of_job, uint64_t last_end_ms)
{
	add_call(begin_rank("a", n_of_job, 300), 1, 0, 200);
	add_call(begin_rank("a", n_of_job, 300), 1, 100, last_end_ms);
}

/* With ranks elsewhere, the last rank of the host is not blamed if it waited itself. */
static void other_hosts(void **state)
{
	begin_two(3, 200);
	add_call(begin_rank("b", 3, 300), 1, 150, 200);
	assert_int_equal(merge_all()->n_late, 0);
	assert_int_equal(merged.metrics.ranks.n_compared, 1);
	end(state);
	begin_two(3, 105);
	assert_int_equal(merge_all()->blamed_ns, MS(100));
	end(state);
	begin_two(2, 200);
	assert_int_equal(merge_all()->blamed_ns, MS(100));
}

/* The second of three ranks of this host gathers. The first leaves at once, and the last comes after 100 ms. */
static const struct metrics_ranks *gather(
	uint32_t n_of_job, uint32_t root, uint64_t first_end_ms, uint64_t root_end_ms)
{
	end(NULL);
	add_gather(begin_rank("a", n_of_job, 300), CALLER, root, 0, first_end_ms);
	add_gather(begin_rank("a", n_of_job, 300), OTHER, root, 10, root_end_ms);
	add_gather(begin_rank("a", n_of_job, 300), CALLER, root, 100, 101);
	if (n_of_job == 4)
		add_gather(begin_rank("b", n_of_job, 300), CALLER, root, 0, 1);
	return merge_all();
}

/* A rank that gathers has waited for the last rank, whoever else left before; of other ranks that is not known. */
static void root_waits(void **state)
{
	const struct metrics_ranks *got = gather(3, 2, 1, 150);

	(void)state;
	assert_int_equal(got->n_late, 1);
	assert_int_equal(got->late[0].process, 2);
	assert_int_equal(got->late[0].wait_ns, MS(90));
	assert_int_equal(got->blamed_ns, MS(90));
	assert_int_equal(merged.tree.nodes[got->late[0].node].addr, CALLED + 0x80);
	assert_int_equal(gather(3, 2, 1, 99)->n_late, 0);             /* it left before */
	assert_int_equal(gather(3, 3, 1, 150)->n_late, 0);            /* the root came last */
	assert_int_equal(gather(3, 0, 1, 150)->n_late, 0);            /* not known to gather */
	assert_int_equal(gather(3, 2, 150, 150)->blamed_ns, MS(190)); /* all waited */
	/* A rank elsewhere came later, unless the root left soon after this host's last rank. */
	assert_int_equal(gather(4, 2, 1, 150)->n_late, 0);
	assert_int_equal(gather(4, 2, 150, 150)->n_late, 0);
	assert_int_equal(gather(4, 2, 1, 105)->blamed_ns, MS(90));
	assert_int_equal(gather(4, 4, 150, 150)->n_late, 0); /* the root is elsewhere */
}

static void nothing_is_compared(void **state)
{
	begin_two(2, 105);
	build_header(&ranks[1].b)->start_monotonic_ns += MS(2);
	assert_int_equal(merge_all()->n_compared, 0); /* two clocks */
	end(state);
	begin_two(2, 105);
	build_header(&ranks[1].b)->around.rank = 1;
	assert_int_equal(merge_all()->n_compared, 0); /* two jobs */
	end(state);
	begin_two(3, 105);
	add_call(begin_rank("a", 3, 300), 2, 200, 210);
	assert_int_equal(merge_all()->n_compared, 0); /* a rank has not kept the call */
	end(state);
	begin_two(2, 105);
	strcpy(build_header(&ranks[1].b)->host, "b");
	assert_int_equal(merge_all()->n_compared, 0); /* two hosts */
	assert_int_equal(merged.metrics.ranks.mpi_ns, MS(600));
}

/* The node of a late rank is of the call of the rank that came first, with most time of this caller. */
static void node_of_first(void **state)
{
	struct rank *first = begin_rank("a", 3, 300), *second = begin_rank("a", 3, 300);
	struct rank *third = begin_rank("a", 3, 300);

	(void)state;
	add_call_at(first, CALLER, 1, 10, 100);
	add_call_at(second, OTHER, 1, 0, 100);
	add_call_at(third, CALLER, 1, 99, 100);
	add_call_at(first, CALLER + 0x10, 2, 200, 300);
	add_call_at(second, CALLER + 0x10, 2, 210, 300);
	add_call_at(third, CALLER + 0x10, 2, 298, 300);
	assert_int_equal(merge_all()->n_late, 2);
	assert_int_equal(merged.metrics.ranks.late[0].wait_ns, MS(99 + 89));
	assert_int_equal(merged.tree.nodes[merged.metrics.ranks.late[0].node].addr, CALLED + 0x80);
	assert_int_equal(merged.metrics.ranks.late[1].wait_ns, MS(98 + 88));
	assert_int_equal(merged.metrics.ranks.late[1].node, 0);
}

/* Waits for a rank at one place are added up. The longest is first, and all are time in MPI. */
static void sums_of_late(void **state)
{
	struct rank *first = begin_rank("a", 2, 6), *second = begin_rank("a", 2, 6);
	const struct metrics_ranks *got;

	(void)state;
	add_call(first, 1, 50, 60);
	add_call(second, 1, 0, 60);
	add_call(first, 2, 100, 160);
	add_call(second, 2, 130, 160);
	add_call(first, 3, 200, 260);
	add_call(second, 3, 240, 260);
	got = merge_all();
	assert_int_equal(got->n_late, 2);
	assert_int_equal(got->late[0].process, 1);
	assert_int_equal(got->late[0].n, 2);
	assert_int_equal(got->late[0].wait_ns, MS(30 + 40));
	assert_int_equal(got->late[1].process, 0);
	assert_int_equal(got->late[1].wait_ns, MS(50));
	assert_int_equal(got->mpi_ns, MS(30 + 40 + 50));
}

/* A rank that begins `later_ms` after the first rank, or before it, by a clock that is off by so much. */
static size_t compared_with(int64_t later_ms, int64_t off_ms)
{
	begin_two(2, 105);
	build_header(&ranks[1].b)->start_ticks += (uint64_t)(later_ms * 1000000);
	build_header(&ranks[1].b)->start_monotonic_ns += (uint64_t)((later_ms + off_ms) * 1000000);
	return (size_t)merge_all()->n_compared;
}

/* Clocks may drift by a thousandth. */
static void clocks_that_drift(void **state)
{
	static const struct {
		int64_t later_ms, off_ms;
		size_t n;
	} cases[] = { { 90, 0, 1 }, { -4000, 0, 1 }, { -4000, 4, 1 }, { -4000, -4, 1 },
		{ -4000, 6, 0 }, { 90, 2, 0 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(compared_with(cases[i].later_ms, cases[i].off_ms), cases[i].n);
		end(state);
	}
}

/* Nor is a process without a rank compared, a running one, or a part of a run. */
static void processes_left_out(void **state)
{
	begin_two(2, 105);
	build_header(&ranks[1].b)->around.rank = 0;
	assert_int_equal(merge_all()->n_compared, 0);
	end(state);
	begin_two(2, 105);
	ranks[1].is_running = 1;
	assert_int_equal(merge_all()->n_compared, 0);
	end(state);
	begin_two(2, 105);
	ranks[1].is_part = 1;
	assert_int_equal(merge_all()->n_compared, 0);
	end(state);
	begin_two(2, 105);
	ranks[1].cut_ns = MS(1);
	assert_int_equal(merge_all()->n_compared, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(late_and_left, end),
		cmocka_unit_test_teardown(levels_and_missing_calls, end),
		cmocka_unit_test_teardown(other_hosts, end),
		cmocka_unit_test_teardown(root_waits, end),
		cmocka_unit_test_teardown(nothing_is_compared, end),
		cmocka_unit_test_teardown(node_of_first, end),
		cmocka_unit_test_teardown(sums_of_late, end),
		cmocka_unit_test_teardown(clocks_that_drift, end),
		cmocka_unit_test_teardown(processes_left_out, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
