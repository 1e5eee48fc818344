/* SPDX-License-Identifier: Apache-2.0 */
/* Threads' records; see thread_record.h. Not for the signal handler. */
#include "sampler/threads/thread_record.h"

#include <omp-tools.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "sampler/core/clock.h"
#include "sampler/core/run_delay.h"
#include "sampler/core/phase.h"
#include "sampler/core/thread_self.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/timeline.h"
#include "sampler/core/tool.h"
#include "sampler/threads/private_memory.h"
#include "sampler/threads/wait.h"

/* In the place of a start function, for workers whose start function the tool did not see. */
#define UNSEEN_WORKERS 1

enum {
	N_BUCKETS = 64,
	PAST_BATCH_BYTES = 4096,
};

/*
 * After a shorter life the kernel is not asked how long the thread waited for a CPU, if a later
 * thread can continue the record.
 */
#define SHORT_LIFE_NS 10000000ULL

/* A record and its tree, for the next thread with the same start function. */
struct record_past {
	struct record_past *next;
	uint64_t routine;
	struct profile_thread *record;
	struct cct cct;
	struct profile_segment *moments; /* of the trace, with room for more; or NULL */
};

static struct {
	struct record_past *ended[N_BUCKETS]; /* by start function */
	struct record_past *free;
	uint32_t n; /* records made */
} records;

static struct record_past **bucket_of(uint64_t routine)
{
	return &records.ended[(routine * 0x9e3779b97f4a7c15ULL) >> 58];
}

static struct record_past *take_past(uint64_t routine)
{
	for (struct record_past **at = bucket_of(routine); *at; at = &(*at)->next) {
		struct record_past *past = *at;

		if (past->routine != routine)
			continue;
		*at = past->next;
		return past;
	}
	return NULL;
}

static void free_past(struct record_past *past)
{
	past->next = records.free;
	records.free = past;
}

/* A new struct, without a record yet; NULL without memory. */
static struct record_past *make_past(uint64_t routine)
{
	struct record_past *past = records.free;

	if (!past) {
		past = private_memory(PAST_BATCH_BYTES);
		if (!past)
			return NULL;
		for (size_t i = 0; i < PAST_BATCH_BYTES / sizeof(*past); i++)
			free_past(&past[i]);
		past = records.free;
	}
	records.free = past->next;
	past->routine = routine;
	return past;
}

/* Fills a new record; its index, stored after the fields that readers need, makes it valid. */
static int open_new(struct thread *thread, uint32_t type)
{
	struct profile_thread *record;
	uint32_t index = ++records.n;

	if (cct_init(&thread->cct, index) != 0)
		return -1;
	record = writer_record(PROFILE_SEGMENT_THREADS, PROFILE_THREAD_BYTES);
	if (!record)
		return -1;
	record->tid = (uint32_t)plain_gettid();
	record->type = type;
	record->root = thread->cct.root;
	record->start_ns = record->last_ns = record->begun_ns = tool_now_ns();
	record->start = thread->start.routine;
	record->n_lives = record->start != 0;
	if (!record->start)
		record->cpu_start_ns = record->cpu_last_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
	record->now.root_since = tool_time();
	record->stack.lo = thread->stack.lo;
	record->stack.hi = thread->stack.hi;
	prctl(PR_GET_NAME, record->name);
	__atomic_store_n(&record->index, index, __ATOMIC_RELEASE);
	writer_header()->n_threads = index;
	thread->record = record;
	timeline_open(thread);
	run_delay_begin(thread, record->begun_ns);
	return 0;
}

/*
 * Continues the record and the tree of a thread that has ended. The record's CPU time continues
 * from its last value: a thread that was seen from its start has used hardly any so far.
 */
static void go_on(struct thread *thread, struct record_past *past)
{
	struct profile_thread *record = past->record;

	thread->cct = past->cct;
	thread->cct.root = past->record->root;
	thread->record = record;
	timeline_find(thread);
	thread->timeline.moments = past->moments;
	thread->life.cpu_before_ns = record->cpu_last_ns;
	if (!record->start)
		thread->life.cpu_before_ns -= clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
	record->tid = (uint32_t)plain_gettid();
	record->lived_ns += record->end_ns - record->begun_ns;
	record->begun_ns = record->last_ns = tool_now_ns();
	record->end_ns = 0;
	record->n_lives += record->n_lives ? 1 : 2;
	record->now = (struct profile_now){ .root_since = tool_time() };
	record->open = (struct profile_open){ 0 };
	record->stack.lo = thread->stack.lo;
	record->stack.hi = thread->stack.hi;
	run_delay_begin(thread, record->begun_ns);
	__atomic_store_n(&record->flags, 0, __ATOMIC_RELEASE);
}

int thread_record_open(struct thread *thread, uint32_t type)
{
	uint64_t routine = thread->start.routine;

	if (!routine && type == ompt_thread_worker)
		routine = UNSEEN_WORKERS;
	if (!routine)
		return open_new(thread, type);
	thread->life.past = take_past(routine);
	if (thread->life.past) {
		go_on(thread, thread->life.past);
		return 0;
	}
	thread->life.past = make_past(routine);
	if (!thread->life.past)
		return -1;
	if (open_new(thread, type) == 0)
		return 0;
	free_past(thread->life.past);
	return -1;
}

/* Counts the thread's CPU time from its last sample to `ns` as time without samples. */
static void add_unsampled(struct thread *thread, uint64_t ns)
{
	struct profile_thread *record = thread->record;
	uint64_t last_ns = record->cpu_last_ns - thread->life.cpu_before_ns;

	record->unsampled_ns += ns > last_ns ? ns - last_ns : 0;
}

void thread_record_unblocked(struct thread *thread)
{
	struct clock_weight weight;

	tool.clock->read(&thread->clock, &weight);
	thread->clock.last_ns += weight.time_ns;
	thread->clock.last_events += weight.events;
	add_unsampled(thread, weight.cpu_ns);
	thread->record->cpu_last_ns = thread->life.cpu_before_ns + weight.cpu_ns;
}

/* Adds the CPU time since the last sample; nothing for a thread that is gone, and in a pause. */
static void add_cpu_time(struct thread *thread)
{
	struct profile_thread *record = thread->record;
	uint64_t ns;

	if (tool_is_paused() || clock_cpu_of(record->tid, &ns) != 0)
		return;
	if (!thread->life.has_clock || thread->clock.is_paused)
		add_unsampled(thread, ns);
	record->cpu_last_ns = thread->life.cpu_before_ns + ns;
}

/*
 * The record of a thread of the program that came to use OpenMP is not given to another thread; a
 * worker's is, because a runtime may make the threads of each nested team anew.
 */
static void keep_for_later(struct thread *thread)
{
	struct record_past *past = thread->life.past;
	struct record_past **bucket;

	if (!past)
		return;
	if (thread->record->type && thread->record->type != ompt_thread_worker) {
		free_past(past);
		return;
	}
	bucket = bucket_of(past->routine);
	past->record = thread->record;
	past->cct = thread->cct;
	past->moments = thread->timeline.moments;
	past->next = *bucket;
	*bucket = past;
}

/* Notes the thread's name as it is now; that of another thread if the program made it. */
static void note_name(struct thread *thread)
{
	struct profile_thread *record = thread->record;
	char path[64];
	ssize_t n;
	int fd;

	if (thread == thread_self())
		prctl(PR_GET_NAME, record->name);
	if (thread == thread_self() || !record->start)
		return;
	snprintf(path, sizeof(path), "/proc/self/task/%u/comm", record->tid);
	fd = plain_open(path, O_RDONLY | O_CLOEXEC, 0);
	n = fd < 0 ? 0 : plain_read(fd, record->name, sizeof(record->name));
	if (fd >= 0)
		plain_close(fd);
	if (n > 0)
		record->name[n - 1] = '\0';
}

void thread_record_close(struct thread *thread)
{
	struct profile_thread *record = thread->record;

	if (record->flags & PROFILE_THREAD_ENDED)
		return;
	/* A thread that is in an event right now ends its waits itself, or loses them. */
	if (thread == thread_self() || (!thread->gate.in_tool && !thread_is_in_handler(thread))) {
		phase_finish(thread, tool_time());
		if (record->n_callbacks || record->type)
			wait_finish(thread, tool_time());
	}
	if (thread->life.is_listed)
		board_leave(&record->now);
	note_name(thread);
	add_cpu_time(thread);
	record->end_ns = tool_now_ns();
	if (!thread->life.past || record->end_ns - record->begun_ns >= SHORT_LIFE_NS)
		run_delay_end(thread);
	__atomic_fetch_or(&record->flags, PROFILE_THREAD_ENDED, __ATOMIC_RELEASE);
	keep_for_later(thread);
}

void thread_record_forget_all(void)
{
	memset(&records, 0, sizeof(records));
}
