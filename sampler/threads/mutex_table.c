/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's records of mutexes; see mutex_table.h. Not for the signal handler. */
#include "sampler/threads/mutex_table.h"

#include <stddef.h>
#include <string.h>

#include "profile/core/writer.h"
#include "sampler/threads/private_memory.h"

enum {
	FIRST_SLOTS = 256, /* a power of two; each table is twice as large as the table before */
	N_TABLES = sizeof(((struct mutex_table *)0)->slots) / sizeof(struct mutex_slot *),
};

static uint32_t n_records; /* made so far, by all threads */

/*
 * By hash of a mutex' key: 1 + the record of the thread that used it first; SHARED if there are
 * several. Written only when a thread uses a mutex for the first time.
 */
enum { N_USERS = 4096 };
#define SHARED UINT32_MAX
static uint32_t users[N_USERS];

static uint32_t hash(uint64_t key)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15ULL >> 40);
}

static void note_user(uint64_t key, uint32_t user)
{
	uint32_t *of = &users[hash(key) % N_USERS];
	uint32_t noted = __atomic_load_n(of, __ATOMIC_RELAXED);

	if (!noted && __atomic_compare_exchange_n(
			      of, &noted, user, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return;
	if (noted != user && noted != SHARED)
		__atomic_store_n(of, SHARED, __ATOMIC_RELAXED);
}

int mutex_is_shared(uint64_t key)
{
	return __atomic_load_n(&users[hash(key) % N_USERS], __ATOMIC_RELAXED) == SHARED;
}

static uint32_t n_slots(uint32_t table)
{
	return (uint32_t)FIRST_SLOTS << table;
}

/*
 * The slot of the mutex in one table, or the free slot where it would be. At least half of the
 * slots are free.
 */
static struct mutex_slot *slot_in(struct mutex_slot *slots, uint32_t n, uint64_t key)
{
	uint32_t at = hash(key) & (n - 1);

	while (slots[at].key && slots[at].key != key)
		at = (at + 1) & (n - 1);
	return &slots[at];
}

static int add_table(struct mutex_table *table)
{
	void *slots = NULL;

	if (table->n_tables < N_TABLES)
		slots = private_memory(n_slots(table->n_tables) * sizeof(**table->slots));
	if (!slots)
		return -1;
	table->slots[table->n_tables++] = slots;
	table->n_used = 0;
	return 0;
}

static struct profile_lock *make_record(struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct profile_lock *record;

	/* Looks first without a write, for which all threads would have to wait. */
	if (__atomic_load_n(&n_records, __ATOMIC_RELAXED) >= MUTEX_MAX_RECORDS && wait_id)
		return NULL;
	if (__atomic_fetch_add(&n_records, 1, __ATOMIC_RELAXED) >= MUTEX_MAX_RECORDS && wait_id) {
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

/* The slot of all mutexes without a record of their own; NULL without a record for them. */
static struct mutex_slot *lose(struct thread *thread)
{
	struct mutex_slot *others = &thread->mutexes.table.others;

	thread->record->lost[PROFILE_LOST_LOCKS]++;
	if (!others->record)
		others->record = make_record(thread, PROFILE_LOCK, 0);
	return others->record ? others : NULL;
}

static __attribute__((noinline)) struct mutex_slot *make(
	struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct mutex_table *table = &thread->mutexes.table;
	uint64_t key = PROFILE_WAIT_KEY(kind, wait_id);
	struct profile_lock *record;
	struct mutex_slot *slot;

	note_user(key, 1 + thread->record->index);
	if ((!table->n_tables || 2 * table->n_used >= n_slots(table->n_tables - 1)) &&
		add_table(table) != 0)
		return lose(thread);
	record = make_record(thread, kind, wait_id);
	if (!record)
		return lose(thread);
	slot = slot_in(table->slots[table->n_tables - 1], n_slots(table->n_tables - 1), key);
	*slot = (struct mutex_slot){ .key = key, .record = record };
	table->n_used++;
	return slot;
}

struct mutex_slot *mutex_slot(struct thread *thread, uint32_t kind, uint64_t wait_id)
{
	struct mutex_table *table = &thread->mutexes.table;

	for (uint32_t i = table->n_tables; i-- > 0;) {
		struct mutex_slot *slot =
			slot_in(table->slots[i], n_slots(i), PROFILE_WAIT_KEY(kind, wait_id));

		if (slot->key)
			return slot;
	}
	return make(thread, kind, wait_id);
}

void mutex_table_release(struct thread *thread)
{
	struct mutex_table *table = &thread->mutexes.table;

	for (uint32_t i = 0; i < table->n_tables; i++)
		munmap(table->slots[i], n_slots(i) * sizeof(**table->slots));
	*table = (struct mutex_table){ .n_tables = 0 };
}

void mutex_table_forget_all(void)
{
	n_records = 0;
	memset(users, 0, sizeof(users));
}
