/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timeline that somebody else meets while pairs of its buckets become one. A child does that instruction by
 * instruction: at each of them it may be killed, and a reader of the file may be in the middle of its reading. What
 * the buckets have, and when that was, is the same all the time.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/reader/reader_internal.h"
#include "profile/core/writer.h"
#include "sampler/core/timeline.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"
#include "tests/unit/profile/check_profile.h"

enum {
	BUCKETS = PROFILE_TIMELINE_BUCKETS,
	UNIT = PROFILE_TIMELINE_UNIT,
	MOST_STATES = 20000,
	KEPT = 40, /* states that readers are tried with */
};

#define WIDTH ((uint64_t)1 << 20)

struct tool tool;

static struct build built;
static unsigned char *file;                /* of the child and of this process: what was built */
static uint32_t timeline;                  /* its segment, */
static uint32_t moments[2];                /* and those of the trace, the latest last */
static unsigned char *states[MOST_STATES]; /* of the segment, one after the other */
static size_t n_states;
static struct thread thread;
static struct profile_thread record;

struct profile_header *writer_header(void)
{
	return (struct profile_header *)file;
}

void *writer_at(uint64_t offset)
{
	return file + offset;
}

struct profile_segment *writer_segment(
	enum profile_segment_kind kind, uint32_t record_bytes, uint32_t owner, uint32_t *segment)
{
	(void)kind;
	(void)record_bytes;
	(void)owner;
	*segment = 0;
	return NULL;
}

static struct profile_timeline_segment *segment(void)
{
	return (struct profile_timeline_segment *)(file + (size_t)timeline * PROFILE_SEGMENT_BYTES);
}

/* One unit in each bucket of a thread that runs. */
static void make_file(void)
{
	struct profile_timeline_segment *at;

	build_every_kind(&built, 0);
	timeline = build_segment(&built, PROFILE_SEGMENT_TIMELINE, 1);
	for (int i = 0; i < 2; i++) {
		moments[i] = build_segment(&built, PROFILE_SEGMENT_MOMENTS, 1);
		build_segment_at(&built, moments[i])->record_bytes = PROFILE_MOMENT_BYTES;
	}
	at = (struct profile_timeline_segment *)build_segment_at(&built, timeline);
	at->segment.record_bytes = PROFILE_NODE_BYTES;
	at->segment.used = 255;
	at->shift = 20;
	for (int i = 0; i < BUCKETS; i++)
		at->count[i][PROFILE_TIME_MUTEX] = 1 + (i >= BUCKETS / 2);
	build_header(&built)->ticks_per_s = 1000000000;
	build_thread_at(&built, 1)->end_ns = 0;
	file = mmap(NULL, built.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(file, MAP_FAILED);
	memcpy(file, built.bytes, built.size);
}

/* Less than a unit, right behind the last bucket. */
static void run_past(void)
{
	thread.record = &record;
	thread.timeline.segment = segment();
	tool.start_ticks = writer_header()->start_ticks;
	timeline_wait(&thread, PROFILE_LOCK, 0, tool.start_ticks + BUCKETS * WIDTH,
		tool.start_ticks + BUCKETS * WIDTH + 1, 1);
}

static void keep_state(void)
{
	const unsigned char *now = (const unsigned char *)segment();

	if (n_states && memcmp(states[n_states - 1], now, PROFILE_SEGMENT_BYTES) == 0)
		return;
	assert_true(n_states < MOST_STATES);
	states[n_states] = malloc(PROFILE_SEGMENT_BYTES);
	assert_non_null(states[n_states]);
	memcpy(states[n_states++], now, PROFILE_SEGMENT_BYTES);
}

static void run_child(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(77);
	raise(SIGSTOP);
	run_past();
	raise(SIGSTOP);
	_exit(0);
}

/* All states that the segment has, one instruction of the child after the other. Returns 0 where that is not allowed. */
static int make_states(void)
{
	int status;
	pid_t child;

	make_file();
	keep_state();
	child = fork();
	if (child == 0)
		run_child();
	assert_int_equal(waitpid(child, &status, 0), child);
	if (!WIFSTOPPED(status))
		return 0;
	do {
		if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0)
			return 0;
		assert_int_equal(waitpid(child, &status, 0), child);
		keep_state();
	} while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
	assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return 1;
}

static void check(const unsigned char *bytes)
{
	const uint64_t whole = (uint64_t)UNIT * (BUCKETS + BUCKETS / 2);
	const struct profile_timeline *read;
	struct profile profile;
	struct diag diag;
	uint64_t sum = 0, early = 0;

	assert_int_equal(profile_parse(&profile, bytes, built.size, "x", &diag), 0);
	read = &profile.timelines[0];
	for (size_t i = 0; i < read->n; i++) {
		sum += read->ns[i][PROFILE_TIME_MUTEX];
		if (profile_bucket_ns(read, i) < BUCKETS / 2 * WIDTH - WIDTH)
			early += read->ns[i][PROFILE_TIME_MUTEX];
	}
	assert_int_equal(sum, whole);
	assert_int_equal(early, (uint64_t)UNIT * (BUCKETS / 2 - 1));
	profile_release(&profile);
}

static void test_killed(void **state)
{
	(void)state;
	if (!n_states)
		skip();
	assert_true(n_states > BUCKETS);
	for (size_t i = 0; i < n_states; i++) {
		memcpy(segment(), states[i], PROFILE_SEGMENT_BYTES);
		check(file);
	}
}

/* What a reader of the file meets: up to byte `cut` of the first time that it is asked for the segment state `first`,
   then state `next`, and from the second time on state `last`. */
static struct {
	size_t first, next, last, cut;
	size_t n_reads;
	int is_counted_only;
} met;

int __wrap_reader_read_at(int fd, void *bytes, size_t n, uint64_t offset);

int __wrap_reader_read_at(int fd, void *bytes, size_t n, uint64_t offset)
{
	size_t start = (size_t)timeline * PROFILE_SEGMENT_BYTES, at;

	assert_int_equal(fd, -1);
	met.n_reads++;
	if (met.is_counted_only)
		return 0;
	memcpy(bytes, file + offset, n);
	if (offset < start || offset + n > start + PROFILE_SEGMENT_BYTES)
		return 0;
	at = offset - start;
	memcpy(bytes, states[met.first] + at, n);
	if (n == PROFILE_SEGMENT_BYTES) {
		memcpy((char *)bytes + met.cut, states[met.next] + met.cut, n - met.cut);
		met.first = met.next;
		met.next = met.last;
	}
	return 0;
}

static size_t some_state(size_t i)
{
	return i * (n_states - 1) / (KEPT - 1);
}

/* The reader of a file sees the segment twice: as it reads the whole file, and when it looks again. */
static void test_running(void **state)
{
	unsigned char *copy = malloc(built.size);

	(void)state;
	if (!n_states)
		skip();
	assert_non_null(copy);
	for (size_t first = 0; first < KEPT; first++) {
		for (size_t next = first; next < KEPT; next += 3) {
			for (size_t cut = 0; cut <= PROFILE_SEGMENT_BYTES; cut += 1024 - 64) {
				memcpy(copy, file, built.size);
				memcpy(copy + (size_t)timeline * PROFILE_SEGMENT_BYTES,
					states[some_state(first / 2)], PROFILE_SEGMENT_BYTES);
				met.first = some_state(first);
				met.next = some_state(next);
				met.last = n_states - 1;
				met.cut = cut;
				assert_int_equal(reader_settle(-1, copy, built.size), 0);
				check(copy);
			}
		}
	}
	free(copy);
}

/* A thread that is stopped in the middle: what it left is enough, and read no more than twice. */
static void test_stopped(void **state)
{
	(void)state;
	if (!n_states)
		skip();
	for (size_t i = 0; i < KEPT; i++) {
		unsigned char *copy = malloc(built.size);

		assert_non_null(copy);
		met.first = met.next = met.last = some_state(i);
		met.n_reads = 0;
		memcpy(segment(), states[some_state(i)], PROFILE_SEGMENT_BYTES);
		memcpy(copy, file, built.size);
		assert_int_equal(reader_settle(-1, copy, built.size), 0);
		assert_in_range(met.n_reads, 3, 20);
		check(copy);
		free(copy);
	}
}

static struct profile_segment *trace_at(unsigned char *bytes, int i)
{
	return (struct profile_segment *)(bytes + (size_t)moments[i] * PROFILE_SEGMENT_BYTES);
}

/* What came into the trace since it was read is found where it grows, and there alone. */
static void test_moments(void **state)
{
	unsigned char *copy = malloc(built.size);

	(void)state;
	if (!n_states)
		skip();
	assert_non_null(copy);
	memcpy(copy, file, built.size);
	trace_at(file, 0)->used = trace_at(file, 1)->used = 3;
	for (int is_ended = 0; is_ended < 2; is_ended++) {
		trace_at(copy, 1)->used = 0;
		((struct profile_thread *)(copy +
					   (size_t)built.thread_segment * PROFILE_SEGMENT_BYTES))[1]
			.end_ns = (uint64_t)is_ended;
		assert_int_equal(reader_settle(-1, copy, built.size), 0);
		assert_int_equal(trace_at(copy, 0)->used, 0);
		assert_int_equal(trace_at(copy, 1)->used, 3);
	}
	trace_at(file, 0)->used = trace_at(file, 1)->used = 0;
	free(copy);
}

static double settle_many(uint32_t n_threads)
{
	struct timespec begin, end;
	struct build b;

	build_begin(&b);
	for (uint32_t i = 1; i <= n_threads; i++)
		build_thread_at(&b, build_thread(&b, 2))->end_ns = 0;
	for (uint32_t i = 1; i <= n_threads; i++)
		for (int k = 0; k < 4; k++)
			build_segment(&b, PROFILE_SEGMENT_NODES, i);
	met.is_counted_only = 1;
	met.n_reads = 0;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	for (int i = 0; i < 8; i++)
		assert_int_equal(reader_settle(-1, b.bytes, b.size), 0);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	assert_in_range(met.n_reads, 8 * 5 * n_threads, 8 * 7 * n_threads);
	met.is_counted_only = 0;
	build_release(&b);
	return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

/* Four times the threads and segments take four times as long, and not sixteen; the best of some tries. */
static void test_many_threads(void **state)
{
	double best = 1e9;

	(void)state;
	for (int i = 0; i < 5; i++) {
		double small = settle_many(240), large = settle_many(960);

		best = large / small < best ? large / small : best;
	}
	assert_true(best < 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_running),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_many_threads),
	};

	if (!make_states())
		n_states = 0;
	return cmocka_run_group_tests_name("timeline_live", tests, NULL, NULL);
}
