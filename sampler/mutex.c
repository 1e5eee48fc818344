/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes; see mutex.h. Not for the signal handler. */
#include "sampler/mutex.h"

#include <omp-tools.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "profile/cct.h"
#include "profile/writer.h"
#include "sampler/capture.h"
#include "sampler/team.h"
#include "sampler/tool.h"
#include "sampler/wait.h"

/* Ticks. What getting a free mutex takes at most, about 400 ns; and a look at a thread, about 1 us. */
#define WAIT_LEAST_TICKS  1000
#define LOOK_ALWAYS_TICKS 2500

enum { LOOKED_OF = 16, ALWAYS_AT_FIRST = 64, FIRST_SLOTS = 256, MAX_SLOTS = 1 << 18 };

static uint32_t n_records; /* made so far, by all threads */

static void count(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

uint32_t mutex_kind(uint32_t ompt_kind)
{
	switch (ompt_kind) {
	case ompt_mutex_lock:
	case ompt_mutex_test_lock:
		return PROFILE_LOCK;
	case ompt_mutex_nest_lock:
	case ompt_mutex_test_nest_lock:
		return PROFILE_NEST_LOCK;
	case ompt_mutex_critical:
		return PROFILE_CRITICAL;
	case ompt_mutex_atomic:
		return PROFILE_ATOMIC;
	case ompt_mutex_ordered:
		return PROFILE_ORDERED;
	default:
		return PROFILE_NO_WAIT;
	}
}

static struct mutex_slot *find_slot(const struct mutex_table *table, uint64_t wait_id)
{
	uint32_t at = (uint32_t)(wait_id * 0x9e3779b97f4a7c15ULL >> 40) & (table->n_slots - 1);

	/* At most half of the slots are used. */
	while (table->slots[at].wait_id && table->slots[at].wait_id != wait_id)
		at = (at + 1) & (table->n_slots - 1);
	return &table->slots[at];
}

/* Doubles the table. Returns 0, or -1 without memory. */
static int grow(struct mutex_table *table)
{
	struct mutex_table larger = *table;
	size_t bytes;

	larger.n_slots = table->n_slots ? 2 * table->n_slots : FIRST_SLOTS;
	bytes = larger.n_slots * sizeof(*larger.slots);
	if (larger.n_slots > MAX_SLOTS)
		return -1;
	larger.slots =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (larger.slots == MAP_FAILED)
		return -1;
	__atomic_fetch_add(&writer_header()->bytes_private, bytes, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < table->n_slots; i++) {
		if (table->slots[i].wait_id)
			*find_slot(&larger, table->slots[i].wait_id) = table->slots[i];
	}
	if (table->slots)
		munmap(table->slots, table->n_slots * sizeof(*table->slots));
	*table = larger;
	return 0;
}

static struct profile_lock *make_record(struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct profile_lock *record;

	if (__atomic_fetch_add(&n_records, 1, __ATOMIC_RELAXED) >= MUTEX_MAX_RECORDS) {
		__atomic_fetch_sub(&n_records, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	record = writer_record(PROFILE_SEGMENT_LOCKS, PROFILE_LOCK_BYTES);
	if (!record)
		return NULL;
	record->wait_id = wait_id;
	record->thread = thread->record->index;
	__atomic_store_n(&record->kind, kind, __ATOMIC_RELEASE);
	return record;
}

/* The thread's record of the mutex, or of all those that got none; NULL without space. */
static struct profile_lock *record_of(struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct mutex_table *table = &thread->mutexes;
	struct mutex_slot *slot = table->n_slots ? find_slot(table, wait_id) : NULL;

	if (slot && slot->wait_id && slot->record->kind == kind)
		return slot->record;
	if (slot && slot->wait_id) { /* another kind of mutex has come to lie there */
		struct profile_lock *record = make_record(thread, kind, wait_id);

		return record ? slot->record = record : table->others;
	}
	if (2 * table->n_used >= table->n_slots && grow(table) == 0)
		slot = find_slot(table, wait_id);
	if (slot && 2 * table->n_used < table->n_slots) {
		struct profile_lock *record = make_record(thread, kind, wait_id);

		if (record) {
			*slot = (struct mutex_slot){ wait_id, record };
			table->n_used++;
			return record;
		}
	}
	thread->record->lost[PROFILE_LOST_LOCKS]++;
	if (!table->others) {
		table->others = writer_record(PROFILE_SEGMENT_LOCKS, PROFILE_LOCK_BYTES);
		if (table->others) {
			table->others->thread = thread->record->index;
			__atomic_store_n(&table->others->kind, PROFILE_LOCK, __ATOMIC_RELEASE);
		}
	}
	return table->others;
}

static int is_exclusive(uint32_t kind)
{
	return kind != PROFILE_ORDERED && kind != PROFILE_NO_WAIT;
}

void mutex_ask(struct thread *thread, uint32_t kind, uint64_t wait_id, uint64_t now)
{
	struct profile_now *published = &thread->record->now;

	thread->asked = (struct held_mutex){ .wait_id = wait_id, .since = now, .kind = kind };
	TEAM_WRITE(published->mutex, 0);
	if (published->mutex_leaf)
		TEAM_WRITE(published->mutex_leaf, 0);
	TEAM_WRITE(published->mutex_since, now);
	TEAM_WRITE(published->mutex_until, 0);
	TEAM_WRITE(published->mutex_kind, kind);
	__atomic_store_n(&published->mutex, wait_id, __ATOMIC_RELEASE);
	team_publish_wait(thread, kind, now);
}

/* The wait that has ended at `now`, in ticks; 0: none. */
static uint64_t waited(const struct thread *thread, uint32_t kind, uint64_t wait_id, uint64_t now)
{
	const struct held_mutex *asked = &thread->asked;

	if (asked->kind != kind || asked->wait_id != wait_id ||
		now - asked->since < WAIT_LEAST_TICKS)
		return 0;
	return now - asked->since;
}

static void count_acquired(struct profile_lock *record, uint64_t ticks, const void *codeptr_ra)
{
	count(&record->n_acquired, 1);
	if (!record->codeptr || ticks > record->max_wait)
		record->codeptr = (uint64_t)codeptr_ra;
	if (!ticks)
		return;
	count(&record->n_contended, 1);
	count(&record->wait, ticks);
	if (ticks > record->max_wait)
		record->max_wait = ticks;
}

void mutex_got(struct thread *thread, uint32_t kind, uint64_t wait_id, const void *codeptr_ra,
	uint64_t now)
{
	struct profile_now *published = &thread->record->now;
	uint64_t ticks = waited(thread, kind, wait_id, now);
	struct profile_lock *record = is_exclusive(kind) ? record_of(thread, kind, wait_id) : NULL;
	struct task *task = thread_waiter(thread);

	TEAM_WRITE(published->mutex_until, now);
	team_publish_wait(thread, task ? task->wait : 0, 0);
	thread->asked.kind = PROFILE_NO_WAIT;
	if (record)
		count_acquired(record, ticks, codeptr_ra);
	if (thread->n_held++ < THREAD_MAX_HELD) {
		thread->held[thread->n_held - 1] = (struct held_mutex){
			.wait_id = wait_id,
			.since = now,
			.callbacks = thread->record->n_callbacks,
			.signals = thread->record->n_signals,
			.kind = kind,
			.record = record,
		};
		TEAM_WRITE(published->held, published->held | 1ULL << kind);
	}
	if (ticks)
		wait_add(thread, PROFILE_WAIT_KEY(kind, record ? record->wait_id : 0), codeptr_ra,
			ticks);
}

/* How many releases this one stands for if it is timed and looks at the others; 0: it does not. */
static uint64_t weight_of(struct thread *thread, const struct held_mutex *held)
{
	const struct profile_lock *record = held->record;
	uint64_t n = thread->n_releases++;

	if (record->n_held < ALWAYS_AT_FIRST || thread->record->n_signals != held->signals ||
		thread->record->n_callbacks - held->callbacks > 1 ||
		record->held >= record->n_held * team_n_listed() * LOOK_ALWAYS_TICKS)
		return 1;
	/* Evenly many of any that come at equal intervals; see capture.c. */
	return n * 0x9e3779b97f4a7c15ULL < UINT64_MAX / LOOKED_OF ? LOOKED_OF : 0;
}

/* The time between `begin` and `end` in which the owner of the lines waited for the mutex. */
static uint64_t overlap(
	const struct profile_now *other, uint64_t wait_id, uint64_t begin, uint64_t end)
{
	uint64_t since, until;

	if (__atomic_load_n(&other->mutex, __ATOMIC_ACQUIRE) != wait_id)
		return 0;
	since = TEAM_READ(other->mutex_since);
	until = TEAM_READ(other->mutex_until);
	if (until && until < end)
		end = until;
	if (since > begin)
		begin = since;
	return end > begin ? end - begin : 0;
}

/* What the threads waited for the mutex while the calling one held it. */
static uint64_t sum_waits(
	const struct thread *thread, uint64_t wait_id, uint64_t begin, uint64_t end)
{
	uint32_t n_listed = team_n_listed();
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n_listed; i++) {
		const struct profile_now *other = team_at(i);

		if (other && other != &thread->record->now)
			sum += overlap(other, wait_id, begin, end);
	}
	return sum;
}

static void blame(struct thread *thread, uint64_t key, const void *codeptr_ra, uint64_t ticks)
{
	uint32_t id = capture_here(thread, (uint64_t)codeptr_ra);
	struct profile_node *node;

	id = id ? cct_child(&thread->cct, id, PROFILE_NODE_BLAME, 0, key) : 0;
	if (!id)
		return;
	node = writer_node(id);
	__atomic_store_n(&node->n, node->n + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&node->blame_ns, node->blame_ns + ticks, __ATOMIC_RELAXED);
}

/* Takes the mutex out of those that the thread holds; kind 0 if it is not among them. */
static struct held_mutex take_held(struct thread *thread, uint64_t wait_id)
{
	uint32_t n = thread->n_held < THREAD_MAX_HELD ? thread->n_held : THREAD_MAX_HELD, at = n;
	struct held_mutex held = { .kind = PROFILE_NO_WAIT };
	uint64_t kinds = 0;

	if (n == 1 && thread->held[0].wait_id == wait_id) { /* most often */
		thread->n_held--;
		TEAM_WRITE(thread->record->now.held, 0);
		return thread->held[0];
	}
	while (at > 0 && thread->held[at - 1].wait_id != wait_id)
		at--;
	if (thread->n_held > 0)
		thread->n_held--;
	if (at == 0)
		return held;
	held = thread->held[at - 1];
	memmove(&thread->held[at - 1], &thread->held[at], (n - at) * sizeof(held));
	for (uint32_t i = 0; i + 1 < n; i++)
		kinds |= 1ULL << thread->held[i].kind;
	TEAM_WRITE(thread->record->now.held, kinds);
	return held;
}

void mutex_released(struct thread *thread, uint32_t kind, uint64_t wait_id, const void *codeptr_ra)
{
	struct held_mutex held = take_held(thread, wait_id);
	struct profile_lock *record = held.record;
	uint64_t now, ticks, weight, sum;

	weight = held.kind == kind && record ? weight_of(thread, &held) : 0;
	if (!weight)
		return;
	now = tool_ticks();
	ticks = now - held.since;
	count(&record->n_held, weight);
	count(&record->held, ticks * weight);
	if (ticks > record->max_held)
		record->max_held = ticks;
	sum = team_n_listed() > 1 ? sum_waits(thread, wait_id, held.since, now) : 0;
	if (sum)
		blame(thread, PROFILE_WAIT_KEY(kind, record->wait_id), codeptr_ra, sum * weight);
}

void mutex_forget(struct thread *thread)
{
	if (thread->mutexes.slots)
		munmap(thread->mutexes.slots,
			thread->mutexes.n_slots * sizeof(*thread->mutexes.slots));
	thread->mutexes = (struct mutex_table){ 0 };
}

void mutex_forget_all(void)
{
	n_records = 0;
}
